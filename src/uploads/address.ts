// Upload addresses end in a token with the platform, the file and a MAC, so that clients cannot forge one.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { API_VERSION } from '#core/api-version.ts'
import type { PlatformId } from '#core/ids.ts'
import { deriveKey } from '#core/keys.ts'
import type { Place } from './sealing.ts'

const UUID_BYTES = 16
const TOKEN_BYTES = 64
const key = deriveKey('upload address')

/** Relative to the address of the gateway. */
export const uploadAddress = (place: Place): string => `/${API_VERSION}/uploads/${tokenOf(place)}`

const tokenOf = ({ platformId, id }: Place) => {
  const named = Buffer.from(`${platformId}${id}`.replaceAll('-', ''), 'hex')
  return Buffer.concat([named, macOf(named)]).toString('base64url')
}

const macOf = (named: Buffer) => createHmac('sha256', key).update(named).digest()

/** Undefined for a token that the gateway did not make. */
export const placeOfToken = (token: string): Place | undefined => {
  const bytes = token.length < 100 ? Buffer.from(token, 'base64url') : Buffer.alloc(0)
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined
  const named = bytes.subarray(0, 2 * UUID_BYTES)
  if (!timingSafeEqual(bytes.subarray(2 * UUID_BYTES), macOf(named))) return undefined
  return { platformId: uuidAt(named, 0) as PlatformId, id: uuidAt(named, UUID_BYTES) }
}

const uuidAt = (bytes: Buffer, start: number) =>
  bytes.toString('hex', start, start + UUID_BYTES).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
