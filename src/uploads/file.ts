// Stores files that clients send, in sealed chunks. A KEPT file belongs to the row that refers to it. Other files are deleted after an hour.
import { createHash } from 'node:crypto'
import { ApiError } from '#core/errors.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import type { Place } from '#core/place-token.ts'
import { lookUp, sql } from '#database/db.ts'
import { bytesOf } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'
import { HEAD_BYTES, isCutOff, MEDIA_TYPES, mediaTypeOf, TAIL_BYTES } from './media-type.ts'
import { CHUNK_BYTES, newSealer, openerOf, ownerOf, type Sealer } from './sealing.ts'

export const MAX_DOCUMENT_BYTES = 10_000_000

/** The rules that a file must follow. */
export interface FileForm {
  readonly maxBytes: number
  /** Returns the media type by the first and last bytes, or null to refuse the file. */
  readonly typeOf: (head: Buffer, tail: Buffer) => string | null
  /** The error for a file without a type. */
  readonly refusal: (head: Buffer, tail: Buffer) => ApiError
}

/** Runs the statements of the request one after the other. The request holds no connection while the client sends. */
export type InSlot = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Stores a file as it arrives. Throws `form.refusal()` for a refused file, and any error of `bytes`. A failure leaves nothing behind.
 */
export const receiveFile = async (
  platformId: PlatformId,
  inSlot: InSlot,
  bytes: AsyncIterable<Uint8Array>,
  form = DOCUMENT_FILE,
): Promise<Place> => {
  const place = { platformId, id: newUuid() }
  const sealer = newSealer(ownerOf(place))
  await inSlot(() =>
    lookUp(sql`
      insert into uploads (platform_id, id, state, sealed_key, expires_at)
      values (${platformId}::uuid, ${place.id}::uuid, 'RECEIVING', ${sealer.sealedKey}, now() + interval '1 hour')`),
  )
  try {
    await storeFile(place, sealer, inSlot, bytes, form)
    return place
  } catch (error) {
    await discardFile(place)
    throw error
  }
}

/**
 * Stores the chunks of a file that is RECEIVING, and makes it READY. The key of `sealer` identifies the attempt. Throws 409 `CONFLICT` if a later
 * attempt has begun, or if the file was deleted.
 */
export const storeFile = async (
  { platformId, id }: Place,
  sealer: Sealer,
  inSlot: InSlot,
  bytes: AsyncIterable<Uint8Array>,
  form = DOCUMENT_FILE,
): Promise<void> => {
  const ofAttempt = sql`
    platform_id = ${platformId}::uuid and id = ${id}::uuid and state = 'RECEIVING' and sealed_key = ${sealer.sealedKey}::bytea`
  const hash = createHash('sha256')
  let [size, number] = [0, 0]
  let head: Buffer = Buffer.alloc(0)
  let tail: Buffer = Buffer.alloc(0)
  for await (const { plain, isLast } of inChunks(bytes)) {
    if (number === 0) head = Buffer.from(plain.subarray(0, HEAD_BYTES))
    tail = Buffer.concat([tail, plain]).subarray(-TAIL_BYTES)
    hash.update(plain)
    size += plain.length
    const body = sealer.seal(number, isLast, plain)
    // The lock of the file keeps its chunks of one attempt. Chunks that an earlier attempt left are overwritten.
    const stored = await inSlot(() =>
      lookUp(sql`
        with attempt as (select platform_id, id from uploads where ${ofAttempt} for share)
        insert into upload_chunks (platform_id, upload_id, number, body)
        select platform_id, id, ${number}::int, ${body}::bytea from attempt
        on conflict (platform_id, upload_id, number) do update set body = excluded.body returning number`),
    )
    if (stored.length === 0) throw takenOver()
    number += 1
  }
  const mediaType = form.typeOf(head, tail)
  if (!mediaType) throw form.refusal(head, tail)
  const digest = hash.digest()
  const rows = await inSlot(() =>
    lookUp(sql`
      update uploads set state = 'READY', size = ${size}, sha256 = ${digest}, media_type = ${mediaType}, expires_at = now() + interval '1 hour'
      where ${ofAttempt} returning id`),
  )
  if (rows.length === 0) throw takenOver()
}

