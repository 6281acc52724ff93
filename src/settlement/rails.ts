// Which rail a payment takes, and how long that takes (docs/domain/transactions.md#rails).
import type { PaymentRail } from '#accounts/payment-rail.ts'

const INSTANT: readonly PaymentRail[] = [
  'RTP',
  'FEDNOW',
  'PIX',
  'SPEI',
  'SEPA_INSTANT',
  'FASTER_PAYMENTS',
  'UPI',
  'FAST',
  'PAYNOW',
  'INSTAPAY',
  'BRE_B',
  'UNIONPAY',
  'MOBILE_MONEY',
]
const INSTANT_SECONDS = 60
const DEFERRED_SECONDS: Partial<Record<PaymentRail, number>> = {
  RTGS: 3_600,
  NEFT: 7_200,
  WIRE: 14_400,
  SWIFT: 172_800,
}
const DAY_SECONDS = 86_400

/** The rails of an external account; wallets have none. */
export const railsOf = ({ accountInfo }: { readonly accountInfo: unknown }): readonly PaymentRail[] => {
  const { paymentRails } = accountInfo as { paymentRails?: PaymentRail[] }
  return paymentRails ?? []
}

/** The rail that the service selects when the platform names none: the first instant one, otherwise the first. */
export const automaticRail = (account: { readonly accountInfo: unknown }): PaymentRail | undefined =>
  railsOf(account).find(isInstant) ?? railsOf(account)[0]

export const isInstant = (rail: PaymentRail) => INSTANT.includes(rail)

/** Seconds from the creation of the payment to its settlement. */
export const settlementSeconds = (rail: PaymentRail) =>
  isInstant(rail) ? INSTANT_SECONDS : (DEFERRED_SECONDS[rail] ?? DAY_SECONDS)

/** Null for an instant rail. */
export const expectedSettlement = (rail: PaymentRail, createdAt: Date): Date | null =>
  isInstant(rail) ? null : new Date(createdAt.getTime() + 1_000 * settlementSeconds(rail))

/** The columns of a payment whose rail the platform has named. */
export const namedRail = (rail: PaymentRail | null | undefined, createdAt: Date) =>
  rail && {
    destinationPaymentRail: rail,
    paymentRail: rail,
    railSelectionMode: 'MANUAL' as const,
    settlementTimelineSeconds: settlementSeconds(rail),
    expectedSettlementAt: expectedSettlement(rail, createdAt),
  }
