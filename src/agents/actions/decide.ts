// The platform's decision on what an agent wants to do: of several at once one counts (docs/domain/agents.md#decisions).
import { z } from 'zod'
import { lockAccounts } from '#accounts/lock.ts'
import { lockAgent, requireActing } from '#agents/lock.ts'
import { evaluate, requireAllowedAccounts, spendIn } from '#agents/policy/policy.ts'
import { chargeUsage, usageOf } from '#agents/policy/usage.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId, publicId } from '#core/ids.ts'
import { parse, textOf } from '#core/input.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { AgentAction as ActionRow, Transaction } from '#generated/prisma/client.ts'
import { requireStillPending } from '#quotes/execute.ts'
import { movePayment } from '#settlement/payment-status.ts'
import { proceedTransfer } from '#transfers/transfer.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

/** An action by its agent and its own id, or by the transaction that it carries. */
export type ActionName = { readonly agentId: string; readonly actionId: string } | { readonly transactionId: string }

/** Needs the permission TRANSACT. The policy is asked again: what it no longer allows fails, and nothing moves. */
export const approveAction = (caller: PlatformCaller, name: ActionName): Promise<AgentAction> =>
  decide(caller, name, async (tx, action, payment) => {
    await tx.$executeRaw`savepoint undecided`
    try {
      await carryOut(tx, caller, action, payment)
      await settle(tx, caller, action, 'APPROVED', null)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      await tx.$executeRaw`rollback to savepoint undecided`
      await failPayment(tx, caller, payment, error.details?.reason === 'QUOTE_EXPIRED' ? 'EXPIRED' : 'FAILED')
      await settle(tx, caller, action, 'FAILED', null)
    }
  })

export const rejection = z.object({ reason: textOf(1000).nullish().describe('Text shown to the agent.') })

/** Needs the permission TRANSACT. The transaction and its quote fail, and nothing moves. */
export const rejectAction = (caller: PlatformCaller, name: ActionName, input: unknown): Promise<AgentAction> => {
  requirePermission(caller, 'TRANSACT')
  const { reason } = parse(rejection, input)
  return decide(caller, name, async (tx, action, payment) => {
    await failPayment(tx, caller, payment, 'FAILED')
    await settle(tx, caller, action, 'REJECTED', reason ?? null)
  })
}

const decide = async (
  caller: PlatformCaller,
  name: ActionName,
  apply: (tx: Tx, action: ActionRow, payment: Transaction) => Promise<void>,
): Promise<AgentAction> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  const { id, agentId, account } = await findAction(caller, name)
  await inTransaction(async (tx) => {
    if (account !== null) await lockAccounts(tx, caller, [account])
    await tx.$queryRaw`select 1 from agents where platform_id = ${platformId}::uuid and id = ${agentId}::uuid for no key update`
    const [locked] = await tx.$queryRaw<Locked[]>`
      select quote_id, transaction_id from agent_actions
      where platform_id = ${platformId}::uuid and id = ${id}::uuid and status = 'PENDING_APPROVAL' for no key update`
    if (!locked) throw decided(name)
    await lockPayment(tx, platformId, locked)
    const { transaction: payment, ...action } = await tx.agentAction.findUniqueOrThrow({
      where: { platformId_id: { platformId, id } },
      include: { transaction: true },
    })
    if (!payment) throw new Error('An action waits without a transaction')
    await apply(tx, action, payment)
  })
  return selectWritten(caller, AgentActionRecord, id)
}

interface Locked {
  quote_id: string | null
  transaction_id: string | null
}

/** The quote first, as `movePayment` does: it may be about to expire. */
const lockPayment = async (tx: Tx, platformId: string, { quote_id: quoteId, transaction_id: paymentId }: Locked) => {
  await tx.$queryRaw`select 1 from quotes where platform_id = ${platformId}::uuid and id = ${quoteId}::uuid for no key update`
  await tx.$queryRaw`select 1 from transactions where platform_id = ${platformId}::uuid and id = ${paymentId}::uuid for no key update`
}

const decided = (name: ActionName) =>
  'transactionId' in name
    ? new ApiError('TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL', 'The transaction does not wait for approval')
    : new ApiError('CONFLICT', 'The action has been decided')

/** 404 when it is unknown, also as an action of another agent or of a deleted one. A transaction that no agent made is not pending approval. */
const findAction = async ({ platformId }: PlatformCaller, name: ActionName) => {
  const include = { transaction: { select: { sourceInternalAccountId: true, destinationInternalAccountId: true } } }
  if ('transactionId' in name) {
    const parsed = parseId(name.transactionId)
    const isPayment = parsed?.kind === 'Transaction'
    const payment = isPayment && (await db.transaction.findFirst({ where: { platformId, id: parsed.uuid } }))
    if (!payment || payment.type === 'CARD') {
      throw new ApiError('TRANSACTION_NOT_FOUND', 'There is no such transaction')
    }
    const where = { platformId, transactionId: payment.id }
    const action = await db.agentAction.findFirst({ where, include, orderBy: { createdAt: 'desc' } })
    if (!action) throw decided(name)
    return { id: action.id, agentId: action.agentId, account: accountOf(action.transaction) }
  }
  const [agent, parsed] = [parseId(name.agentId), parseId(name.actionId)]
  const action =
    agent?.kind === 'Agent' && parsed?.kind === 'AgentAction'
      ? await db.agentAction.findFirst({
          where: { platformId, id: parsed.uuid, agentId: agent.uuid, agent: { deletedAt: null } },
          include,
        })
      : null
  if (!action) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such action')
  return { id: action.id, agentId: action.agentId, account: accountOf(action.transaction) }
}

type Ends = Pick<Transaction, 'sourceInternalAccountId' | 'destinationInternalAccountId'>

/** The internal account that the policy judged. */
const accountOf = (ends: Ends | null) => ends && (ends.sourceInternalAccountId ?? ends.destinationInternalAccountId)

/** Everything that was asked when the agent acted is asked again, but whether a person must approve. */
const carryOut = async (tx: Tx, caller: PlatformCaller, action: ActionRow, payment: Transaction) => {
  const agent = await lockAgent(tx, caller, publicId('Agent', action.agentId))
  requireActing(agent, action.type === 'EXECUTE_QUOTE' ? 'EXECUTE_QUOTES' : 'CREATE_TRANSFERS')
  const { sourceInternalAccountId, destinationInternalAccountId, sentAmount, sentCurrency } = payment
  requireAllowedAccounts(agent, [sourceInternalAccountId, destinationInternalAccountId])
  if (action.quoteId) await requireStillPending(tx, caller, action.quoteId)
  const spend = { accountId: accountOf(payment) ?? '', amount: sentAmount ?? 0n, currency: sentCurrency ?? '' }
  evaluate(agent, usageOf(agent, agent.lockedAt), spend)
  await proceedTransfer(tx, caller, payment)
  await chargeUsage(tx, agent, spendIn(agent.limitCurrency, spend))
}

/** Nothing has moved. A quote may have expired, with its transaction, while its action waited. */
const failPayment = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  payment: Transaction,
  status: 'FAILED' | 'EXPIRED',
) => {
  if (payment.status !== 'PENDING') return
  const reason = status === 'FAILED' && { failureReason: 'QUOTE_EXECUTION_FAILED' as const }
  await movePayment(tx, platformId, payment, status, { ...reason })
}

const settle = (
  tx: Tx,
  { platformId }: PlatformCaller,
  { id }: ActionRow,
  status: ActionRow['status'],
  rejectionReason: string | null,
) => tx.agentAction.update({ where: { platformId_id: { platformId, id } }, data: { status, rejectionReason } })
