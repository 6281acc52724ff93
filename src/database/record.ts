// Records: typed views of rows that decode a column when it is read. Selects records in batches by key, with one statement per batch.
import {
  type AgentCaller,
  type AgentPermission,
  type Caller,
  requireAgentPermission,
  requirePermission,
} from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { type Kind, requireUuid } from '#core/ids.ts'
import { utf8Json } from '#core/utf8-json.ts'
import { snakeCase } from './columns.ts'
import { identifier, join, lookUp, query, type Sql, sql } from './db.ts'
import { sendIn } from './round-trips.ts'
import type { Row } from './row.ts'
import type { Tx } from './unit-of-work.ts'

/** A column: decodes the text from Postgres or turns it into JSON, and describes the field for both faces. */
export class Column<T> {
  readonly decode: (text: string) => T
  /** The value as `utf8Json`. */
  readonly json: (text: string) => string
  /** The JSON without the quotes, if it is a string. */
  readonly unquoted: ((text: string) => string) | undefined
  readonly description: string | undefined

  constructor(
    decode: (text: string) => T,
    json: (text: string) => string = (text) => utf8Json(JSON.stringify(decode(text))),
    unquoted?: (text: string) => string,
    description?: string,
  ) {
    this.decode = decode
    this.json = json
    this.unquoted = unquoted
    this.description = description
  }

  /** Sets the description that GraphQL and REST publish. Say what the field is, its unit, and when it is null. */
  describe(description: string): Column<T> {
    return new Column(this.decode, this.json, this.unquoted, description)
  }
}

const quoted = <T>(decode: (text: string) => T, unquoted: (text: string) => string): Column<T> =>
  new Column(decode, (text) => `"${unquoted(text)}"`, unquoted)

