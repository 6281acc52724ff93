// Every input of every operation, from the schema and the REST contract.
import { readFileSync } from 'node:fs'
import { isLeafType } from 'graphql'
import { API_VERSION } from '#core/api-version.ts'
import { isPublicMutation } from '#graphql/mutation.ts'
import type { Crawled, CrawledName } from '#test/setup/places/crawled-platforms.ts'
import type { FittingByMutation } from '#test/setup/places/graphql-places.ts'
import { type Asker, callerOf } from '#test/setup/places/places.ts'
import { ROUTES, unnamed } from '#test/setup/places/rest-routes.ts'
import { linkedFields, mutations, placesIn, queries, questionOf, typeOf } from '#test/setup/places/schema-queries.ts'
import { filledBodies, type Schema } from './filled-bodies.ts'
import { getPath, HERE, type HostilePlace, headerTexts, postJson } from './places.ts'
import { jsonShapes, textShapes, wrongEnds } from './shapes.ts'

type Field = ReturnType<typeof mutations>[number]

const FAILURE = '{ __typename ... on ApiError { code message details { field reason } } }'

/** Values of a different group each time, because one place may delete what another needs. */
const callers = (world: Crawled) => {
  let group = 0
  return (name: string): Asker & { isAgent: boolean } => {
    group = (group + 1) % world.agents.length
    const isAgent = name.startsWith('agentExecute') || name.startsWith('agentTransfer') || name.includes('/agents/me')
    return { ...callerOf(world, isAgent ? 'agent' : 'platform', group), isAgent }
  }
}

export const graphqlInputs = (world: Crawled, fitting: FittingByMutation): HostilePlace[] => {
  const callerFor = callers(world)
  const placesOfField = (kind: 'query' | 'mutation', field: Field): HostilePlace[] =>
    placesIn(field).map((path) => {
      const by = callerFor(field.name)
      const idAt = (at: readonly string[]) => by.own(fitting.get(field.name)?.get(at.join('.')) ?? 'Customer')
      const selection = kind === 'mutation' ? FAILURE : isLeafType(typeOf(field)) ? '' : '{ __typename }'
      const authorization = isPublicMutation(field.name) ? null : by.authorization
      const question = questionOf(kind, field, selection, path, HERE, idAt)
      const place = variablePlace(`${field.name}(${path.join('.')})`, authorization, question)
      return { ...place, isAlwaysWhole: authorization === null && path.length === 1 }
    })
  const linked = linkedFields().flatMap(({ field, parent, ask }) =>
    placesIn(field).map((path) => {
      const by = callerFor(field.name)
      const question = ask(by.own('Customer'), path, HERE, isLeafType(typeOf(field)) ? '' : '{ __typename }')
      return variablePlace(`${parent}.${field.name}(${path.join('.')})`, by.authorization, question)
    }),
  )
  return [
    ...queries().flatMap((field) => placesOfField('query', field)),
    ...linked,
    ...mutations().flatMap((field) => placesOfField('mutation', field)),
  ]
}

const variablePlace = (name: string, authorization: string | null, question: object): HostilePlace => {
  const body = JSON.stringify(question)
  return {
    name: `GraphQL ${name}`,
    shapes: jsonShapes(),
    request: (input) =>
      postJson(
        '/graphql',
        authorization,
        body.replace(`"${HERE}"`, () => input),
      ),
  }
}

interface Operation {
  readonly parameters?: readonly { readonly in: 'path' | 'query' | 'header'; readonly name: string }[]
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly schema: Schema } } }
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The committed one, which another test compares with the served one. */
const contract: Contract = JSON.parse(readFileSync(new URL('../../../src/rest/openapi.json', import.meta.url), 'utf8'))

/** The paths to every input of a body, the body itself first. */
const pathsIn = (schema: Schema, path: readonly string[] = []): string[][] => {
  if (path.length > 6) return []
  const { $ref, properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = schema
  const named = $ref === undefined ? [] : [contract.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}]
  const below = [...named, ...allOf, ...anyOf, ...oneOf].flatMap((part) => pathsIn(part, path))
  const members = Object.entries(properties).flatMap(([name, part]) => pathsIn(part, [...path, name]))
  const ways = [[...path], ...below, ...members, ...(items ? pathsIn(items, [...path, '0']) : [])]
  return [...new Map(ways.map((way) => [way.join('.'), way])).values()]
}

