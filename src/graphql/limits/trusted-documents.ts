// Trusted documents, which clients register at build time and send by id. All other documents can be refused.
import { readFileSync } from 'node:fs'
import type { Plugin } from 'graphql-yoga'
import { z } from 'zod'
import { StartProblem } from '#core/environment.ts'
import { ApiError } from '#core/errors.ts'

/** Document texts, keyed by the id that a client's code generator assigned. */
export type Manifest = ReadonlyMap<string, string>

const manifest = z.record(z.string().min(1), z.string().min(1))

/** Reads a file such as `persisted-documents.json`. An invalid file prevents startup. */
export const readManifest = (path: string): Manifest => {
  try {
    return new Map(Object.entries(manifest.parse(JSON.parse(readFileSync(path, 'utf8')))))
  } catch {
    throw new StartProblem(`TRUSTED_DOCUMENTS must be a JSON file that maps ids to GraphQL documents: ${path}`)
  }
}

/**
 * Puts the document in the place of its `documentId`. 400 `INVALID_INPUT` for an id that is unknown or comes with a document, and,
 * where only trusted documents are executed, for any other document.
 */
export const useTrustedDocuments = (known: Manifest, { only }: { readonly only: boolean }): Plugin => ({
  onParams({ params, setParams }) {
    const { documentId, ...others } = params as typeof params & { documentId?: unknown }
    if (documentId === undefined || documentId === null) {
      if (only) throw refusal('documentId', 'Only trusted documents are executed. Send a documentId.', 'NOT_TRUSTED')
      return
    }
    if (params.query) throw refusal('query', 'query cannot be combined with documentId', 'TWO_DOCUMENTS')
    const query = typeof documentId === 'string' ? known.get(documentId) : undefined
    if (query === undefined) throw refusal('documentId', 'documentId is unknown', 'NOT_TRUSTED')
    setParams({ ...others, query })
  },
})

const refusal = (field: string, message: string, reason: string) =>
  new ApiError('INVALID_INPUT', message, { field, reason })
