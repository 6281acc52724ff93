// Tells the type of a file by its bytes. Names and declared types are ignored.

export const MEDIA_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** How many bytes of the start and of the end `mediaTypeOf` reads. */
export const HEAD_BYTES = 32
export const TAIL_BYTES = 1_024

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_END = Buffer.from('49454e44ae426082', 'hex')
const MAX_PIXELS = 100_000_000

/** Null for everything but a PDF, JPEG or PNG that ends as its type ends. A PNG has at most 100 million pixels. */
export const mediaTypeOf = (head: Buffer, tail: Buffer): MediaType | null => {
  if (head.length < HEAD_BYTES) return null
  if (/^%PDF-[12]\./.test(head.toString('latin1'))) return tail.includes('%%EOF') ? 'application/pdf' : null
  if (head.readUIntBE(0, 3) === 0xffd8ff) return tail.includes(Buffer.from('ffd9', 'hex')) ? 'image/jpeg' : null
  if (!head.subarray(0, PNG_START.length).equals(PNG_START) || !tail.includes(PNG_END)) return null
  const pixels = head.readUInt32BE(16) * head.readUInt32BE(20)
  return pixels > 0 && pixels <= MAX_PIXELS ? 'image/png' : null
}