const inputs = new Map(Object.entries(ROUTES).map(([route, known]) => [unnamed(route), known]))

const encoded = (text: string) => encodeURIComponent(text)
const isEncodable = (text: string) => text.isWellFormed()

/**
 * A schema with a name is checked by the same code wherever it is used. So only the first operation that uses it gets all of its
 * alternatives, unless `isFull`.
 */
export const restInputs = (world: Crawled, isFull: boolean): HostilePlace[] => {
  const callerFor = callers(world)
  const firstUses = new Map<string, string>()
  return Object.entries(contract.paths).flatMap(([pattern, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): HostilePlace[] => {
      const route = `${method.toUpperCase()} ${pattern}`
      const { path: kinds = [], body = {} } = inputs.get(unnamed(route)) ?? {}
      const by = callerFor(pattern)
      const authorization = route.endsWith('/redeem') ? null : by.authorization
      const names = [...(pattern.match(/\{\w+\}/g) ?? [])]
      const filled = names.reduce((path, name, at) => path.replace(name, by.own(kinds[at] ?? 'Customer')), pattern)
      const target = `/${API_VERSION}${filled}`
      const schema = operation.requestBody?.content['application/json']?.schema
      const own = JSON.stringify(body).replaceAll(/"\{(\w+)\}"/g, (_all, name: CrawledName) =>
        JSON.stringify(by.own(name)),
      )
      const send = (to: string, headers: Record<string, string> = {}) => {
        const request = schema
          ? postJson(to, authorization, own, method.toUpperCase())
          : { ...getPath(to, authorization), method: method.toUpperCase() }
        return { ...request, headers: { ...request.headers, ...headers } }
      }
      const texts = { shapes: textShapes(encoded, isEncodable), limit: 'headers' as const }
      const parameters = (operation.parameters ?? []).map((parameter): HostilePlace => {
        const name = `REST ${route} ${parameter.in} ${parameter.name}`
        if (parameter.in === 'query')
          return { name, ...texts, request: (input) => send(`${target}?${parameter.name}=${input}`) }
        if (parameter.in === 'header')
          return { name, ...headerTexts, request: (input) => send(target, { [parameter.name]: input }) }
        const own = by.own(kinds[names.indexOf(`{${parameter.name}}`)] ?? 'Customer')
        return { name, ...texts, request: (input) => send(target.replace(own, () => input)) }
      })
      const bodies = (schema ? pathsIn(schema) : []).map((path): HostilePlace => {
        const text = JSON.stringify(withHere(JSON.parse(own), path))
        return {
          name: `REST ${route} body ${path.join('.')}`,
          shapes: jsonShapes(),
          request: (input) => ({ ...send(target), body: text.replace(`"${HERE}"`, () => input) }),
        }
      })
      const isWhole = (name: string) => {
        if (!firstUses.has(name)) firstUses.set(name, route)
        return isFull || firstUses.get(name) === route
      }
      const schemas = { named: contract.components.schemas, isWhole }
      const filledTexts = (schema ? filledBodies(schema, schemas) : []).map(
        (text, nth): HostilePlace => ({
          name: `REST ${route} texts of the body, part ${nth + 1}`,
          shapes: wrongEnds(text.split(HERE).length - 1),
          isAlwaysWhole: true,
          request: (input) => ({ ...send(target), body: text.replaceAll(`"${HERE}"`, () => input) }),
        }),
      )
      return [...parameters, ...bodies, ...filledTexts]
    }),
  )
}

const withHere = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return HERE
  if (name === '0') return [withHere(Array.isArray(value) ? value[0] : undefined, rest)]
  const object = typeof value === 'object' && value !== null ? value : {}
  return { ...object, [name]: withHere((object as Record<string, unknown>)[name], rest) }
}
