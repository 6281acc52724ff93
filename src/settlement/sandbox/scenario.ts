// The magic values of the sandbox: the last three characters of the external account decide what happens to a payment
// (docs/domain/sandbox.md#magic-values).
import { suffixOf } from '#accounts/external/suffix.ts'
import type { Tx } from '#database/unit-of-work.ts'
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

const ARRIVES: Scenario = [event('complete')]
const FAILS: Scenario = [event('fail'), event('refund')]

const OF_QUOTES: Readonly<Record<string, Scenario>> = {
  '002': FAILS,
  '003': [event('complete', LATE)],
  '004': [bounce, event('refund')],
  '005': [event('complete'), bounce, event('refund')],
  '006': [event('cancel'), event('refund')],
  '007': [bounce, event('failRefund')],
}

const OF_TRANSFERS_OUT: Readonly<Record<string, Scenario>> = {
  '002': [event('fail', 0), event('refund', 0)],
  '003': FAILS,
  '004': FAILS,
  '005': [event('fail', PENDING), event('refund')],
}

const OF_TRANSFERS_IN: Readonly<Record<string, Scenario>> = {
  '002': [event('fail', 0)],
  '003': [event('fail')],
  '004': [event('fail')],
  '005': [event('fail', PENDING)],
}

/** The scenario that the payment's external account names. Payments between internal accounts always arrive. */
export const scenarioOf = async (tx: Tx, payment: Transaction): Promise<Scenario> => {
  const { platformId, type, sourceExternalAccountId, destinationExternalAccountId } = payment
  const id = sourceExternalAccountId ?? destinationExternalAccountId
  if (id === null) return ARRIVES
  const account = await tx.externalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const scenarios = type === 'INCOMING' ? OF_TRANSFERS_IN : payment.quoteId === null ? OF_TRANSFERS_OUT : OF_QUOTES
  return scenarios[suffixOf(account.accountInfo as object)] ?? ARRIVES
}
