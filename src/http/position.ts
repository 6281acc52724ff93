// The position of a change, as a header that a client may send with its next reads. It is sealed, because it reveals how much is written.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { deriveSecretKey } from '#core/keys.ts'
import { endOfLog, type Position } from '#database/replicas/positions.ts'

export const POSITION_HEADER = 'x-position'

const key = deriveSecretKey('position')
const HALF = 8

/** One block: the position, and zeros that no other text contains. */
const sealed = (position: Position): string => {
  const block = Buffer.alloc(2 * HALF)
  block.writeBigUInt64BE(position)
  return createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(block).toString('base64url')
}

/** Undefined without a header, and for one that the gateway did not make. */
export const positionIn = (header: string | null | undefined): Position | undefined => {
  const block = Buffer.from(header?.slice(0, 32) ?? '', 'base64url')
  if (block.length !== 2 * HALF) return undefined
  const opened = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(block)
  return opened.readBigUInt64BE(HALF) === 0n ? opened.readBigUInt64BE() : undefined
}

/** Undefined if the primary does not respond. The change has been made in any case. */
export const positionAfterChange = async (): Promise<string | undefined> => {
  try {
    return sealed(await endOfLog())
  } catch {
    return undefined
  }
}
