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

/** The same, by round trip to Postgres. A statement that is sent before the previous one is answered belongs to the same round trip. */
export const roundTripsOf = async (work: () => Promise<unknown>): Promise<string[][]> => {
  const trips: string[][] = []
  const { query } = pg.Client.prototype
  let unanswered = 0
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    if (unanswered === 0) trips.push([])
    trips.at(-1)?.push(textOf(given[0]))
    const answer: unknown = Reflect.apply(query, this, given)
    if (answer instanceof Promise) {
      unanswered += 1
      const answered = () => {
        unanswered -= 1
      }
      answer.then(answered, answered)
    }
    return answer
  } as typeof query)
  try {
    await work()
    return trips
  } finally {
    spy.mockRestore()
  }
}

const textOf = (statement: unknown) => {
  const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
  return text.replaceAll(/\s+/g, ' ').trim()
}
