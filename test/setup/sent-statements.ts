import pg from 'pg'
import { vi } from 'vitest'
import { forgetCallers } from '#core/known-callers.ts'

/** The texts of all statements that reach Postgres while `work` runs, with single spaces. The first request looks its token up. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  forgetCallers()
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return spy.mock.calls.map(([statement]) => textOf(statement))
  } finally {
    spy.mockRestore()
  }
}

const textOf = (statement: unknown) => {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
  return text.replaceAll(/\s+/g, ' ').trim()
}
