// Requests whose body is a file. Their bodies may be longer and slower than others, and are read as they arrive.
import { readBytes } from '#core/body.ts'
import { pathOf, type RequestHead } from './request-head.ts'

/** A route that takes a file. `path` has parameters as routes have: `/documents/:id`. */
export interface UploadRoute {
  readonly method: 'POST' | 'PUT'
  readonly path: string
  /** The limit for the whole body. */
  readonly maxBytes: number
  /** Whether the body is multipart/form-data. Otherwise it is the file itself, of any type. */
  readonly isForm: boolean
}

/** The upload route that the request is for, if any. `base` is the start of the paths of all routes. */
export const createUploadFinder = (base: string, routes: readonly UploadRoute[]) => {
  const patterns = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${base}${route.path.replaceAll(/:\w+/g, '[^/]+')}/?$`),
  }))
  return ({ method, target }: Pick<RequestHead, 'method' | 'target'>): UploadRoute | undefined =>
    patterns.find(({ route, pattern }) => route.method === method && pattern.test(pathOf(target)))?.route
}

const DRAINED_BYTES = 20_000_000
const DRAINED_MS = 5_000

/**
 * Keeps reading for a while after a refusal, and drops the data. A client that is still sending would get a reset connection instead of its
 * response.
 */
export const drain = async (body: ReadableStream<Uint8Array> | null): Promise<void> => {
  const until = performance.now() + DRAINED_MS
  let left = DRAINED_BYTES
  try {
    for await (const { byteLength } of readBytes(body)) {
      left -= byteLength
      if (left < 0 || performance.now() > until) return
    }
  } catch {
    // The client has gone.
  }
}
