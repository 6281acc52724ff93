// The rows that an operation needs, round by round. A round collects the columns to read and the ids that the next round reads.
import type { Caller } from '#core/caller.ts'
import type { AnyRecord } from '#database/record.ts'
import type { Row } from '#database/row.ts'
import { type RowSelector, rowSelector } from '#database/rows.ts'
import type { Context } from '#graphql/builder.ts'
import type { LoopTime } from '#graphql/limits/loop-time.ts'

/** One execution of a plan. */
export interface Run {
  readonly caller: Caller
  readonly context: Context
  readonly loopTime: LoopTime | undefined
  readonly variables: Readonly<Record<string, unknown>>
  /** The values read so far, in the slots of the plan. */
  readonly found: Found[]
  /** The ids to which links lead, in the slots of the plan. */
  readonly ledTo: ReadonlySet<string>[]
  /** The arguments of fields, which are equal for every row. By field node. */
  readonly args: Map<unknown, Readonly<Record<string, unknown>>>
}

/** Rows of a level, or the result of a batch or a list for each row, by id. */
interface Found {
  get(id: string): unknown
  values(): Iterable<unknown>
}

/** Whether a selection applies to a row. This depends on the type of the row and on the links that lead to it. */
export type Condition = (row: Row, run: Run) => boolean

/** A selection whose rows refer to values of another level by the ids in a column. */
export class Link {
  readonly from: Level
  /** The place of the column with the ids. */
  readonly place: number
  readonly #slot: number
  readonly #conditions: Condition[] = []

  constructor(slot: number, from: Level, place: number) {
    this.from = from
    this.place = place
    this.#slot = slot
  }

  /** The selection also applies to rows of this kind. */
  add(condition: Condition): void {
    this.#conditions.push(condition)
  }

  /** Adds the ids to which the link leads. */
  follow(run: Run, ids: Set<string>): Set<string> {
    for (const row of this.from.rows(run)) {
      const id = row[this.place]
      if (id !== null && id !== undefined && this.#applies(row, run)) ids.add(id)
    }
    return ids
  }

  #applies(row: Row, run: Run): boolean {
    for (const holds of this.#conditions) if (holds(row, run)) return true
    return false
  }

  /** Whether the link leads to the row. Few selections ask. */
  readonly leadsTo: Condition = (row, run) => {
    run.ledTo[this.#slot] ??= this.follow(run, new Set())
    return run.ledTo[this.#slot]?.has(row[0] ?? '') === true
  }
}

/** Values that rows of levels refer to by id. */
export class Referenced {
  readonly slot: number
  readonly links = new Map<string, Link>()

  constructor(slot: number) {
    this.slot = slot
  }

  ids(run: Run): string[] {
    const ids = new Set<string>()
    for (const link of this.links.values()) link.follow(run, ids)
    return [...ids]
  }
}

/** The rows of one record that are read in one round. The operation itself is a level of one row without a record. */
export class Level<R extends AnyRecord | null = AnyRecord | null> extends Referenced {
  readonly record: R
  /** The round that reads what these rows lead to. */
  readonly next: number
  /** The columns in the order of the row. */
  readonly names: string[] = ['id']
  /**
   * Where rows of this level begin that are joined to rows of the previous level, by the place of the column that refers to them. The first
   * column there is null if there is no such row.
   */
  starts: readonly number[] = []

  constructor(record: R, slot: number, next: number) {
    super(slot)
    this.record = record
    this.next = next
  }

  /** The place of the column in the row. */
  place(name: string): number {
    const known = this.names.indexOf(name)
    return known >= 0 ? known : this.names.push(name) - 1
  }

  rows(run: Run): Iterable<Row> {
    return (run.found[this.slot]?.values() ?? []) as Iterable<Row>
  }

  keep(run: Run, rows: Iterable<Row> = []): void {
    run.found[this.slot] = new RowsById(rows)
  }

  /** The places of the columns that refer to these rows. */
  get from(): readonly number[] {
    return [...new Set(Array.from(this.links.values(), ({ place }) => place))]
  }

  /** The rows of this level that are joined to these rows. */
  *joinedTo(rows: readonly Row[]): Iterable<Row> {
    const starts = [...this.starts.entries()].filter(([, start]) => start !== undefined)
    for (const row of rows) {
      for (const [place, start] of starts) if (row[start] !== null) yield this.#joinedAt(start, row, place)
    }
  }

  /** The row to which this column of another row leads. */
  rowFor(row: Row, place: number, run: Run): Row | undefined {
    const start = this.starts[place]
    if (start === undefined || row[start] === undefined) {
      return run.found[this.slot]?.get(row[place] as string) as Row | undefined
    }
    return row[start] === null ? undefined : this.#joinedAt(start, row, place)
  }

  /** The joined row, with its id from the column that refers to it. */
  #joinedAt(start: number, row: Row, place: number): Row {
    const joined = row.slice(start, start + this.names.length)
    joined[0] = row[place] ?? null
    return joined
  }
}

/** Rows by their id, which is the first column. Few operations need them so. */
class RowsById implements Found {
  readonly #rows: Iterable<Row>
  #byId: Map<string, Row> | undefined

  constructor(rows: Iterable<Row>) {
    this.#rows = rows
  }

  get(id: string): Row | undefined {
    return this.#map().get(id)
  }

  values(): Iterable<Row> {
    return this.#map().values()
  }

  #map(): Map<string, Row> {
    if (!this.#byId) {
      this.#byId = new Map()
      for (const row of this.#rows) this.#byId.set(row[0] as string, row)
    }
    return this.#byId
  }
}

/** Reads something for rows of the levels before, other than rows by their ids. */
export interface Reading {
  read(run: Run): Promise<void>
  /** Runs after all rounds, the last round first. */
  write?(run: Run): Promise<void>
}

/** Finds at most one value for an id. */
export type BatchOf<T> = (caller: Caller, ids: readonly string[]) => Promise<readonly T[]>

export class Batch extends Referenced implements Reading {
  readonly #find: BatchOf<unknown>

  constructor(slot: number, find: BatchOf<unknown>) {
    super(slot)
    this.#find = find
  }

  async read(run: Run): Promise<void> {
    const ids = this.ids(run)
    const values = ids.length === 0 ? [] : await this.#find(run.caller, ids)
    run.found[this.slot] = new Map(ids.map((id, index) => [id, values[index]]))
  }
}

/** The reads of one round: the rows of all levels in one statement, and each further reading in its own. */
export class Round {
  readonly levels: Level<AnyRecord>[] = []
  readonly readings = new Map<unknown, Reading>()
  #select: RowSelector | undefined

  async read(run: Run): Promise<void> {
    await Promise.all([this.#readLevels(run), ...[...this.readings.values()].map((reading) => reading.read(run))])
  }

  /** The levels, if this round reads nothing else, and only `before` leads to them. They can be read together with it then. */
  levelsAfter(before: Level): readonly Level<AnyRecord>[] {
    const isAfter = (level: Level) => [...level.links.values()].every(({ from }) => from === before)
    return this.readings.size === 0 && this.levels.every(isAfter) ? this.levels : []
  }

  async #readLevels(run: Run) {
    if (this.levels.every(({ slot }) => run.found[slot])) return
    const ids = this.levels.map((level) => level.ids(run))
    this.#select ??= rowSelector(this.levels)
    const found = ids.some(({ length }) => length > 0) ? await this.#select(run.caller, ids) : []
    this.levels.forEach((level, index) => {
      level.keep(run, found[index])
    })
  }

  async write(run: Run): Promise<void> {
    for (const reading of this.readings.values()) await reading.write?.(run)
  }
}
