// Payments that need Strong Customer Authentication before they start (docs/domain/quotes.md#sca-region).
import { requireFunds } from '#accounts/ledger.ts'
import type { Caller } from '#core/caller.ts'
import { isInScaRegion } from '#customers/profile/sca-region.ts'
import { addJob } from '#database/jobs/jobs.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Customer, Prisma } from '#generated/prisma/client.ts'
import { expireAuthorization } from '#quotes/expire.ts'
import { raiseChallenge } from '#sca/challenge/raise.ts'
import type { ScaFactorType } from '#sca/factors/factor.ts'
import { isTrusted } from '#sca/trust/trust.ts'
import { movePayment, type Payment } from '#settlement/payment-status.ts'
import { findPartiesNow, type PartiesNow, requireReadyParties } from '#settlement/ready.ts'
import { startPayment } from '#settlement/start.ts'

type Payer = Pick<Caller, 'platformId' | 'environment'>

interface Ends {
  readonly customer: Customer | null
  readonly isFromWallet: boolean
  readonly destinationExternalAccountId: string | null
}

/**
 * Whether the customer must authorize the payment: in an SCA region, but not from a wallet, whose owner signs, nor to an account that the
 * customer trusts.
 */
export const needsSca = async (
  tx: Tx,
  { customer, isFromWallet, destinationExternalAccountId }: Ends,
): Promise<Customer | null> => {
  if (customer === null || isFromWallet || !isInScaRegion(customer.region)) return null
  const isExempt =
    destinationExternalAccountId !== null && (await isTrusted(tx, customer, destinationExternalAccountId))
  return isExempt ? null : customer
}

interface Wish {
  readonly customer: Customer
  readonly scaFactor?: ScaFactorType | null | undefined
  /** The quote expires then, whether it is authorized or not. */
  readonly latest?: Date
  /** Withheld until the payment is authorized. */
  readonly paymentInstructions?: Prisma.InputJsonValue | undefined
}

/** Raises the challenge of the quote, which becomes `PENDING_AUTHORIZATION` with its payment, and schedules the end of both. */
export const askForAuthorization = async (
  tx: Tx,
  caller: Payer,
  payment: Pick<Payment, 'id' | 'quoteId' | 'destinationInternalAccountId'>,
  { customer, scaFactor: preferred, latest, paymentInstructions }: Wish,
): Promise<void> => {
  const { platformId } = caller
  const quoteId = payment.quoteId ?? ''
  const purpose = payment.destinationInternalAccountId === null ? 'PAYOUT' : 'CURRENCY_CONVERSION'
  const { expiresAt } = await raiseChallenge(tx, caller, {
    customer,
    action: 'PAY',
    purpose,
    preferred,
    quoteId,
    ...(latest && { latest }),
    ...(paymentInstructions !== undefined && { paymentInstructions }),
  })
  await movePayment(tx, platformId, payment, 'PENDING_AUTHORIZATION')
  await addJob(tx, expireAuthorization, { platformId, quoteId }, { runAt: expiresAt })
}

/** Most payments need no challenge. */
export const mayNeedSca = ({ customer }: PartiesNow): boolean => isInScaRegion(customer?.region ?? null)

/**
 * Starts the payment of a quote, or asks the customer to authorize it first. Call it with the source locked. Throws what `startPayment`
 * throws, 423 `ACCOUNT_LOCKED` while the customer is locked, and 403 `USER_NOT_READY` without any factor.
 */
export const startQuote = async (
  tx: Tx,
  caller: Payer,
  payment: Payment,
  scaFactor?: ScaFactorType | null,
  known?: PartiesNow,
): Promise<void> => {
  const { platformId } = caller
  const parties = known ?? (await findPartiesNow(tx, caller, payment))
  if (!mayNeedSca(parties)) return startPayment(tx, caller, payment, parties)
  const quote = await tx.quote.findUniqueOrThrow({
    where: { platformId_id: { platformId, id: payment.quoteId ?? '' } },
    include: { customer: true, sourceInternalAccount: true, transaction: { include: { umaDemand: true } } },
  })
  const { customer: payer, sourceInternalAccount: source, destinationExternalAccountId, transaction } = quote
  const isFromWallet = source?.type === 'EMBEDDED_WALLET'
  const customer = await needsSca(tx, { customer: payer, isFromWallet, destinationExternalAccountId })
  if (customer === null) return startPayment(tx, caller, payment, parties)
  requireReadyParties(parties)
  if (source) await requireFunds(tx, platformId, source.id, quote.totalSendingAmount)
  // After its demand has expired, the payment cannot start.
  const latest = transaction?.umaDemand?.expiresAt
  await askForAuthorization(tx, caller, payment, { customer, scaFactor, ...(latest && { latest }) })
}
