// Public files, compressed once and served from memory.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Answer, Header } from './exchange.ts'

type Bytes = Buffer<ArrayBuffer>

export interface File {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The quoted value for `ETag`. */
  readonly hash: string
  readonly plain: Bytes
  readonly compressed: Bytes
}

/** `headers` are added to every response. */
export const createFile = async (content: string | Bytes, headers: File['headers'], status = 200): Promise<File> => {
  const plain = Buffer.from(content)
  const hash = `"${createHash('sha256').update(plain).digest('base64url')}"`
  return { status, headers, hash, plain, compressed: await promisify(gzip)(plain, { level: 9 }) }
}

/** Answers 304 if the client has the file already, and compresses for clients that accept gzip. */
export const answerWithFile = (file: File, header: Header): Answer => {
  const { status, hash, plain, compressed } = file
  // A weak ETag, because it covers the compressed and the plain form.
  const headers = { ...file.headers, etag: `W/${hash}`, 'x-content-type-options': 'nosniff' }
  if (header('if-none-match')?.includes(hash)) return { status: 304, headers, body: '' }
  return acceptsGzip(header('accept-encoding') ?? '')
    ? { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed }
    : { status, headers, body: plain }
}

const acceptsGzip = (accepted: string): boolean =>
  accepted.split(',').some((coding) => /^(gzip|\*)( *; *q=(1|0\.0*[1-9]).*)?$/i.test(coding.trim()))
