// Staged uploads. A caller asks for an address. Anyone who has the address may send one file to it. The caller then names the upload.
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import type { Place } from '#core/place-token.ts'
import { lookUp, sql } from '#database/db.ts'
import { time } from '#database/record.ts'
import { uploadAddress } from './address.ts'
import { type InSlot, MAX_DOCUMENT_BYTES, storeFile } from './file.ts'
import { newSealer, ownerOf } from './sealing.ts'

export const newUpload = z.object({
  size: z
    .int({ error: 'must be an integer' })
    .min(1, 'must be at least 1')
    .max(MAX_DOCUMENT_BYTES, `must be at most ${MAX_DOCUMENT_BYTES}`)
    .describe('Size of the file in bytes, 1 to 10,000,000.'),
})

export interface StagedUpload {
  /** Bare uuid. */
  readonly id: string
  readonly url: string
  readonly expiresAt: string
}

export const UPLOAD_TEXTS = {
  id: '`Upload:<uuid>`. Pass it to `createDocument` or `replaceDocument` once the file has been sent, within an hour.',
  url: 'Where to send the file: `PUT`, with the file itself as the body, and no credentials. Relative to the address of the gateway. It takes one file.',
  expiresAt: 'When the address expires, after 15 minutes.',
} as const

/** Needs the permission MANAGE. */
export const createUpload = async (caller: PlatformCaller, input: unknown): Promise<StagedUpload> => {
  requirePermission(caller, 'MANAGE')
  const { size } = parse(newUpload, input)
  const place = { platformId: caller.platformId, id: newUuid() }
  const [row] = await lookUp(sql`
    insert into uploads (platform_id, id, state, expected_size, expires_at)
    values (${place.platformId}::uuid, ${place.id}::uuid, 'EXPECTED', ${size}, now() + interval '15 minutes')
    returning expires_at`)
  return { id: place.id, url: uploadAddress(place), expiresAt: time.decode(row?.[0] ?? '') }
}

/**
 * Receives the file of a staged upload. Throws 409 `CONFLICT` if the address was used or has expired, 400
 * `INVALID_INPUT` for a different size, 400 `UNSUITABLE_DOCUMENT` for an unsupported type, and 400 `INCOMPLETE` for a
 * file without its end. After a failure, or while an attempt has not ended, the address can be used again.
 */
export const receiveUpload = async (place: Place, inSlot: InSlot, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  const { platformId, id } = place
  const sealer = newSealer(ownerOf(place))
  const size = await inSlot(() => claim(place, sealer.sealedKey))
  try {
    await storeFile(place, sealer, inSlot, exactly(size, bytes))
  } catch (error) {
    // The next attempt uses a new key, so these chunks are useless. A complete file is kept: then only the answer of the database was lost.
    await lookUp(sql`
      with failed as (
        update uploads set state = 'EXPECTED', sealed_key = null, expires_at = plus_seconds(created_at, 15 * 60)
        where platform_id = ${platformId}::uuid and id = ${id}::uuid and state = 'RECEIVING' and sealed_key = ${sealer.sealedKey}::bytea
        returning id)
      delete from upload_chunks
      where platform_id = ${platformId}::uuid and upload_id = ${id}::uuid and exists (select from failed)`).catch(
      () => {},
    )
    throw error
  }
}

/**
 * Starts an attempt, and returns the expected size. It takes over from an attempt that has not ended, because a client that was cut off
 * may send the file again before the gateway notices, and a process that was killed never ends its attempt.
 */
const claim = async ({ platformId, id }: Place, sealedKey: Uint8Array): Promise<number> => {
  const [claimed] = await lookUp(sql`
    update uploads set state = 'RECEIVING', sealed_key = ${sealedKey}, expires_at = now() + interval '1 hour'
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and state in ('EXPECTED', 'RECEIVING')
      and least(expires_at, plus_seconds(created_at, 15 * 60)) > now()
    returning expected_size`)
  if (claimed) return Number(claimed[0])
  const [found] = await lookUp(sql`
    select from uploads where platform_id = ${platformId}::uuid and id = ${id}::uuid and state in ('READY', 'KEPT')`)
  throw found
    ? new ApiError('CONFLICT', 'The upload address was already used', { reason: 'UPLOAD_USED' })
    : new ApiError('CONFLICT', 'The upload address has expired', { reason: 'UPLOAD_EXPIRED' })
}

async function* exactly(size: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = size
  for await (const piece of bytes) {
    left -= piece.byteLength
    if (left < 0) break
    yield piece
  }
  if (left !== 0) throw invalidInput('size', `The file must have ${size} bytes, the size announced for the upload`)
}
