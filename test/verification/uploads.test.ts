// Files of documents: what is taken, what is refused, and that nothing stays of what is refused.
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlatformId } from '#core/ids.ts'
import { publicId } from '#core/ids.ts'
import { pool } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { codeOf, head, open, pause, sendRaw } from '#test/setup/raw-http.ts'
import {
  formOf,
  jpeg,
  NOTHING,
  openUpload,
  outcomeOf,
  pdf,
  png,
  put,
  sendForm,
  storedOf,
  uploadFaces,
  useUpload,
} from '#test/setup/verification/uploads.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'
import { deleteUnusedUploads } from '#uploads/clean-up.ts'
import { readFile } from '#uploads/file.ts'

const MOST = 10_000_000
/** The campaign `uploads` sends 50 files of 10 MB. */
const AT_ONCE = Number(process.env['UPLOADS'] ?? 20)
const BYTES_AT_ONCE = Number(process.env['UPLOAD_BYTES'] ?? 2_000_000)

let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await startGateway({ LOG_LEVEL: 'error' })
})
afterAll(async () => {
  expect(gateway.log()).toBe('')
  await gateway.kill()
})

const create = async () => {
  const platform = await createPlatform()
  const customer = await createCustomer(platform, { verificationStatus: 'UNVERIFIED' })
  const fields = { documentHolder: publicId('Customer', customer.id), documentType: 'PASSPORT', country: 'DE' }
  return { platform, customer, fields }
}

const uuidOf = (id = '') => id.slice(id.indexOf(':') + 1)

