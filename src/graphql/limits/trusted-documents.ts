// Trusted documents, which clients register at build time and send by id. All other documents can be refused.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { z } from 'zod'
import { StartupError } from '#core/environment.ts'
import { ApiError } from '#core/errors.ts'

/** Document texts, keyed by their ids and by the SHA-256 of each text. */
export type Manifest = ReadonlyMap<string, string>

const text = z.string().min(1)

/** The forms that Relay and GraphQL Code Generator write, and that of Apollo. */
const manifest = z.union([
  z
    .object({
      format: z.literal('apollo-persisted-query-manifest'),
      operations: z.array(z.object({ id: text, body: text })),
    })
    .transform(({ operations }) => operations.map(({ id, body }) => [id, body] as const)),
  z.record(text, text).transform((documents) => Object.entries(documents)),
])

const hashOf = (document: string) => createHash('sha256').update(document, 'utf8').digest('hex')

/** Reads a manifest. An invalid one prevents startup, with an error that names the setting. */
export const readManifest = (path: string, setting = 'TRUSTED_DOCUMENTS'): Manifest => {
  try {
    const documents = manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
    const keysOf = (id: string, document: string) => [id, hashOf(document), `sha256:${hashOf(document)}`]
    return new Map(documents.flatMap(([id, document]) => keysOf(id, document).map((key) => [key, document] as const)))
  } catch {
    throw new StartupError(`${setting} must be a manifest of Relay, GraphQL Code Generator or Apollo: ${path}`)
  }
}

const trusted = new Map<string, string>()

/** Trusts the documents of a manifest from now on. */
export const trustDocuments = (path: string, setting?: string): void => {
  for (const [id, document] of readManifest(path, setting)) trusted.set(id, document)
}

/** Trusts the documents of a built dashboard, which sends only their ids. The folder of another application may have no manifest. */
export const trustDashboard = (directory: string): void => {
  const path = join(directory, 'documents.json')
  if (existsSync(path)) trustDocuments(path, 'documents.json in DASHBOARD_DIRECTORY')
}

/**
 * Replaces an id with its document: `documentId`, or `extensions.persistedQuery.sha256Hash`. An unknown id without a
 * document is `PERSISTED_QUERY_NOT_FOUND`, so that the client sends the document. While nothing is trusted, a hash is
 * `PERSISTED_QUERY_NOT_SUPPORTED`, so that the client stops sending hashes. 400 `INVALID_INPUT` for a `documentId` beside a
 * document, for a hash that is not the document's, and, where only trusted documents are executed, for anything else: sending
 * the document would not help.
 */
export const useTrustedDocuments = ({ only }: { readonly only: boolean }): Plugin => ({
  onParams({ request, params, setParams }) {
    const { documentId: _, ...others }: Params = params
    const documentId = documentIdOf(request, params)
    const id = documentId ?? hashIn(others)
    if (others.query) {
      if (documentId !== undefined) throw refusal('query', 'query cannot be combined with documentId', 'TWO_DOCUMENTS')
      if (id !== undefined && typeof others.query === 'string' && id !== hashOf(others.query)) {
        throw refusal(HASH, 'sha256Hash is not the hash of the query', 'WRONG_HASH')
      }
      if (only) throw untrusted()
    } else if (id !== undefined) {
      const query = typeof id === 'string' ? trusted.get(id) : undefined
      const field = documentId === undefined ? HASH : 'documentId'
      if (query === undefined) throw only ? untrusted(field) : unknownDocument(field)
      setParams({ ...others, query })
    } else if (only) throw untrusted()
  },
})

type Params = GraphQLParams & { readonly documentId?: unknown }

/** Also reads the URL of a GET, from which the server takes only the standard parameters. Null counts as absent. */
const documentIdOf = ({ method, url }: Request, { documentId }: Params): unknown =>
  (method === 'GET' ? new URL(url).searchParams.get('documentId') : documentId) ?? undefined

const HASH = 'extensions.persistedQuery.sha256Hash'

const hashIn = ({ extensions }: Params): unknown => {
  const persisted: unknown = extensions?.['persistedQuery']
  if (typeof persisted !== 'object' || persisted === null) return undefined
  return (persisted as { readonly sha256Hash?: unknown }).sha256Hash
}

/** The messages are those that clients look for. */
const unknownDocument = (field: string) =>
  field === HASH && trusted.size === 0
    ? new ApiError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported', { field })
    : new ApiError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', { field })

const untrusted = (field = 'documentId') =>
  refusal(field, 'Only trusted documents are executed: send the id of one', 'NOT_TRUSTED')

const refusal = (field: string, message: string, reason: string) =>
  new ApiError('INVALID_INPUT', message, { field, reason })
