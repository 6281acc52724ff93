// Scenarios of incoming payments (docs/domain/transactions.md#incoming-status-changes).
import type { TransactionFailureReason } from '#generated/prisma/client.ts'
import type { RefundPlan, Step } from './life.ts'

export type IncomingRoute = 'uma' | 'push' | 'chain' | 'pull' | 'book'

export type IncomingScenario = {
  weight: number
  routes: readonly IncomingRoute[]
  steps: readonly Step[]
  openSeconds?: number
  failure?: TransactionFailureReason
  refund?: RefundPlan
  /** Whether an agent made the transfer. */
  agent?: true
  /** The only customer that this scenario applies to. */
  owner?: string
}

const BANK: readonly IncomingRoute[] = ['push', 'push', 'chain', 'pull', 'book']
const UMA: readonly IncomingRoute[] = ['uma']

const created: Step = { to: 'CREATED', after: 0 }
const quoted: Step = { to: 'PENDING', after: 8 }
const pending: Step = { to: 'PENDING', after: 0 }
const processing: Step = { to: 'PROCESSING', after: 3 }
const completed: Step = { to: 'COMPLETED', after: 35 }
const failed = (after: number, reason: string): Step => ({ to: 'FAILED', after, reason })

const refused = (failure: TransactionFailureReason, why: string, after = 2): IncomingScenario => ({
  weight: 1,
  routes: UMA,
  failure,
  steps: [created, quoted, failed(after, why)],
})

/** UMA payments start with a lookup. Scenarios without a weight occur once. */
export const INCOMING_SCENARIOS: readonly IncomingScenario[] = [
  { weight: 46, routes: BANK, steps: [pending, processing, completed] },
  { weight: 16, routes: UMA, steps: [created, quoted, processing, completed] },
  {
    weight: 0,
    owner: 'ada-lovelace',
    agent: true,
    routes: ['pull'],
    openSeconds: 2_400,
    steps: [pending],
  },
  { weight: 4, agent: true, routes: ['pull'], steps: [pending, processing, completed] },
  { weight: 1, routes: UMA, openSeconds: 60, steps: [created] },
  { weight: 1, routes: UMA, openSeconds: 40, steps: [created, quoted] },
  { weight: 1, routes: ['push', 'pull'], openSeconds: 900, steps: [pending] },
  { weight: 2, routes: BANK, openSeconds: 60, steps: [pending, processing] },
  { weight: 1, routes: UMA, steps: [created, { to: 'EXPIRED', after: 300 }] },
  {
    weight: 1,
    routes: UMA,
    refund: { status: 'COMPLETED', reason: null },
    steps: [created, quoted, { to: 'REJECTED', after: 3, reason: 'The platform refused the payment.' }],
  },
  {
    weight: 1,
    routes: UMA,
    failure: 'LNURLP_FAILED',
    steps: [created, failed(5, 'The look-up of the sender failed.')],
  },
  {
    weight: 1,
    routes: UMA,
    failure: 'PAY_REQUEST_FAILED',
    steps: [created, failed(7, 'The pay request was not understood.')],
  },
  refused('PAYMENT_APPROVAL_WEBHOOK_ERROR', 'The webhook of the platform answered 500.'),
  {
    ...refused('PAYMENT_APPROVAL_TIMED_OUT', 'The platform did not decide in time.', 5),
    refund: { status: 'COMPLETED', reason: 'TIMEOUT' },
  },
  refused('MISSING_MANDATORY_PAYEE_DATA', 'The platform asked for more about the payee.'),
  refused('QUOTE_EXPIRED', 'The quote was not paid in time.', 60),
  {
    weight: 1,
    routes: BANK,
    failure: 'OFFRAMP_FAILED',
    refund: { status: 'COMPLETED', reason: 'TRANSACTION_FAILED' },
    steps: [pending, processing, failed(50, 'The account could not be credited.')],
  },
  {
    weight: 1,
    routes: BANK,
    openSeconds: 3_600,
    failure: 'OFFRAMP_FAILED',
    refund: { status: 'PENDING', reason: 'TRANSACTION_FAILED' },
    steps: [pending, processing, failed(50, 'The account could not be credited.')],
  },
  {
    weight: 1,
    routes: BANK,
    failure: 'QUOTE_EXECUTION_FAILED',
    refund: { status: 'FAILED', reason: 'TRANSACTION_FAILED' },
    steps: [pending, processing, failed(20, 'The conversion failed.')],
  },
  {
    weight: 2,
    routes: BANK,
    refund: { status: 'COMPLETED', reason: 'USER_CANCELLATION', isCancellation: true },
    steps: [pending, processing, completed, { to: 'REFUNDED', after: 90_000 }],
  },
  {
    weight: 2,
    routes: ['push'],
    refund: { status: 'COMPLETED', reason: 'TIMEOUT', isCancellation: true },
    steps: [pending, processing, completed, { to: 'REFUNDED', after: 260_000 }],
  },
]
