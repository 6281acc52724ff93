// Rows as Postgres sends them, and the query of `pg` that leaves them so.
import pg from 'pg'

/** A row as Postgres sent it: each column is text or null. */
export type Row = readonly (string | null)[]

/** A column of bytes, which Postgres sends as `\x` and hexadecimal digits. */
export const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

export interface Statement {
  /** The name by which the server knows the statement from then on. */
  readonly name?: string
  readonly text: string
  readonly values: unknown[]
}

/** What `pg` calls on a query, as far as this one differs. Its types leave these members out. */
interface Handlers {
  new (
    text: string,
  ): pg.Query & {
    name: string | undefined
    text: string
    values: unknown[]
    prepare(connection: Connection): void
  }
}

export type Finished = (error: unknown, rows: Row[][]) => void

/**
 * Statements that are sent together, and whose answers Postgres sends together. After an error it skips the rest. The result is the text of each
 * column, or null: usually `pg` has Postgres describe the columns for every query, copies each row, and decodes each value; here the code that
 * reads a row knows its columns.
 */
export class TextQuery extends (pg.Query as unknown as Handlers) {
  readonly statements: readonly Statement[]
  readonly #rows: Row[][] = []
  /** The statement that is being sent, and later the one that is being answered. `pg` reads its name and text from this query. */
  #at = 0
  #hasFailed = false
  declare readonly callback: Finished

  constructor(statements: readonly Statement[]) {
    // Text instead of an object, which `pg` would copy.
    super('')
    this.statements = statements
  }

  #turnTo(at: number) {
    this.#at = at
    const { name, text, values } = this.statements[at] as Statement
    this.name = name
    this.text = text
    this.values = values
  }

  requiresPreparation() {
    return true
  }

  override prepare(connection: Connection) {
    const unfinished = new Unfinished(connection)
    for (let at = 0; at < this.statements.length && !this.#hasFailed; at += 1) {
      this.#rows.push([])
      this.#turnTo(at)
      super.prepare(unfinished)
    }
    connection.sync()
    this.#turnTo(0)
  }

  handleRowDescription() {}

  handleDataRow({ fields }: { readonly fields: Row }) {
    this.#rows[this.#at]?.push(fields)
  }

  handleCommandComplete() {
    if (this.#at + 1 < this.statements.length) this.#turnTo(this.#at + 1)
  }

  handleError(error: unknown, { submittedNamedStatements }: Connection) {
    this.#hasFailed = true
    // Postgres did not get to prepare these.
    for (const { name = '' } of this.statements.slice(this.#at)) delete submittedNamedStatements[name]
    this.callback(error, [])
  }

  handleReadyForQuery() {
    this.callback(null, this.#rows)
  }
}

type Message = 'parse' | 'bind' | 'execute' | 'close' | 'sync'

/** What a query uses of a connection. */
type Connection = Readonly<Record<Message, (given?: object) => void>> &
  Readonly<Record<'parsedStatements' | 'submittedNamedStatements', Record<string, string>>>

/**
 * Sends everything except the request to describe the columns and the end of the statements. Its objects share one hidden class.
 * `Object.create(connection)` would give each its own.
 */
class Unfinished implements Connection {
  readonly #connection: Connection
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>

  constructor(connection: Connection) {
    this.#connection = connection
    this.parsedStatements = connection.parsedStatements
    this.submittedNamedStatements = connection.submittedNamedStatements
  }

  parse(statement?: object) {
    this.#connection.parse(statement)
  }

  bind(values?: object) {
    this.#connection.bind(values)
  }

  describe() {}

  execute(portal?: object) {
    this.#connection.execute(portal)
  }

  close(statement?: object) {
    this.#connection.close(statement)
  }

  sync() {}
}

/** A pool or a client of `pg`, or what sends queries on one. */
export interface Receiver {
  query(query: TextQuery, finished: Finished): unknown
}

export type Target = pg.Pool | pg.ClientBase | Receiver

/** Sends the statements on a client, or on the next free one of a pool, and returns the rows of each. */
export const readAllRows = async (on: Target, statements: readonly Statement[]): Promise<Row[][]> => {
  if (statements.length === 0) return []
  try {
    return await new Promise((resolve, reject) => {
      const finished: Finished = (error, rows) => (error ? reject(error) : resolve(rows))
      ;(on as unknown as Receiver).query(new TextQuery(statements), finished)
    })
  } catch (error) {
    // The stack of the original error leads to the socket. An error made here leads to the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** `readAllRows` for one statement. */
export const readRows = async (on: Target, statement: Statement): Promise<Row[]> => {
  const [rows = []] = await readAllRows(on, [statement])
  return rows
}
