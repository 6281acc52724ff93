// Creating a delegated key takes three calls with the same input: the wallet signs the key, then its policy
// (docs/domain/cards.md#delegated-keys).

import { z } from 'zod'
import { unknownCard } from '#cards/card.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid, partsOfId } from '#core/ids.ts'
import { idOf, parseChanges, textOf } from '#core/input.ts'
import { sealSecret } from '#core/keys.ts'
import { compressKey, generateKeyPair } from '#credentials/crypto/p256.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import {
  NextLeg,
  type Outcome,
  type Prepared,
  type RetryProof,
  signedRetry,
} from '#credentials/signed-retry/signed-retry.ts'
import { findWallet, type WalletAccount } from '#credentials/wallet/wallet-account.ts'
import { db } from '#database/db.ts'
import { selectWritten } from '#database/record.ts'
import { isDuplicate, type Tx } from '#database/unit-of-work.ts'
import { requireKnownCurrency } from '#platforms/settings/currencies.ts'
import { type DelegatedKey, DelegatedKeyRecord } from './delegated-key.ts'
import { limitOfInput, spendingLimit } from './spending-limit.ts'

const limitsOf = <T extends z.ZodType>(limit: T) =>
  z
    .array(limit, { error: 'must be a list' })
    .max(20, 'must have at most 20 entries')
    .nullish()
    .describe(DelegatedKeyRecord.texts.spendingLimits)

export const delegatedKeyRequest = z.object({
  cardId: idOf('Card').describe(DelegatedKeyRecord.texts.cardId),
  internalAccountId: idOf('InternalAccount').describe(DelegatedKeyRecord.texts.accountId),
  nickname: textOf(256).describe(DelegatedKeyRecord.texts.nickname),
  spendingLimits: limitsOf(spendingLimit),
})
type Request = z.output<typeof delegatedKeyRequest>

/** The request of GraphQL. */
export const delegatedKeyInput = delegatedKeyRequest.extend({ spendingLimits: limitsOf(limitOfInput) })

interface NewKey {
  readonly id: string
  readonly publicKey: string
  /** Base64. */
  readonly sealed: string
}

interface Data {
  readonly leg: 'KEY' | 'POLICY'
  readonly request: Request
  readonly key: NewKey
}

const IN_BODY = { field: 'internalAccountId', mustBeActive: true } as const

/** Authenticated with the ciphertext, so that it cannot be moved to another row. */
const ownerOf = (platformId: string, id: string) => `delegated key ${platformId} ${id}`

/**
 * Needs the permission TRANSACT, and two signatures by an active session of the wallet. The second call creates the key as `PENDING`, the
 * third makes it `ACTIVE`. 404 `REFERENCE_NOT_FOUND` for an unknown card or account, 400 `INVALID_INPUT` for an account that is not an active
 * wallet or does not fund the card, 409 `CONFLICT` while the funding source has an active key, 409 `CARD_ALREADY_CLOSED`.
 */
export const createDelegatedKey = async (
  caller: PlatformCaller,
  input: unknown,
  proof: RetryProof,
  schema: z.ZodType<Request> = delegatedKeyRequest,
): Promise<Outcome<DelegatedKey>> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  const outcome = await signedRetry<Data, string>(caller, proof, {
    operation: 'CREATE_DELEGATED_KEY',
    target: '',
    input,
    prepare: async () => {
      const request = parseChanges(schema, input, Object.keys(DelegatedKeyRecord.shape))
      refuseLimits(request)
      const wallet = await findWallet(caller, request.internalAccountId, IN_BODY)
      await requireSource(db, caller, request, wallet)
      return legOf(wallet, { leg: 'KEY', request, key: newKey(platformId) })
    },
    perform: async (tx, data) => {
      const { leg, request, key } = data
      const wallet = await findWallet(caller, request.internalAccountId, IN_BODY, tx)
      await requireSource(tx, caller, request, wallet)
      if (leg === 'KEY') {
        await insertKey(tx, caller, data, wallet)
        return new NextLeg(legOf(wallet, { ...data, leg: 'POLICY' }))
      }
      await activate(tx, platformId, key.id)
      return key.id
    },
  })
  if ('challenge' in outcome) return outcome
  return { done: await selectWritten(caller, DelegatedKeyRecord, outcome.done) }
}

