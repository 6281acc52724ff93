import pg from 'pg'
import { vi } from 'vitest'
import { forgetCallers } from '#core/known-callers.ts'

/**
 * Not counted: reports of spent nodes, because time alone decides which request sends one for all, what open event streams ask every second,
 * and with standbys the questions how far they have replayed, which requests share.
 */
const isUncounted = (text: string) =>
  /^insert into spent_nodes|^select platform_id, last_position from event_streams where platform_id = any|pg_current_wal_insert_lsn|pg_last_wal_replay_lsn|pg_control_system/.test(
    text,
  )

/** The texts of the statements that reach Postgres while `work` runs, with single spaces. The first request looks its token up. */
export const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  forgetCallers()
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return spy.mock.calls.flatMap(([query]) => sentBy(query).map(textOf)).filter((text) => !isUncounted(text))
  } finally {
    spy.mockRestore()
  }
}

/** Calls `before` and `after` for each statement while `work` runs: the first when it is sent, the second when it is answered. */
const watching = async <T>(
  work: () => Promise<T>,
  before: (text: string) => void,
  after: (text: string, rows: readonly unknown[]) => void,
): Promise<T> => {
  const { query } = pg.Client.prototype
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const texts = sentBy(given[0]).map(textOf)
    if (texts.some(isUncounted)) return Reflect.apply(query, this, given)
    for (const text of texts) before(text)
    const answered = (rows: readonly (readonly unknown[])[] = []) => {
      for (const [index, text] of texts.entries()) after(text, rows[index] ?? [])
    }
    const finished = given.at(-1)
    if (typeof finished === 'function') {
      const calledBack = (error: unknown, answer?: readonly (readonly unknown[])[] | pg.QueryResult) => {
        answered(answer && 'rows' in answer ? [answer.rows] : answer)
        finished(error, answer)
      }
      return Reflect.apply(query, this, [...given.slice(0, -1), calledBack])
    }
    const answer: Promise<pg.QueryResult> = Reflect.apply(query, this, given)
    answer.then(
      ({ rows }) => answered([rows]),
      () => answered(),
    )
    return answer
  } as typeof query)
  try {
    return await work()
  } finally {
    spy.mockRestore()
  }
}

/**
 * The same, by round trip to Postgres. A statement that is sent before the previous one is answered belongs to the same round trip. Statements
 * whose text contains `except` are left out.
 */
export const roundTripsOf = async (work: () => Promise<unknown>, except?: string): Promise<string[][]> => {
  const isLeftOut = (text: string) => except !== undefined && text.includes(except)
  const trips: string[][] = []
  let unanswered = 0
  await watching(
    work,
    (text) => {
      if (isLeftOut(text)) return
      if (unanswered === 0) trips.push([])
      trips.at(-1)?.push(text)
      unanswered += 1
    },
    (text) => {
      if (!isLeftOut(text)) unanswered -= 1
    },
  )
  return trips
}

/** The number of rows that came from Postgres while `work` ran, from statements whose text contains `part`. */
export const rowsReadBy = async <T>(work: () => Promise<T>, part = ''): Promise<{ rows: number; result: T }> => {
  let rows = 0
  const result = await watching(
    work,
    () => {},
    (text, answer) => {
      if (text.includes(part)) rows += answer.length
    },
  )
  return { rows, result }
}

interface Sent {
  readonly text: string
  readonly values?: unknown[]
}

/** The statements that `pg` was given: one, or several that are sent together. */
export const sentBy = (query: unknown): readonly Sent[] => {
  if (typeof query === 'string') return [{ text: query }]
  const { statements, text, values } = query as pg.QueryConfig & { readonly statements?: readonly Sent[] }
  return statements ?? [{ text, ...(values && { values }) }]
}

const textOf = ({ text }: Sent) => text.replaceAll(/\s+/g, ' ').trim()
