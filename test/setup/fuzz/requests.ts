// A generated request and how it is sent: `@@Agent.3@@` is replaced by an id of the caller, and credentials are added.
import { randomUUID } from 'node:crypto'
import { app } from '#app.ts'
import { basic } from '#test/setup/faces.ts'
import type { Crawled, CrawledName } from '#test/setup/places/crawled-platforms.ts'
import { below, type Choose, hostileText, isChosen, oneOf } from './values.ts'

export interface FuzzedRequest {
  readonly face: 'graphql' | 'rest'
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** How the caller authenticates, if at all. */
export interface Credential {
  readonly kind: 'platform' | 'agent' | 'nobody' | 'impostor'
  readonly group: number
  /** What an impostor sends who knows the platform's `Basic` header and the agent's `Bearer` header. */
  readonly forge: (platform: string, agent: string) => string
}

const FORGERIES: readonly Credential['forge'][] = [
  (platform) => platform.slice(0, -8),
  (platform) => `Basic ${Buffer.from(`${decoded(platform)}x`).toString('base64')}`,
  (platform) => `Basic ${Buffer.from(decoded(platform).split(':').toReversed().join(':')).toString('base64')}`,
  (platform) => platform.replace('Basic', 'Bearer'),
  (platform) => `${platform}, ${platform}`,
  (_platform, agent) => agent.slice(0, -1),
  (_platform, agent) => agent.replace('Bearer', 'Basic'),
  (_platform, agent) => `${agent}0`,
  () => 'Basic',
  () => 'Bearer ',
  () => 'Basic !!!!',
  () => `Basic ${Buffer.from('\0:x').toString('base64')}`,
  () => `Bearer ${'x'.repeat(10_000)}`,
  () => 'Negotiate abc',
  () => "' or 1=1 --",
]

const decoded = (authorization: string) => Buffer.from(authorization.slice('Basic '.length), 'base64').toString()

/** Agents of the first groups, which are never deleted. */
export const CALLING_AGENTS = 4

export const fuzzedCredential = (choose: Choose, isOfAgents: boolean): Credential => {
  const forge = oneOf(choose, FORGERIES)
  const group = below(choose, CALLING_AGENTS)
  if (isChosen(choose, 4)) return { kind: 'impostor', group, forge }
  if (isChosen(choose, 2)) return { kind: 'nobody', group, forge }
  return { kind: isChosen(choose, isOfAgents ? 95 : 10) ? 'agent' : 'platform', group, forge }
}

/** Headers that any request may have. */
export const fuzzedHeaders = (choose: Choose): Record<string, string> => {
  if (isChosen(choose, 92)) return {}
  const name = oneOf(choose, [
    'origin',
    'sec-fetch-site',
    'content-encoding',
    'x-request-id',
    'host',
    'traceparent',
    'cookie',
    'x-forwarded-for',
    'expect',
    'range',
  ])
  return {
    [name]: isChosen(choose, 30)
      ? oneOf(choose, ['null', 'cross-site', 'gzip', 'identity', '127.0.0.1'])
      : hostileText(choose),
  }
}

export interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Everything that was sent, as text. */
  readonly sent: string
}

/** Undefined if it is not a request that a client could send. */
export const send = async (
  world: Crawled,
  request: FuzzedRequest,
  credential: Credential,
): Promise<Sent | undefined> => {
  const own = (text: string) =>
    text.replaceAll(/@@(\w+)\.(\d+)@@/g, (_all, name: CrawledName, at: string) => ownOf(world, name, Number(at)))
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    const text = own(value)
    if (/^[\t -~]*$/.test(text)) headers.set(name, text)
  }
  const authorization = authorizationOf(world, credential)
  if (authorization !== null) headers.set('authorization', authorization)
  const url = `http://test${own(request.target)}`
  const body = request.body === null ? null : own(request.body)
  if (!URL.canParse(url)) return undefined
  // Each from its own address, because attempts at device codes are counted by address.
  const response = await app.fetch(new Request(url, { method: request.method, headers, body }), randomUUID())
  const sent = [request.method, url, ...[...headers].map((pair) => pair.join(': ')), body].join('\n')
  return { status: response.status, headers: response.headers, text: await response.text(), sent }
}

/** Deletes agents, except those that call. */
const ownOf = ({ names }: Crawled, name: CrawledName, at: number): string => {
  const all = name === 'Agent' ? names.Agent.slice(CALLING_AGENTS) : (names[name] ?? [])
  return all[at % all.length] ?? ''
}

const authorizationOf = ({ platform, agents }: Crawled, { kind, group, forge }: Credential): string | null => {
  const agent = agents[group] ?? ''
  switch (kind) {
    case 'platform':
      return basic(platform)
    case 'agent':
      return agent
    case 'impostor':
      return forge(basic(platform), agent)
    case 'nobody':
      return null
  }
}
