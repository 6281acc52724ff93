// Addresses for the files of documents, and files at rest.
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pool } from '#database/db.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { head, open, pause } from '#test/setup/raw-http.ts'
import {
  createHolder,
  expireUploads,
  fileOf,
  formOf,
  NOTHING,
  openUpload,
  pdf,
  put,
  sendForm,
  storedOf,
  useUpload,
} from '#test/setup/verification/uploads.ts'

let gateway: GatewayProcess

beforeAll(async () => {
  gateway = await startGateway({ LOG_LEVEL: 'error' })
})
afterAll(async () => {
  await gateway.kill()
  // It also runs jobs that other files left in this database.
  const lines = gateway.log().split('\n')
  expect(lines.filter((line) => line && !line.includes('"task":"advancePayment'))).toEqual([])
})

describe('an upload address', () => {
  it('accepts one file, and its upload becomes one document', async () => {
    const { platform, fields } = await createHolder()
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

  it('can be used again after a failure, and a failure leaves nothing behind', async () => {
    const { platform } = await createHolder()
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

  it('can be used again at once after the connection broke, before the gateway notices', async () => {
    const { platform, fields } = await createHolder()
    const { upload } = await openUpload(gateway, platform, 600_000)
    const file = pdf(600_000)
    const stalled = open(gateway.url)
    stalled.write(head('PUT', upload.url, { 'content-length': '600000' }))
    stalled.write(file.subarray(0, 300_000))
    while ((await storedOf(platform)).chunks === 0) await pause(20)
    expect(await put(gateway, upload.url, file)).toMatchObject({ status: 204 })
    const answered = once(stalled, 'data')
    stalled.write(file.subarray(300_000))
    expect(String(await answered)).toMatch(/^HTTP\/1.1 409 /)
    stalled.destroy()
    const { id } = await useUpload(gateway, platform, { ...fields, uploadId: upload.uploadId })
    expect(file.equals(await fileOf(platform, id))).toBe(true)
  })

  it('keeps a file that is complete, although its request failed', async () => {
    const { platform } = await createHolder()
    const { upload } = await openUpload(gateway, platform, 600_000)
    const socket = open(gateway.url)
    socket.write(head('PUT', upload.url, { 'content-length': '600000' }))
    socket.write(pdf(600_000).subarray(0, 300_000))
    while ((await storedOf(platform)).chunks === 0) await pause(20)
    // As when only the answer of the last statement is lost.
    await pool.query(
      `update uploads set state = 'READY', size = 600000, sha256 = sha256(''), media_type = 'application/pdf' where platform_id = $1`,
      [platform.id],
    )
    const answered = once(socket, 'data')
    socket.write(Buffer.alloc(300_000))
    expect(String(await answered)).toMatch(/^HTTP\/1.1 409 /)
    socket.destroy()
    expect(await storedOf(platform)).toMatchObject({ files: 1, chunks: expect.any(Number) })
    expect((await storedOf(platform)).chunks).toBeGreaterThan(0)
  })

  it('of another platform does not work, and neither does an invented one', async () => {
    const [ours, theirs] = [await createHolder(), await createHolder()]
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

  it('expires, and a file that was sent but never used is deleted', async () => {
    const { platform, fields } = await createHolder()
    const [late, unused] = await Promise.all([openUpload(gateway, platform, 100), openUpload(gateway, platform, 100)])
    expect(Date.parse(late.upload.expiresAt) - Date.now()).toBeGreaterThan(14 * 60_000)
    await put(gateway, unused.upload.url, pdf(100))
    const kept = await sendForm(gateway, platform, formOf(pdf(100), fields))
    await expireUploads(platform)
    expect(await put(gateway, late.upload.url, pdf(100))).toMatchObject({ status: 409, reason: 'UPLOAD_EXPIRED' })
    expect(kept.status).toBe(201)
    expect(await storedOf(platform)).toEqual({ documents: 1, files: 1, chunks: 1 })
  })
})

describe('at rest', () => {
  it('a file and the number of its document are encrypted', async () => {
    const { platform, fields } = await createHolder()
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
  ])('a file cannot be decrypted when %s', async (_what, statement) => {
    const { platform, fields } = await createHolder()
    const { id } = await sendForm(gateway, platform, formOf(pdf(700_000), fields))
    expect((await fileOf(platform, id)).length).toBe(700_000)
    await pool.query(statement, [platform.id])
    await expect(fileOf(platform, id)).rejects.toThrow()
  })
})