/** The stored file of a document. */
const fileOf = async ({ id: platformId }: Platform, documentId: string | undefined): Promise<Buffer> => {
  const text = 'select upload_id as id from documents where platform_id = $1 and id = $2'
  const { rows } = await pool.query<{ id: string }>(text, [platformId, uuidOf(documentId)])
  const chunks: Buffer[] = []
  for await (const chunk of readFile({ platformId: platformId as PlatformId, id: rows[0]?.id ?? '' }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe.each(uploadFaces)('over $name', ({ name, upload }) => {
  it.each([1, 0])('a file of 10 MB less %i byte is stored as it came', async (less) => {
    const { platform, fields } = await create()
    const file = pdf(MOST - less)
    const outcome = await upload(gateway, platform, file, fields)
    expect(outcome).toMatchObject({ status: 201, mediaType: 'application/pdf', size: MOST - less })
    expect((await fileOf(platform, outcome.id)).equals(file)).toBe(true)
    expect(await storedOf(platform)).toEqual({ documents: 1, files: 1, chunks: 39 })
  })

  it('a file of 10 MB and 1 byte is refused', async () => {
    const { platform, fields } = await create()
    const outcome = await upload(gateway, platform, pdf(MOST + 1), fields)
    const refusal =
      name === 'REST'
        ? { status: 413, code: 'PAYLOAD_TOO_LARGE', field: 'file' }
        : { status: 400, code: 'INVALID_INPUT', field: 'input.size' }
    expect(outcome).toMatchObject(refusal)
    expect(await storedOf(platform)).toEqual(NOTHING)
  })

  it.each([
    ['application/pdf', pdf(1_000)],
    ['image/jpeg', jpeg()],
    ['image/png', png(2_000, 3_000)],
  ])('the bytes decide, and not the name: %s', async (mediaType, file) => {
    const { platform, fields } = await create()
    expect(await upload(gateway, platform, file, fields, 'invoice.exe')).toMatchObject({ status: 201, mediaType })
  })

  it.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>'.padEnd(100))],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(100))],
    ['GIF', Buffer.from('GIF89a'.padEnd(100))],
    ['a ZIP', Buffer.from('504b0304'.padEnd(200, '0'), 'hex')],
    ['a PDF behind other bytes', Buffer.concat([Buffer.from('x'), pdf(100)])],
    ['a PDF that was cut off', pdf(10_000).subarray(0, 5_000)],
    ['a JPEG that was cut off', jpeg().subarray(0, 60)],
    ['a PNG that was cut off', png(20, 30).subarray(0, 60)],
    ['a PNG of 60,000 × 60,000 points', png(60_000, 60_000)],
    ['one byte', Buffer.from('%')],
  ])('%s under the name of a PDF is refused', async (_what, file) => {
    const { platform, fields } = await create()
    const refusal = { status: 400, code: 'UNSUITABLE_DOCUMENT', field: 'file' }
    expect(await upload(gateway, platform, file, fields, 'passport.pdf')).toMatchObject(refusal)
    expect(await storedOf(platform)).toEqual(NOTHING)
  })

  it('a document that cannot be made leaves no file behind it', async () => {
    const { platform, customer, fields } = await create()
    const stranger = await create()
    const outcomes = await Promise.all([
      upload(gateway, platform, pdf(500), { ...fields, documentHolder: stranger.fields.documentHolder }),
      upload(gateway, platform, pdf(500), { ...fields, documentType: 'PASSPRT' }).catch(() => ({ status: 400 })),
      upload(gateway, platform, pdf(500), { ...fields, country: 'XX' }),
    ])
    expect(outcomes).toMatchObject([{ status: 404, code: 'USER_NOT_FOUND' }, { status: 400 }, { status: 400 }])
    await pool.query('update customers set is_deleted = true where id = $1', [customer.id])
    const gone = await upload(gateway, platform, pdf(500), fields)
    expect(gone).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
    // A staged file can be used for another document until it expires.
    if (name === 'GraphQL') await expire(platform)
    expect(await storedOf(platform)).toEqual(NOTHING)
  })
})

const expire = async ({ id }: Platform) => {
  await pool.query("update uploads set expires_at = now() - interval '1 minute' where platform_id = $1", [id])
  await deleteUnusedUploads.run({})
}

const BOUNDARY = 'edge'
const part = (name: string, value: string | Buffer, more = '') =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
const END = Buffer.from(`--${BOUNDARY}--\r\n`)
const FILE = part('file', pdf(300_000), '; filename="a.pdf"')

/** Sends the bytes as a form, in one body of this length. */
const sendParts = (
  platform: Platform,
  parts: readonly Buffer[],
  type = `multipart/form-data; boundary=${BOUNDARY}`,
) => {
  const body = Buffer.concat(parts)
  const headers = { authorization: basic(platform), 'content-type': type, 'content-length': String(body.length) }
  return sendRaw(gateway.url, Buffer.concat([Buffer.from(head('POST', '/2025-10-13/documents', headers)), body]))
}

describe('a form', () => {
  it('may have its parts in any order, and fields that nobody knows', async () => {
    const { platform, fields } = await create()
    const known = Object.entries(fields).map(([field, value]) => part(field, value))
    const unknown = [part('__proto__', 'x'), part('note', 'x')]
    for (const parts of [
      [FILE, ...known, ...unknown],
      [...unknown, ...known, FILE],
      [...known, part('file', pdf(99))],
    ]) {
      expect((await sendParts(platform, [...parts, END])).status).toBe(201)
    }
  })

  it.each([
    ['without a file', (fields: Buffer[]) => [...fields, END], 400, 'INVALID_INPUT'],
    ['with two files', (fields: Buffer[]) => [FILE, ...fields, FILE, END], 400, 'INVALID_INPUT'],
    ['with a field twice', (fields: Buffer[]) => [FILE, ...fields, ...fields, END], 400, 'INVALID_INPUT'],
    ['without fields', () => [FILE, END], 400, 'INVALID_INPUT'],
    [
      'with a long field',
      (fields: Buffer[]) => [...fields, part('note', 'x'.repeat(2_000)), FILE, END],
      400,
      'INVALID_INPUT',
    ],
    [
      'with a field that is not UTF-8',
      (fields: Buffer[]) => [...fields, part('note', Buffer.from('ff', 'hex')), FILE, END],
      400,
      'INVALID_INPUT',
    ],
    [
      'with 30 fields',
      (fields: Buffer[]) => [FILE, ...fields, ...Array.from({ length: 30 }, (_, i) => part(`n${i}`, 'x')), END],
      400,
      'INVALID_REQUEST_FORMAT',
    ],
    ['that ends inside the file', () => [FILE.subarray(0, 200_000)], 400, 'INVALID_REQUEST_FORMAT'],
    [
      'that ends inside a field',
      (fields: Buffer[]) => [FILE, ...fields, part('note', 'x').subarray(0, -3)],
      400,
      'INVALID_REQUEST_FORMAT',
    ],
    ['without its last line', (fields: Buffer[]) => [...fields, FILE], 400, 'INVALID_REQUEST_FORMAT'],
    ['of nothing', () => [Buffer.from('hello')], 400, 'INVALID_REQUEST_FORMAT'],
  ])('%s is refused, and nothing is stored', async (_what, partsOf, status, code) => {
    const { platform, fields } = await create()
    const known = Object.entries(fields).map(([field, value]) => part(field, value))
    const answer = await sendParts(platform, partsOf(known))
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
    expect(await storedOf(platform)).toEqual(NOTHING)
  })

  it.each([
    ['application/json', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['multipart/form-data; charset=utf-8', 400, 'INVALID_REQUEST_FORMAT'],
  ])('of the type %s is refused', async (type, status, code) => {
    const { platform } = await create()
    const answer = await sendParts(platform, [FILE, END], type)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  it('is refused before its body is read, without the permission or with too long a body', async () => {
    const viewer = await createPlatform(['VIEW'])
    expect(await sendForm(gateway, viewer, formOf(pdf(100), {}))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    const { platform } = await create()
    const headers = {
      authorization: basic(platform),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '20000000',
    }
    const answer = await sendRaw(gateway.url, head('POST', '/2025-10-13/documents', headers))
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})

it('when the client goes away in the middle, nothing stays of its file', async () => {
  const { platform } = await create()
  const headers = {
    authorization: basic(platform),
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': '5000000',
  }
  const socket = open(gateway.url)
  socket.write(head('POST', '/2025-10-13/documents', headers))
  socket.write(part('file', pdf(3_000_000), '; filename="a.pdf"').subarray(0, 2_000_000))
  while ((await storedOf(platform)).chunks === 0) await pause(20)
  socket.destroy()
  while ((await storedOf(platform)).files > 0) await pause(20)
  expect(await storedOf(platform)).toEqual(NOTHING)
})

it('a document is replaced with its file, and deleted with it', async () => {
  const { platform, fields } = await create()
  const { id } = await sendForm(gateway, platform, formOf(pdf(600_000), { ...fields, side: 'FRONT' }))
  const { documentHolder: _, ...others } = fields
  const file = png(10, 10)
  const replaced = await sendForm(
    gateway,
    platform,
    formOf(file, { ...others, documentType: 'SELFIE' }),
    `/documents/${id}`,
    'PUT',
  )
  expect(replaced).toMatchObject({ status: 200, id, documentType: 'SELFIE', mediaType: 'image/png', size: file.length })
  expect(replaced).not.toHaveProperty('side')
  expect((await fileOf(platform, id)).equals(file)).toBe(true)
  expect(await storedOf(platform)).toEqual({ documents: 1, files: 1, chunks: 1 })
  const other = await createCustomer(platform)
  const moved = { ...fields, documentHolder: publicId('Customer', other.id) }
  expect(await sendForm(gateway, platform, formOf(file, moved), `/documents/${id}`, 'PUT')).toMatchObject({
    status: 400,
    field: 'documentHolder',
  })
  const removal = await fetch(`${gateway.url}/2025-10-13/documents/${id}`, {
    method: 'DELETE',
    headers: { authorization: basic(platform) },
  })
  expect(removal.status).toBe(204)
  expect(await storedOf(platform)).toEqual(NOTHING)
})

describe('an upload address', () => {
  it('takes one file, and its upload makes one document', async () => {
    const { platform, fields } = await create()
    const { upload } = await openUpload(gateway, platform, 700)
    const input = { ...fields, uploadId: upload.uploadId }
    expect(await useUpload(gateway, platform, input)).toMatchObject({ status: 409, reason: 'UPLOAD_NOT_RECEIVED' })
    const both = await Promise.all([put(gateway, upload.url, pdf(700)), put(gateway, upload.url, pdf(700))])
    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect(await put(gateway, upload.url, pdf(700))).toMatchObject({ status: 409, reason: 'UPLOAD_USED' })
    const made = await Promise.all([useUpload(gateway, platform, input), useUpload(gateway, platform, input)])
    expect(made.map(({ status, reason }) => reason ?? status).toSorted()).toEqual([201, 'UPLOAD_USED'])
    expect(await put(gateway, upload.url, pdf(700))).toMatchObject({ status: 409, reason: 'UPLOAD_USED' })
    expect(await storedOf(platform)).toEqual({ documents: 1, files: 1, chunks: 1 })
  })

  it('can be tried again after a failure, and every failure leaves nothing', async () => {
    const { platform } = await create()
    const { upload } = await openUpload(gateway, platform, 600_000)
    const short = { status: 400, code: 'INVALID_INPUT', field: 'size' }
    expect(await put(gateway, upload.url, pdf(599_999))).toMatchObject(short)
    expect(await put(gateway, upload.url, pdf(600_001))).toMatchObject(short)
    expect(await put(gateway, upload.url, Buffer.alloc(600_000))).toMatchObject({ code: 'UNSUITABLE_DOCUMENT' })
    const socket = open(gateway.url)
    socket.write(head('PUT', upload.url, { 'content-length': '600000' }))
    socket.write(pdf(600_000).subarray(0, 300_000))
    while ((await storedOf(platform)).chunks === 0) await pause(20)
    socket.destroy()
    while ((await storedOf(platform)).files > 0) await pause(20)
    expect(await storedOf(platform)).toEqual(NOTHING)
    expect(await put(gateway, upload.url, pdf(600_000))).toMatchObject({ status: 204 })
  })

  it('of another platform is of no use, and neither is one that was made up', async () => {
    const [ours, theirs] = [await create(), await create()]
    const [our, their] = await Promise.all([ours, theirs].map(({ platform }) => openUpload(gateway, platform, 100)))
    await put(gateway, their.upload.url, pdf(100))
    const stolen = { ...ours.fields, uploadId: their.upload.uploadId }
    expect(await useUpload(gateway, ours.platform, stolen)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    const mixed = their.upload.url.slice(0, -43) + our.upload.url.slice(-43)
    for (const url of [mixed, `${our.upload.url}A`, `/2025-10-13/uploads/${our.upload.uploadId}`]) {
      expect(await put(gateway, url, pdf(100))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    }
    expect(await storedOf(ours.platform)).toEqual(NOTHING)
  })

  it('expires, and what was sent and never used is deleted', async () => {
    const { platform, fields } = await create()
    const [late, unused] = await Promise.all([openUpload(gateway, platform, 100), openUpload(gateway, platform, 100)])
    expect(Date.parse(late.upload.expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
    await put(gateway, unused.upload.url, pdf(100))
    const kept = await sendForm(gateway, platform, formOf(pdf(100), fields))
    await expire(platform)
    expect(await put(gateway, late.upload.url, pdf(100))).toMatchObject({ status: 409, reason: 'UPLOAD_EXPIRED' })
    expect(kept.status).toBe(201)
    expect(await storedOf(platform)).toEqual({ documents: 1, files: 1, chunks: 1 })
  })
})

describe('at rest', () => {
  it('a file and the number of its document are sealed', async () => {
    const { platform, fields } = await create()
    const canary = 'CANARY-4711-CANARY'
    await sendForm(gateway, platform, formOf(pdf(5_000, canary), { ...fields, documentNumber: canary }))
    const { rows } = await pool.query(
      `select d::text || u::text || encode(c.body, 'escape') as row from documents d
       join uploads u on u.platform_id = d.platform_id and u.id = d.upload_id
       join upload_chunks c on c.platform_id = u.platform_id and c.upload_id = u.id where d.platform_id = $1`,
      [platform.id],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].row).not.toContain('CANARY')
    expect(rows[0].row).not.toContain(Buffer.from(canary).toString('hex'))
    expect(rows[0].row).not.toContain('%PDF')
  })

  it.each([
    [
      'two chunks were swapped',
      `update upload_chunks c set body = other.body from upload_chunks other
       where c.platform_id = $1 and other.platform_id = $1 and c.number < 2 and other.number = 1 - c.number`,
    ],
    [
      'a bit was flipped',
      `update upload_chunks set body = set_byte(body, 9, 255 - get_byte(body, 9)) where platform_id = $1 and number = 1`,
    ],
    ['the last chunk is missing', `delete from upload_chunks where platform_id = $1 and number = 2`],
    [
      'the key is that of another file',
      `update uploads set sealed_key = set_byte(sealed_key, 20, 255 - get_byte(sealed_key, 20)) where platform_id = $1`,
    ],
  ])('a file does not open when %s', async (_what, statement) => {
    const { platform, fields } = await create()
    const { id } = await sendForm(gateway, platform, formOf(pdf(700_000), fields))
    expect((await fileOf(platform, id)).length).toBe(700_000)
    await pool.query(statement, [platform.id])
    await expect(fileOf(platform, id)).rejects.toThrow()
  })
})

/** Without a copy of the body, which `fetch` makes. */
const sendBytes = async (url: string, headers: Readonly<Record<string, string>>, body: Buffer) => {
  const sent = request(url, { method: 'POST', agent: false, headers })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  answer.resume()
  return answer.statusCode as number
}

it('memory stays flat while many files are received at once', { timeout: 300_000 }, async () => {
  const { platform, fields } = await create()
  const file = pdf(BYTES_AT_ONCE)
  const measured = await startGateway({ LOG_LEVEL: 'error' }, { isMeasured: true })
  await sendForm(measured, platform, formOf(file, fields))
  const parts = [
    part('file', file, '; filename="a.pdf"'),
    ...Object.entries(fields).map(([name, value]) => part(name, value)),
  ]
  const body = Buffer.concat([...parts, END])
  const headers = { authorization: basic(platform), 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
  const before = (await measured.use('memory')).memory
  let most = 0
  let isOver = false
  const watch = (async () => {
    while (!isOver) {
      most = Math.max(most, (await measured.use('memory')).memory)
      await pause(500)
    }
  })()
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, () => sendBytes(`${measured.url}/2025-10-13/documents`, headers, body)),
  )
  isOver = true
  await watch
  await measured.kill()
  const grown = (most - before) / 1e6
  console.log(`${AT_ONCE} uploads of ${BYTES_AT_ONCE / 1e6} MB at once: memory grew by ${grown.toFixed(1)} MB at most`)
  expect(outcomes).toEqual(outcomes.map(() => 201))
  expect(await storedOf(platform)).toMatchObject({ documents: AT_ONCE + 1, files: AT_ONCE + 1 })
  // Ten are received at once, each with its buffers and the sealed copy of a chunk.
  expect(grown).toBeLessThan(60)
})

it('bodies that stand still keep nobody else waiting', async () => {
  const { platform, fields } = await create()
  const headers = {
    authorization: basic(platform),
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': '5000000',
  }
  const stalled = Array.from({ length: 9 }, () => open(gateway.url))
  for (const socket of stalled) {
    socket.write(head('POST', '/2025-10-13/documents', headers))
    socket.write(part('file', pdf(100_000), '; filename="a.pdf"').subarray(0, 50_000))
  }
  await pause(200)
  expect(await sendForm(gateway, platform, formOf(pdf(100), fields))).toMatchObject({ status: 201 })
  for (const socket of stalled) socket.destroy()
  while ((await storedOf(platform)).files > 1) await pause(20)
  expect(await storedOf(platform)).toMatchObject({ documents: 1, files: 1 })
})

it('a page of another origin may not send a file', async () => {
  const { platform } = await create()
  const headers = { authorization: basic(platform), origin: 'https://evil.example' }
  const response = await fetch(`${gateway.url}/2025-10-13/documents`, {
    method: 'POST',
    body: formOf(pdf(100), {}),
    headers,
  })
  expect(await outcomeOf(response)).toMatchObject({ status: 403, reason: 'ORIGIN_NOT_ALLOWED' })
})
