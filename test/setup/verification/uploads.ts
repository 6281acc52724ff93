// Uploads of documents over both faces, through a gateway process: multipart over REST, a staged upload over GraphQL.
import { type PlatformId, publicId } from '#core/ids.ts'
import { pool } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'
import { deleteUnusedUploads } from '#uploads/clean-up.ts'
import { readFile } from '#uploads/file.ts'

/** A PDF of this size, by its first and last bytes. */
export const pdf = (size: number, content = ''): Buffer => {
  const file = Buffer.alloc(size, 0x20)
  file.write(`%PDF-1.7\n${content}`)
  file.write('%%EOF', size - 5)
  return file
}

const PNG_START = '89504e470d0a1a0a0000000d49484452'

export const png = (width: number, height: number): Buffer => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([Buffer.from(PNG_START, 'hex'), size, Buffer.alloc(100), Buffer.from('49454e44ae426082', 'hex')])
}

export const jpeg = (): Buffer =>
  Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(100), Buffer.from('ffd9', 'hex')])

export interface Outcome {
  readonly status: number
  readonly code?: string | undefined
  readonly reason?: string | undefined
  readonly field?: string | undefined
  /** `Document:<uuid>` */
  readonly id?: string | undefined
  readonly mediaType?: string | undefined
  readonly size?: number | undefined
}

type Fields = Readonly<Record<string, string>>

export interface UploadFace {
  readonly name: string
  upload(gateway: GatewayProcess, platform: Platform, file: Buffer, fields: Fields, fileName?: string): Promise<Outcome>
}

const VERSION = '/2025-10-13'

export const outcomeOf = async (response: Response): Promise<Outcome> => {
  const text = await response.text()
  const { details, ...body } = text === '' ? {} : JSON.parse(text)
  return { status: response.status, ...details, ...body }
}

export const formOf = (file: Buffer, fields: Fields, fileName = 'file'): FormData => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(file)], { type: 'application/pdf' }), fileName)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

export const sendForm = async (
  gateway: GatewayProcess,
  platform: Platform,
  form: FormData,
  path = '/documents',
  method = 'POST',
) =>
  outcomeOf(
    await fetch(`${gateway.url}${VERSION}${path}`, { method, body: form, headers: { authorization: basic(platform) } }),
  )

const CREATE_UPLOAD = `mutation ($input: CreateDocumentUploadInput!) {
  answer: createDocumentUpload(input: $input) {
    ... on CreateDocumentUploadSuccess { upload { uploadId url expiresAt } }
    ... on ApiError { status code details { field reason } }
  }
}`

const CREATE_DOCUMENT = `mutation ($input: CreateDocumentInput!) {
  answer: createDocument(input: $input) {
    ... on CreateDocumentSuccess { document { id mediaType size } }
    ... on ApiError { status code details { field reason } }
  }
}`

export const mutate = async (gateway: GatewayProcess, platform: Platform, query: string, input: object) => {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { authorization: basic(platform), 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { input } }),
  })
  const body = await response.json()
  if (body.errors) throw new Error(JSON.stringify(body))
  const { details, ...answer } = body.data.answer
  return { ...details, ...answer }
}

export const openUpload = (gateway: GatewayProcess, platform: Platform, size: number) =>
  mutate(gateway, platform, CREATE_UPLOAD, { size })

export const put = async (gateway: GatewayProcess, url: string, file: Buffer): Promise<Outcome> =>
  outcomeOf(await fetch(`${gateway.url}${url}`, { method: 'PUT', body: new Uint8Array(file) }))

export const useUpload = async (gateway: GatewayProcess, platform: Platform, input: object): Promise<Outcome> => {
  const { document, ...failure } = await mutate(gateway, platform, CREATE_DOCUMENT, input)
  return document ? { status: 201, ...document } : failure
}

const overRest: UploadFace = {
  name: 'REST',
  upload: (gateway, platform, file, fields, fileName) => sendForm(gateway, platform, formOf(file, fields, fileName)),
}

const overGraphQL: UploadFace = {
  name: 'GraphQL',
  upload: async (gateway, platform, file, fields) => {
    const { upload, ...refusal } = await openUpload(gateway, platform, file.length)
    if (!upload) return refusal
    const sent = await put(gateway, upload.url, file)
    return sent.status === 204 ? useUpload(gateway, platform, { ...fields, uploadId: upload.uploadId }) : sent
  },
}

export const uploadFaces = [overRest, overGraphQL]

/** How many rows the platform has: documents, files, and chunks. */
export const storedOf = async ({ id }: Platform) => {
  const { rows } = await pool.query(
    `select (select count(*)::int from documents where platform_id = $1) as documents,
       (select count(*)::int from uploads where platform_id = $1 and state <> 'EXPECTED') as files,
       (select count(*)::int from upload_chunks where platform_id = $1) as chunks`,
    [id],
  )
  return rows[0] as { documents: number; files: number; chunks: number }
}

export const NOTHING = { documents: 0, files: 0, chunks: 0 }

/** A platform with a customer, and the fields of a document about it. */
export const createHolder = async () => {
  const platform = await createPlatform()
  const customer = await createCustomer(platform, { verificationStatus: 'UNVERIFIED' })
  const fields = { documentHolder: publicId('Customer', customer.id), documentType: 'PASSPORT', country: 'DE' }
  return { platform, customer, fields }
}

const uuidOf = (id = '') => id.slice(id.indexOf(':') + 1)

/** The stored file of a document. */
export const fileOf = async ({ id: platformId }: Platform, documentId: string | undefined): Promise<Buffer> => {
  const text = 'select upload_id as id from documents where platform_id = $1 and id = $2'
  const { rows } = await pool.query<{ id: string }>(text, [platformId, uuidOf(documentId)])
  const chunks: Buffer[] = []
  for await (const chunk of readFile({ platformId: platformId as PlatformId, id: rows[0]?.id ?? '' }))
    chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Makes files that are not kept expire, and cleans up. */
export const expireUploads = async ({ id }: Platform) => {
  await pool.query("update uploads set expires_at = now() - interval '1 minute' where platform_id = $1", [id])
  await deleteUnusedUploads.run({})
}
