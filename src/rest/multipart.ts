// Reads multipart/form-data (RFC 7578) as it arrives: one file, which is passed on as a stream, and short text fields.
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { readBytes } from '#core/body.ts'
import { ApiError, invalidInput } from '#core/errors.ts'

const MAX_FIELD_BYTES = 1_000
const LIMITS = { fields: 20, parts: 21, fieldSize: MAX_FIELD_BYTES, headerPairs: 20, headerSize: 8_192 }

/** The size of everything in a form besides its file. */
export const FORM_BYTES = 2 ** 16

export interface Form<F> {
  readonly fields: ReadonlyMap<string, string>
  /** What `receive` made of the part `file`. */
  readonly file: F
}

/** The bytes of the file. Throws if the file is too long or the body ends too early. Parts come in any order, so the fields may follow. */
type Receive<F> = (bytes: AsyncIterable<Uint8Array>) => Promise<F>

/**
 * Reads the form. Throws 400 `INVALID_REQUEST_FORMAT` if it is malformed or cut off, 400 `INVALID_INPUT` without a part `file`, with two of
 * them or a field that is repeated or too long, and 413 `PAYLOAD_TOO_LARGE` for a longer file. It throws after `receive` has settled, so
 * `receive` can undo what it did when its bytes throw. What `receive` made before a field failed is passed to `undo`.
 */
export const readForm = async <F>(
  { body, headers }: Request,
  maxFileBytes: number,
  receive: Receive<F>,
  undo: (file: F) => Promise<void>,
): Promise<Form<F>> => {
  if (!body || headers.get('content-length') === '0') throw malformed('The body is missing')
  const parser = parserOf(headers.get('content-type') ?? '', maxFileBytes)
  const fields = new Map<string, string>()
  let stream: BusboyFileStream | undefined
  let file: Promise<F> | undefined
  let fail: (error: unknown) => void = () => {}
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject
  })
  failed.catch(() => {})
  const refuse = (field: string, message: string) => fail(invalidInput(field, `${field} ${message}`))

  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (fields.has(name)) return refuse(name, 'must be given only once')
    if (isTruncated) return refuse(name, `must be at most ${MAX_FIELD_BYTES} bytes`)
    if (value.includes('\ufffd')) return refuse(name, 'must be UTF-8')
    fields.set(name, value)
  })
  parser.on('file', (name, part) => {
    // Without a listener, a body that is cut off would end the process.
    part.on('error', () => {})
    if (name !== 'file' || file) {
      if (name === 'file') refuse('file', 'must be given only once')
      part.resume()
      return
    }
    stream = part
    part.on('limit', () =>
      fail(new ApiError('PAYLOAD_TOO_LARGE', `The file must be at most ${maxFileBytes} bytes`, { field: 'file' })),
    )
    file = receive(part)
    file.catch(fail)
  })
  // Without listeners, the parser would drop the excess silently.
  for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
    parser.on(limit, () => fail(malformed(`The form must have at most ${LIMITS.fields} fields`)))
  }
  parser.on('error', () => fail(malformed('The body is not a complete multipart form')))
  const finished = new Promise<void>((resolve) => parser.on('finish', resolve))

  const bytes = readBytes(body, maxFileBytes + FORM_BYTES)
  try {
    for await (const chunk of bytes) {
      await Promise.race([new Promise<unknown>((resolve) => parser.write(Buffer.from(chunk), resolve)), failed])
    }
    parser.end()
    await Promise.race([finished, failed])
    if (!file) throw invalidInput('file', 'file is required')
    const received = await file
    // A limit may have been passed after the file.
    await Promise.race([failed, Promise.resolve()])
    return { fields, file: received }
  } catch (error) {
    // A stream that is never ended would keep its reader waiting.
    stream?.destroy(error instanceof Error ? error : undefined)
    const received = await file?.then(
      (made) => ({ made }),
      () => null,
    )
    if (received) await undo(received.made)
    throw error
  }
}

const parserOf = (contentType: string, fileSize: number): BusboyInstance => {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { ...LIMITS, fileSize },
      isPartAFile: (name, _type, fileName) => name === 'file' || fileName !== undefined,
    })
  } catch {
    throw malformed('The content type must name the boundary of the form')
  }
}

const malformed = (message: string) => new ApiError('INVALID_REQUEST_FORMAT', message)