const takenOver = () =>
  new ApiError('CONFLICT', 'The file was sent again or deleted while it was received', { reason: 'UPLOAD_USED' })

/** A PDF, JPEG or PNG by its bytes. */
export const DOCUMENT_FILE: FileForm = {
  maxBytes: MAX_DOCUMENT_BYTES,
  typeOf: mediaTypeOf,
  refusal: (head, tail) =>
    isCutOff(head, tail)
      ? new ApiError('INCOMPLETE', 'The file was cut off: its end is missing', { field: 'file' })
      : new ApiError('UNSUITABLE_DOCUMENT', 'The file must be a PDF, JPEG or PNG', {
          field: 'file',
          constraint: { enum: MEDIA_TYPES },
        }),
}

/** Chunks of one size, the last one shorter. The bytes of a chunk are overwritten by the next one. */
async function* inChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<{ plain: Buffer; isLast: boolean }, void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length; ) {
      if (filled === CHUNK_BYTES) {
        yield { plain: buffer, isLast: false }
        filled = 0
      }
      const taken = Math.min(CHUNK_BYTES - filled, piece.length - from)
      buffer.set(piece.subarray(from, from + taken), filled)
      filled += taken
      from += taken
    }
  }
  yield { plain: buffer.subarray(0, filled), isLast: true }
}

/** Deletes a file that is not kept. The clean-up job deletes it later if this fails. */
export const discardFile = async ({ platformId, id }: Place): Promise<void> => {
  await lookUp(sql`
    delete from uploads where platform_id = ${platformId}::uuid and id = ${id}::uuid and state <> 'KEPT'`).catch(
    () => {},
  )
}

/** Keeps a READY file for a row that this transaction writes. Throws 404 or 409 if there is none. */
export const keepFile = async (tx: Tx, { platformId, id }: Place): Promise<void> => {
  const kept = await tx.$executeRaw`
    update uploads set state = 'KEPT' where platform_id = ${platformId}::uuid and id = ${id}::uuid and state = 'READY'`
  if (kept === 1) return
  const [found] = await tx.$queryRaw<{ state: string }[]>`
    select state::text from uploads where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  if (!found) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such upload')
  throw found.state === 'KEPT'
    ? new ApiError('CONFLICT', 'The upload was already used', { reason: 'UPLOAD_USED' })
    : new ApiError('CONFLICT', 'The file of the upload was not received yet', { reason: 'UPLOAD_NOT_RECEIVED' })
}

/** Deletes a file that nothing refers to any more. */
export const deleteFile = async (tx: Tx, { platformId, id }: Place): Promise<void> => {
  await tx.$executeRaw`delete from uploads where platform_id = ${platformId}::uuid and id = ${id}::uuid`
}

/** The bytes of a file that is READY or KEPT. Throws if a chunk is missing, was altered, or the whole has another hash. */
export async function* readFile(place: Place): AsyncGenerator<Buffer, void> {
  const { platformId, id } = place
  const [row] = await lookUp(sql`
    select sealed_key, size, sha256 from uploads
    where platform_id = ${platformId}::uuid and id = ${id}::uuid and state in ('READY', 'KEPT')`)
  const [sealedKey, size, sha256] = row ?? []
  if (!sealedKey || !size || !sha256) throw new Error('There is no such file')
  const open = openerOf(bytesOf(sealedKey), ownerOf(place))
  const count = Math.ceil(Number(size) / CHUNK_BYTES)
  const hash = createHash('sha256')
  for (let number = 0; number < count; number += 1) {
    const [chunk] = await lookUp(sql`
      select body from upload_chunks
      where platform_id = ${platformId}::uuid and upload_id = ${id}::uuid and number = ${number}`)
    if (!chunk?.[0]) throw new Error('A chunk of the file is missing')
    const plain = open(number, number === count - 1, bytesOf(chunk[0]))
    hash.update(plain)
    yield plain
  }
  if (!hash.digest().equals(bytesOf(sha256))) throw new Error('The file is not the one that was received')
}
