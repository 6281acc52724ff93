// Tells the type of a file by its bytes. Names and declared types are ignored.

export const MEDIA_TYPES = ['application/pdf', 'image/jpeg', 'image/png'] as const
export type MediaType = (typeof MEDIA_TYPES)[number]

/** How many bytes of the start and of the end `mediaTypeOf` reads. */
export const HEAD_BYTES = 32
export const TAIL_BYTES = 1_024

const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_END = Buffer.from('49454e44ae426082', 'hex')
const MAX_PIXELS = 100_000_000

interface Kind {
  readonly mediaType: MediaType
  /** The bytes near the end of a complete file. */
  readonly end: Buffer
}

const PDF: Kind = { mediaType: 'application/pdf', end: Buffer.from('%%EOF') }
const JPEG: Kind = { mediaType: 'image/jpeg', end: Buffer.from('ffd9', 'hex') }
const PNG: Kind = { mediaType: 'image/png', end: PNG_END }

const kindOf = (head: Buffer): Kind | null => {
  if (head.length < HEAD_BYTES) return null
  if (/^%PDF-[12]\./.test(head.toString('latin1'))) return PDF
  if (head.readUIntBE(0, 3) === 0xffd8ff) return JPEG
  return head.subarray(0, PNG_START.length).equals(PNG_START) ? PNG : null
}

/** Whether the file begins like a PDF, JPEG or PNG but does not end like one. */
export const isCutOff = (head: Buffer, tail: Buffer): boolean => {
  const kind = kindOf(head)
  return kind !== null && !tail.includes(kind.end)
}

/** Null for everything except a PDF, JPEG or PNG that ends as its type requires. A PNG has at most 100 million pixels. */
export const mediaTypeOf = (head: Buffer, tail: Buffer): MediaType | null => {
  const kind = kindOf(head)
  if (kind === null || !tail.includes(kind.end)) return null
  if (kind !== PNG) return kind.mediaType
  const pixels = head.readUInt32BE(16) * head.readUInt32BE(20)
  return pixels > 0 && pixels <= MAX_PIXELS ? kind.mediaType : null
}
