// Files of documents: what is accepted, what is refused, and that nothing remains of refused files.
// Own process: its gateway must log nothing, so its database has no other work.
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { pool } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { codeOf, head, open, pause, sendRaw } from '#test/setup/raw-http.ts'
import {
  createHolder,
  expireUploads,
  fileOf,
  formOf,
  jpeg,
  NOTHING,
  pdf,
  png,
  sendForm,
  storedOf,
  uploadFaces,
} from '#test/setup/verification/uploads.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

const MOST = 10_000_000
/** The campaign `uploads` sends 50 files of 10 MB. */
const AT_ONCE = Number(process.env['UPLOADS'] ?? 12)
const BYTES_AT_ONCE = Number(process.env['UPLOAD_BYTES'] ?? 2_000_000)

let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await startGateway({ LOG_LEVEL: 'error' })
})
afterAll(async () => {
  expect(gateway.log()).toBe('')
  await gateway.kill()
})

describe.each(uploadFaces)('over $name', ({ name, upload }) => {
  it.each([1, 0])('a file of 10 MB less %i byte is stored as it was sent', async (less) => {
    const { platform, fields } = await createHolder()
    const file = pdf(MOST - less)
    const outcome = await upload(gateway, platform, file, fields)
    expect(outcome).toMatchObject({ status: 201, mediaType: 'application/pdf', size: MOST - less })
    expect((await fileOf(platform, outcome.id)).equals(file)).toBe(true)
    expect(await storedOf(platform)).toEqual({ documents: 1, files: 1, chunks: 39 })
  })

  it('a file of 10 MB and 1 byte is refused', async () => {
    const { platform, fields } = await createHolder()
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
  ])('the bytes decide the type, not the name: %s', async (mediaType, file) => {
    const { platform, fields } = await createHolder()
    expect(await upload(gateway, platform, file, fields, 'invoice.exe')).toMatchObject({ status: 201, mediaType })
  })

  it.each([
    ['HTML', Buffer.from('<html><script>alert(1)</script></html>'.padEnd(100))],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(100))],
    ['GIF', Buffer.from('GIF89a'.padEnd(100))],
    ['a ZIP', Buffer.from('504b0304'.padEnd(200, '0'), 'hex')],
    ['a PDF behind other bytes', Buffer.concat([Buffer.from('x'), pdf(100)])],
    ['a PNG of 60,000 × 60,000 points', png(60_000, 60_000)],
    ['one byte', Buffer.from('%')],
  ])('%s under the name of a PDF is refused', async (_what, file) => {
    const { platform, fields } = await createHolder()
    const refusal = { status: 400, code: 'UNSUITABLE_DOCUMENT', field: 'file' }
    expect(await upload(gateway, platform, file, fields, 'passport.pdf')).toMatchObject(refusal)
    expect(await storedOf(platform)).toEqual(NOTHING)
  })

  it.each([
    ['PDF', pdf(10_000).subarray(0, 5_000)],
    ['JPEG', jpeg().subarray(0, 60)],
    ['PNG', png(20, 30).subarray(0, 60)],
  ])('a truncated %s is incomplete', async (_what, file) => {
    const { platform, fields } = await createHolder()
    const refusal = { status: 400, code: 'INCOMPLETE', field: 'file' }
    expect(await upload(gateway, platform, file, fields)).toMatchObject(refusal)
    expect(await storedOf(platform)).toEqual(NOTHING)
  })

  it('a document that cannot be created leaves no file behind', async () => {
    const { platform, customer, fields } = await createHolder()
    const stranger = await createHolder()
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
    if (name === 'GraphQL') await expireUploads(platform)
    expect(await storedOf(platform)).toEqual(NOTHING)
  })
})

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
  it('may have its parts in any order, and unknown fields and files', async () => {
    const { platform, fields } = await createHolder()
    const known = Object.entries(fields).map(([field, value]) => part(field, value))
    const unknown = [part('__proto__', 'x'), part('note', 'x'), part('preview', png(2, 3), '; filename="p.png"')]
    for (const parts of [
      [FILE, ...known, ...unknown],
      [...unknown, ...known, FILE],
      [...known, part('file', pdf(99))],
    ]) {
      expect((await sendParts(platform, [...parts, END])).status).toBe(201)
    }
  })

  it('whose file has another name lacks the file', async () => {
    const { platform, fields } = await createHolder()
    const known = Object.entries(fields).map(([field, value]) => part(field, value))
    const misnamed = part('document', png(2, 3), '; filename="p.png"')
    const answer = await sendParts(platform, [...known, misnamed, END])
    expect(answer.body).toContain('file is required')
    expect(await storedOf(platform)).toEqual(NOTHING)
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
      'that ends inside an unknown file',
      (fields: Buffer[]) => [...fields, FILE, part('preview', png(2, 3), '; filename="p.png"').subarray(0, -9)],
      400,
      'INVALID_REQUEST_FORMAT',
    ],
    [
      'that ends inside a field',
      (fields: Buffer[]) => [FILE, ...fields, part('note', 'x').subarray(0, -3)],
      400,
      'INVALID_REQUEST_FORMAT',
    ],
    ['without its last line', (fields: Buffer[]) => [...fields, FILE], 400, 'INVALID_REQUEST_FORMAT'],
    ['of nothing', () => [Buffer.from('hello')], 400, 'INVALID_REQUEST_FORMAT'],
  ])('%s is refused, and nothing is stored', async (_what, partsOf, status, code) => {
    const { platform, fields } = await createHolder()
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
    const { platform } = await createHolder()
    const answer = await sendParts(platform, [FILE, END], type)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  it.each([
    ['POST', '/documents'],
    ['PUT', '/documents/x'],
    ['POST', '/customers/bulk/csv'],
  ])('%s %s without a body is INVALID_REQUEST_FORMAT, after the permission is checked', async (method, path) => {
    const answerTo = async (by: Platform) => {
      const response = await fetch(`${gateway.url}/2025-10-13${path}`, {
        method,
        headers: { authorization: basic(by) },
      })
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await answerTo(await createPlatform())).toEqual([400, 'INVALID_REQUEST_FORMAT'])
    expect(await answerTo(await createPlatform(['VIEW']))).toEqual([403, 'FORBIDDEN'])
  })

  it('is refused before its body is read, without the permission or with too long a body', async () => {
    const viewer = await createPlatform(['VIEW'])
    expect(await sendForm(gateway, viewer, formOf(pdf(100), {}))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    const { platform } = await createHolder()
    const headers = {
      authorization: basic(platform),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': '20000000',
    }
    const answer = await sendRaw(gateway.url, head('POST', '/2025-10-13/documents', headers))
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })
})

it('when the client disconnects in the middle, nothing of its file remains', async () => {
  const { platform } = await createHolder()
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
  const { platform, fields } = await createHolder()
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

/** Without a copy of the body, which `fetch` makes. */
const sendBytes = async (url: string, headers: Readonly<Record<string, string>>, body: Buffer) => {
  const sent = request(url, { method: 'POST', agent: false, headers })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  answer.resume()
  return answer.statusCode as number
}

it('memory stays flat while many files are received at once', { timeout: 300_000 }, async () => {
  const { platform, fields } = await createHolder()
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
  // Ten files are received at once, each with its buffers and the encrypted copy of a chunk.
  expect(grown).toBeLessThan(20)
})

it('stalled bodies do not keep others waiting', async () => {
  const { platform, fields } = await createHolder()
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
  const { platform } = await createHolder()
  const headers = {
    authorization: basic(platform),
    'content-type': 'multipart/form-data; boundary=x',
    origin: 'https://evil.example',
  }
  const answer = await sendRaw(gateway.url, head('POST', '/2025-10-13/documents', headers))
  expect([answer.status, answer.body.includes('ORIGIN_NOT_ALLOWED')]).toEqual([403, true])
})
