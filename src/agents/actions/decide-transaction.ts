// The platform approves or rejects a transaction: an incoming payment, or the payment of an agent's action.
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { uuidOf } from '#core/ids.ts'
import { parseChanges } from '#core/input.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { approvalRequest, approveIncoming, isIncomingUma, rejectIncoming } from '#settlement/incoming-decision.ts'
import { PAYMENT_FIELDS } from '#transactions/payment-fields.ts'
import { type Transaction, TransactionRecord, unknownTransaction } from '#transactions/transaction.ts'
import type { AgentAction } from './action.ts'
import { approveAction, rejectAction, rejection } from './decide.ts'

export interface Decided {
  readonly transaction: Transaction | null
  /** Null for an incoming payment. */
  readonly agentAction: AgentAction | null
}

/** Needs the permission TRANSACT. Throws 409 `TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL` if it does not wait for approval. */
export const approveTransaction = async (caller: PlatformCaller, id: string, input: unknown): Promise<Decided> => {
  requirePermission(caller, 'TRANSACT')
  const request = parseChanges(approvalRequest, input, PAYMENT_FIELDS)
  const incoming = await findIncoming(caller, id)
  if (incoming === null) return ofAction(caller, await approveAction(caller, { transactionId: id }))
  return { transaction: await approveIncoming(caller, incoming, request), agentAction: null }
}

/** Needs the permission TRANSACT. Throws the same errors as `approveTransaction`. */
export const rejectTransaction = async (caller: PlatformCaller, id: string, input: unknown): Promise<Decided> => {
  requirePermission(caller, 'TRANSACT')
  const { reason } = parseChanges(rejection, input, PAYMENT_FIELDS)
  const incoming = await findIncoming(caller, id)
  if (incoming === null) return ofAction(caller, await rejectAction(caller, { transactionId: id }, { reason }))
  return { transaction: await rejectIncoming(caller, incoming, reason ?? null), agentAction: null }
}

const ofAction = async (caller: PlatformCaller, agentAction: AgentAction): Promise<Decided> => {
  const { transactionId } = agentAction
  const transaction = transactionId === null ? null : await selectWritten(caller, TransactionRecord, transactionId)
  return { transaction, agentAction }
}

/** The uuid of an incoming payment that the platform decides. Null for other payments. */
const findIncoming = async ({ platformId }: PlatformCaller, id: string): Promise<string | null> => {
  const uuid = uuidOf('Transaction', id)
  const payment =
    uuid &&
    (await db.transaction.findFirst({ where: { platformId, id: uuid }, select: { type: true, sourceType: true } }))
  if (!payment) throw unknownTransaction()
  return isIncomingUma(payment) ? uuid : null
}
