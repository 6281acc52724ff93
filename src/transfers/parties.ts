// The parties of a transfer, read in one round trip.
import { type ExternalAccount, ExternalAccountRecord } from '#accounts/external-account.ts'
import { type InternalAccount, InternalAccountRecord } from '#accounts/internal-account.ts'
import type { Caller } from '#core/caller.ts'
import { type Customer, CustomerRecord } from '#customers/customer.ts'
import { sql } from '#database/db.ts'
import { time } from '#database/record.ts'
import { lookUpTogether } from '#database/round-trips.ts'
import { type PlatformCurrency, PlatformCurrencyRecord, selectCurrencies } from '#platforms/settings/currencies.ts'

/** The rows as read, before any check. A row that does not exist or that the caller may not see is undefined. */
export interface TransferParties {
  readonly internal: InternalAccount | undefined
  readonly external: ExternalAccount | undefined
  /** The owner of the internal account. Undefined if it is the platform's own. */
  readonly customer: Customer | undefined
  /** The currencies that the platform supports. */
  readonly currencies: readonly PlatformCurrency[]
  /** Time of the database. */
  readonly readAt: Date
}

export const findTransferParties = async (
  caller: Caller,
  internalId: string,
  externalId: string,
): Promise<TransferParties> => {
  const { platformId } = caller
  const [internals, externals, customers, currencies, [[readAt] = []]] = await lookUpTogether(
    sql`
      select ${InternalAccountRecord.columns} from internal_accounts t
      where ${InternalAccountRecord.visibleTo(caller)} and t.id = ${internalId}::uuid`,
    sql`
      select ${ExternalAccountRecord.columns} from external_accounts t
      where ${ExternalAccountRecord.visibleTo(caller)} and t.id = ${externalId}::uuid and t.deleted_at is null`,
    sql`
      select ${CustomerRecord.columns} from customers t
      where t.platform_id = ${platformId}::uuid and t.id = (
        select customer_id from internal_accounts where platform_id = ${platformId}::uuid and id = ${internalId}::uuid)`,
    selectCurrencies(caller),
    sql`select now()::timestamptz(3)`,
  )
  return {
    internal: internals.map((row) => InternalAccountRecord.read(row))[0],
    external: externals.map((row) => ExternalAccountRecord.read(row))[0],
    customer: customers.map((row) => CustomerRecord.read(row))[0],
    currencies: currencies.map((row) => PlatformCurrencyRecord.read(row)),
    readAt: new Date(time.decode(readAt ?? '')),
  }
}
