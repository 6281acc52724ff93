// The owner of a wallet proves that it holds the key (docs/domain/customers.md#ownership-of-wallets).
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AccountType } from '#accounts/account-info.ts'
import { type ExternalAccount, ExternalAccountRecord } from '#accounts/external-account.ts'
import { type AccountOwner, unknownAccount } from '#accounts/list.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { publicId, requireUuid } from '#core/ids.ts'
import { labelOf, parse, textOf } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { requireAccountWriter } from './create.ts'
import { canSign, isSignedBy } from './wallet-signature.ts'

export const OWNERSHIP_METHODS = ['WALLET_SIGNATURE', 'LIVENESS'] as const
export const SIGNATURE_SCHEMES = ['bip137', 'electrum'] as const

export const ownershipChallenge = z.object({
  method: labelOf(OWNERSHIP_METHODS).describe('How the owner proves ownership. `LIVENESS` is not available yet.'),
})

export const ownershipProof = z.object({
  signature: textOf(1024).describe(
    'The signature over `messageToSign`: Ed25519 in base58 for Solana, EIP-191 in hexadecimal for Ethereum networks.',
  ),
  signatureScheme: labelOf(SIGNATURE_SCHEMES)
    .nullish()
    .describe('Only for Bitcoin, for which there is no account type yet. Ignored for others.'),
})

export interface OwnershipChallenge {
  readonly method: 'WALLET_SIGNATURE'
  readonly messageToSign: string
  readonly expiresAt: string
}

const LIFE_MINUTES = 15

const conflict = (message: string, reason: string) => new ApiError('CONFLICT', message, { reason })

interface Wallet {
  readonly id: string
  readonly status: ExternalAccount['status']
  readonly account_type: AccountType
  readonly address: string | null
  readonly ownership_type: ExternalAccount['ownershipType']
  readonly challenge: string | null
  readonly is_late: boolean | null
}

/** Locks the account. Without an owner, any account of the platform. */
const lockWallet = async (
  tx: Tx,
  { platformId }: PlatformCaller,
  id: string,
  owner?: AccountOwner,
): Promise<Wallet> => {
  const uuid = requireUuid('ExternalAccount', id, unknownAccount)
  const [wallet] = await tx.$queryRaw<Wallet[]>`
    with locked as materialized (
      select * from external_accounts
      where platform_id = ${platformId}::uuid and id = ${uuid}::uuid and deleted_at is null
        and (${owner ?? null}::text is null or (customer_id is null) = (${owner ?? null}::text = 'PLATFORM'))
      for no key update)
    select id, status, account_type, account_info->>'address' as address, ownership_type, challenge,
      challenge_expires_at <= clock_timestamp() as is_late
    from locked`
  if (!wallet) throw unknownAccount()
  return wallet
}

const requireUnproven = ({ ownership_type, status }: Wallet) => {
  const isOpen = status === 'PENDING_OWNERSHIP_VERIFICATION' || status === 'UNVERIFIED'
  if (ownership_type === 'FIRST_PARTY' && isOpen) return
  throw conflict('The account needs no proof of ownership', 'OWNERSHIP_NOT_NEEDED')
}

/**
 * Needs the permission TRANSACT or MANAGE. A new challenge replaces the old one and is valid for 15 minutes. Throws 404, 409 `CONFLICT` with
 * the reason `OWNERSHIP_NOT_NEEDED` or `OWNERSHIP_METHOD_NOT_AVAILABLE`, and 501 `NOT_IMPLEMENTED` for `LIVENESS`.
 */
export const challengeOwner = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  owner?: AccountOwner,
): Promise<OwnershipChallenge> => {
  requireAccountWriter(caller)
  const { method } = parse(ownershipChallenge, input)
  return inTransaction(async (tx) => {
    const wallet = await lockWallet(tx, caller, id, owner)
    requireUnproven(wallet)
    if (method === 'LIVENESS') throw new ApiError('NOT_IMPLEMENTED', 'Proof by liveness is not available yet')
    if (!canSign(wallet.account_type)) {
      throw conflict('Wallets of this type cannot sign a message', 'OWNERSHIP_METHOD_NOT_AVAILABLE')
    }
    const messageToSign = [
      'I own this wallet.',
      `Address: ${wallet.address}`,
      `Account: ${publicId('ExternalAccount', wallet.id)}`,
      `Nonce: ${randomBytes(16).toString('hex')}`,
    ].join('\n')
    const [made] = await tx.$queryRaw<{ expires_at: Date }[]>`
      update external_accounts
      set challenge = ${messageToSign}, challenge_expires_at = now() + make_interval(mins => ${LIFE_MINUTES}), updated_at = now()
      where platform_id = ${caller.platformId}::uuid and id = ${wallet.id}::uuid
      returning challenge_expires_at as expires_at`
    if (!made) throw new Error('The locked account is gone')
    return { method, messageToSign, expiresAt: made.expires_at.toISOString() }
  })
}

/**
 * Needs the permission TRANSACT or MANAGE. The account becomes ACTIVE. A wrong or late signature ends the challenge, makes the account
 * UNVERIFIED, and is 400 `INVALID_INPUT` with the reason `SIGNATURE_INVALID` or `CHALLENGE_EXPIRED`. Throws 404, and 409 `CONFLICT`, reason
 * `NO_CHALLENGE`, if none is outstanding.
 */
export const verifyOwner = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  owner?: AccountOwner,
): Promise<ExternalAccount> => {
  requireAccountWriter(caller)
  const { signature } = parse(ownershipProof, input)
  const { uuid, refusal } = await inTransaction(async (tx) => {
    const wallet = await lockWallet(tx, caller, id, owner)
    const { account_type, address, challenge, is_late } = wallet
    if (challenge === null) throw conflict('No challenge is outstanding', 'NO_CHALLENGE')
    const isSigned = isSignedBy(account_type, address ?? '', challenge, signature)
    const refusal = is_late ? 'CHALLENGE_EXPIRED' : isSigned ? null : 'SIGNATURE_INVALID'
    await tx.$executeRaw`
      update external_accounts set status = ${refusal === null ? 'ACTIVE' : 'UNVERIFIED'}::external_account_status,
        challenge = null, challenge_expires_at = null, updated_at = now()
      where platform_id = ${caller.platformId}::uuid and id = ${wallet.id}::uuid`
    return { uuid: wallet.id, refusal }
  })
  if (refusal !== null) {
    const message =
      refusal === 'CHALLENGE_EXPIRED' ? 'The challenge has expired' : 'The signature was not made by this wallet'
    throw new ApiError('INVALID_INPUT', message, { field: 'signature', reason: refusal })
  }
  return selectWritten(caller, ExternalAccountRecord, uuid)
}
