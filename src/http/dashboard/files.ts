// Serves the built dashboard, a browser application, from a folder. Its page answers every path that is not part of the API.
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { config } from '#core/config.ts'
import { StartupError } from '#core/environment.ts'
import { createFile, type File } from '#http/file.ts'
import type { RequestHead } from '#http/request-head.ts'

/** Scripts and styles come from our own files only. Scripts may set styles of elements, which the policy does not concern. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HARDENED = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

/** Files of other types are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const PAGE = '/index.html'

/** Vite puts a hash into the names of the files in this folder. */
const cachingOf = (path: string) => (path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')

/** Keyed by path. */
type Files = ReadonlyMap<string, File>

const readFiles = async (directory: string): Promise<Files> => {
  const files = new Map<string, File>()
  for (const name of namesIn(directory)) {
    const type = TYPES[extname(name)]
    if (!type) continue
    const path = `/${name.split(sep).join('/')}`
    const headers = {
      ...HARDENED,
      'content-type': type,
      'cache-control': cachingOf(path),
      vary: path === PAGE ? 'accept, accept-encoding' : 'accept-encoding',
    }
    const content = readFileSync(join(directory, name))
    files.set(path, await createFile(path === PAGE ? markGraphiql(content.toString()) : content, headers))
  }
  if (!files.has(PAGE)) throw new StartupError(`DASHBOARD_DIRECTORY must be a folder with index.html: ${directory}`)
  return files
}

/** Tells the page whether it can link to GraphiQL. */
const markGraphiql = (page: string) => (config.graphiql ? page.replace('<html', '<html data-graphiql') : page)

const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
}

let files: Files | undefined

/** Serves the dashboard in a folder from now on. Nothing that is added to the folder later is served. */
export const serveDashboard = async (directory: string): Promise<void> => {
  files = await readFiles(directory)
}

const RETRY_SECONDS = '2'

/** Shows a text to browsers until there is a dashboard. They load it again every few seconds. */
export const serveNotice = async (text: string): Promise<void> => {
  const headers = {
    ...HARDENED,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': RETRY_SECONDS,
    refresh: RETRY_SECONDS,
  }
  files = new Map([[PAGE, await createFile(text, headers, 503)]])
}

if (config.dashboard.directory !== null) await serveDashboard(config.dashboard.directory)

/** A file of the dashboard, or its page for browsers that open any other path. Do not call it for paths that others answer. */
export const dashboardFileAt = (
  path: string,
  { method, header }: Pick<RequestHead, 'method' | 'header'>,
): File | undefined => {
  if (!files || method !== 'GET') return undefined
  const file = files.get(path)
  if (file && path !== PAGE) return file
  return header('accept')?.includes('text/html') ? files.get(PAGE) : undefined
}
