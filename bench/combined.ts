// Reads random combinations of filters, parents, orders and cursors. The seed is fixed, so every database is asked for the same lists.
import pg from 'pg'
import { closeDatabase } from '#database/db.ts'
import { cursorOf, type Page, type Window } from '#database/page.ts'
import { countTransactions, countTransactionsOf } from '#transactions/list/count.ts'
import type { TransactionFilter } from '#transactions/list/filter.ts'
import type { ParentKind } from '#transactions/list/kinds.ts'
import { listTransactions, listTransactionsOf } from '#transactions/list/list.ts'
import { openDemo } from './demo.ts'
import { median } from './report.ts'

export interface Combined {
  readonly name: string
  readonly isCount: boolean
  /** How many lists are read at once: one for each parent. */
  readonly lists: number
  // These are undefined if it ran into the time limit of statements.
  /** How many rows their pages have together. 0 for a count. */
  readonly rows?: number
  /** The buffers that Postgres reads for it. */
  readonly buffers?: number
  readonly milliseconds?: number
}

const SAMPLES = 9
/** A count that runs into it is null. */
const STATEMENT_LIMIT_MS = 5_000
const SEED = 20_261_127

interface Place {
  readonly id: string
  readonly createdAt: string
}

interface List {
  readonly name: string
  readonly isCount: boolean
  readonly filter: TransactionFilter
  readonly parent: Parent | undefined
  readonly sortOrder: Window['sortOrder']
  readonly backward: boolean
  readonly after: Place | undefined
}

interface Parent {
  readonly kind: ParentKind
  readonly ids: readonly string[]
}

/** The multiplicative generator of Park and Miller. */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

const PARENTS: Readonly<Record<ParentKind, string>> = {
  Customer: 'customer_id',
  InternalAccount: 'source_internal_account_id',
  ExternalAccount: 'destination_external_account_id',
  Agent: 'agent_id',
  Card: 'card_id',
}
const KINDS = Object.keys(PARENTS) as readonly ParentKind[]

const { client, caller, singles } = await openDemo()

/** Ten parents from the busiest to the one with the fewest transactions. */
const parentsOf = async (column: string): Promise<string[]> => {
  const { rows } = await client.query<{ id: string }>(
    `select id from (
       select id, row_number() over (order by count desc, id) as place, count(*) over () as ids
       from (select ${column} as id, count(*) as count from transactions where platform_id = $1 and ${column} is not null group by 1) counted
     ) ranked where place = 1 or place % greatest(ids / 10, 1) = 0 order by place limit 10`,
    [caller.platformId],
  )
  return rows.map(({ id }) => id)
}

const placeAt = async (share: number): Promise<Place> => {
  const { rows } = await client.query<{ id: string; created_at: Date }>(
    `select id, created_at from transactions where platform_id = $1 order by created_at desc, id desc
     offset (select count(*) * $2::float8 from transactions where platform_id = $1)::int limit 1`,
    [caller.platformId, share],
  )
  const [row] = rows
  if (!row) throw new Error('The platform has no transactions')
  return { id: row.id, createdAt: row.created_at.toISOString() }
}

const parents = new Map<ParentKind, string[]>()
for (const kind of KINDS) parents.set(kind, await parentsOf(PARENTS[kind]))
const places: readonly (readonly [string, Place])[] = [
  ['middle', await placeAt(0.5)],
  ['deep', await placeAt(0.8)],
]

