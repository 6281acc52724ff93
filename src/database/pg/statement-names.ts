// Names of statements. A named statement is sent, parsed and analysed once per connection. If its best plan does not depend on its values, it is
// planned once, too.
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { isPooled } from '#database/connections.ts'
import type { PoolName } from '#database/replicas/replica.ts'
import type { Statement } from '#database/row.ts'
import type { Prisma } from '#generated/prisma/client.ts'
import { sqlState } from './sql-state.ts'

const namedPools = new Set<PoolName>(isPooled ? [] : ['lookUps', 'lists'])

/** Look-ups get names from now on, because the pooler prepares a named statement at whichever server connection it uses. */
export const nameLookUps = (): void => {
  namedPools.add('lookUps')
}

/** Whether the statements of this pool of the primary may have names. */
export const mayHaveNames = (pool: PoolName): boolean => namedPools.has(pool)

/** Set while statements are sent again without names. */
const withoutNames = new AsyncLocalStorage<true>()

/** A longer text gets no name. Otherwise a few of them would leave no room for others. */
const LONGEST_NAMED_TEXT = 20_000

/**
 * Names the first texts, up to this many characters together, because each connection keeps up to 100 bytes for each of them. The name is a hash of
 * the text, so it never means another text, whichever process prepared it. Undefined for a text that gets no name.
 */
const createNames = (mostCharacters: number) => {
  const names = new Map<string, string>()
  let characters = 0
  return (text: string): string | undefined => {
    if (withoutNames.getStore()) return undefined
    const known = names.get(text)
    if (known !== undefined || text.length > LONGEST_NAMED_TEXT || characters + text.length > mostCharacters)
      return known
    characters += text.length
    const name = `statement_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
    names.set(text, name)
    return name
  }
}

/** Clients can cause any number of handwritten texts, by what they select. */
const nameOf = createNames(300_000)
/** Those that Prisma composes for payments of all kinds take 60,000 characters. Others are handwritten. */
const nameOfPrisma = createNames(150_000)

/** The name of a statement that Prisma sends, or `pg`'s empty name for none. Without values there is nothing to plan, as in BEGIN. */
export const prismaNameOf = ({ sql, args }: { readonly sql: string; readonly args: readonly unknown[] }): string =>
  isPooled || args.length === 0 ? '' : (nameOfPrisma(sql) ?? '')

/** The statement as `pg` sends it. */
export const statementOf = ({ text, values }: Pick<Prisma.Sql, 'text' | 'values'>, mayBeNamed: boolean): Statement => {
  const name = mayBeNamed ? nameOf(text) : undefined
  return name === undefined ? { text, values } : { name, text, values }
}

/**
 * A migration may change a column that a named statement of an open connection returns, a pooler may stop preparing named statements, and
 * a statement that is sent together with others of the same text is unknown if the first of them failed before it was prepared. In all three
 * cases the statement is sent again without its name.
 */
const isNameUnusable = (error: unknown) => {
  const code = sqlState(error)
  return code === '0A000' || code === '26000' || (isPooled && code === '42P05')
}

/** Does the work, and once more without names if one has become unusable. */
export const withNames = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (withoutNames.getStore() || !isNameUnusable(error)) throw error
    return withoutNames.run(true, work)
  }
}
