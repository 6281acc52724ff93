// Refuses a master key that did not encrypt the secrets in the database. What it would encrypt, the right key could not decrypt.
import { StartupError } from '#core/environment.ts'
import { openTaxIdentifier } from '#customers/profile/tax-identifier.ts'
import { query, sql } from '#database/db.ts'
import { isOutage } from '#database/outage.ts'
import { sqlState } from '#database/pg/sql-state.ts'
import { bytesOf, type Row } from '#database/row.ts'
import { signerOf } from '#webhooks/signing.ts'

/** Throws a `StartupError` if the key does not decrypt the oldest secrets. A new database has none, so it takes any key. */
export const checkMasterKey = async (): Promise<void> => {
  const endpoints = await oldest(
    sql`select platform_id, sealed_key, sealed_secret from webhook_endpoints order by platform_id limit 1`,
  )
  const persons = await oldest(sql`
    select platform_id, tax_identifier_sealed, customer_id from customer_secrets order by platform_id, customer_id limit 1`)
  try {
    for (const [platformId = '', key = '', secret = ''] of endpoints) {
      const next = { sealedNextKey: null, sealedNextSecret: null }
      signerOf({ platformId, sealedKey: bytesOf(key), sealedSecret: bytesOf(secret), ...next })
    }
    for (const [platformId = '', sealed = '', customerId = ''] of persons)
      openTaxIdentifier(bytesOf(sealed), platformId, customerId)
  } catch {
    throw new StartupError('MASTER_KEY is not the one that the secrets in the database were encrypted with')
  }
}

const UNDEFINED_TABLE = '42P01'

/** None before the first migration. */
const oldest = async (statement: Parameters<typeof query>[0]): Promise<string[][]> => {
  try {
    return (await query(statement)).map((row: Row) => row.map(String))
  } catch (error) {
    if (sqlState(error) === UNDEFINED_TABLE) return []
    if (isOutage(error)) throw error
    throw new StartupError(`Cannot read the database at DATABASE_URL: ${(error as Error).message}`)
  }
}
