// A payment from a UMA address of another institution: settles its demand exactly once (docs/domain/uma.md#settlement).
import { postMovement } from '#accounts/ledger.ts'
import { lockAccounts } from '#accounts/lock.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Transaction, UmaDemand } from '#generated/prisma/client.ts'
import { lockPayment, movePayment } from '#settlement/payment-status.ts'
import { requireReady } from '#settlement/ready.ts'
import type { UmaErrorCode } from '#uma/wire.ts'

/** The outcome of a demand. It is stored, and repeated notes get the same answer. */
export type DemandEnd = { readonly isSettled: true } | { readonly isSettled: false; readonly code: string }

const REASONS = {
  QUOTE_EXPIRED: 'QUOTE_EXPIRED',
  USER_NOT_READY: 'OFFRAMP_FAILED',
  VELOCITY_LIMIT_EXCEEDED: 'QUOTE_EXECUTION_FAILED',
} as const satisfies Partial<Record<UmaErrorCode, Transaction['failureReason']>>

/** `note` is what the payer's institution has signed. */
export const settleDemand = (platformId: PlatformId, id: string, movement: string, note: string): Promise<DemandEnd> =>
  whileLocked(platformId, id, async (tx, demand, payment) => {
    const code = await refusalOf(tx, platformId, demand, payment)
    if (code) return refuse(tx, platformId, demand, payment, code)
    const { satoshis, currency, amount, providerId } = demand
    const accountId = payment.destinationInternalAccountId
    const settledAt = await timeOf(tx)
    await movePayment(tx, platformId, payment, 'COMPLETED', { settledAt, reconciliationTransactionHash: movement })
    await postMovement(tx, platformId, {
      kind: 'PAYMENT',
      transactionId: payment.id,
      entries: [
        { book: 'SETTLEMENT', currency: 'BTC', amount: -satoshis },
        { book: 'EXCHANGE', currency: 'BTC', amount: satoshis },
        { book: 'EXCHANGE', currency, amount: -amount },
        { ...(accountId === null ? { book: 'OUTSIDE' } : { accountId }), currency, amount },
      ],
    })
    await tx.umaDemand.update({
      where: { platformId_id: { platformId, id } },
      data: { status: 'SETTLED', settledAt, note },
    })
    await tx.umaProvider.update({
      where: { platformId_id: { platformId, id: providerId } },
      data: { balance: { increment: satoshis } },
    })
    return { isSettled: true }
  })

interface Expiry extends Record<string, string> {
  readonly platformId: string
  readonly demandId: string
}

/** Ends a demand that was not paid in time. `demandId` is the id of its row. */
export const expireDemand: Task<Expiry> = {
  name: 'expireDemand',
  run: async ({ platformId: platform, demandId }) => {
    const platformId = platform as PlatformId
    await whileLocked(platformId, demandId, async (tx, demand, payment) =>
      (await isOver(tx, demand))
        ? refuse(tx, platformId, demand, payment, 'QUOTE_EXPIRED')
        : { isSettled: false, code: 'QUOTE_EXPIRED' },
    )
  },
}

type Work = (tx: Tx, demand: UmaDemand, payment: Transaction) => Promise<DemandEnd>

/** Locks the account, the payment and the demand. Runs `work` while the demand is open, and otherwise returns its end. */
const whileLocked = async (platformId: PlatformId, id: string, work: Work): Promise<DemandEnd> => {
  const where = { platformId_id: { platformId, id } }
  const { transactionId } = await db.umaDemand.findUniqueOrThrow({ where })
  return inTransaction(async (tx) => {
    const whereTransaction = { platformId_id: { platformId, id: transactionId } }
    const { destinationInternalAccountId: accountId } = await tx.transaction.findUniqueOrThrow({
      where: whereTransaction,
    })
    await lockAccounts(tx, { platformId }, accountId === null ? [] : [accountId])
    await lockPayment(tx, { platformId, id: transactionId, quoteId: null })
    await tx.$queryRaw`select from uma_demands where platform_id = ${platformId}::uuid and id = ${id}::uuid for update`
    const demand = await tx.umaDemand.findUniqueOrThrow({ where })
    if (demand.status === 'SETTLED') return { isSettled: true }
    if (demand.status === 'REFUSED') return { isSettled: false, code: demand.refusal ?? 'INTERNAL_ERROR' }
    return work(tx, demand, await tx.transaction.findUniqueOrThrow({ where: whereTransaction }))
  })
}

const isOver = async (tx: Tx, { expiresAt }: UmaDemand) => (await timeOf(tx)) >= expiresAt

/** Why the demand cannot be settled. This is final. */
const refusalOf = async (
  tx: Tx,
  platformId: PlatformId,
  demand: UmaDemand,
  payment: Transaction,
): Promise<keyof typeof REASONS | undefined> => {
  if (payment.status !== 'PROCESSING' || (await isOver(tx, demand))) return 'QUOTE_EXPIRED'
  if (!(await canReceive(tx, platformId, demand, payment))) return 'USER_NOT_READY'
  const [provider] = await tx.$queryRaw<{ is_allowed: boolean; left: bigint }[]>`
    select is_allowed, credit_limit - balance as left from uma_providers
    where platform_id = ${platformId}::uuid and id = ${demand.providerId}::uuid for no key update`
  return provider?.is_allowed && provider.left >= demand.satoshis ? undefined : 'VELOCITY_LIMIT_EXCEEDED'
}

const canReceive = async (tx: Tx, platformId: PlatformId, { amount }: UmaDemand, payment: Transaction) => {
  const id = payment.destinationInternalAccountId
  if (id !== null) {
    const where = { platformId_id: { platformId, id } }
    const { totalBalance } = await tx.internalAccount.findUniqueOrThrow({ where })
    if (totalBalance + amount > MAX_AMOUNT) return false
  }
  try {
    await requireReady(tx, { platformId }, payment)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'USER_NOT_READY') return false
    throw error
  }
}

const refuse = async (
  tx: Tx,
  platformId: PlatformId,
  { id }: UmaDemand,
  payment: Transaction,
  code: keyof typeof REASONS,
): Promise<DemandEnd> => {
  if (payment.status === 'PENDING' || payment.status === 'PROCESSING') {
    await movePayment(tx, platformId, payment, 'FAILED', { failureReason: REASONS[code] })
  }
  await tx.umaDemand.update({
    where: { platformId_id: { platformId, id } },
    data: { status: 'REFUSED', refusal: code },
  })
  return { isSettled: false, code }
}
