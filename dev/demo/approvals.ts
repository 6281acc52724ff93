import type { AgentActionStatus, AgentActionType } from '#generated/prisma/client.ts'
import type { Life } from './life.ts'
import type { CurrencyCode } from './rates.ts'
import { DAY, later, type World } from './world.ts'

type Facts = {
  /** Whether the platform can still decide, expired quote or not. */
  waits: boolean
  agentId: string
  customerId: string | null
  transactionId: string
  quoteId: string | null
  transfer: {
    type: AgentActionType
    amount: bigint
    currency: CurrencyCode
    internalAccountId: string | null
    externalAccountId: string | null
  }
}

const REJECTIONS = /rejected/
const WEEK = 7 * DAY

/** Creates the agent action behind an agent's payment, with a status that matches the payment. */
export const addAction = (
  world: World,
  name: string,
  life: Life,
  { waits, agentId, customerId, transactionId, quoteId, transfer }: Facts,
) => {
  if (!customerId) return
  const status = waits ? 'PENDING_APPROVAL' : statusOf(life)
  world.rows.agentActions.push({
    platformId: world.platformId,
    id: world.id(`action/${name}`),
    agentId,
    customerId,
    transactionId,
    status,
    ...(quoteId ? { type: 'EXECUTE_QUOTE', quoteId } : transfer),
    rejectionReason: status === 'REJECTED' ? 'Not agreed with the supplier yet.' : null,
    createdAt: life.createdAt,
    ...(status === 'FAILED' && failureOf(life)),
    approvalExpiresAt: waits ? later(life.createdAt, WEEK) : null,
    updatedAt: waits ? life.createdAt : (life.steps[1]?.at ?? life.createdAt),
  })
}

const failureOf = ({ steps }: Life) =>
  steps[1]?.to === 'EXPIRED'
    ? {
        failureCode: 'PRICE_MOVED',
        failureMessage: 'The quote expired, and the new price was worse than the policy tolerates',
      }
    : { failureCode: 'VELOCITY_LIMIT_EXCEEDED', failureMessage: 'The daily limit would be exceeded' }

const statusOf = ({ steps }: Life): AgentActionStatus => {
  const end = steps[1]
  if (end?.to === 'FAILED') return REJECTIONS.test(end.reason ?? '') ? 'REJECTED' : 'FAILED'
  return end?.to === 'EXPIRED' ? 'FAILED' : 'APPROVED'
}
