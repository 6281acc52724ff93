// Adding a credential to a wallet (docs/domain/credentials.md#registration-decisions). The first credential of a wallet needs no
// signature; a session of the wallet signs every other.
import { z } from 'zod'
import { lockAccounts } from '#accounts/lock.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { newUuid, uuidOf } from '#core/ids.ts'
import { idOf, labelOf, parse, parseChanges } from '#core/input.ts'
import { logFailure } from '#core/log.ts'
import type { Draft } from '#credentials/kinds/kind.ts'
import { bodiesByType, CREDENTIAL_KINDS } from '#credentials/kinds/table.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { expiredRequest } from '#credentials/signed-retry/pending-request.ts'
import { type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { findWallet, type WalletAccount } from '#credentials/wallet/wallet-account.ts'
import { db } from '#database/db.ts'
import { inTransaction, isDuplicate, type Tx } from '#database/unit-of-work.ts'
import {
  CREDENTIAL_TYPES,
  type Credential,
  CredentialRecord,
  type CredentialType,
  writtenCredential,
} from './credential.ts'

const accountId = idOf('InternalAccount').describe(CredentialRecord.texts.accountId)

export const registrationRequest = bodiesByType('registration', (schema, type) =>
  z.object({ accountId, ...schema.shape, type: type.describe(schema.description ?? '') }),
)

const typed = z.object({ type: labelOf(CREDENTIAL_TYPES) })

/** The fields of a credential that its registration does not take. */
const fixedFields = (input: unknown): string[] => {
  // The error of the union would not list the types.
  const { type } = parse(typed, input)
  const isNamed = 'nickname' in CREDENTIAL_KINDS[type].registration.shape
  return ['id', 'credentialId', 'otpEncryptionTargetBundle', 'createdAt', 'updatedAt', ...(isNamed ? [] : ['nickname'])]
}

export interface RegisteredCredential {
  readonly credential: Credential
  /** The bundle for the first code. Null when no code was sent. */
  readonly otpEncryptionTargetBundle: string | null
}

const IN_BODY = { field: 'accountId', mustBeActive: true } as const

type TypedDraft = Draft<unknown> & { readonly type: CredentialType }

/** Needs the permission TRANSACT. */
export const registerCredential = async (
  caller: PlatformCaller,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<RegisteredCredential>> => {
  requirePermission(caller, 'TRANSACT')
  const isSigned = !(await isFirstOfItsWallet(caller, input))
  const outcome = await signedRetry<{ wallet: WalletAccount; draft: TypedDraft }, string>(
    caller,
    isSigned ? proof : { requestId: null, signature: null },
    {
      operation: 'ADD_CREDENTIAL',
      target: '',
      input,
      prepare: async () => {
        const { type, accountId, ...registration } = parseChanges(registrationRequest, input, fixedFields(input))
        const kind = CREDENTIAL_KINDS[type]
        const wallet = await findWallet(caller, accountId, IN_BODY)
        const draft = { type, ...(await kind.draft(caller, wallet, registration)) }
        const first = isSigned ? undefined : await insertFirst(caller, wallet, draft)
        if (first !== undefined) return { done: first }
        return {
          accountIds: [wallet.id],
          signers: {},
          type,
          payload: activityPayload(wallet.id, kind.activity(registration, draft.nickname, wallet.customerId)),
          data: { wallet, draft },
        }
      },
      perform: async (tx, { wallet, draft }) => {
        // Earlier releases stored their drafts in another form.
        if (draft.facts === undefined) throw expiredRequest()
        await findWallet(caller, `InternalAccount:${wallet.id}`, IN_BODY, tx)
        return insertCredential(tx, caller, wallet, draft)
      },
    },
  )
  if ('challenge' in outcome) return outcome
  const otpEncryptionTargetBundle = isSigned ? await sendFirstCode(caller, outcome.done) : null
  return { done: { credential: await writtenCredential(caller, outcome.done), otpEncryptionTargetBundle } }
}

/**
 * Once a wallet has a credential it always has one, because the last one cannot be revoked. Those of a deleted customer count too, so that
 * a used request stays used.
 */
const isFirstOfItsWallet = async ({ platformId }: PlatformCaller, input: unknown): Promise<boolean> => {
  const accountId = (input as { accountId?: unknown } | null)?.accountId
  const id = typeof accountId === 'string' ? uuidOf('InternalAccount', accountId) : undefined
  if (id === undefined) return false
  const account = await db.internalAccount.findFirst({
    where: { platformId, id, authMethods: { none: {} } },
  })
  return account !== null
}

/** The id of the wallet's first credential. Undefined when the wallet already has one. */
const insertFirst = (caller: PlatformCaller, wallet: WalletAccount, draft: TypedDraft): Promise<string | undefined> =>
  inTransaction(async (tx) => {
    await lockAccounts(tx, caller, [wallet.id])
    await findWallet(caller, `InternalAccount:${wallet.id}`, IN_BODY, tx)
    const { platformId } = caller
    const others = await tx.authMethod.count({ where: { platformId, accountId: wallet.id, revokedAt: null } })
    return others === 0 ? insertCredential(tx, caller, wallet, draft) : undefined
  })

const insertCredential = async (
  tx: Tx,
  caller: PlatformCaller,
  wallet: WalletAccount,
  draft: TypedDraft,
): Promise<string> => {
  const { type, nickname, facts } = draft
  const kind = CREDENTIAL_KINDS[type]
  await kind.recheck(tx, caller, wallet, draft)
  const owner = { platformId: caller.platformId, id: newUuid(), accountId: wallet.id }
  try {
    const { id } = await tx.authMethod.create({ data: { ...owner, type, nickname, ...kind.columns(facts) } })
    return id
  } catch (error) {
    // The account's lock does not stop a registration on another account of the platform at the same moment. The index does.
    throw isDuplicate(error) ? kind.alreadyExists() : error
  }
}

/** Null when no code was sent. The credential exists nevertheless, and its owner can ask for a challenge. */
const sendFirstCode = async (caller: PlatformCaller, id: string): Promise<string | null> => {
  const credential = await db.authMethod.findUniqueOrThrow({
    where: { platformId_id: { platformId: caller.platformId, id } },
  })
  try {
    return (await CREDENTIAL_KINDS[credential.type].sendFirstCode?.(caller, credential)) ?? null
  } catch (error) {
    logFailure({ task: 'first code of a credential' }, error)
    return null
  }
}
