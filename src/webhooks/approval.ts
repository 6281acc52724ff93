// Applies the platform's answer to the webhook that requests approval of a UMA payment (docs/domain/events.md#approval-of-incoming-payments).
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Reply } from '#http/outgoing/call.ts'
import { approvalRequest, decideIncoming, type IncomingDecision } from '#settlement/incoming-decision.ts'
import { jsonOf } from '#uma/wire.ts'

/** Counted from an answer that promises a decision. */
const DECIDED_WITHIN_SECONDS = 5

/** The statuses that answer the request. Any other status is an error. */
const ANSWERS = [200, 202, 403, 409, 422]

export const MAX_REASON = 255

const WEBHOOK_ERROR: IncomingDecision = { kind: 'FAILED', failureReason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR' }

/** The reply to the request: an answer or a failure. */
export const asAnswer = (reply: Reply): Reply => {
  if (reply.status === null || (reply.failure !== null && reply.failure !== 'STATUS')) return reply
  return { ...reply, failure: ANSWERS.includes(reply.status) ? null : 'STATUS' }
}

/** The decision of the answer. Null means that it comes later, or that an earlier answer was lost with its process. */
const decisionOf = ({ status, body, failure }: Reply): IncomingDecision | null => {
  if (failure !== null) return WEBHOOK_ERROR
  switch (status) {
    case 200: {
      const { success, data } = approvalRequest.safeParse(body.trim() === '' ? {} : jsonOf(body))
      return success ? { kind: 'APPROVED', ...data } : WEBHOOK_ERROR
    }
    case 403: {
      const { reason } = Object(jsonOf(body))
      const text = typeof reason === 'string' ? reason.replaceAll('\0', '').slice(0, MAX_REASON).toWellFormed() : ''
      return { kind: 'REJECTED', reason: text === '' ? null : text }
    }
    case 422:
      return { kind: 'FAILED', failureReason: 'MISSING_MANDATORY_PAYEE_DATA' }
    default:
      return null
  }
}

interface Tenant {
  readonly platformId: PlatformId
  readonly environment: Environment
}

/**
 * Applies the answer, unless the payment has been decided. If an account or the customer is not active, an approval leaves the platform as much
 * time as an answer that promises a decision.
 */
export const applyAnswer = async (tx: Tx, tenant: Tenant, transactionId: string, reply: Reply): Promise<void> => {
  const decision = decisionOf(reply)
  try {
    if (decision) return void (await decideIncoming(tx, tenant, transactionId, decision))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'MISSING_MANDATORY_USER_INFO') {
      const failed = { kind: 'FAILED', failureReason: 'MISSING_MANDATORY_PAYEE_DATA' } as const
      return void (await decideIncoming(tx, tenant, transactionId, failed))
    }
    if (error.code !== 'USER_NOT_READY') throw error
  }
  await addJob(
    tx,
    endApproval,
    { platformId: tenant.platformId, environment: tenant.environment, transactionId },
    {
      inSeconds: DECIDED_WITHIN_SECONDS,
    },
  )
}

interface Waiting extends Record<string, string> {
  readonly platformId: string
  readonly environment: Environment
  readonly transactionId: string
}

/** Fails the payment, unless it has been decided. */
export const endApproval: Task<Waiting> = {
  name: 'endApproval',
  run: async ({ platformId: platform, environment, transactionId }) => {
    const decision = { kind: 'FAILED', failureReason: 'PAYMENT_APPROVAL_TIMED_OUT' } as const
    const tenant = { platformId: platform as PlatformId, environment }
    await inTransaction((tx) => decideIncoming(tx, tenant, transactionId, decision))
  },
}