/** ASCII without quotes, backslashes and control characters needs no escapes. */
const escaped = (text: string) => (/[^ !#-[\]-~]/.test(text) ? utf8Json(JSON.stringify(text)).slice(1, -1) : text)

/** Throws beyond the integers that a JSON number represents exactly. */
const exact = (text: string) => {
  if (text.length > 15 && !Number.isSafeInteger(Number(text))) throw new RangeError('The amount is beyond ±2^53')
  return text
}

// Column types. Amounts are bigint; times are ISO 8601 text in UTC with milliseconds.
export const text = quoted<string>((value) => value, escaped)
export const integer = new Column<number>(Number, (value) => value)
export const decimal = new Column<number>(Number)
export const amount = new Column<bigint>(BigInt, exact)
/** `t` as a column, and `true` as text. */
export const flag = new Column<boolean>((value) => value.startsWith('t'))
export const json = <T>() => new Column<T>((value) => JSON.parse(value))
/** An enum with these labels. */
export const oneOf = <T extends string>(_labels: readonly T[]) => quoted((value) => value as T, escaped)
/** An array in the syntax of Postgres, `{A,B}`. Its items must not contain commas. */
export const listOf = <T extends string>(_labels: readonly T[]) =>
  new Column<readonly T[]>((value) => (value === '{}' ? [] : (value.slice(1, -1).split(',') as T[])))
/** Turns `2025-10-13 12:00:00.5+00` into `2025-10-13T12:00:00.500Z`. */
const isoTime = (value: string) => `${value.slice(0, 10)}T${value.slice(11, -3)}${'.000'.slice(value.length - 22)}Z`
export const time = quoted<string>(isoTime, isoTime)

export const nullable = <T>(column: Column<T>): Column<T | null> => column

export type Shape = Readonly<Record<string, Column<unknown>>>
/** A record. Its values are getters of its class, so a spread would copy none of them. `& true` makes every spread a type error. */
type ValuesOf<S extends Shape> = { readonly [K in keyof S]: S[K] extends Column<infer T> ? T : never } & true
export type RecordOf<R> = R extends RecordType<infer S> ? ValuesOf<S> : never

/** A record of any shape. */
export interface AnyRecord {
  readonly table: Sql
  readonly shape: Shape
  /** Whether every agent gets 403 `FORBIDDEN`. */
  readonly refusesAgents: boolean
  is(value: unknown): boolean
  /** The condition that the caller may see a row `t`: it belongs to the caller's platform and, for an agent, matches `agentSees`. */
  visibleTo(caller: Caller): Sql
  /** Throws 403 `FORBIDDEN` if a platform lacks VIEW, or an agent lacks `agentNeeds`. */
  requireView(caller: Caller): void
  /** Selects by id, in the order of the ids. Needs VIEW. An unknown id and one that the caller may not see both give null. */
  byIds(caller: Caller, ids: readonly string[]): Promise<unknown[]>
}

export interface RecordType<S extends Shape> extends AnyRecord {
  readonly shape: S
  /** The columns in order, qualified by the alias `t`. */
  readonly columns: Sql
  /** The record whose columns begin the row. */
  read(row: Row): ValuesOf<S>
  /** The row of a record that `read` returned. */
  rowOf(record: ValuesOf<S>): Row
  /** The descriptions of the fields, for both faces. Throws for a field without one, because every public field needs one. */
  readonly texts: { readonly [K in keyof S]: string }
  byIds(caller: Caller, ids: readonly string[]): Promise<(ValuesOf<S> | null)[]>
}

/** The rows of a table that agents may see. Without a view they see no rows, and with `REFUSED` they get an error. */
interface AgentView {
  /** The condition that the agent may see a row `t`. */
  readonly agentSees: (agent: AgentCaller) => Sql
  readonly agentNeeds?: AgentPermission
}

export const ofItsCustomer = ({ customerId }: AgentCaller): Sql => sql`t.customer_id = ${customerId}::uuid`
export const ofItself = ({ agentId }: AgentCaller): Sql => sql`t.agent_id = ${agentId}::uuid`

/** The column of a field, qualified by the alias `t`. */
export const columnName = (name: string) => `t.${snakeCase(name)}`
const columnOf = (name: string) => identifier(columnName(name))

/** Names are the model's; the columns are their snake_case. */
export const record = <S extends Shape>(table: string, shape: S, agentView?: AgentView | 'REFUSED'): RecordType<S> => {
  const names = Object.keys(shape)
  const refusesAgents = agentView === 'REFUSED'
  class View {
    readonly row: Row
    constructor(row: Row) {
      this.row = row
    }
  }
  names.forEach((name, index) => {
    const { decode } = shape[name] as Column<unknown>
    Object.defineProperty(View.prototype, name, {
      get(this: View) {
        const value = this.row[index]
        return value === null || value === undefined ? null : decode(value)
      },
    })
  })
  const type: RecordType<S> = {
    table: identifier(table),
    shape,
    refusesAgents,
    columns: join(names.map(columnOf)),
    read: (row) => new View(row) as unknown as ValuesOf<S>,
    rowOf: (given: unknown) => {
      if (!(given instanceof View)) throw new TypeError(`Not a row of ${table}`)
      return given.row
    },
    texts: textsOf(table, shape),
    is: (value) => value instanceof View,
    visibleTo: (caller) => {
      const ofPlatform = sql`t.platform_id = ${caller.platformId}::uuid`
      if (caller.scheme === 'PLATFORM') return ofPlatform
      return sql`${ofPlatform} and ${typeof agentView === 'object' ? agentView.agentSees(caller) : sql`false`}`
    },
    requireView: (caller) => {
      if (caller.scheme === 'PLATFORM') requirePermission(caller, 'VIEW')
      else if (refusesAgents) throw new ApiError('FORBIDDEN', 'Agents may not see this')
      else if (typeof agentView === 'object' && agentView.agentNeeds)
        requireAgentPermission(caller, agentView.agentNeeds)
    },
    byIds: async (caller, ids) => {
      type.requireView(caller)
      const found = await selectPartsByIds(caller, type, ids)
      return ids.map((id) => found.get(id) ?? null)
    },
  }
  return type
}

const textsOf = <S extends Shape>(table: string, shape: S) =>
  new Proxy({} as { readonly [K in keyof S]: string }, {
    get: (_texts, name) => {
      const description = shape[String(name)]?.description
      if (description === undefined) throw new Error(`The field ${String(name)} of ${table} has no description`)
      return description
    },
  })

/**
 * Like `byIds`, by id or another unique key, but for parts of an object that the caller has already been allowed to see, so it
 * checks no permission.
 */
export const selectPartsByIds = async <S extends Shape>(
  caller: Caller,
  type: RecordType<S>,
  ids: readonly (string | null)[],
  key: keyof S = 'id',
): Promise<Map<string, ValuesOf<S>>> => {
  const known = [...new Set(ids.filter((id) => id !== null))]
  const items = known.length === 0 ? [] : await selectAny(caller, type, String(key), known)
  return new Map(items.map((item) => [item[key as keyof typeof item] as string, item]))
}

/** All records that belong to each of the owners, newest first. Needs the permission VIEW. */
export const selectByOwner = async <S extends Shape>(
  caller: Caller,
  type: RecordType<S>,
  owner: keyof S & string,
  ownerIds: readonly string[],
): Promise<ValuesOf<S>[][]> => {
  type.requireView(caller)
  const owned = new Map<unknown, ValuesOf<S>[]>(ownerIds.map((id) => [id, []]))
  for (const item of await selectAny(caller, type, owner, ownerIds)) {
    owned.get(item[owner as keyof typeof item])?.push(item)
  }
  return ownerIds.map((id) => owned.get(id) ?? [])
}

/** The record with this public id. Needs the permission VIEW. Throws `unknown()` if the id is malformed or unknown. */
export const findById = async <S extends Shape>(
  caller: Caller,
  type: RecordType<S>,
  kind: Kind,
  id: string,
  unknown: () => ApiError,
): Promise<ValuesOf<S>> => {
  type.requireView(caller)
  const [found] = await type.byIds(caller, [requireUuid(kind, id, unknown)])
  if (!found) throw unknown()
  return found
}

/**
 * Selects what the caller has just written, to return it. Needs no permission to view. A row that others may delete as soon as it is committed
 * is selected in the transaction that wrote it.
 */
export const selectWritten = async <S extends Shape & { readonly id: Column<string> }>(
  caller: Caller,
  type: RecordType<S>,
  id: string,
  tx?: Tx,
): Promise<ValuesOf<S>> => {
  const find = tx ? (statement: Sql) => sendIn(tx, statement).then(([rows]) => rows) : lookUp
  const [written] = await selectAny(caller, type, 'id', [id], find)
  if (!written) throw new Error(`The new row ${id} cannot be read back`)
  return written
}

const selectAny = async <S extends Shape>(
  caller: Caller,
  type: RecordType<S>,
  key: string,
  values: readonly string[],
  find = key === 'id' ? lookUp : query,
) => {
  const rows = await find(sql`
    select ${type.columns} from ${type.table} t
    where ${type.visibleTo(caller)} and ${columnOf(key)} = any(${values}::uuid[])
    order by t.created_at desc, t.id desc`)
  return rows.map((row) => type.read(row))
}
