// Refuses a master key other than the one that the database was first used with. What it would encrypt, the right key could not decrypt.
import { StartupError } from '#core/environment.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { openTaxIdentifier } from '#customers/profile/tax-identifier.ts'
import { query, sql } from '#database/db.ts'
import { isOutage } from '#database/outage.ts'
import { sqlState } from '#database/pg/sql-state.ts'
import { bytesOf, type Row } from '#database/row.ts'
import { signerOf } from '#webhooks/signing.ts'

const MARK = 'master key mark'

/** Throws a `StartupError` if the key is not that of the database. Needs no migrated database: a new one takes any key. */
export const checkMasterKey = async (): Promise<void> => {
  const [[mark] = []] = await read(sql`select sealed from master_key_mark`)
  if (mark === undefined) await openOldestSecrets()
  else requireOpens(() => openSecret(bytesOf(mark), MARK))
}

/**
 * Records the key in a migrated database that has none yet. Throws a `StartupError` if the recorded one is another: gateways that start at once
 * all check the first one that was stored.
 */
export const recordMasterKey = async (): Promise<void> => {
  await query(
    sql`insert into master_key_mark (sealed) values (${Buffer.from(sealSecret(MARK, MARK))}) on conflict do nothing`,
  )
  await checkMasterKey()
}

/** Those of earlier releases, which recorded no key. */
const openOldestSecrets = async (): Promise<void> => {
  const endpoints = await read(
    sql`select platform_id, sealed_key, sealed_secret from webhook_endpoints order by platform_id limit 1`,
  )
  const persons = await read(sql`
    select platform_id, tax_identifier_sealed, customer_id from customer_secrets order by platform_id, customer_id limit 1`)
  requireOpens(() => {
    for (const [platformId = '', key = '', secret = ''] of endpoints) {
      const next = { sealedNextKey: null, sealedNextSecret: null }
      signerOf({ platformId, sealedKey: bytesOf(key), sealedSecret: bytesOf(secret), ...next })
    }
    for (const [platformId = '', sealed = '', customerId = ''] of persons)
      openTaxIdentifier(bytesOf(sealed), platformId, customerId)
  })
}

const requireOpens = (open: () => unknown): void => {
  try {
    open()
  } catch {
    throw new StartupError('MASTER_KEY is not the one that the secrets in the database were encrypted with')
  }
}

const UNDEFINED_TABLE = '42P01'

/** None before the migration that creates the table. */
const read = async (statement: Parameters<typeof query>[0]): Promise<string[][]> => {
  try {
    return (await query(statement)).map((row: Row) => row.map(String))
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return []
    if (isOutage(error)) throw error
    throw new StartupError(`Cannot read the database at DATABASE_URL: ${(error as Error).message}`)
  }
}
