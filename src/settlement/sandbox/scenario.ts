// The outcome of a payment in the sandbox. The external account or UMA address of the other party decides it
// (docs/domain/sandbox.md#magic-values).
import { type AccountSuffix, suffixOf } from '#accounts/external/suffix.ts'
import { type MagicEffect, type MagicTable, outcomeOf } from '#core/magic-values.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import type { FailureReason, Outcome } from '#settlement/payment-outcomes.ts'

interface Event {
  readonly outcome: Outcome
  /** Counted from the previous event. */
  readonly afterSeconds: number
  /** Used if the outcome is a failure. */
  readonly reason: FailureReason
}

/** What happens to a payment after it has left, in order. */
export type Scenario = readonly Event[]

const SOON = 1
const LATE = 6 * 60
const PENDING = 30

const event = (outcome: Outcome, afterSeconds = SOON): Event => ({
  outcome,
  afterSeconds,
  reason: 'QUOTE_EXECUTION_FAILED',
})
/** The receiving institution refuses the payment or returns it. */
const bounce: Event = { outcome: 'fail', afterSeconds: SOON, reason: 'COUNTERPARTY_POST_TX_FAILED' }

const does = (effect: string, ...outcome: Event[]): MagicEffect<Scenario> => ({ effect, outcome })

const ARRIVES = does('Completes after a second.', event('complete'))

/** Only suffixes that every type of account accepts. */
type Suffixes = Partial<Record<AccountSuffix, MagicEffect<Scenario>>>

const OF_QUOTES = {
  '002': does('Fails with `QUOTE_EXECUTION_FAILED`, and is refunded.', event('fail'), event('refund')),
  '003': does('Completes after 6 minutes.', event('complete', LATE)),
  '004': does('The receiving institution refuses it: fails, and is refunded.', bounce, event('refund')),
  '005': does(
    'Completes, then the bank returns it: fails, and is refunded.',
    event('complete'),
    bounce,
    event('refund'),
  ),
  '006': does('Is cancelled by the user, refunded, and then completes.', event('cancel'), event('refund')),
  '007': does('The payout fails, and so does the refund.', bounce, event('failRefund')),
} satisfies Suffixes

const OF_TRANSFERS_OUT = {
  '002': does('Insufficient funds: fails at once, and is refunded.', event('fail', 0), event('refund', 0)),
  '003': does('The account is closed: fails, and is refunded.', event('fail'), event('refund')),
  '004': does('Is rejected: fails, and is refunded.', event('fail'), event('refund')),
  '005': does('Is pending for 30 seconds, then fails and is refunded.', event('fail', PENDING), event('refund')),
} satisfies Suffixes

const OF_TRANSFERS_IN = {
  '002': does('Insufficient funds: fails at once.', event('fail', 0)),
  '003': does('The account is closed: fails.', event('fail')),
  '004': does('Is rejected: fails.', event('fail')),
  '005': does('Is pending for 30 seconds, then fails.', event('fail', PENDING)),
} satisfies Suffixes

const ofAccount = (name: string, use: string, values: MagicTable<Scenario>['values']): MagicTable<Scenario> => ({
  name,
  place: `The number, IBAN, address or key of the external account, when ${use}.`,
  match: 'SUFFIX',
  values,
  otherwise: ARRIVES,
})

export const QUOTE_SCENARIOS = ofAccount('EXTERNAL_ACCOUNT_OF_QUOTE', 'a quote pays it', OF_QUOTES)
export const TRANSFER_OUT_SCENARIOS = ofAccount(
  'EXTERNAL_ACCOUNT_OF_TRANSFER_OUT',
  'a transfer pays it',
  OF_TRANSFERS_OUT,
)
export const TRANSFER_IN_SCENARIOS = ofAccount(
  'EXTERNAL_ACCOUNT_OF_TRANSFER_IN',
  'a transfer collects from it',
  OF_TRANSFERS_IN,
)

const REFUSED_BY_COMPLIANCE: readonly Event[] = [
  { outcome: 'fail', afterSeconds: SOON, reason: 'OFFRAMP_FAILED' },
  event('refund'),
]

const UMA_ARRIVALS = {
  '$success.usd': ARRIVES,
  '$success.eur': ARRIVES,
  '$success.mxn': ARRIVES,
  '$pending.long.usd': does('Completes after 6 minutes.', event('complete', LATE)),
}

/** The sender of an incoming payment, whatever the domain of the address. */
export const UMA_SENDER_SCENARIOS: MagicTable<Scenario> = {
  name: 'UMA_SENDER',
  place: 'The name part of `senderUmaAddress` of an incoming payment, once the platform has approved it.',
  match: 'UMA_NAME',
  values: {
    ...UMA_ARRIVALS,
    '$fail.compliance.usd': does(
      'Fails with `OFFRAMP_FAILED`, and is refunded to the sender.',
      ...REFUSED_BY_COMPLIANCE,
    ),
  },
  otherwise: ARRIVES,
}

/** The receiver of an outgoing payment, whatever the domain of the address. */
export const UMA_RECEIVER_SCENARIOS: MagicTable<Scenario> = {
  name: 'UMA_RECEIVER',
  place: 'The name part of the UMA address that an outgoing payment goes to.',
  match: 'UMA_NAME',
  values: {
    ...UMA_ARRIVALS,
    '$fail.compliance.usd': does(
      'The receiving institution refuses it: fails with `COUNTERPARTY_POST_TX_FAILED`, and is refunded.',
      bounce,
      event('refund'),
    ),
  },
  otherwise: does('The institution of the domain is asked.', event('complete')),
}

const umaName = (address: string) => address.split('@')[0]?.toLowerCase() ?? ''

type Ends = Pick<Transaction, 'type' | 'quoteId' | 'sourceUmaAddress' | 'destinationUmaAddress'>

/** `accountInfo` is that of the payment's external account. Payments between internal accounts always arrive. */
export const scenarioFor = (payment: Ends, accountInfo: object | null): Scenario => {
  const { type, sourceUmaAddress, destinationUmaAddress } = payment
  if (type === 'INCOMING' && sourceUmaAddress !== null) {
    return outcomeOf(UMA_SENDER_SCENARIOS, umaName(sourceUmaAddress))
  }
  if (destinationUmaAddress !== null) return outcomeOf(UMA_RECEIVER_SCENARIOS, umaName(destinationUmaAddress))
  return accountInfo === null ? ARRIVES.outcome : outcomeOf(tableOf(payment), suffixOf(accountInfo))
}

const tableOf = ({ type, quoteId }: Ends): MagicTable<Scenario> => {
  if (type === 'INCOMING') return TRANSFER_IN_SCENARIOS
  return quoteId === null ? TRANSFER_OUT_SCENARIOS : QUOTE_SCENARIOS
}
