// The platform's decision on an agent's action (docs/domain/agents.md#decisions). Only one of several concurrent decisions takes effect.
import { z } from 'zod'
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { uuidOf } from '#core/ids.ts'
import { parseChanges, textOf } from '#core/input.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { AgentAction as ActionRow, Prisma, Transaction } from '#generated/prisma/client.ts'
import { lockQuoteAndCheckExpiry } from '#quotes/execute.ts'
import { lockPayment, movePayment } from '#settlement/payment-status.ts'
import { unknownTransaction } from '#transactions/transaction.ts'
import { carryOutOnAccount, dropAccountsOf } from './account-actions.ts'
import { ACTION_FIELDS, type AgentAction, AgentActionRecord } from './action.ts'
import { accountOf, carryOut } from './carry-out.ts'
import { finalFailure } from './failure.ts'

/** Identifies an action by the ids of the agent and the action, or by the id of its transaction. */
export type ActionName = { readonly agentId: string; readonly actionId: string } | { readonly transactionId: string }

/**
 * Needs the permission TRANSACT. An action that can no longer be executed becomes `FAILED`, and no money moves. Throws 409 `CONFLICT` with a
 * reason if the obstacle is temporary. The action then keeps waiting.
 */
export const approveAction = (caller: PlatformCaller, name: ActionName): Promise<AgentAction> =>
  decide(caller, name, async (tx, action, payment) => {
    await tx.$executeRaw`savepoint undecided`
    try {
      if (payment === null) {
        await carryOutOnAccount(tx, caller, action)
        await conclude(tx, caller, action, { status: 'APPROVED' })
        return
      }
      const { id: transactionId, quoteId } = await carryOut(tx, caller, action, payment)
      const repriced = quoteId !== action.quoteId && { quoteId, repricedFromId: action.quoteId }
      await conclude(tx, caller, action, { status: 'APPROVED', transactionId, ...repriced })
    } catch (error) {
      const { code: failureCode, message: failureMessage } = finalFailure(error)
      await tx.$executeRaw`rollback to savepoint undecided`
      await undo(tx, caller, action, payment)
      await conclude(tx, caller, action, { status: 'FAILED', failureCode, failureMessage })
    }
  })

export const rejection = z.object({
  reason: textOf(1000).nullish().describe('Reason for the rejection. The agent can read it.'),
})

/** Needs the permission TRANSACT. The transaction and its quote fail, and no money moves. An account that was to be added is deleted. */
export const rejectAction = (caller: PlatformCaller, name: ActionName, input: unknown): Promise<AgentAction> => {
  requirePermission(caller, 'TRANSACT')
  const { reason } = parseChanges(rejection, input, ACTION_FIELDS)
  return decide(caller, name, async (tx, action, payment) => {
    await undo(tx, caller, action, payment)
    await conclude(tx, caller, action, { status: 'REJECTED', rejectionReason: reason ?? null })
  })
}

const decide = async (
  caller: PlatformCaller,
  name: ActionName,
  apply: (tx: Tx, action: ActionRow, payment: Transaction | null) => Promise<void>,
): Promise<AgentAction> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  const { id, agentId, account } = await findAction(caller, name)
  await inTransaction(async (tx) => {
    if (account !== null) await lockAccounts(tx, caller, [account])
    await tx.$queryRaw`select 1 from agents where platform_id = ${platformId}::uuid and id = ${agentId}::uuid for no key update`
    const [locked] = await tx.$queryRaw<Locked[]>`
      select quote_id, transaction_id from agent_actions
      where platform_id = ${platformId}::uuid and id = ${id}::uuid and status = 'PENDING_APPROVAL' and approval_expires_at > clock_timestamp()
      for no key update`
    if (!locked) throw decided(name)
    const { transaction_id: transactionId, quote_id: quoteId } = locked
    if (transactionId !== null) await lockPayment(tx, { platformId, id: transactionId, quoteId })
    const { transaction: payment, ...action } = await tx.agentAction.findUniqueOrThrow({
      where: { platformId_id: { platformId, id } },
      include: { transaction: true },
    })
    await apply(tx, action, payment)
  })
  return selectWritten(caller, AgentActionRecord, id)
}

interface Locked {
  quote_id: string | null
  /** Null if the action changes an external account. */
  transaction_id: string | null
}

const decided = (name: ActionName) =>
  'transactionId' in name
    ? new ApiError('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'The transaction is not waiting for approval')
    : new ApiError('CONFLICT', 'The action is already decided')

/**
 * Throws 404 for an unknown action, and for an action of another or a deleted agent. A transaction that no agent made does not wait for
 * approval.
 */
const findAction = async ({ platformId }: PlatformCaller, name: ActionName) => {
  const include = { transaction: { select: { sourceInternalAccountId: true, destinationInternalAccountId: true } } }
  if ('transactionId' in name) {
    const uuid = uuidOf('Transaction', name.transactionId)
    const payment = uuid && (await db.transaction.findFirst({ where: { platformId, id: uuid } }))
    if (!payment || payment.type === 'CARD') {
      throw unknownTransaction()
    }
    const where = { platformId, transactionId: payment.id }
    const action = await db.agentAction.findFirst({ where, include, orderBy: { createdAt: 'desc' } })
    if (!action) throw decided(name)
    return { id: action.id, agentId: action.agentId, account: action.transaction && accountOf(action.transaction) }
  }
  const [agentId, id] = [uuidOf('Agent', name.agentId), uuidOf('AgentAction', name.actionId)]
  const action =
    agentId &&
    id &&
    (await db.agentAction.findFirst({ where: { platformId, id, agentId, agent: { deletedAt: null } }, include }))
  if (!action) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such action')
  return { id: action.id, agentId: action.agentId, account: action.transaction && accountOf(action.transaction) }
}

const undo = async (tx: Tx, caller: PlatformCaller, { id }: ActionRow, payment: Transaction | null) => {
  if (payment === null) await dropAccountsOf(tx, caller.platformId, [id])
  else await failPayment(tx, caller, payment)
}

/** No money has moved. If the quote expired while the action waited, the payment expires instead, unless it already has. */
const failPayment = async (tx: Tx, caller: PlatformCaller, payment: Transaction) => {
  if (payment.status !== 'PENDING') return
  const { platformId } = caller
  if (payment.quoteId !== null && (await lockQuoteAndCheckExpiry(tx, caller, payment.quoteId))) {
    return movePayment(tx, platformId, payment, 'EXPIRED')
  }
  await movePayment(tx, platformId, payment, 'FAILED', { failureReason: 'QUOTE_EXECUTION_FAILED' })
}

const conclude = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  { id }: ActionRow,
  data: Prisma.AgentActionUncheckedUpdateInput,
) => {
  const where = { platformId_id: { platformId, id } }
  await tx.agentAction.update({ where, data: { ...data, updatedAt: await timeOf(tx) }, select: { id: true } })
}
