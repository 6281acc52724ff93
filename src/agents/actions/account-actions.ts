// Agents add and delete external accounts of their customer, as their policy allows (docs/domain/agents.md#external-accounts).
import { conflictOnDuplicate, firstStatusOf, insertAccount, readNewAccount } from '#accounts/external/create.ts'
import { removeAccount } from '#accounts/external/delete.ts'
import type { ExternalAccount } from '#accounts/external-account.ts'
import { ExternalAccountRecord } from '#accounts/external-account.ts'
import { unknownAccount } from '#accounts/list.ts'
import { lockAgent, requireActing } from '#agents/lock.ts'
import type { AgentCaller, PlatformCaller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { newUuid, publicId, requireUuid } from '#core/ids.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { AgentAction as ActionRow } from '#generated/prisma/client.ts'
import { requirePayer } from '#settlement/payer.ts'
import { APPROVAL_LIFE_MS, lockActing } from './act.ts'
import { type AgentAction, AgentActionRecord } from './action.ts'

const PERMISSION = 'MANAGE_EXTERNAL_ACCOUNTS'

/** The account exists at once. Until the platform approves, it is PENDING, and nothing can be paid to it. */
export const addAccountAsAgent = async (caller: AgentCaller, input: object): Promise<AgentAction> => {
  requirePayer(caller, PERMISSION)
  if ('customerId' in input) throw invalidInput('customerId', 'Only the platform can set customerId')
  const customerId = publicId('Customer', caller.customerId)
  const account = readNewAccount(caller, 'CUSTOMER', { ...input, customerId })
  if (account.data.defaultUmaDepositAccount) {
    throw invalidInput('defaultUmaDepositAccount', 'Only the platform can set defaultUmaDepositAccount')
  }
  return conflictOnDuplicate(
    act(caller, 'CREATE_EXTERNAL_ACCOUNT', async (tx, mode) => {
      const id = newUuid()
      const data = mode === 'AUTO' ? account.data : { ...account.data, status: 'PENDING' as const }
      await insertAccount(tx, caller, id, { ...account, data })
      return id
    }),
  )
}

/** Until the platform approves, the account stays as it is. Throws 404 `REFERENCE_NOT_FOUND`. */
export const deleteAccountAsAgent = async (caller: AgentCaller, publicAccountId: string): Promise<AgentAction> => {
  requirePayer(caller, PERMISSION)
  const { platformId, customerId } = caller
  const id = requireUuid('ExternalAccount', publicAccountId, unknownAccount)
  return act(caller, 'DELETE_EXTERNAL_ACCOUNT', async (tx, mode) => {
    if (mode === 'AUTO') return removeAccount(tx, caller, publicAccountId)
    const found = await tx.externalAccount.findFirst({ where: { platformId, id, customerId, deletedAt: null } })
    if (!found) throw unknownAccount()
    return id
  })
}

/** The account of an action that the agent has just taken. */
export const accountOfAction = (caller: AgentCaller, { externalAccountId }: AgentAction): Promise<ExternalAccount> =>
  selectWritten(caller, ExternalAccountRecord, externalAccountId ?? '')

const act = async (
  caller: AgentCaller,
  type: 'CREATE_EXTERNAL_ACCOUNT' | 'DELETE_EXTERNAL_ACCOUNT',
  change: (tx: Tx, mode: 'AUTO' | 'APPROVAL_REQUIRED') => Promise<string>,
): Promise<AgentAction> => {
  const { platformId, agentId, customerId } = caller
  const id = newUuid()
  await inTransaction(async (tx) => {
    const agent = await lockActing(tx, caller, PERMISSION)
    const { defaultExecutionMode: mode, lockedAt } = agent
    const externalAccountId = await change(tx, mode)
    const isWaiting = mode === 'APPROVAL_REQUIRED'
    const approvalExpiresAt = isWaiting ? new Date(lockedAt.getTime() + APPROVAL_LIFE_MS) : null
    const status = isWaiting ? 'PENDING_APPROVAL' : 'APPROVED'
    const state = {
      type,
      status,
      externalAccountId,
      approvalExpiresAt,
      createdAt: lockedAt,
      updatedAt: lockedAt,
    } as const
    await tx.agentAction.create({ data: { platformId, id, agentId, customerId, ...state }, select: { id: true } })
  })
  return selectWritten(caller, AgentActionRecord, id)
}

/** Executes an approved action on an account. The pause and the permission are checked again. Callers hold all locks. */
export const carryOutOnAccount = async (tx: Tx, caller: PlatformCaller, action: ActionRow): Promise<void> => {
  requireActing(await lockAgent(tx, caller, publicId('Agent', action.agentId)), PERMISSION)
  const id = action.externalAccountId ?? ''
  if (action.type === 'DELETE_EXTERNAL_ACCOUNT') {
    await removeAccount(tx, caller, publicId('ExternalAccount', id))
    return
  }
  const where = { platformId: caller.platformId, id, deletedAt: null }
  const account = await tx.externalAccount.findFirst({ where })
  if (!account) throw unknownAccount()
  const status = firstStatusOf(account.accountType, account.ownershipType)
  const { count } = await tx.externalAccount.updateMany({ where, data: { status } })
  // Another call may have deleted it meanwhile.
  if (count === 0) throw unknownAccount()
}

/** Deletes the accounts that these actions of one platform would have added. The actions end without approval. */
export const dropAccountsOf = (tx: Tx, platformId: string, actionIds: readonly string[]) => tx.$executeRaw`
  update external_accounts account set deleted_at = now(), updated_at = now(), status = 'INACTIVE'
  from agent_actions action
  where action.platform_id = ${platformId}::uuid and action.id = any(${actionIds}::uuid[]) and action.type = 'CREATE_EXTERNAL_ACCOUNT'
    and account.platform_id = action.platform_id and account.id = action.external_account_id and account.deleted_at is null`
