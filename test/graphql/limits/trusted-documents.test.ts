// Trusted documents: clients send the ids of documents that were known when they were built, and nothing else is executed.
// Own process: sets TRUSTED_DOCUMENTS.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { readManifest } from '#graphql/limits/trusted-documents.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

vi.hoisted(() => {
  Object.assign(process.env, {
    TRUSTED_DOCUMENTS: 'test/gql/persisted-documents.json',
    TRUSTED_DOCUMENTS_ONLY: 'true',
  })
})

const manifest = JSON.parse(readFileSync('test/gql/persisted-documents.json', 'utf8')) as Record<string, string>
const idOf = (operation: string) =>
  Object.entries(manifest).find(([, document]) => document.startsWith(`query ${operation} `))?.[0]

let platform: Platform

beforeAll(async () => {
  platform = await createPlatform()
})

interface Body {
  readonly data?: object
  readonly errors?: readonly { readonly extensions: { readonly code: string; readonly details?: object } }[]
}

const send = async (body: object) => {
  const headers = { 'content-type': 'application/json', authorization: basic(platform) }
  const response = await app.fetch(
    new Request('http://test/graphql', { method: 'POST', headers, body: JSON.stringify(body) }),
  )
  return { http: response.status, body: (await response.json()) as Body }
}

it('a known id executes its document', async () => {
  const { http, body } = await send({ documentId: idOf('Myself') })
  expect({ http, body }).toEqual({
    http: 200,
    body: { data: { viewer: expect.any(Object), apiInfo: expect.any(Object) } },
  })
})

const NO_ID = { field: 'documentId', reason: 'NOT_TRUSTED' }
const persistedQuery = { version: 1, sha256Hash: '0'.repeat(64) }

it.each([
  ['a document', { query: '{ apiInfo { version } }' }, NO_ID],
  ['a document that is trusted, as text', { query: manifest[idOf('Myself') ?? ''] }, NO_ID],
  [
    'both',
    { documentId: idOf('Myself'), query: '{ viewer { subject } }' },
    { field: 'query', reason: 'TWO_DOCUMENTS' },
  ],
  ['an unknown id', { documentId: '0'.repeat(64) }, NO_ID],
  ['a name that every object has', { documentId: 'constructor' }, NO_ID],
  ['an empty id', { documentId: '' }, NO_ID],
  ['an id that is no text', { documentId: [idOf('Myself')] }, NO_ID],
  ['an unknown hash', { extensions: { persistedQuery } }, { ...NO_ID, field: 'extensions.persistedQuery.sha256Hash' }],
])('%s is rejected without a database query', async (_name, sent, details) => {
  expect(await withoutStatements(() => send(sent))).toMatchObject({
    http: 400,
    body: { errors: [{ extensions: { code: 'INVALID_INPUT', details } }] },
  })
})

const withoutStatements = async <T>(act: () => Promise<T>): Promise<T> => {
  const statements = vi.spyOn(pg.Client.prototype, 'query')
  try {
    const result = await act()
    expect(statements).not.toHaveBeenCalled()
    return result
  } finally {
    statements.mockRestore()
  }
}

it('the gateway refuses to start with an invalid manifest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'))
  try {
    for (const content of ['[]', '{"a":1}', '{"a":""}', '"text"', '{']) {
      const path = join(folder, 'documents.json')
      writeFileSync(path, content)
      expect(() => readManifest(path)).toThrow()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
