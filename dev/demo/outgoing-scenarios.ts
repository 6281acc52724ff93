// Scenarios of outgoing payments (docs/domain/transactions.md#outgoing-status-changes).
import type { TransactionFailureReason } from '#generated/prisma/client.ts'
import type { RefundPlan, Step } from './life.ts'

export type OutgoingRoute = 'payout' | 'conversion' | 'uma' | 'funded'

export type OutgoingScenario = {
  weight: number
  routes: readonly OutgoingRoute[]
  /** The steps, given the seconds that the payout takes and the lifetime of the quote in seconds. */
  steps: (travel: number, validity: number) => Step[]
  /** The payment is in progress, for at most this many seconds. */
  openSeconds?: number
  failure?: TransactionFailureReason
  refund?: RefundPlan
  /** Needs Strong Customer Authentication: an EEA customer with a quote. */
  sca?: true
  /** Whether an agent made the payment. */
  agent?: true
  /** The platform has not decided on it yet. */
  waits?: true
  /** Needs a transfer in one currency, without a quote. */
  transfer?: true
  /** Needs a quote, even in one currency. */
  quoted?: true
  /** Needs an ACH transfer or a wire, which can be cancelled. */
  cancelled?: true
  /** The only customer that this scenario applies to. */
  owner?: string
}

const ANY: readonly OutgoingRoute[] = ['payout', 'payout', 'conversion', 'uma', 'funded']
const ACCOUNT: readonly OutgoingRoute[] = ['payout', 'conversion']

const pending: Step = { to: 'PENDING', after: 0 }
const authorization: Step = { to: 'PENDING_AUTHORIZATION', after: 2 }
const processing = (after: number): Step => ({ to: 'PROCESSING', after })
const completed = (after: number): Step => ({ to: 'COMPLETED', after })
const failed = (after: number, reason: string): Step => ({ to: 'FAILED', after, reason })

/** Waits for approval. A quote has expired by now: approval prices the request again. */
const waiting = (
  owner: string,
  route: OutgoingRoute,
  what: { transfer: true } | { quoted: true },
): OutgoingScenario => ({
  weight: 0,
  owner,
  agent: true,
  waits: true,
  ...what,
  openSeconds: 3_000,
  routes: [route],
  steps: (_travel, validity) => ('quoted' in what ? [pending, { to: 'EXPIRED', after: validity }] : [pending]),
})

/** Scenarios without a weight occur once. */
export const OUTGOING_SCENARIOS: readonly OutgoingScenario[] = [
  waiting('ada-lovelace', 'payout', { transfer: true }),
  waiting('ada-lovelace', 'conversion', { quoted: true }),
  waiting('northwind-coffee', 'payout', { transfer: true }),
  waiting('northwind-coffee', 'payout', { quoted: true }),
  waiting('grace-whitfield', 'payout', { quoted: true }),
  { weight: 66, routes: ANY, steps: (travel) => [pending, processing(21), completed(travel)] },
  {
    weight: 6,
    sca: true,
    routes: ACCOUNT,
    steps: (travel) => [pending, authorization, processing(48), completed(travel)],
  },
  {
    weight: 2,
    sca: true,
    routes: ['funded'],
    steps: (travel) => [pending, authorization, { to: 'PENDING', after: 37 }, processing(240), completed(travel)],
  },
  { weight: 2, openSeconds: 50, routes: ANY, steps: () => [pending] },
  {
    weight: 1,
    openSeconds: 240,
    sca: true,
    routes: ACCOUNT,
    steps: () => [pending, authorization],
  },
  {
    weight: 1,
    openSeconds: 240,
    sca: true,
    routes: ['funded'],
    steps: () => [pending, authorization],
  },
  { weight: 3, openSeconds: 40, routes: ANY, steps: () => [pending, processing(14)] },
  {
    weight: 4,
    routes: ANY,
    quoted: true,
    steps: (_travel, validity) => [pending, { to: 'EXPIRED', after: validity }],
  },
  {
    weight: 1,
    cancelled: true,
    routes: ['payout'],
    refund: { status: 'COMPLETED', reason: 'USER_CANCELLATION', isCancellation: true },
    steps: () => [pending, processing(9), completed(5_400)],
  },
  {
    weight: 1,
    openSeconds: 3_000,
    cancelled: true,
    routes: ['payout'],
    refund: { status: 'PENDING', reason: 'USER_CANCELLATION', isCancellation: true },
    steps: () => [pending, processing(9)],
  },
  {
    weight: 1,
    sca: true,
    routes: ACCOUNT,
    failure: 'QUOTE_EXPIRED',
    steps: () => [pending, authorization, failed(300, 'The challenge expired.')],
  },
  {
    weight: 2,
    routes: ['payout'],
    failure: 'QUOTE_EXECUTION_FAILED',
    refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    steps: () => [pending, processing(12), failed(95, 'The receiving bank refused the payment.')],
  },
  {
    weight: 1,
    routes: ['payout'],
    failure: 'QUOTE_EXECUTION_FAILED',
    refund: { status: 'FAILED', reason: 'TRANSACTION_FAILED' },
    steps: () => [pending, processing(12), failed(130, 'The account is closed.')],
  },
  {
    weight: 1,
    openSeconds: 7_200,
    routes: ['payout', 'funded'],
    failure: 'QUOTE_EXECUTION_FAILED',
    refund: { status: 'PENDING', reason: 'TRANSACTION_FAILED' },
    steps: () => [pending, processing(33), failed(80, 'The receiving bank did not answer.')],
  },
  {
    weight: 1,
    agent: true,
    routes: ['payout'],
    failure: 'QUOTE_EXECUTION_FAILED',
    transfer: true,
    steps: () => [pending, failed(1_560, 'The platform rejected the action.')],
  },
  {
    weight: 1,
    agent: true,
    routes: ACCOUNT,
    failure: 'QUOTE_EXECUTION_FAILED',
    steps: () => [pending, failed(2_400, 'The daily limit is used up.')],
  },
  {
    weight: 1,
    routes: ['uma'],
    failure: 'LIGHTNING_PAYMENT_FAILED',
    refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    steps: () => [pending, processing(4), failed(31, 'No route to the counterparty.')],
  },
  {
    weight: 1,
    routes: ['funded'],
    failure: 'FUNDING_AMOUNT_MISMATCH',
    refund: { status: 'COMPLETED', reason: null },
    steps: () => [pending, failed(410, 'The deposit had another amount than the quote.')],
  },
  {
    weight: 1,
    routes: ['uma'],
    failure: 'COUNTERPARTY_POST_TX_FAILED',
    refund: { status: 'COMPLETED', reason: 'TIMEOUT' },
    steps: () => [pending, processing(3), failed(60, 'The counterparty never confirmed.')],
  },
  {
    weight: 1,
    routes: ['payout'],
    failure: 'COUNTERPARTY_POST_TX_FAILED',
    refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    steps: (travel) => [pending, processing(17), completed(travel), failed(172_800, 'Returned by the bank.')],
  },
]
