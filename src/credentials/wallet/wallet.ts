// Exporting the seed phrase of a wallet, and changing its privacy
// (docs/domain/credentials.md#wallet-export-and-privacy).
import { generateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { z } from 'zod'
import { type InternalAccount, InternalAccountRecord } from '#accounts/internal-account.ts'
import { ACCOUNT_TEXTS } from '#accounts/texts.ts'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { parse, parseChanges } from '#core/input.ts'
import { canonicalJson } from '#core/json/canonical-json.ts'
import { openSecret, sealSecret } from '#core/keys.ts'
import { sealWallet } from '#credentials/crypto/bundles.ts'
import { pointOf, recipient } from '#credentials/crypto/p256.ts'
import { activityPayload } from '#credentials/signed-retry/activity.ts'
import { type Outcome, type RetryProof, signedRetry } from '#credentials/signed-retry/signed-retry.ts'
import { sql } from '#database/db.ts'
import type { Send } from '#database/round-trips.ts'
import { bytesOf } from '#database/row.ts'
import { inputForWallet, walletUuid } from './wallet-account.ts'

const ENTROPY_OF_12_WORDS = 128

export const ENCRYPTED_WALLET_TEXT =
  'The seed phrase of the wallet, encrypted to `clientPublicKey`, as JSON text. Use it byte for byte.'

export interface ExportedWallet {
  readonly id: string
  readonly encryptedWalletCredentials: string
}

/** Needs the permission TRANSACT, and the key of any active session of the wallet. */
export const exportWallet = (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<ExportedWallet>> => {
  requirePermission(caller, 'TRANSACT')
  return signedRetry<{ clientPublicKey: string }, ExportedWallet>(caller, proof, {
    operation: 'EXPORT_WALLET',
    target: id,
    input,
    prepare: async () => {
      const walletId = walletUuid(id)
      const { clientPublicKey } = await inputForWallet(caller, id, () => parse(recipient, input))
      return {
        accountIds: [walletId],
        signers: {},
        type: null,
        payload: activityPayload(walletId, {
          type: 'ACTIVITY_TYPE_EXPORT_WALLET',
          parameters: { targetPublicKey: clientPublicKey, walletId },
        }),
        data: { clientPublicKey },
      }
    },
    change: async (send, { clientPublicKey }, [accountId]) => {
      const { mnemonic, statements } = await mnemonicOf(send, caller, accountId)
      const target = pointOf(clientPublicKey)
      const encryptedWalletCredentials = await sealWallet(mnemonic, target, accountId, caller.environment)
      return { statements, done: () => ({ id: accountId, encryptedWalletCredentials }) }
    },
  })
}

/** The seed phrase of the wallet, generated on first use, and the statements that store a new one. */
const mnemonicOf = async (send: Send, { platformId }: PlatformCaller, accountId: string) => {
  const owner = `wallet ${platformId} ${accountId}`
  const [[key]] = await send(sql`
    select mnemonic_sealed from wallet_keys where platform_id = ${platformId}::uuid and account_id = ${accountId}::uuid`)
  if (key?.[0]) return { mnemonic: openSecret(bytesOf(key[0]), owner).toString('utf8'), statements: [] }
  const mnemonic = generateMnemonic(wordlist, ENTROPY_OF_12_WORDS)
  const storing = sql`
    insert into wallet_keys (platform_id, account_id, mnemonic_sealed)
    values (${platformId}::uuid, ${accountId}::uuid, ${Buffer.from(sealSecret(mnemonic, owner))})`
  return { mnemonic, statements: [storing] }
}

export const walletPrivacy = z.object({
  privateEnabled: z.boolean({ error: 'must be true or false' }).describe(ACCOUNT_TEXTS.privateEnabled),
})

/** The other fields of an account, which cannot be changed. */
const FIXED_FIELDS = [
  'id',
  'customerId',
  'type',
  'status',
  'balance',
  'totalBalance',
  'fundingPaymentInstructions',
  'createdAt',
  'updatedAt',
]

/** Needs the permission TRANSACT, and the key of any active session of the wallet. */
export const updateWalletPrivacy = (
  caller: PlatformCaller,
  id: string,
  input: unknown,
  proof: RetryProof,
): Promise<Outcome<InternalAccount>> => {
  requirePermission(caller, 'TRANSACT')
  const { platformId } = caller
  return signedRetry<{ privateEnabled: boolean }, InternalAccount>(caller, proof, {
    operation: 'UPDATE_WALLET_PRIVACY',
    target: id,
    input,
    prepare: async () => {
      const walletId = walletUuid(id)
      const data = await inputForWallet(caller, id, () => parseChanges(walletPrivacy, input, FIXED_FIELDS))
      const payload = Buffer.from(canonicalJson({ accountId: walletId, ...data }), 'utf8').toString('hex')
      return {
        accountIds: [walletId],
        signers: {},
        type: null,
        payload: activityPayload(walletId, {
          type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
          parameters: {
            encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
            hashFunction: 'HASH_FUNCTION_NO_OP',
            payload,
            signWith: walletId,
          },
        }),
        data,
      }
    },
    change: async (_send, { privateEnabled }, [accountId]) => ({
      statements: [
        sql`
          update internal_accounts t set private_enabled = ${privateEnabled}, updated_at = now()
          where t.platform_id = ${platformId}::uuid and t.id = ${accountId}::uuid returning ${InternalAccountRecord.columns}`,
      ],
      done: ([rows]) => InternalAccountRecord.read(rows?.[0] ?? []),
    }),
  })
}
