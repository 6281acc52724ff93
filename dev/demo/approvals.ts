import type { AgentActionStatus, AgentActionType } from '#generated/prisma/client.ts'
import type { Life } from './life.ts'
import type { CurrencyCode } from './rates.ts'
import type { World } from './world.ts'

type Facts = {
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

/** Creates the agent action behind an agent's payment, with a status that matches the payment. */
export const addAction = (
  world: World,
  name: string,
  life: Life,
  { agentId, customerId, transactionId, quoteId, transfer }: Facts,
) => {
  if (!customerId) return
  const status = statusOf(life)
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
    updatedAt: life.steps[1]?.at ?? life.createdAt,
  })
}

const statusOf = ({ status, steps }: Life): AgentActionStatus => {
  if (status === 'PENDING') return 'PENDING_APPROVAL'
  const end = steps[1]
  if (end?.to === 'FAILED') return REJECTIONS.test(end.reason ?? '') ? 'REJECTED' : 'FAILED'
  return end?.to === 'EXPIRED' ? 'FAILED' : 'APPROVED'
}
