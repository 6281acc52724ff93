// Every place in REST that takes an id or a string: in paths, query strings, bodies and headers.
import { randomUUID } from 'node:crypto'
import { authenticate } from '#authenticate.ts'
import { API_VERSION } from '#core/api-version.ts'
import { createRestApp } from '#rest/app.ts'
import { routes } from '#routes.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { formOf, pdf } from '#test/setup/verification/uploads.ts'
import { CRAWLED_NAMES, type CrawledName } from './crawled-platforms.ts'
import type { Asker, Call, CallerKind, Place } from './places.ts'
import { ROUTES, type Route } from './rest-routes.ts'

/** The contract, and answers that do not end by themselves, whose inputs test/events/subscriptions.test.ts tries. */
export const OTHERS = /\/(stream|openapi\.json)$/

/** The routes as the app names them: `GET /transactions/:id`. */
export const restRoutes = (): string[] =>
  createRestApp(routes, authenticate)
    .routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith(VERSION) && !OTHERS.test(path))
    .map(({ method, path }) => `${method} ${path.replace(VERSION, '').replace(/\/$/, '')}`)

const VERSION = `/${API_VERSION}`

/** A request to a route, and the part of it to replace. */
interface Change {
  readonly parameter?: number
  readonly query?: string
  readonly field?: string
  readonly header?: string
}

export const restPlaces = (): Place[] => restRoutes().flatMap(placesOfRoute)

/** Each route. */
export const restOperations = (): Call[] =>
  Object.entries(ROUTES).map(([route, known]) => {
    const [method = '', path = ''] = route.split(' ')
    const ask = (by: Asker) => send(by, method, path, known, {}, '')
    return { name: route, callers: callersOf(route), ask }
  })

/** Each route that takes ids, except the public one. */
export const restCalls = (): Call[] =>
  restOperations().filter(({ name }) => (ROUTES[name]?.path || ROUTES[name]?.body) && !PUBLIC.test(name))

/** Whoever has the code or the address may use it. */
export const PUBLIC = /\/redeem$|\/uploads\//

const callersOf = (route: string): CallerKind[] => [route.includes(' /agents/me') ? 'agent' : 'platform']

const placesOfRoute = (route: string): Place[] => {
  const known = ROUTES[route]
  if (!known) throw new Error(`${route} is not in the table`)
  const [method = '', path = ''] = route.split(' ')
  const parameters = path.match(/:\w+/g) ?? []
  if (parameters.length !== (known.path ?? []).length)
    throw new Error(`The table lacks the path parameters of ${route}`)
  const isWrite = method !== 'GET'
  const place = (name: string, isId: boolean, change: Change): Place => ({
    name: `${route} ${name}`,
    callers: callersOf(route),
    isId,
    isWrite,
    // Redeeming a device code is public.
    takes: CRAWLED_NAMES.filter((kind) => !['deviceCode', 'uploadToken'].includes(kind) || !PUBLIC.test(route)),
    ask: (by, value) => send(by, method, path, known, change, value),
  })
  return [
    ...parameters.map((name, parameter) => place(name, isKind(known.path?.[parameter]), { parameter })),
    ...(known.query ?? []).map((query) => place(`?${query}`, false, { query })),
    ...fieldsOf(known.body ?? {}).map(([field, name]) => place(field, isKind(name), { field })),
    ...(known.isSigned ? [place('Request-Id', false, { header: 'request-id' })] : []),
  ]
}

const isKind = (name = '') => /^[A-Z]/.test(name)

/** The paths to members that identify something. */
const fieldsOf = (value: unknown, path = ''): [path: string, name: string][] => {
  if (typeof value === 'string') {
    const name = /^\{(\w+)\}$/.exec(value)?.[1]
    return name === undefined ? [] : [[path, name]]
  }
  return Object.entries(value ?? {}).flatMap(([key, part]) => fieldsOf(part, `${path}.${key}`))
}

const send = (
  by: Asker,
  method: string,
  path: string,
  { path: names = [], body, isForm = false }: Route,
  change: Change,
  value: string,
) => {
  let index = -1
  const filled = path.replaceAll(/:\w+/g, () => {
    index += 1
    return encodeURIComponent(index === change.parameter ? value : by.own(names[index] ?? 'Customer'))
  })
  const query = change.query === undefined ? '' : `?${new URLSearchParams({ [change.query]: value })}`
  const filledBody = body && fill(body, by, change.field, value)
  const given = isForm ? formOf(pdf(100), filledBody as Record<string, string>) : filledBody
  const headers = {
    ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
    ...(change.header !== undefined && { [change.header]: value, 'service-wallet-signature': 'e30' }),
  }
  return callRest(by.authorization, method, filled + query, given, by.address(), headers)
}

const fill = (part: unknown, by: Asker, field: string | undefined, value: string, path = ''): unknown => {
  if (path === field) return value
  if (typeof part === 'string') {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? part : by.own(name as CrawledName)
  }
  if (Array.isArray(part)) return part.map((each, index) => fill(each, by, field, value, `${path}.${index}`))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([key, each]) => [key, fill(each, by, field, value, `${path}.${key}`)]),
  )
}
