// Checks that a message comes from its sender, is current, and is new (docs/domain/uma.md#messages).
import { ApiError } from '#core/errors.ts'
import { db } from '#database/db.ts'
import type { UmaProvider } from '#generated/prisma/client.ts'
import type { Institution } from './own-keys.ts'
import { keysOf, newerKeys, type ProviderKeys } from './provider-keys.ts'
import { sdk, type Uma } from './sdk.ts'

const WINDOW_SECONDS = 300
/** A nonce can be used once in each window of this length. */
const NONCE_SECONDS = 2 * WINDOW_SECONDS
const LONGEST_NONCE = 64

type Check = (keys: Uma.PubKeyResponse, nonces: Uma.NonceValidator) => Promise<boolean>

/**
 * Whether the signature is valid. Throws 400 `INVALID_TIMESTAMP` for a message whose timestamp is not current, 400 `INVALID_NONCE` for one that was
 * accepted before, and what `keysOf` throws. The nonce is stored only when the signature is valid, so that strangers cannot fill the table.
 */
export const isVerified = async (own: Institution, provider: UmaProvider, check: Check): Promise<boolean> => {
  const keys = await keysOf(own, provider)
  const used = (await tryKeys(keys, check)) ?? (await tryNewKeys(own, provider, keys, check))
  if (used === undefined) return false
  // The signature covers the time too, so a repeated message has the same window and the same day, even after midnight. A nonce has only 32
  // bits: of a busy day's, some are equal by chance.
  const nonce = `${used.nonce} ${Math.floor(used.seconds / NONCE_SECONDS)}`
  const stored = await db.$executeRaw`
    insert into uma_nonces (platform_id, domain, nonce, day)
    values (${own.platformId}::uuid, ${provider.domain}, ${nonce}, (to_timestamp(${used.seconds}::float8) at time zone 'UTC')::date)
    on conflict do nothing`
  if (stored !== 1) throw new ApiError('INVALID_NONCE', 'The nonce was already used')
  return true
}

/** The provider may have changed its keys a moment ago. */
const tryNewKeys = async (own: Institution, provider: UmaProvider, old: ProviderKeys, check: Check) => {
  const keys = await newerKeys(own, provider, old)
  return keys && tryKeys(keys, check)
}

interface Used {
  readonly nonce: string
  /** When the message was signed, in seconds since 1970. */
  readonly seconds: number
}

/** What makes the message unique, or undefined if its signature is invalid. */
const tryKeys = async ({ signing, encryption }: ProviderKeys, check: Check): Promise<Used | undefined> => {
  const { PubKeyResponse, UmaError } = await sdk()
  let used: Used | undefined
  const nonces: Uma.NonceValidator = {
    checkAndSaveNonce: async (nonce, seconds) => {
      if (!Number.isSafeInteger(seconds) || Math.abs(Date.now() / 1_000 - seconds) > WINDOW_SECONDS) {
        throw new ApiError('INVALID_TIMESTAMP', 'The timestamp of the message is too old or in the future')
      }
      if (nonce === '' || nonce.length > LONGEST_NONCE) throw new ApiError('INVALID_NONCE', 'The nonce is malformed')
      used = { nonce, seconds }
      return true
    },
  }
  try {
    return (await check(new PubKeyResponse([signing], [encryption]), nonces)) ? used : undefined
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (error instanceof UmaError && error.code === 'MISSING_REQUIRED_UMA_PARAMETERS') {
      throw new ApiError('MISSING_REQUIRED_UMA_PARAMETERS', 'The message lacks parameters of the protocol')
    }
    // The library throws plain errors for signatures that cannot be read.
    return undefined
  }
}
