// What the operator reports about the world outside where no provider does (docs/domain/production.md#operator-commands).
import { lockAccounts } from '#accounts/lock.ts'
import { StartupError } from '#core/environment.ts'
import { ApiError } from '#core/errors.ts'
import { type Kind, type PlatformId, requireUuid } from '#core/ids.ts'
import { setVerificationStatus } from '#customers/provisioning.ts'
import { sending } from '#database/round-trips.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import { receiveDeposit } from '#settlement/arrivals/deposit.ts'
import { isSettledByDemand } from '#settlement/carry.ts'
import { failAndRefund, OUTCOMES } from '#settlement/payment-outcomes.ts'

interface Tenant {
  readonly platformId: PlatformId
  readonly environment: 'PRODUCTION'
}

/** Throws `StartupError`, with nothing changed, unless the platform is one of production, and for every refusal of `work`. */
const report = async <T>(platform: string, work: (tx: Tx, tenant: Tenant) => Promise<T>): Promise<T> => {
  try {
    return await inTransaction(async (tx) => {
      const found = await tx.platform.findUnique({ where: { id: platform } })
      if (!found) throw new StartupError(`There is no platform ${platform}`)
      if (found.environment === 'SANDBOX') throw new StartupError('The sandbox simulates the world outside by itself')
      return work(tx, { platformId: found.id as PlatformId, environment: found.environment })
    })
  } catch (error) {
    throw error instanceof ApiError ? new StartupError(error.message) : error
  }
}

const uuidOf = (kind: Kind, id: string): string => requireUuid(kind, id, () => unknown(id))

const unknown = (id: string) => new StartupError(`The platform has no ${id}`)

export const PAYMENT_REPORTS = ['COMPLETED', 'FAILED'] as const

/**
 * Ends a payment that is PROCESSING, or fails one that the bank has returned later. What fails is refunded. Returns the new status: a payment
 * whose account can no longer take the money fails.
 */
export const reportPayment = (
  platform: string,
  transaction: string,
  outcome: (typeof PAYMENT_REPORTS)[number],
): Promise<string> =>
  report(platform, async (tx, { platformId }) => {
    const where = { platformId_id: { platformId, id: uuidOf('Transaction', transaction) } }
    const payment = await tx.transaction.findUnique({ where })
    if (!payment || payment.type === 'CARD') throw unknown(transaction)
    if (await isSettledByDemand(payment, sending(tx))) {
      throw new StartupError('The institution of the other party settles this payment')
    }
    const canBeReturned = payment.status === 'COMPLETED' && payment.destinationExternalAccountId !== null
    if (payment.status !== 'PROCESSING' && !canBeReturned) throw new StartupError(`The payment is ${payment.status}`)
    const apply = outcome === 'COMPLETED' ? OUTCOMES.complete : failAndRefund
    await apply(tx, platformId, payment, { reason: 'QUOTE_EXECUTION_FAILED', now: await timeOf(tx) })
    return (await tx.transaction.findUniqueOrThrow({ where })).status
  })

/** Credits money that has arrived for an internal account. `reference` is that of the bank: a repeated one is refused. Returns the payment's id. */
export const reportDeposit = (platform: string, account: string, amount: bigint, reference: string): Promise<string> =>
  report(platform, async (tx, tenant) => {
    const { platformId } = tenant
    const id = uuidOf('InternalAccount', account)
    await lockAccounts(tx, tenant, [id])
    const found = await tx.internalAccount.findUnique({ where: { platformId_id: { platformId, id } } })
    if (!found) throw unknown(account)
    const [earlier] = await tx.transaction.findMany({
      where: { platformId, destinationInternalAccountId: id, reconciliationReference: reference },
      take: 1,
    })
    if (earlier) throw new StartupError(`The account already has a deposit with the reference ${reference}`)
    const details = { remittanceInformation: reference }
    return (await receiveDeposit(tx, tenant, found, { amount, details, onChain: null })).id
  })

export const CUSTOMER_REPORTS = ['APPROVED', 'REJECTED', 'HOLD'] as const

/** Sets the verification status of a customer. Approval opens its accounts. */
export const reportCustomer = (
  platform: string,
  customer: string,
  status: (typeof CUSTOMER_REPORTS)[number],
): Promise<void> =>
  report(platform, (tx, tenant) => setVerificationStatus(tx, tenant, uuidOf('Customer', customer), status))
