// Checks any response for an internal error, an unknown shape, a leak, or access without credentials.
import { readFileSync } from 'node:fs'
import { ERROR_STATUS, type ErrorCode } from '#core/errors.ts'
import type { Crawled } from '#test/setup/places/crawled-platforms.ts'
import type { Credential, FuzzedRequest, Sent } from './requests.ts'

/** The codes in the response, and what is wrong with it. */
export interface Verdict {
  readonly codes: readonly string[]
  readonly wrong: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: the oracle determines the shape.
type Json = any

/** Nothing in a sandbox can be unavailable, except features that are not implemented. */
const ALLOWED_5XX: readonly string[] = ['NOT_IMPLEMENTED']

export const judge = (world: Crawled, request: FuzzedRequest, credential: Credential, sent: Sent): Verdict => {
  const body = parsed(sent.text)
  const { codes, wrong } =
    request.face === 'graphql' && isGraphQL(request) ? graphqlShape(sent, body) : restShape(request, sent, body)
  // The answer to HEAD has no body, and so no code.
  const isAllowed = request.method === 'HEAD' && sent.status === ERROR_STATUS.NOT_IMPLEMENTED
  const status = sent.status >= 500 && codes.length === 0 && !isAllowed ? String(sent.status) : ''
  const faults = [...codes, status].filter(
    (code) => (ERROR_STATUS[code as ErrorCode] ?? Number(code || 0)) >= 500 && !ALLOWED_5XX.includes(code),
  )
  const leaks = leaksIn(world, sent)
  const isOpen = credential.kind === 'impostor' && letsIn(request, sent, body)
  return { codes, wrong: [...wrong, ...faults.map((code) => `fault ${code}`), ...leaks, ...(isOpen ? ['let in'] : [])] }
}

const isGraphQL = ({ target }: FuzzedRequest) => /^\/graphql\/?(\?|$)/.test(target)

/** A stream reports an operation in one event. */
const parsed = (text: string): Json => {
  try {
    return JSON.parse(/^event: next\ndata: (.*)$/m.exec(text)?.[1] ?? text)
  } catch {
    return undefined
  }
}

/** `{status, code, message, details?}`, with the code's status from the table. */
const isError = (error: Json, status: number, more: readonly string[] = []): boolean =>
  typeof error === 'object' &&
  error !== null &&
  ERROR_STATUS[error.code as ErrorCode] === error.status &&
  error.status === status &&
  typeof error.message === 'string' &&
  Object.keys(error).every((name) => ['status', 'code', 'message', 'details', ...more].includes(name)) &&
  (error.details === undefined || (typeof error.details === 'object' && error.details !== null))

const restShape = ({ method }: FuzzedRequest, { status, text, headers }: Sent, body: Json) => {
  // On the wire nothing follows the headers, whatever the response object holds.
  if (method === 'HEAD') return { codes: [], wrong: [] }
  if (status === 204) return { codes: [], wrong: text === '' ? [] : ['a body'] }
  const wrong: string[] = []
  if (!headers.get('content-type')?.startsWith('application/json')) wrong.push('no JSON')
  if (typeof body !== 'object' || body === null) wrong.push('no object')
  if (status < 400) return { codes: [], wrong }
  if (!isError(body, status)) wrong.push('another shape')
  return { codes: [String(body?.code)], wrong }
}

const graphqlShape = ({ status, headers, text }: Sent, body: Json) => {
  // Preflights have no body.
  if (status === 204) return { codes: [], wrong: text === '' ? [] : ['a body'] }
  if (isPage(headers)) return { codes: [], wrong: [] }
  const names = Object.keys(body ?? {})
  const isAnswer = names.length > 0 && names.every((name) => ['data', 'errors', 'extensions'].includes(name))
  if (!isAnswer || !('data' in body || 'errors' in body)) return { codes: [], wrong: ['another shape'] }
  const errors: Json[] = body.errors ?? []
  const traceId = headers.get('x-request-id')
  const wrong = errors
    .filter(({ message, extensions }) => {
      const { traceId: id, ...error } = extensions ?? {}
      return id !== traceId || !isError({ ...error, message }, error.status)
    })
    .map(() => 'an error of another shape')
  if ('errors' in body && errors.length === 0) wrong.push('no errors')
  // The expected errors of mutations.
  const failures = [...text.matchAll(/Error_code":"([A-Z_]+)".*?Error_status":(\d+)/g)]
  for (const [, code, number] of failures) {
    if (ERROR_STATUS[code as ErrorCode] !== Number(number)) wrong.push(`${code} with ${number}`)
  }
  const codes = [...errors.map(({ extensions }) => String(extensions?.code)), ...failures.map(([, code = '']) => code)]
  return { codes, wrong }
}

/** GraphiQL's page comes from a library. */
const isPage = (headers: Headers) => headers.get('content-type')?.startsWith('text/html') ?? false

const LEAKS =
  /\bselect\b[^.]{1,200}\bfrom\b|\binsert into\b|\bupdate \w+ set\b|\bdelete from\b|prisma|postgres|\bpg_|relation "|column "|violates|syntax error at or near|\bat [\w.<> ]+ \(|\bat (file|node):|node_modules|\/(src|home|work|tmp|usr|var|root)\/|\.[cm]?[jt]s:\d|\bECONN|\bENOENT\b|\bEPIPE\b|[A-Z]\w+Error:|Cannot read propert|is not a function|is not iterable|\[object \w+\]|\bzod\b/gi

/** Texts that the interface publishes about itself. */
const OWN_WORDS = readFileSync(new URL('../../../src/graphql/schema.graphql', import.meta.url), 'utf8')

const leaksIn = ({ platform, agents }: Crawled, { text, headers, sent }: Sent): string[] => {
  const all = [text, ...[...headers].map((pair) => pair.join(': '))].join('\n')
  const said = isPage(headers) ? [] : [...all.matchAll(LEAKS)].map(([match]) => match)
  const secrets = [platform.secret, ...agents.map((agent) => agent?.slice('Bearer '.length) ?? '')]
  return [
    ...said.filter((match) => !echoed(sent, match) && !OWN_WORDS.includes(match)).map((match) => `says ${match}`),
    ...secrets.filter((secret) => all.includes(secret)).map(() => 'tells a secret'),
  ]
}

const echoed = (sent: string, match: string) => {
  const plain = (text: string) => text.replaceAll(/\\+(["\\/])/g, '$1')
  return [sent, plain(sent), decoded(sent)].some((text) => text.includes(match) || text.includes(plain(match)))
}

const decoded = (text: string) =>
  text.replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())

/** Responses to invalid credentials. Device codes are public, and preflights and GraphiQL's page reveal nothing. */
const letsIn = ({ target, method, face }: FuzzedRequest, { status, headers }: Sent, body: Json): boolean => {
  if (status >= 300 || method === 'OPTIONS' || /\/redeem\/?(\?|$)/.test(target)) return false
  return !isPage(headers) && (face === 'rest' || (body?.data ?? null) !== null)
}
