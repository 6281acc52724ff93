// A customer's login with a second factor, which is valid for 180 days (docs/domain/sca.md#login).
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { idOf, labelOf, parse } from '#core/input.ts'
import { lockCustomer } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { ScaChallenge as ChallengeRow } from '#generated/prisma/client.ts'
import { type ScaChallenge, scaProof } from '#sca/challenge/challenge.ts'
import { passChallenge } from '#sca/challenge/pass.ts'
import { raiseChallengeAndSelect } from '#sca/challenge/raise.ts'
import { findScaCustomer } from '#sca/customer.ts'
import { availableFactorsOf, SCA_FACTORS } from '#sca/factors/factor.ts'
import { ofCustomer, type Place, requireUnlocked, unlockedCustomer } from '#sca/lockout.ts'

export const LOGIN_STATUSES = ['CHALLENGED', 'AUTHENTICATED'] as const

const factor = labelOf(SCA_FACTORS).describe('The factor to log in with.')

export const scaLoginStart = ofCustomer.extend({ factor })
export const scaLoginCompletion = scaLoginStart.extend({
  ...scaProof.shape,
  challengeId: idOf('ScaChallenge').nullish().describe('The challenge of the login. Defaults to the open one.'),
})

export interface ScaLogin {
  readonly status: (typeof LOGIN_STATUSES)[number]
  /** ISO 8601. Null until the login is complete. */
  readonly authenticatedUntil: string | null
  readonly scaChallenge: ScaChallenge | null
}

export const LOGIN_TEXTS = {
  status: '`CHALLENGED` while the challenge waits for its proof, `AUTHENTICATED` while the login is valid.',
  authenticatedUntil: 'When the login expires: 180 days after the challenge was passed.',
  scaChallenge: 'The challenge to pass. Only while `CHALLENGED`.',
} as const

const LOGIN_DAYS = 180

/** Raises a challenge, unless the customer's login is still valid. Needs the permission MANAGE. 409 `CONFLICT` for a factor that the customer does not have. */
export const startScaLogin = async (caller: PlatformCaller, input: unknown): Promise<ScaLogin> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, factor: preferred } = parse(scaLoginStart, input)
  const customer = await unlockedCustomer(caller, customerId)
  const authenticatedUntil = await loginOf(customer)
  if (authenticatedUntil !== null) return { status: 'AUTHENTICATED', authenticatedUntil, scaChallenge: null }
  const scaChallenge = await inTransaction(async (tx) => {
    await lockCustomer(tx, caller, customer.id)
    if (!(await availableFactorsOf(tx, caller.environment, customer)).includes(preferred)) {
      throw new ApiError('CONFLICT', 'The customer does not have this factor', { reason: 'SCA_FACTOR_MISSING' })
    }
    return raiseChallengeAndSelect(tx, caller, { customer, action: 'LOGIN', purpose: null, preferred })
  })
  return { status: 'CHALLENGED', authenticatedUntil: null, scaChallenge }
}

const loginOf = async ({ platformId, id }: Place): Promise<string | null> => {
  const [row] = await db.$queryRaw<{ until: Date }[]>`
    select authenticated_until as until from sca_customers
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and authenticated_until > now()`
  return row?.until.toISOString() ?? null
}

/** Needs the permission MANAGE. 409 `CONFLICT` without an open challenge of this factor. Wrong proofs: see `passChallenge`. */
export const completeScaLogin = async (caller: PlatformCaller, input: unknown): Promise<ScaLogin> => {
  requirePermission(caller, 'MANAGE')
  const { customerId, factor: given, challengeId, ...proof } = parse(scaLoginCompletion, input)
  const customer = await findScaCustomer(caller, customerId)
  const challenge = await openLogin(customer)
  const isOther = challengeId && parseId(challengeId)?.uuid !== challenge?.id
  if (!challenge || isOther || challenge.factor !== given) {
    await requireUnlocked(db, customer)
    throw new ApiError('CONFLICT', 'No login with this factor was started', { reason: 'NO_SCA_CHALLENGE' })
  }
  const until = await passChallenge(caller, challenge, customer, proof, async (tx, spend) => {
    await lockCustomer(tx, caller, customer.id)
    await spend()
    const [row] = await tx.$queryRaw<{ until: Date }[]>`
      update sca_customers set authenticated_until = now() + make_interval(days => ${LOGIN_DAYS})
      where platform_id = ${customer.platformId}::uuid and id = ${customer.id}::uuid returning authenticated_until as until`
    return row?.until.toISOString() ?? null
  })
  return { status: 'AUTHENTICATED', authenticatedUntil: until, scaChallenge: null }
}

const openLogin = ({ platformId, id: customerId }: Place): Promise<ChallengeRow | null> =>
  db.scaChallenge.findFirst({ where: { platformId, customerId, action: 'LOGIN' } })
