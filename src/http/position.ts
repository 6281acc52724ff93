// The position of a change, as a header that a client may send with its next reads. It is sealed, because it reveals how much is written.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { deriveSecretKey } from '#core/keys.ts'
import { endOfLog, type Position, partsOf, positionOf } from '#database/replicas/positions.ts'

export const POSITION_HEADER = 'x-position'

const key = deriveSecretKey('position')
const HALF = 8

/** One block: the offset in the log, the timeline, and zeros that no other text contains. */
const sealed = (position: Position): string => {
  const block = Buffer.alloc(2 * HALF)
  const { timeline, offset } = partsOf(position)
  block.writeBigUInt64BE(offset)
  block.writeUInt32BE(timeline, HALF)
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(block).toString('base64url')
}

/** Undefined without a header, for one that the gateway did not make, and for one of a release that left the timeline out. */
export const positionIn = (header: string | null | undefined): Position | undefined => {
  const block = Buffer.from(header?.slice(0, 32) ?? '', 'base64url')
  if (block.length !== 2 * HALF) return undefined
  const opened = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(block)
  const timeline = opened.readUInt32BE(HALF)
  return timeline > 0 && opened.readUInt32BE(HALF + 4) === 0
    ? positionOf(timeline, opened.readBigUInt64BE())
    : undefined
}

/** Undefined if the primary does not respond. The change has been made in any case. */
export const positionAfterChange = async (): Promise<string | undefined> => {
  try {
    return sealed(await endOfLog())
  } catch {
    return undefined
  }
}