const refuseLimits = ({ spendingLimits }: Request): void => {
  const codes = (spendingLimits ?? []).map(({ currencyCode: code }) => code)
  codes.forEach((code, index) => {
    const field = `spendingLimits.${index}.currencyCode`
    requireKnownCurrency(code, field)
    if (codes.indexOf(code) !== index) throw invalidInput(field, `${field} is limited twice`)
  })
}

const newKey = (platformId: string): NewKey => {
  const id = newUuid()
  const { publicKey, privateKey } = generateKeyPair()
  return {
    id,
    publicKey: Buffer.from(compressKey(publicKey)).toString('hex'),
    sealed: Buffer.from(sealSecret(privateKey, ownerOf(platformId, id))).toString('base64'),
  }
}

/** What the wallet signs: first the new key, then the policy that lets it pull for the card. */
const legOf = ({ id, customerId }: WalletAccount, data: Data): Prepared<Data> => {
  const { request, key } = data
  const { nickname, cardId, spendingLimits } = request
  const activity =
    data.leg === 'KEY'
      ? {
          type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2',
          parameters: {
            apiKeys: [{ apiKeyName: nickname, curveType: 'API_KEY_CURVE_P256', publicKey: key.publicKey }],
            userId: customerId,
          },
        }
      : {
          type: 'ACTIVITY_TYPE_CREATE_POLICY_V3',
          parameters: {
            condition: { cardId, spendingLimits: spendingLimits ?? [] },
            consensus: key.publicKey,
            effect: 'EFFECT_ALLOW',
            policyName: nickname,
          },
        }
  return { accountIds: [id], signers: {}, type: null, payload: activityPayload(id, activity), data }
}

/** The card exists, is not closed, is funded by the wallet, and has no active key for it. */
const requireSource = async (
  on: Tx | typeof db,
  { platformId }: PlatformCaller,
  { cardId }: Request,
  wallet: WalletAccount,
): Promise<void> => {
  const id = partsOfId(cardId).uuid
  const card = await on.card.findFirst({ where: { platformId, id } })
  if (!card) throw unknownCard()
  if (card.state === 'CLOSED') throw new ApiError('CARD_ALREADY_CLOSED', 'The card is closed')
  if (card.accountId !== wallet.id) {
    throw new ApiError('INVALID_INPUT', 'The account does not fund the card', {
      field: 'internalAccountId',
      reason: 'FUNDING_SOURCE_INELIGIBLE',
    })
  }
  const active = await on.$queryRaw<object[]>`
    select from delegated_keys
    where platform_id = ${platformId}::uuid and card_id = ${id}::uuid and account_id = ${wallet.id}::uuid and status = 'ACTIVE'`
  if (active.length > 0) throw hasActiveKey()
}

const hasActiveKey = () =>
  new ApiError('CONFLICT', 'The funding source has an active key', { reason: 'ACTIVE_KEY_EXISTS' })

const insertKey = (tx: Tx, { platformId }: PlatformCaller, { request, key }: Data, wallet: WalletAccount) => {
  const limits = request.spendingLimits ? JSON.stringify(request.spendingLimits) : null
  return tx.$executeRaw`
    insert into delegated_keys (platform_id, id, card_id, account_id, public_key, private_key_sealed, nickname, status, spending_limits)
    values (${platformId}::uuid, ${key.id}::uuid, ${partsOfId(request.cardId).uuid}::uuid, ${wallet.id}::uuid, ${key.publicKey},
      ${new Uint8Array(Buffer.from(key.sealed, 'base64'))}, ${request.nickname}, 'PENDING', ${limits}::jsonb)`
}

const activate = async (tx: Tx, platformId: string, id: string): Promise<void> => {
  try {
    await tx.$executeRaw`
      update delegated_keys set status = 'ACTIVE', updated_at = now()
      where platform_id = ${platformId}::uuid and id = ${id}::uuid and status = 'PENDING'`
  } catch (error) {
    if (isDuplicate(error)) throw hasActiveKey()
    throw error
  }
}