function* randomLists(): Generator<List, never> {
  const random = randomFrom(SEED)
  const pick = <T>(values: readonly T[]): T => {
    const value = values[random(values.length)]
    if (value === undefined) throw new Error('There is nothing to pick')
    return value
  }
  while (true) {
    const isCount = random(4) === 0
    const chosen = Array.from({ length: random(4) }, () => pick(singles))
    const many = random(5)
    const kind = pick(KINDS)
    const ids = (parents.get(kind) ?? []).slice(0, many === 4 ? 10 : 1)
    const parent = many < 2 ? undefined : { kind, ids }
    const sortOrder = pick(['ASC', 'DESC'] as const)
    const backward = random(3) === 0
    const [depth, place] = pick(places)
    // A cursor belongs to the list of one parent, and never lies beyond the dates of its list.
    const isWithinDates = chosen.every(({ filter }) => !(filter.startDate ?? filter.endDate))
    const after = random(2) === 0 && isWithinDates && (parent?.ids.length ?? 1) === 1 ? place : undefined
    const filter: TransactionFilter = Object.assign({}, ...chosen.map((each) => each.filter))
    const name = [
      isCount ? 'count' : sortOrder,
      parent && `${parent.ids.length === 1 ? 'one' : 'ten'} ${kind}`,
      chosen.map((each) => each.name).join(' + ') || 'no filter',
      !isCount && backward && 'backward',
      !isCount && after && depth,
    ]
    yield { name: name.filter(Boolean).join('; '), isCount, filter, parent, sortOrder, backward, after }
  }
}

/** A count has no pages. */
type Read = (window: Window) => Promise<readonly Page<unknown>[]>

const readOf = ({ isCount, filter, parent }: List): Read => {
  if (isCount) {
    return async () => {
      if (parent) await countTransactionsOf(caller, parent.kind, parent.ids, filter)
      else await countTransactions(caller, filter)
      return []
    }
  }
  return async (window) => {
    const pages = parent
      ? await listTransactionsOf(caller, parent.kind, parent.ids, filter, window)
      : [await listTransactions(caller, filter, window)]
    return pages.map((page) => {
      if (page instanceof Error) throw page
      return page
    })
  }
}

const windowOf = async ({ sortOrder, backward, after }: List, read: Read): Promise<Window> => {
  const first: Window = { size: 50, sortOrder, backward, cursor: null }
  if (!after) return first
  const [page] = await read({ ...first, size: 1 })
  return { ...first, cursor: { text: cursorOf(after, page?.list ?? ''), field: backward ? 'before' : 'after' } }
}

/** The statements that the gateway sends to Postgres meanwhile. */
const statementsOf = async (work: () => Promise<unknown>): Promise<pg.QueryConfig[]> => {
  const sent: pg.QueryConfig[] = []
  const { query } = pg.Pool.prototype
  pg.Pool.prototype.query = function (this: pg.Pool, ...given: unknown[]) {
    sent.push(given[0] as pg.QueryConfig)
    return Reflect.apply(query, this, given)
  } as typeof query
  try {
    await work()
    return sent
  } finally {
    pg.Pool.prototype.query = query
  }
}

const buffersOf = async ({ text, values }: pg.QueryConfig): Promise<number> => {
  const { rows } = await client.query({ text: `explain (analyze, buffers, format json) ${text}`, values: values ?? [] })
  const { Plan } = rows[0]['QUERY PLAN'][0]
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
}

const measure = async (list: List): Promise<Combined> => {
  const { name, isCount, parent } = list
  const asked = { name, isCount, lists: parent?.ids.length ?? 1 }
  const read = readOf(list)
  try {
    const window = await windowOf(list, read)
    const statements = await statementsOf(() => read(window))
    const milliseconds: number[] = []
    let rows = 0
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const began = performance.now()
      const pages = await read(window)
      milliseconds.push(performance.now() - began)
      rows = pages.reduce((sum, { items }) => sum + items.length, 0)
    }
    const time = median(milliseconds)
    if (time > STATEMENT_LIMIT_MS) return asked
    let buffers = 0
    for (const statement of statements) buffers += await buffersOf(statement)
    return { ...asked, rows, buffers, milliseconds: time }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '57014') return asked
    throw error
  }
}

/** Measures the next list each time it is asked. */
const lists = randomLists()
process.on('message', () => {
  measure(lists.next().value).then(
    (measured) => process.send?.(measured),
    (error) => process.send?.({ failure: String(error) }),
  )
})
process.on('disconnect', () => {
  void Promise.all([closeDatabase(), client.end()])
})
process.send?.({})
