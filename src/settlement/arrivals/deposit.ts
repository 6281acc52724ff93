// A deposit from a bank or a blockchain into an internal account, without a quote: one incoming payment with all its steps.
import { lockAccounts } from '#accounts/lock.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { type Tx, timeOf } from '#database/unit-of-work.ts'
import type { InternalAccount, Transaction } from '#generated/prisma/client.ts'
import { payerOf } from '#settlement/parties.ts'
import { OUTCOMES } from '#settlement/payment-outcomes.ts'
import { movePayment } from '#settlement/payment-status.ts'
import { requireReady } from '#settlement/ready.ts'
import { newReference } from '#settlement/reference.ts'
import type { Funding } from './funding.ts'

/**
 * Credits the account. Throws 403 `USER_NOT_READY` if the account or its customer is not active, and 400 `AMOUNT_OUT_OF_RANGE` if the account
 * cannot hold that much. Returns the payment.
 */
export const receiveDeposit = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  account: InternalAccount,
  { amount, details, onChain }: Funding,
): Promise<Transaction> => {
  const customer = await payerOf({ platformId }, account.customerId, tx)
  const [locked] = await lockAccounts(tx, { platformId }, [account.id])
  if (!locked || locked.totalBalance + amount > MAX_AMOUNT) {
    throw new ApiError('AMOUNT_OUT_OF_RANGE', 'The account cannot hold that much', { field: 'amount' })
  }
  const createdAt = await timeOf(tx)
  const { currency, customerId } = account
  const payment = await tx.transaction.create({
    data: {
      platformId,
      id: newUuid(),
      type: 'INCOMING',
      direction: 'CREDIT',
      status: 'PENDING',
      customerId,
      platformCustomerId: customer?.platformCustomerId ?? null,
      createdAt,
      updatedAt: createdAt,
      sourceType: 'REALTIME_FUNDING',
      sourceCurrency: currency,
      sourceCustomerId: customerId,
      ...(details && { sourceFunding: { ...details } }),
      ...(onChain && { sourceTransactionHash: onChain.transactionHash, sourceNetwork: onChain.network }),
      destinationType: 'ACCOUNT',
      destinationInternalAccountId: account.id,
      destinationCurrency: currency,
      sentAmount: amount,
      sentCurrency: currency,
      receivedAmount: amount,
      receivedCurrency: currency,
      fees: 0n,
      reconciliationReference: details?.remittanceInformation ?? newReference(),
    },
  })
  await requireReady(tx, { platformId }, payment)
  await movePayment(tx, platformId, payment, 'PROCESSING')
  // The account is locked, active and has room, so the payment arrives.
  await OUTCOMES.complete(
    tx,
    platformId,
    { ...payment, status: 'PROCESSING' },
    { reason: 'OFFRAMP_FAILED', now: createdAt },
  )
  return payment
}
