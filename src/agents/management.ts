// Platforms create, rename, pause, restrict and delete their agents (docs/domain/agents.md#management).
import { z } from 'zod'
import { type DeviceCode, issueDeviceCode, voidDeviceCodes } from '#agents/access/device-code.ts'
import { rejectWaitingActions } from '#agents/actions/end-waiting.ts'
import { type Policy, ratesFor } from '#agents/policy/policy.ts'
import { checkPolicy, mergePolicy, policyOf, somePolicy, wholePolicy } from '#agents/policy/policy-input.ts'
import { cappedSpend } from '#agents/policy/usage.ts'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { idOf, parseChanges, visibleText } from '#core/input.ts'
import { forgetCallers } from '#core/known-callers.ts'
import { unknownCustomer } from '#customers/customer.ts'
import { findById, selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { convertUp } from '#quotes/rates/rate.ts'
import { type Agent, AgentRecord } from './agent.ts'
import { type LockedAgent, lockAgent, unknownAgent } from './lock.ts'
import { AGENT_TEXTS } from './texts.ts'

const AGENT_FIELDS = [
  'id',
  'name',
  'customerId',
  'isPaused',
  'isConnected',
  'policy',
  'usage',
  'createdAt',
  'updatedAt',
]

const name = visibleText(255).describe(`${AgentRecord.texts.name} 1 to 255 characters.`)
export const newAgent = z.object({
  name,
  customerId: idOf('Customer').describe(AgentRecord.texts.customerId),
  policy: wholePolicy.describe(AGENT_TEXTS.policy),
})

/** Returns the id. Throws 404 `REFERENCE_NOT_FOUND` if it is malformed or unknown, but not if the agent is deleted: its history stays readable. */
export const requireAgentId = async (caller: Caller, id: string): Promise<string> => {
  await findById(caller, AgentRecord, 'Agent', id, unknownAgent)
  return id
}

/** Needs the permission VIEW. Throws 404 if the agent is unknown or deleted, or if the caller is another agent. */
export const readAgent = async (caller: Caller, id: string): Promise<Agent> => {
  const agent = await findById(caller, AgentRecord, 'Agent', id, unknownAgent)
  if (agent.deletedAt !== null) throw unknownAgent()
  return agent
}

export interface CreatedAgent {
  readonly agent: Agent
  readonly deviceCode: DeviceCode
}

/**
 * Needs the permission MANAGE. Throws 404 `USER_NOT_FOUND` if the customer is unknown or deleted, and 403 `USER_NOT_READY` if it is not
 * approved.
 */
export const createAgent = async (caller: PlatformCaller, input: unknown): Promise<CreatedAgent> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const { name, customerId: publicCustomerId, policy: policyInput } = parseChanges(newAgent, input, AGENT_FIELDS)
  const customerId = partsOfId(publicCustomerId).uuid
  const policy = policyOf(policyInput)
  const id = newUuid()
  const deviceCode = await inTransaction(async (tx) => {
    const [customer] = await tx.$queryRaw<{ is_approved: boolean }[]>`
      select verification_status = 'APPROVED' as is_approved from customers
      where platform_id = ${platformId}::uuid and id = ${customerId}::uuid and not is_deleted for share`
    if (!customer) throw unknownCustomer()
    if (!customer.is_approved) throw new ApiError('USER_NOT_READY', 'The customer is not approved')
    await checkPolicy(tx, { platformId, customerId }, policy, 'policy.')
    await tx.agent.create({ data: { platformId, id, customerId, name, ...columnsOf(policy) }, select: { id: true } })
    return issueDeviceCode(tx, platformId, id)
  })
  return { agent: await selectWritten(caller, AgentRecord, id), deviceCode }
}

export const agentChanges = z.object({
  name: name.optional().describe('New name of the agent. 1 to 255 characters.'),
  isPaused: z
    .boolean({ error: 'must be true or false' })
    .optional()
    .describe('True pauses the agent, and false resumes it.'),
})

/** Renames, pauses or resumes the agent, from its next request. Needs the permission MANAGE. */
export const updateAgent = async (caller: PlatformCaller, id: string, input: unknown): Promise<Agent> => {
  requirePermission(caller, 'MANAGE')
  return change(caller, id, async (tx, { platformId, id: uuid }) => {
    const { name, isPaused } = parseChanges(agentChanges, input, AGENT_FIELDS)
    if (name === undefined && isPaused === undefined) return
    const data = { ...(name !== undefined && { name }), ...(isPaused !== undefined && { isPaused }) }
    await tx.agent.update({ where: { platformId_id: { platformId, id: uuid } }, data, select: { id: true } })
  })
}

/**
 * Changes the policy from the agent's next request. Omitted fields are kept, and null clears a field. If the currency of the limits
 * changes, the spend is converted. Needs the permission MANAGE.
 */
export const updateAgentPolicy = async (caller: PlatformCaller, id: string, input: unknown): Promise<Agent> => {
  requirePermission(caller, 'MANAGE')
  return change(caller, id, async (tx, agent) => {
    const { platformId, id: uuid, customerId, limitCurrency } = agent
    const policy = mergePolicy(agent, parseChanges(somePolicy, input, AGENT_FIELDS))
    await checkPolicy(tx, { platformId: caller.platformId, customerId }, policy)
    const rates = await ratesFor(
      tx,
      caller,
      { ...policy, approvalThresholdCurrency: null },
      { currency: limitCurrency },
    )
    const spentIn = (spend: bigint) => cappedSpend(convertUp(rates, spend, limitCurrency, policy.limitCurrency))
    const spend = policy.limitCurrency !== limitCurrency && {
      dailySpend: spentIn(agent.dailySpend),
      monthlySpend: spentIn(agent.monthlySpend),
    }
    await tx.agent.update({
      where: { platformId_id: { platformId, id: uuid } },
      data: { ...columnsOf(policy), ...spend },
      select: { id: true },
    })
  })
}

/** Revokes the access token and rejects the actions that wait for approval. Needs the permission MANAGE. Returns the bare uuid. */
export const deleteAgent = async (caller: PlatformCaller, id: string): Promise<string> => {
  requirePermission(caller, 'MANAGE')
  const deleted = await inTransaction(async (tx) => {
    const { platformId, id: uuid } = await lockAgent(tx, caller, id)
    await tx.$executeRaw`
      update agents set deleted_at = now(), updated_at = now(), access_token_hash = null
      where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
    await voidDeviceCodes(tx, platformId, uuid)
    await rejectWaitingActions(tx, caller, uuid, 'agent deleted')
    return uuid
  })
  forgetCallers()
  return deleted
}

const change = async (
  caller: PlatformCaller,
  id: string,
  work: (tx: Tx, agent: LockedAgent) => Promise<void>,
): Promise<Agent> => {
  const uuid = await inTransaction(async (tx) => {
    const agent = await lockAgent(tx, caller, id)
    await work(tx, agent)
    return agent.id
  })
  forgetCallers()
  return selectWritten(caller, AgentRecord, uuid)
}

const columnsOf = ({ permissions, allowedAccountIds, accountRules, ...policy }: Policy) => ({
  ...policy,
  permissions: [...permissions],
  allowedAccountIds: allowedAccountIds ? [...allowedAccountIds] : Prisma.DbNull,
  accountRules: accountRules.map((rule) => ({ ...rule })),
})
