// The magic values of the sandbox: the last three characters of where a payment goes say what becomes of it (docs/domain/sandbox.md#magic-values).
import type { Tx } from '#database/unit-of-work.ts'
import type { ExternalAccount, Transaction } from '#generated/prisma/client.ts'

type Effect = 'complete' | 'fail' | 'cancel' | 'refund' | 'failRefund'

export interface Event {
  readonly effect: Effect
  /** After the one before it. */
  readonly afterSeconds: number
  /** Of what fails. */
  readonly reason: 'QUOTE_EXECUTION_FAILED' | 'COUNTERPARTY_POST_TX_FAILED'
}

const SOON = 1
const LATE = 6 * 60
const PENDING = 30

const event = (effect: Effect, afterSeconds = SOON): Event => ({
  effect,
  afterSeconds,
  reason: 'QUOTE_EXECUTION_FAILED',
})
/** The other side has not taken what it was sent, or sends it back. */
const bounce: Event = { effect: 'fail', afterSeconds: SOON, reason: 'COUNTERPARTY_POST_TX_FAILED' }

const ARRIVES = [event('complete')]
const FAILS = [event('fail'), event('refund')]

const OF_QUOTES: Readonly<Record<string, readonly Event[]>> = {
  '002': FAILS,
  '003': [event('complete', LATE)],
  '004': [bounce, event('refund')],
  '005': [event('complete'), bounce, event('refund')],
  '006': [event('cancel'), event('refund')],
  '007': [bounce, event('failRefund')],
}

const OF_TRANSFERS: Readonly<Record<string, readonly Event[]>> = {
  '002': [event('fail', 0), event('refund', 0)],
  '003': FAILS,
  '004': FAILS,
  '005': [event('fail', PENDING), event('refund')],
}

const OF_PULLS: Readonly<Record<string, readonly Event[]>> = {
  '002': [event('fail', 0)],
  '003': [event('fail')],
  '004': [event('fail')],
  '005': [event('fail', PENDING)],
}

/** The events that follow the debit of the payment. The other side decides. */
export const fateOf = async (tx: Tx, payment: Transaction): Promise<readonly Event[]> => {
  const { platformId, type, sourceExternalAccountId, destinationExternalAccountId } = payment
  const id = sourceExternalAccountId ?? destinationExternalAccountId
  if (id === null) return ARRIVES
  const account = await tx.externalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
  const fates = type === 'INCOMING' ? OF_PULLS : payment.quoteId === null ? OF_TRANSFERS : OF_QUOTES
  return fates[suffixOf(account)] ?? ARRIVES
}

const KEYS = [
  'accountNumber',
  'iban',
  'clabeNumber',
  'address',
  'pixKey',
  'vpa',
  'phoneNumber',
  'lightningAddress',
  'invoice',
  'bolt12',
]

/** Of the number, IBAN, CLABE or address; of a key that looks like an e-mail address the part before the @. */
const suffixOf = ({ accountInfo }: ExternalAccount): string => {
  const info = accountInfo as Readonly<Record<string, unknown>>
  const value = KEYS.map((key) => info[key]).find((each) => typeof each === 'string') ?? ''
  return String(value).split('@')[0]?.slice(-3) ?? ''
}
