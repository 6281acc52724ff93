// Starts pending transfers: their money leaves, or is requested.
import { placeHold, releaseHold } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { sendIn } from '#database/round-trips.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Transaction as TransactionRow } from '#generated/prisma/client.ts'
import { lockPayment, type Payment } from '#settlement/payment-status.ts'
import { providerOf } from '#settlement/providers.ts'
import { expectedSettlement } from '#settlement/rails.ts'
import { requireReady } from '#settlement/ready.ts'
import { startPayment } from '#settlement/start.ts'
import { moveTransaction } from '#transactions/transition.ts'

/** Holds an outgoing amount, and schedules the start of the transfer. */
export const beginTransfer = async (tx: Tx, { platformId }: Caller, created: Payment): Promise<void> => {
  const { id, type, sourceInternalAccountId: accountId, sentAmount } = created
  if (type === 'OUTGOING' && accountId !== null && sentAmount !== null) {
    await placeHold(tx, platformId, { accountId, amount: sentAmount, transactionId: id })
  }
  await addJob(tx, startTransfer, { platformId, transactionId: id })
}

interface Start extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
}

/** Starts a pending transfer: releases its hold and debits the source. It fails without moving money when a party is no longer active. */
export const startTransfer: Task<Start> = {
  name: 'startTransfer',
  run: ({ platformId: platform, transactionId: id }, end) =>
    inTransaction(async (tx) => {
      const platformId = platform as PlatformId
      const { environment } = await tx.platform.findUniqueOrThrow({ where: { id: platformId } })
      const payment = await tx.transaction.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
      const account = payment.sourceInternalAccountId ?? payment.destinationInternalAccountId
      if (account !== null) await lockAccounts(tx, { platformId }, [account])
      // The job may run twice at once.
      if ((await lockPayment(tx, payment)) !== 'PENDING') return
      for (const hold of await tx.ledgerHold.findMany({ where: { platformId, transactionId: id, releasedAt: null } })) {
        await releaseHold(tx, platformId, hold.id)
      }
      try {
        await proceedTransfer(tx, { platformId, environment }, payment)
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'USER_NOT_READY')) throw error
        await moveTransaction(tx, platformId, id, 'FAILED', { failureReason: 'QUOTE_EXECUTION_FAILED' })
      }
      await end?.(tx)
    }),
}

/**
 * Sends a payment out, or requests it from the external account. Its hold must have been released. 403 `USER_NOT_READY` when an account or
 * the customer is no longer active; nothing has changed then.
 */
export const proceedTransfer = async (
  tx: Tx,
  caller: Pick<Caller, 'platformId' | 'environment'>,
  payment: TransactionRow,
): Promise<void> => {
  if (payment.type === 'OUTGOING') return startPayment(tx, caller, payment)
  const { platformId, environment } = caller
  const { accountInfo } = await requireReady(tx, caller, payment)
  // Until it settles, this is the expected time.
  const settledAt = expectedSettlement('ACH', payment.createdAt)
  await moveTransaction(tx, platformId, payment.id, 'PROCESSING', { settledAt })
  await sendIn(tx, ...(providerOf(environment)?.carrying(payment, accountInfo) ?? []))
}
