// The definition of a kind of credential. `table.ts` lists the kinds; registration, challenge and verification know them only through it.
import type { z } from 'zod'
import type { PlatformCaller } from '#core/caller.ts'
import type { ApiError } from '#core/errors.ts'
import type { Activity } from '#credentials/signed-retry/activity.ts'
import type { WalletAccount } from '#credentials/wallet/wallet-account.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { AuthMethod, Prisma } from '#generated/prisma/client.ts'

export type Reader = Tx | typeof db

/** A checked registration. It is stored as JSON between the two calls of a signed registration. */
export interface Draft<Facts> {
  readonly nickname: string
  /** What the kind stores in columns of its own. Bytes are base64. */
  readonly facts: Facts
}

type Columns = Partial<
  Omit<Prisma.AuthMethodUncheckedCreateInput, 'platformId' | 'id' | 'accountId' | 'type' | 'nickname'>
>

/** A proof that passed its checks. */
export interface CheckedProof {
  /** Hex. DEVICE: the key of the new session. GATEWAY: the key to encrypt the new session's key to. */
  readonly clientPublicKey: string
  /** Uses up the proof, in the transaction of its effect. */
  readonly spend: (tx: Tx) => Promise<void>
  /** Gives back what the check has counted itself, when the effect failed. */
  readonly giveBack?: () => Promise<void>
}

/**
 * A kind of credential. `Registration` and `Proof` are the schemas of the request bodies without `type` and `accountId`.
 *
 * `prepare…` makes the checks that do not count as an attempt. The function that it returns runs after the attempt was counted.
 *
 * The functions are methods so that the table can hold kinds with different type parameters.
 */
export interface CredentialKind<
  Registration extends z.ZodObject = z.ZodObject,
  Facts = unknown,
  Proof extends z.ZodObject = z.ZodObject,
  Challenge extends object = object,
> {
  /** The description of its type in `AuthMethodType`. */
  readonly description: string

  /** Its description names the kind in the contract. Kinds that share the schema share a member of the union. */
  readonly registration: Registration
  /** Checks a registration. */
  draft(caller: PlatformCaller, wallet: WalletAccount, registration: z.output<Registration>): Promise<Draft<Facts>>
  /** Repeats the checks that depend on other rows, in the transaction that inserts the credential. The account is locked. */
  recheck(tx: Tx, caller: PlatformCaller, wallet: WalletAccount, draft: Draft<Facts>): Promise<void>
  columns(facts: Facts): Columns
  /** The error when a unique index finds the same credential. */
  alreadyExists(): ApiError
  /** What a session of the wallet signs to add the credential (docs/domain/credentials.md#activities). */
  activity(registration: z.output<Registration>, nickname: string, userId: string): Activity

  /** Sends the first code of a credential that was just registered, and returns the bundle to encrypt it to. */
  sendFirstCode?(caller: PlatformCaller, credential: AuthMethod): Promise<string>
  /** Starts a verification. Absent when verification needs no challenge. */
  prepareChallenge?(
    caller: PlatformCaller,
    credential: AuthMethod,
    readInput: () => Promise<unknown>,
  ): Promise<() => Promise<Challenge>>

  /**
   * DEVICE: the device made the session key and sent it in the proof. It signs a retry to show that it holds the key.
   * GATEWAY: the gateway makes the session key, encrypts it to the client's key, and returns it once.
   */
  readonly sessionKey: 'DEVICE' | 'GATEWAY'
  readonly proof: Proof
  /** `requestId` is the header `Request-Id`; null when absent. */
  prepareCheck(
    caller: PlatformCaller,
    credential: AuthMethod,
    proof: z.output<Proof>,
    requestId: string | null,
  ): Promise<() => Promise<CheckedProof>>
}
