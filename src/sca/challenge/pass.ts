// Passing a challenge: the proof is counted, checked, and used up together with its effect (docs/domain/sca.md#wrong-proofs).
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { limited } from '#credentials/attempt-limits.ts'
import { db } from '#database/db.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { ScaChallenge } from '#generated/prisma/client.ts'
import type { Owner } from '#sca/factors/factor.ts'
import { clearAttempts, consumeAttempt, giveBackAttempt, type Place, requireUnlocked } from '#sca/lockout.ts'
import type { ScaProof } from './challenge.ts'
import { checkProof, requireProof, WrongProof } from './proof.ts'

const MAX_TRIES = 5

/**
 * Runs `effect` if the proof is right. `effect` must call `spend`, after it has locked what it changes. A wrong proof is 400
 * `INVALID_INPUT`. After five of them the challenge throws 429 `RATE_LIMITED`. A locked customer gets 423 `ACCOUNT_LOCKED`, and an expired
 * challenge 409 `CONFLICT`. When `effect` fails, the proof is not used up.
 */
export const passChallenge = async <T>(
  caller: PlatformCaller,
  challenge: ScaChallenge,
  customer: Owner,
  proof: ScaProof,
  effect: (tx: Tx, spend: () => Promise<void>) => Promise<T>,
): Promise<T> => {
  await requireOpen(db, challenge, customer)
  requireProof(challenge, proof)
  await consumeChallengeAttempt(challenge, customer)
  try {
    const spendProof = await checkProof(caller, challenge, customer, proof)
    return await inTransaction((tx) =>
      effect(tx, async () => {
        await spendChallenge(tx, challenge)
        await spendProof(tx)
        await clearAttempts(tx, customer)
      }),
    )
  } catch (error) {
    if (!(error instanceof WrongProof)) await giveBackTry(challenge, customer)
    throw error
  }
}

interface Open {
  readonly is_late: boolean
  readonly tries: number
  readonly seconds: number
}

/** Throws, in this order: 409 `CONFLICT` for an expired challenge, 429 `RATE_LIMITED` after five wrong proofs, 423 `ACCOUNT_LOCKED`. */
export const requireOpen = async (
  on: Tx | typeof db,
  { platformId, id }: ScaChallenge,
  customer: Place,
): Promise<void> => {
  const [open] = await on.$queryRaw<Open[]>`
    select expires_at <= now() as is_late, tries, ceil(extract(epoch from expires_at - now()))::int as seconds
    from sca_challenges where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  if (!open || open.is_late) throw over()
  if (open.tries >= MAX_TRIES) throw limited('Too many wrong proofs for this challenge', open.seconds)
  await requireUnlocked(on, customer)
}

/** 409 `CONFLICT`. */
export const over = () => new ApiError('CONFLICT', 'The challenge has expired', { reason: 'SCA_CHALLENGE_EXPIRED' })

/** Committed before the proof is checked, so that concurrent guesses get at most five answers in all. */
const consumeChallengeAttempt = (challenge: ScaChallenge, customer: Place) =>
  inTransaction(async (tx) => {
    const { platformId, id } = challenge
    const taken = await tx.$executeRaw`
      update sca_challenges set tries = tries + 1
      where platform_id = ${platformId}::uuid and id = ${id}::uuid and tries < ${MAX_TRIES} and expires_at > now()`
    if (taken !== 1) {
      // Another call may have passed the challenge meanwhile.
      await requireOpen(tx, challenge, customer)
      throw limited('Too many wrong proofs for this challenge')
    }
    await consumeAttempt(tx, customer)
  })

const giveBackTry = async ({ platformId, id }: ScaChallenge, customer: Place): Promise<void> => {
  await db.$executeRaw`
    update sca_challenges set tries = greatest(0, tries - 1) where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  await giveBackAttempt(db, customer)
}

/** A challenge is passed once. */
const spendChallenge = async (tx: Tx, { platformId, id }: ScaChallenge): Promise<void> => {
  const { count } = await tx.scaChallenge.deleteMany({ where: { platformId, id } })
  if (count !== 1) throw over()
}
