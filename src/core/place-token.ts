// Tokens of addresses that need no other credential. A token names a row by its platform and its uuid, and ends in a MAC, so that clients cannot
// forge one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { decodeBase64url } from './base64url.ts'
import { type PlatformId, uuidOfHex } from './ids.ts'
import { deriveSecretKey } from './keys.ts'

/** A row of a platform. */
export interface Place {
  readonly platformId: PlatformId
  readonly id: string
}

interface PlaceTokens {
  tokenOf(place: Place): string
  /** Undefined for a token that the gateway did not make for this purpose. */
  placeOf(token: string): Place | undefined
}

const UUID_BYTES = 16
const TOKEN_BYTES = 64

/** The tokens of one purpose. They are not valid for any other. */
export const placeTokens = (purpose: string): PlaceTokens => {
  const key = deriveSecretKey(purpose)
  const macOf = (named: Buffer) => createHmac('sha256', key).update(named).digest()
  return {
    tokenOf: ({ platformId, id }) => {
      const named = Buffer.from(`${platformId}${id}`.replaceAll('-', ''), 'hex')
      return Buffer.concat([named, macOf(named)]).toString('base64url')
    },
    placeOf: (token) => {
      const bytes = token.length < 100 ? decodeBase64url(token) : undefined
      if (bytes?.length !== TOKEN_BYTES) return undefined
      const named = bytes.subarray(0, 2 * UUID_BYTES)
      if (!timingSafeEqual(bytes.subarray(2 * UUID_BYTES), macOf(named))) return undefined
      return { platformId: uuidAt(named, 0) as PlatformId, id: uuidAt(named, UUID_BYTES) }
    },
  }
}

const uuidAt = (bytes: Buffer, start: number) => uuidOfHex(bytes.toString('hex', start, start + UUID_BYTES))
