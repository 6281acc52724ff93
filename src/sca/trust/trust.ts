// Trust in an external account: payments to it raise no challenge (docs/domain/sca.md#trusted-accounts).
import { z } from 'zod'
import { unknownAccount } from '#accounts/list.ts'
import { type Caller, type PlatformCaller, requireAnyPermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId, requireUuid } from '#core/ids.ts'
import { idOf, labelOf, parse } from '#core/input.ts'
import { customerDeleted, lockCustomer } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Customer } from '#generated/prisma/client.ts'
import { type ScaChallenge, scaProof } from '#sca/challenge/challenge.ts'
import { passChallenge } from '#sca/challenge/pass.ts'
import { raiseChallengeAndSelect } from '#sca/challenge/raise.ts'
import { requireScaRegion } from '#sca/customer.ts'
import { SCA_FACTORS } from '#sca/factors/factor.ts'
import { requireUnlocked } from '#sca/lockout.ts'

export const trustRequest = z.object({
  scaFactor: labelOf(SCA_FACTORS).nullish().describe('The factor of the challenge, if the customer has it.'),
})
export const trustConfirmation = scaProof.extend({
  challengeId: idOf('ScaChallenge').nullish().describe('The challenge of the change. Defaults to the open one.'),
})

export type TrustChange = 'TRUST' | 'UNTRUST'

export interface Trust {
  /** `ExternalAccount:<uuid>`. */
  readonly accountId: string
  readonly trusted: boolean
}

export const TRUST_TEXTS = {
  trusted: 'Whether the customer trusts the account. Payments to a trusted account raise no challenge.',
  scaChallenge: 'The challenge to pass. Only if a change is needed.',
} as const

/** Whether the customer trusts the account. Customers can trust only their own accounts. */
export const isTrusted = async (
  on: Tx | typeof db,
  { platformId, id: customerId }: Pick<Customer, 'platformId' | 'id'>,
  accountId: string,
): Promise<boolean> => {
  const found = await on.$queryRaw<object[]>`
    select from trusted_accounts trusted join external_accounts account
      on account.platform_id = trusted.platform_id and account.id = trusted.external_account_id
    where trusted.platform_id = ${platformId}::uuid and trusted.external_account_id = ${accountId}::uuid
      and account.customer_id = ${customerId}::uuid`
  return found.length > 0
}

/** In the order of the ids. The caller must already be allowed to see the accounts. */
export const trustsOf = async ({ platformId }: Caller, ids: readonly string[]): Promise<boolean[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select external_account_id as id from trusted_accounts
    where platform_id = ${platformId}::uuid and external_account_id = any(${[...ids]}::uuid[])`
  const trusted = new Set(rows.map(({ id }) => id))
  return ids.map((id) => trusted.has(id))
}

interface Found {
  readonly id: string
  readonly customer: Customer
}

/** 404 `REFERENCE_NOT_FOUND` for an unknown or deleted account, 410 `CUSTOMER_DELETED`, and 409 `CONFLICT` unless its customer is in an SCA region. */
const findAccount = async ({ platformId }: PlatformCaller, accountId: string): Promise<Found> => {
  const account = await db.externalAccount.findFirst({
    where: { platformId, id: requireUuid('ExternalAccount', accountId, unknownAccount), deletedAt: null },
    include: { customer: true },
  })
  if (!account) throw unknownAccount()
  const { id, customer } = account
  if (customer?.isDeleted) throw customerDeleted()
  requireScaRegion(customer)
  if (!customer) throw new Error('Only a customer is in a region')
  return { id, customer }
}

/** Needs the permission TRANSACT or MANAGE. Raises a challenge unless no change is needed. */
export const startTrustChange = async (
  caller: PlatformCaller,
  accountId: string,
  change: TrustChange,
  input: unknown,
): Promise<ScaChallenge | null> => {
  requireAnyPermission(caller, ['TRANSACT', 'MANAGE'])
  const { scaFactor: preferred } = parse(trustRequest, input)
  const { id: externalAccountId, customer } = await findAccount(caller, accountId)
  await requireUnlocked(db, customer)
  if ((await isTrusted(db, customer, externalAccountId)) === (change === 'TRUST')) return null
  return inTransaction((tx) =>
    raiseChallengeAndSelect(tx, caller, { customer, action: change, purpose: 'PAYOUT', preferred, externalAccountId }),
  )
}

/** Needs the permission TRANSACT or MANAGE. 409 `CONFLICT` without an open challenge. Wrong proofs: see `passChallenge`. */
export const confirmTrustChange = async (
  caller: PlatformCaller,
  accountId: string,
  change: TrustChange,
  input: unknown,
): Promise<Trust> => {
  requireAnyPermission(caller, ['TRANSACT', 'MANAGE'])
  const { challengeId, ...proof } = parse(trustConfirmation, input)
  const { platformId } = caller
  const { id, customer } = await findAccount(caller, accountId)
  const challenge = await db.scaChallenge.findFirst({ where: { platformId, externalAccountId: id, action: change } })
  if (!challenge || (challengeId && parseId(challengeId)?.uuid !== challenge.id)) {
    await requireUnlocked(db, customer)
    throw new ApiError('CONFLICT', 'There is no open challenge for this account', { reason: 'NO_SCA_CHALLENGE' })
  }
  await passChallenge(caller, challenge, customer, proof, async (tx, spend) => {
    await lockCustomer(tx, caller, customer.id)
    await spend()
    await (change === 'TRUST'
      ? tx.$executeRaw`
          insert into trusted_accounts (platform_id, external_account_id) values (${platformId}::uuid, ${id}::uuid) on conflict do nothing`
      : tx.$executeRaw`
          delete from trusted_accounts where platform_id = ${platformId}::uuid and external_account_id = ${id}::uuid`)
  })
  return { accountId, trusted: change === 'TRUST' }
}
