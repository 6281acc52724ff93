// The refund of tokens that were pushed over a blockchain: a blockchain payment cannot be reversed, so the payer's own account receives them
// (docs/domain/transactions.md#refunds).
import { postMovement } from '#accounts/ledger.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { lockText, type Tx } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { isToken } from '#platforms/settings/customer-fields.ts'

export const isPushedToken = ({ sourceType, sourceCurrency }: Transaction): boolean =>
  sourceType === 'REALTIME_FUNDING' && sourceCurrency !== null && isToken(sourceCurrency)

/**
 * The payer's oldest account in the token, an active one if there is one. If the payer has none, one is opened, unless the customer is
 * deleted.
 */
export const accountForRefund = async (
  tx: Tx,
  { platformId, customerId, sourceCurrency }: Transaction,
): Promise<string | undefined> => {
  const currency = sourceCurrency ?? ''
  // Another refund may be opening the account.
  await lockText(tx, `${platformId} account for refunds ${customerId} ${currency}`)
  const usable = await tx.internalAccount.findMany({
    where: { platformId, customerId, currency, status: { notIn: ['CLOSED', 'FAILED'] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, status: true },
  })
  const found = usable.find(({ status }) => status === 'ACTIVE') ?? usable[0]
  if (found) return found.id
  const [customer] = await tx.$queryRaw<{ is_deleted: boolean }[]>`
    select is_deleted from customers where platform_id = ${platformId}::uuid and id = ${customerId}::uuid for share`
  if (customer?.is_deleted) return undefined
  const id = newUuid()
  await tx.internalAccount.create({
    data: { platformId, id, customerId, type: 'INTERNAL_CRYPTO', status: 'ACTIVE', currency },
  })
  return id
}

/** Credits the account with what was pushed for the payment. */
export const creditPushed = async (
  tx: Tx,
  platformId: PlatformId,
  { id: transactionId, sourceCurrency }: Transaction,
  accountId: string,
): Promise<void> => {
  const currency = sourceCurrency ?? ''
  const [pushed] = await tx.$queryRaw<{ amount: bigint }[]>`
    select coalesce(sum(-entry.amount), 0)::bigint as amount
    from ledger_entries entry
    join ledger_movements movement on movement.platform_id = entry.platform_id and movement.id = entry.movement_id
    where movement.platform_id = ${platformId}::uuid and movement.transaction_id = ${transactionId}::uuid
      and movement.kind <> 'REFUND' and entry.book = 'OUTSIDE' and entry.currency = ${currency} and entry.amount < 0`
  const amount = pushed?.amount ?? 0n
  if (amount === 0n) return
  await postMovement(tx, platformId, {
    kind: 'REFUND',
    transactionId,
    entries: [
      { book: 'OUTSIDE', currency, amount: -amount },
      { accountId, currency, amount },
    ],
  })
}
