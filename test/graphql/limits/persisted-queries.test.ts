// Documents by their hash, as Apollo Client, urql and Relay send them: known ones are executed, and for unknown ones the gateway asks for the text.
// Own process: sets TRUSTED_DOCUMENTS.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { readManifest } from '#graphql/limits/trusted-documents.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const { QUERY, WRITE } = await vi.hoisted(async () => {
  const { mkdtempSync, writeFileSync } = await import('node:fs')
  const QUERY = 'query Page($first: Int) { transactions(first: $first) { totalCount } }'
  const WRITE = 'mutation { revokeSession(input: { id: "Session:x" }) { __typename } }'
  const operations = [
    { id: 'page', name: 'Page', type: 'query', body: QUERY },
    { id: 'write', name: 'Write', type: 'mutation', body: WRITE },
  ]
  const path = `${mkdtempSync(`${process.env['TMPDIR'] ?? '/tmp'}/manifest-`)}/apollo.json`
  writeFileSync(path, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }))
  process.env['TRUSTED_DOCUMENTS'] = path
  return { QUERY, WRITE }
})

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const byHash = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } })

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

const answerOf = async (path: string, init: RequestInit = {}) => {
  const headers = { accept: 'application/json', 'content-type': 'application/json', authorization: basic(platform) }
  const response = await app.fetch(new Request(`http://test/graphql${path}`, { ...init, headers }))
  return { http: response.status, body: await response.json() }
}
const post = (body: object) => answerOf('', { method: 'POST', body: JSON.stringify(body) })
const get = (params: Record<string, string>) => answerOf(`?${new URLSearchParams(params)}`)

const ANSWER = { http: 200, body: { data: { transactions: { totalCount: 0 } } } }
const variables = { first: 1 }

it.each([
  ['the id of its manifest', 'page'],
  ['its SHA-256', hashOf(QUERY)],
  ['its SHA-256 with the name of the hash', `sha256:${hashOf(QUERY)}`],
])('a trusted document is executed by %s', async (_name, id) => {
  expect(await post({ documentId: id, variables })).toEqual(ANSWER)
  expect(await post({ extensions: byHash(id), variables })).toEqual(ANSWER)
  expect(await get({ documentId: id, variables: JSON.stringify(variables) })).toEqual(ANSWER)
  const extensions = JSON.stringify(byHash(id))
  expect(await get({ extensions, variables: JSON.stringify(variables) })).toEqual(ANSWER)
})

it('a trusted mutation is not executed by GET', async () => {
  expect(await get({ documentId: 'write' })).toMatchObject({ http: 405 })
  expect(hashOf(WRITE)).toHaveLength(64)
})

const UNTRUSTED = 'query Other { transactions(first: 2) { totalCount } }'
const NOT_FOUND = { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] }

it('the text of an unknown document is requested, and then executed', async () => {
  const extensions = byHash(hashOf(UNTRUSTED))
  for (const answer of [await post({ extensions }), await get({ extensions: JSON.stringify(extensions) })]) {
    expect(answer).toMatchObject({ http: 200, body: NOT_FOUND })
  }
  expect(await get({ documentId: 'nobody' })).toMatchObject({ http: 200, body: NOT_FOUND })
  expect(await post({ query: UNTRUSTED, extensions })).toEqual(ANSWER)
  // Nothing that strangers send is remembered.
  expect(await post({ extensions })).toMatchObject({ body: NOT_FOUND })
})

it('a document that does not match its hash is refused', async () => {
  expect(await post({ query: UNTRUSTED, extensions: byHash(hashOf(QUERY)) })).toMatchObject({
    body: { errors: [{ extensions: { code: 'INVALID_INPUT', details: { reason: 'WRONG_HASH' } } }] },
  })
})

it.each([
  [
    'of Apollo',
    {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [{ id: 'a', name: 'A', type: 'query', body: QUERY }],
    },
  ],
  ['of Relay', { a: QUERY }],
])('a manifest %s is taken as it is', (_name, content) => {
  const folder = mkdtempSync(join(tmpdir(), 'manifest-'))
  try {
    const path = join(folder, 'documents.json')
    writeFileSync(path, JSON.stringify(content))
    const known = readManifest(path)
    expect([known.get('a'), known.get(hashOf(QUERY)), known.size]).toEqual([QUERY, QUERY, 3])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
