// Agents as their platform manages them: made, named, paused, bound by a policy, deleted (docs/domain/agents.md#management).
import { z } from 'zod'
import { type DeviceCode, issueDeviceCode, voidDeviceCodes } from '#agents/access/device-code.ts'
import { rejectWaitingActions } from '#agents/actions/end-waiting.ts'
import type { Policy } from '#agents/policy/policy.ts'
import { checkPolicy, mergePolicy, parseSomePolicy, policyOf, wholePolicy } from '#agents/policy/policy-input.ts'
import { type Caller, type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, parseId } from '#core/ids.ts'
import { idOf, parse, parseChanges, textOf } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { Prisma } from '#generated/prisma/client.ts'
import { convertUp } from '#quotes/rate.ts'
import { type Agent, AgentRecord, agentsByIds } from './agent.ts'
import { type LockedAgent, lockAgent, unknownAgent } from './lock.ts'

const name = textOf(255)
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'must not be blank')
  .describe('For people to recognize it by.')
export const newAgent = z.object({
  name,
  customerId: idOf('Customer').describe('`Customer:<uuid>` that it acts for.'),
  policy: wholePolicy.describe('What it may do.'),
})

/** The id of an agent, deleted or not, whose history can be read. 404 `REFERENCE_NOT_FOUND` for an unknown or malformed one. */
export const requireAgentId = async (caller: Caller, id: string): Promise<string> => {
  AgentRecord.requireView(caller)
  const parsed = parseId(id)
  const [agent] = parsed?.kind === 'Agent' ? await agentsByIds(caller, [parsed.uuid]) : []
  if (!agent) throw unknownAgent()
  return id
}

/** The agent that is not deleted. 404 when unknown, to an agent for every other one than itself. Needs the permission VIEW. */
export const readAgent = async (caller: Caller, id: string): Promise<Agent> => {
  const parsed = parseId(id)
  const [agent] = parsed?.kind === 'Agent' ? await agentsByIds(caller, [parsed.uuid]) : []
  AgentRecord.requireView(caller)
  if (!agent || agent.deletedAt !== null) throw unknownAgent()
  return agent
}

export interface CreatedAgent {
  readonly agent: Agent
  readonly deviceCode: DeviceCode
}

/**
 * Needs the permission MANAGE. 404 `USER_NOT_FOUND` for a customer that is unknown or deleted, 403 `USER_NOT_READY` for one whose
 * verification has not passed.
 */
export const createAgent = async (caller: PlatformCaller, input: unknown): Promise<CreatedAgent> => {
  requirePermission(caller, 'MANAGE')
  const { platformId } = caller
  const { name, customerId: publicCustomerId, policy: policyInput } = parse(newAgent, input)
  const customerId = parseId(publicCustomerId)?.uuid ?? ''
  const policy = policyOf(policyInput)
  const id = newUuid()
  const deviceCode = await inTransaction(async (tx) => {
    const [customer] = await tx.$queryRaw<{ is_approved: boolean }[]>`
      select verification_status = 'APPROVED' as is_approved from customers
      where platform_id = ${platformId}::uuid and id = ${customerId}::uuid and not is_deleted for key share`
    if (!customer) throw new ApiError('USER_NOT_FOUND', 'There is no such customer')
    if (!customer.is_approved) throw new ApiError('USER_NOT_READY', 'The customer is not approved')
    await checkPolicy(tx, { platformId, customerId }, policy, 'policy.')
    await tx.agent.create({ data: { platformId, id, customerId, name, ...columnsOf(policy) }, select: { id: true } })
    return issueDeviceCode(tx, platformId, id)
  })
  return { agent: await selectWritten(caller, AgentRecord, id), deviceCode }
}

export const agentChanges = z.object({
  name: name.optional().describe('New name.'),
  isPaused: z.boolean({ error: 'must be true or false' }).optional().describe('True pauses it, false ends the pause.'),
})

/** The other fields of an agent. Its policy is changed by `updateAgentPolicy`. */
const FIXED_FIELDS = ['id', 'customerId', 'isConnected', 'policy', 'usage', 'createdAt', 'updatedAt']

/** A new name, a pause or its end, from the next request on. Needs the permission MANAGE. */
export const updateAgent = async (caller: PlatformCaller, id: string, input: unknown): Promise<Agent> => {
  requirePermission(caller, 'MANAGE')
  return change(caller, id, async (tx, { platformId, id: uuid }) => {
    const { name, isPaused } = parseChanges(agentChanges, input, FIXED_FIELDS)
    if (name === undefined && isPaused === undefined) return
    const data = { ...(name !== undefined && { name }), ...(isPaused !== undefined && { isPaused }) }
    await tx.agent.update({ where: { platformId_id: { platformId, id: uuid } }, data, select: { id: true } })
  })
}

/**
 * Another policy, from the next request on: what is omitted is kept, null clears. What was spent is converted when the limits get
 * another currency. Needs the permission MANAGE.
 */
export const updateAgentPolicy = async (caller: PlatformCaller, id: string, input: unknown): Promise<Agent> => {
  requirePermission(caller, 'MANAGE')
  return change(caller, id, async (tx, agent) => {
    const { platformId, id: uuid, customerId, limitCurrency } = agent
    const policy = mergePolicy(agent, parseSomePolicy(input))
    await checkPolicy(tx, { platformId: caller.platformId, customerId }, policy)
    const spentIn = (spend: bigint) => convertUp(spend, limitCurrency, policy.limitCurrency)
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

/** Its access ends at once, and what waited for approval is rejected. Needs the permission MANAGE. Answers the bare uuid. */
export const deleteAgent = async (caller: PlatformCaller, id: string): Promise<string> => {
  requirePermission(caller, 'MANAGE')
  return inTransaction(async (tx) => {
    const { platformId, id: uuid } = await lockAgent(tx, caller, id)
    await tx.$executeRaw`
      update agents set deleted_at = now(), updated_at = now(), access_token_hash = null
      where platform_id = ${platformId}::uuid and id = ${uuid}::uuid`
    await voidDeviceCodes(tx, platformId, uuid)
    await rejectWaitingActions(tx, caller, uuid, 'agent deleted')
    return uuid
  })
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
  return selectWritten(caller, AgentRecord, uuid)
}

const columnsOf = ({ permissions, allowedAccountIds, accountRules, ...policy }: Policy) => ({
  ...policy,
  permissions: [...permissions],
  allowedAccountIds: allowedAccountIds ? [...allowedAccountIds] : Prisma.DbNull,
  accountRules: accountRules.map((rule) => ({ ...rule })),
})
