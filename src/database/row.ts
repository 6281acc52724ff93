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
  new (statement: Statement): pg.Query & { prepare(connection: Connection): void }
}

type Finished = (error: unknown, rows: Row[]) => void

/**
 * The text of each column, or null. Usually `pg` has Postgres describe the columns for every query, copies each row, and decodes each value;
 * here the code that reads a row knows its columns.
 */
class TextQuery extends (pg.Query as unknown as Handlers) {
  readonly #rows: Row[] = []
  declare readonly callback: Finished

  override prepare(connection: Connection) {
    super.prepare(new Undescribed(connection))
  }

  handleRowDescription() {}

  handleDataRow({ fields }: { readonly fields: Row }) {
    this.#rows.push(fields)
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.callback(null, this.#rows)
  }
}

type Message = 'parse' | 'bind' | 'execute' | 'close' | 'sync'

/** What a query uses of a connection. */
type Connection = Readonly<Record<Message, (given?: object) => void>> &
  Readonly<Record<'parsedStatements' | 'submittedNamedStatements', object>>

/**
 * Sends everything except the request to describe the columns. Its objects share one hidden class. `Object.create(connection)` would give each
 * its own.
 */
class Undescribed implements Connection {
  readonly #connection: Connection
  readonly parsedStatements: object
  readonly submittedNamedStatements: object

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

  sync() {
    this.#connection.sync()
  }
}

interface Receiver {
  query(query: TextQuery, finished: Finished): unknown
}

/** Sends the statement on a client, or on the next free one of a pool. */
export const readRows = async (on: pg.Pool | pg.ClientBase, statement: Statement): Promise<Row[]> => {
  try {
    return await new Promise((resolve, reject) => {
      const finished: Finished = (error, rows) => (error ? reject(error) : resolve(rows))
      ;(on as unknown as Receiver).query(new TextQuery(statement), finished)
    })
  } catch (error) {
    // The stack of the original error leads to the socket. An error made here leads to the caller.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}
