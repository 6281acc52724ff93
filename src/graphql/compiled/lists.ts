// Writes the pages of lists. Items are written one after the other, so that a long page can pause between them.
import { type GraphQLObjectType, getNamedType } from 'graphql/type/definition.js'
import type { Listable } from '#database/list.ts'
import type { Page, Window } from '#database/page.ts'
import { type AnyRecord, time } from '#database/record.ts'
import { filterOf, type RecordList } from '#database/record-list.ts'
import type { Row } from '#database/row.ts'
import { type PageSelector, pageSelector, rowsOf } from '#database/rows.ts'
import { type Connection, connectionOf, type ListArgs, windowOfArgs } from '#graphql/connection.ts'
import { keepLimit } from '#graphql/limits/limits.ts'
import { pauseOf } from '#graphql/limits/loop-time.ts'
import { type Compile, type Selection, whole } from './compiler.ts'
import { NotCompiled, type Write } from './json.ts'
import { type Level, type Reading, Referenced, type Round, type Run } from './levels.ts'
import { argsOf, nameOf, writeValue } from './values.ts'

/** A row of a page with its JSON for each selection of the page. */
class Item {
  readonly row: Row
  readonly texts: (string | null)[] = []
  readonly #createdAt: number

  constructor(row: Row, createdAt: number) {
    this.row = row
    this.#createdAt = createdAt
  }

  get id(): string {
    return this.row[0] ?? ''
  }

  get createdAt(): string {
    return time.decode(this.row[this.#createdAt] ?? '')
  }
}

/** The clock is read once for this many characters of items. Reading it for each item would be slow. */
const MEASURE_EVERY = 4_000

type AnyList = RecordList<unknown, unknown, string>

/** The pages of one selection for the rows of a level, which refer to their pages by their own ids. */
class ListReading extends Referenced implements Reading {
  readonly level: Level
  readonly items: Write[] = []
  readonly #list: AnyList
  readonly #parent: string | null
  readonly #isCounted: boolean
  readonly #argsOf: (run: Run) => ListArgs
  readonly #createdAt: number
  readonly #rounds: readonly Round[]
  #rows: Listable<Row> | undefined
  #selector: PageSelector | undefined

  constructor({ compiler, at, field, nodes }: Selection, list: AnyList, parent: string | null) {
    super(compiler.newSlot())
    this.#list = list
    this.#rounds = compiler.rounds
    this.#parent = parent
    const selected = compiler.subfields(getNamedType(field.type) as GraphQLObjectType, nodes)
    this.#isCounted = selected.some(([, selection]) => nameOf(selection) === 'totalCount')
    this.level = compiler.newLevel(list.record, at.level.next + 1)
    this.#createdAt = this.level.place('createdAt')
    this.#argsOf = argsOf(field, nodes) as (run: Run) => ListArgs
  }

  async read(run: Run): Promise<void> {
    const ids = this.ids(run)
    if (ids.length === 0) return
    const args = this.#argsOf(run)
    const filter = filterOf(this.#list, args.filter, 'filter')
    const window = windowOfArgs(args)
    const [pages, counts] = await this.#readPages(run, ids, filter, window)
    const connections = new Map<string, Connection<Item>>()
    const rows: Row[] = []
    ids.forEach((id, index) => {
      const page = pages[index]
      if (!page || page instanceof Error) throw page
      rows.push(...page.items)
      const items = page.items.map((row) => new Item(row, this.#createdAt))
      connections.set(
        id,
        // The count is known by now, and only a value can be written.
        connectionOf({ ...page, items }, window, () => counts[index] as never),
      )
    })
    run.found[this.slot] = connections
    this.level.keep(run, rows)
  }

  #readPages(
    run: Run,
    ids: readonly string[],
    filter: unknown,
    window: Window,
  ): Promise<[(Page<Row> | Error)[], (number | null)[]]> {
    const { caller } = run
    const [list, parent, isCounted] = [this.#list, this.#parent, this.#isCounted]
    this.#rows ??= rowsOf(list.record, this.level.names)
    const rows = this.#rows
    if (parent !== null) {
      return Promise.all([
        list.pagesOf(caller, parent, ids, filter, window, rows),
        isCounted ? list.countsOf(caller, parent, ids, filter) : [],
      ])
    }
    return Promise.all([
      Promise.all([list.page(caller, filter, window, this.#withLinked(run, rows))]),
      Promise.all(isCounted ? [list.count(caller, filter)] : []),
    ])
  }

  /** Also reads the rows of the next round, if it needs nothing but this page. */
  #withLinked(run: Run, rows: Listable<Row>): Listable<Row> {
    const levels = this.#rounds[this.level.next]?.levelsAfter(this.level) ?? []
    if (levels.length === 0) return rows
    this.#selector ??= this.#join(levels)
    const { select } = this.#selector
    return {
      ...rows,
      send: async (page) => {
        const found = await select(run.caller, page)
        for (const level of levels) level.keep(run, level.joinedTo(found))
        return found
      },
    }
  }

  #join(levels: readonly Level<AnyRecord>[]): PageSelector {
    const selector = pageSelector(this.level.names, levels)
    levels.forEach((level, index) => {
      level.starts = selector.starts[index] ?? []
    })
    return selector
  }

  async write(run: Run): Promise<void> {
    const connections = (run.found[this.slot]?.values() ?? []) as Iterable<Connection<Item>>
    let length = 0
    let measuredAt = 0
    for (const { edges } of connections) {
      for (const { node } of edges) {
        for (const write of this.items) {
          const text = write(node.row, run)
          node.texts.push(text)
          length += text?.length ?? 0
        }
        if (length - measuredAt < MEASURE_EVERY) continue
        measuredAt = length
        keepLimit('maxAnswerBytes', length)
        const pause = pauseOf(run.loopTime)
        if (pause) await pause
      }
    }
  }
}

/** The pages of a list. With a null `parent` the list belongs to the operation, otherwise to a row of this kind. */
export const compileList =
  (list: AnyList, parent: string | 'ITS_TYPE' | null): Compile =>
  (selection) => {
    const { compiler, at, field, nodes } = selection
    const type = getNamedType(field.type) as GraphQLObjectType
    const itemType = getNamedType(type.getFields()['nodes']?.type)
    if (!itemType) throw new NotCompiled(type.name)
    const kind = parent === 'ITS_TYPE' ? compiler.typeOf(at.level).name : parent
    const key = compiler.keyOf(at.level, ...nodes)
    const { readings } = compiler.round(at.level.next)
    const reading = (readings.get(key) as ListReading | undefined) ?? new ListReading(selection, list, kind)
    readings.set(key, reading)
    compiler.link(reading, selection, at.level.place('id'))
    const write = writeValue(compiler, field.type, nodes, {
      type: itemType,
      write: (itemNodes) => {
        const index = reading.items.push(compiler.row(itemType, itemNodes, whole(reading.level))) - 1
        return (item) => (item as Item).texts[index] ?? null
      },
    })
    return (row, run) => write(run.found[reading.slot]?.get(row[0] ?? ''), run)
  }
