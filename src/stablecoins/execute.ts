// Executes a quote: a mint debits the dollars at once, a burn credits them once the tokens are redeemed (docs/domain/stablecoins.md#money).
import { z } from 'zod'
import { postMovement } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, requireUuid } from '#core/ids.ts'
import { idOf } from '#core/input.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { RecordResult } from '#idempotency/idempotency.ts'
import { findInternalAccount, payerOf } from '#settlement/parties.ts'
import { BACKING } from './amount.ts'
import { type StablecoinOperation, StablecoinOperationRecord } from './operation.ts'
import { isPayable } from './outcomes.ts'
import { requireProvider } from './providers.ts'
import type { OperationType } from './quote.ts'
import { requireLinkOf } from './usable-link.ts'

export const stablecoinExecution = z.object({
  id: idOf('StablecoinQuote').describe('`StablecoinQuote:<uuid>` to execute.'),
})

/** The fields of a quote that never change. */
interface Terms {
  readonly id: string
  readonly stablecoinId: string
  readonly linkId: string
  readonly type: OperationType
  readonly amount: bigint
  readonly accountId: string
  readonly walletId: string
}

const unknownQuote = () => new ApiError('QUOTE_NOT_FOUND', 'There is no such stablecoin quote')

const termsOf = async ({ platformId }: PlatformCaller, id: string): Promise<Terms> => {
  const uuid = requireUuid('StablecoinQuote', id, unknownQuote)
  const [terms] = await db.$queryRaw<Terms[]>`
    select quote.id, stablecoin_id as "stablecoinId", stablecoin_provider_account_id as "linkId", operation_type as type, amount,
      internal_account_id as "accountId", external_account_id as "walletId"
    from stablecoin_quotes quote
    join stablecoins coin on coin.platform_id = quote.platform_id and coin.id = quote.stablecoin_id
    where quote.platform_id = ${platformId}::uuid and quote.id = ${uuid}::uuid`
  if (!terms) throw unknownQuote()
  return terms
}

/**
 * Needs the permission TRANSACT. Throws 404 `QUOTE_NOT_FOUND`, 409 `CONFLICT` with the reason `QUOTE_ALREADY_EXECUTED` or `QUOTE_EXPIRED`, 400
 * `INVALID_AMOUNT` if the balance is short for a mint, 400 `AMOUNT_OUT_OF_RANGE` if the account cannot hold the dollars of a burn, 403
 * `USER_NOT_READY` if an account or the customer is no longer active, and what `requireLinkOf` throws.
 */
export const executeStablecoinQuote = async (
  caller: PlatformCaller,
  quoteId: string,
  record: RecordResult,
): Promise<StablecoinOperation> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  const terms = await termsOf(caller, quoteId)
  await requirePending(db, caller, terms)
  const provider = requireProvider(caller.environment)
  await requireLinkOf(caller, terms.linkId)
  const account = await findInternalAccount(caller, terms.accountId)
  await payerOf(caller, account.customerId)
  const id = newUuid()
  await inTransaction(async (tx) => {
    const [locked] = await lockAccounts(tx, caller, [terms.accountId])
    await takeQuote(tx, caller, terms)
    await requireActive(tx, caller, terms)
    await payerOf(caller, account.customerId, tx)
    if (!isPayable(terms, locked)) throw new ApiError('AMOUNT_OUT_OF_RANGE', 'The account cannot hold that much')
    const movementId = terms.type === 'MINT' ? await takeDollars(tx, caller, terms) : null
    await tx.$executeRaw`
      insert into stablecoin_operations
        (platform_id, id, stablecoin_id, quote_id, operation_type, amount, internal_account_id, external_account_id, status, movement_id)
      values (${platformId}::uuid, ${id}::uuid, ${terms.stablecoinId}::uuid, ${terms.id}::uuid, ${terms.type}::stablecoin_operation_type,
        ${terms.amount}, ${terms.accountId}::uuid, ${terms.walletId}::uuid, 'CREATED', ${movementId}::uuid)`
    await provider.carry(tx, { platformId, id })
    await record(tx, id)
  })
  return selectWritten(caller, StablecoinOperationRecord, id)
}

const takeDollars = (tx: Tx, { platformId }: PlatformCaller, { accountId, amount }: Terms): Promise<string> =>
  postMovement(tx, platformId, {
    kind: 'MINT',
    entries: [
      { accountId, currency: BACKING, amount: -amount },
      { book: 'OUTSIDE', currency: BACKING, amount },
    ],
  })

/** Marks the quote as executed. It may expire while this call waits for its lock, so it is checked afterwards. */
const takeQuote = async (tx: Tx, caller: PlatformCaller, terms: Terms): Promise<void> => {
  await tx.$executeRaw`
    select 1 as locked from stablecoin_quotes
    where platform_id = ${caller.platformId}::uuid and id = ${terms.id}::uuid for no key update`
  await requirePending(tx, caller, terms)
  await tx.$executeRaw`
    update stablecoin_quotes set status = 'EXECUTED'
    where platform_id = ${caller.platformId}::uuid and id = ${terms.id}::uuid`
}

const requirePending = async (on: Tx | typeof db, { platformId }: PlatformCaller, { id }: Terms): Promise<void> => {
  const [quote] = await on.$queryRaw<{ status: string; isOver: boolean }[]>`
    select status::text, expires_at <= clock_timestamp() as "isOver" from stablecoin_quotes
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  if (quote?.status === 'EXECUTED') {
    throw new ApiError('CONFLICT', 'The quote was already executed', { reason: 'QUOTE_ALREADY_EXECUTED' })
  }
  if (quote?.isOver) throw new ApiError('CONFLICT', 'The quote has expired', { reason: 'QUOTE_EXPIRED' })
}

/** They may have changed since they were read. */
const requireActive = async (tx: Tx, { platformId }: PlatformCaller, { accountId, walletId }: Terms): Promise<void> => {
  const [idle] = await tx.$queryRaw<unknown[]>`
    select 1 from internal_accounts
    where platform_id = ${platformId}::uuid and id = ${accountId}::uuid and status <> 'ACTIVE'
    union all
    select 1 from external_accounts
    where platform_id = ${platformId}::uuid and id = ${walletId}::uuid and (status <> 'ACTIVE' or deleted_at is not null)`
  if (idle) throw new ApiError('USER_NOT_READY', 'An account of the quote is no longer active')
}
