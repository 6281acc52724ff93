// Every place in the schema that takes an id or a string, in a query with the caller's own ids in all other places.
import { isPublicMutation } from '#graphql/mutation.ts'
import { callGraphQL, type Reply } from '#test/setup/agents/agent-faces.ts'
import { CRAWLED_NAMES, type Crawled, type CrawledName, namesOfTypes } from './crawled-platforms.ts'
import { kindAt } from './kinds.ts'
import { NODES } from './mirrored-platforms.ts'
import { type Asker, type Call, callerOf, type Place } from './places.ts'
import {
  everythingOf,
  leavesOf,
  linkedFields,
  mutations,
  queries,
  questionOf,
  requiredIdsOf,
  typeOf,
} from './schema-queries.ts'

type Field = ReturnType<typeof mutations>[number]

export const graphqlPlaces = async (scout: Crawled, fitting: FittingByMutation): Promise<Place[]> => [
  ...queries().flatMap(placesOfQuery),
  ...(await placesOfLinks(scout)),
  ...mutations().flatMap((field) => placesOfMutation(field, fitting)),
]

const placesOfQuery = (field: Field): Place[] =>
  leavesOf(field).map(({ path, type }) => ({
    name: `${field.name}(${path.join('.')})`,
    callers: ['platform', 'agent'],
    isId: type === 'ID',
    takes: CRAWLED_NAMES,
    ask: (by, value) => {
      const idAt = () => by.own('Customer')
      const { query, variables } = questionOf('query', field, everythingOf(typeOf(field), 1), path, value, idAt)
      return callGraphQL(by.authorization, query, variables)
    },
  }))

/** Lists and other fields of a node that belongs to the caller. */
const placesOfLinks = async (scout: Crawled): Promise<Place[]> => {
  const names = await namesOfTypes(scout.platform, scout.names)
  return linkedFields().flatMap(({ field, parent, node, ask }) => {
    const name = node === null ? null : names.get(node)
    if (name === undefined) throw new Error(`No platform has a ${node}`)
    return leavesOf(field).map(({ path, type }) => ({
      name: `${parent}.${field.name}(${path.join('.')})`,
      callers: ['platform', 'agent'] as const,
      isId: type === 'ID',
      // A locale may look like a device code.
      takes: CRAWLED_NAMES.filter((kind) => kind !== 'deviceCode'),
      ask: (by: Asker, value: string) => {
        const { query, variables } = ask(
          name && by.own(name.name, name.at),
          path,
          value,
          everythingOf(typeOf(field), 1),
        )
        return callGraphQL(by.authorization, query, variables)
      },
    }))
  })
}

/** Without the idempotency key: it is the caller's own string, and would conflict when used again with another input. */
const placesOfMutation = (field: Field, fitting: FittingByMutation): Place[] =>
  leavesOf(field)
    .filter(({ path }) => path.at(-1) !== 'idempotencyKey')
    .map(({ path, type }) => ({
      name: `${field.name}(${path.join('.')})`,
      callers: ['platform', 'agent'],
      isId: type === 'ID',
      isWrite: true,
      // Redeeming a device code is public.
      takes: CRAWLED_NAMES.filter((name) => name !== 'deviceCode' || !isPublicMutation(field.name)),
      ask: (by, value) => mutate(by, field, fitting.get(field.name), path, value),
    }))

/** Each mutation that takes ids. */
export const graphqlCalls = (fitting: FittingByMutation): Call[] =>
  mutations()
    .filter((field) => requiredIdsOf(field).length > 0)
    .map((field) => ({
      name: field.name,
      callers: ['platform', 'agent'],
      ask: (by) => mutate(by, field, fitting.get(field.name)),
    }))

const mutate = (
  by: Asker,
  field: Field,
  names?: Fitting,
  path: readonly string[] | null = null,
  value: unknown = null,
) => {
  const idAt = (at: readonly string[]) => by.own(names?.get(at.join('.')) ?? 'Customer')
  const { query, variables } = questionOf('mutation', field, everythingOf(typeOf(field), 1), path, value, idAt)
  return callGraphQL(by.authorization, query, variables, by.address())
}

/** The names of required ids by path. */
type Fitting = ReadonlyMap<string, CrawledName>
export type FittingByMutation = ReadonlyMap<string, Fitting>

/** For every mutation. The scout is a platform whose rows may be changed. Mutations that delete come last, each in a group of its own. */
export const findFitting = async (scout: Crawled): Promise<FittingByMutation> => {
  const deletes = ({ name }: Field) => /^(delete|revoke)/.test(name)
  const fitting = (fields: readonly Field[]) =>
    Promise.all(
      fields.map(async (field, group) => {
        return [field.name, await fittingNames(scout, group % scout.agents.length, field)] as const
      }),
    )
  const gentle = await fitting(mutations().filter((field) => !deletes(field)))
  return new Map([...gentle, ...(await fitting(mutations().filter(deletes)))])
}

const KINDS_OF_IDS: readonly CrawledName[] = [...NODES, 'Wallet', 'Upload']

/**
 * Finds the kind of object for each required id with which the mutation gets furthest, as a platform or as an agent. The kinds that the ids
 * name come first, then every other kind for one of them.
 */
const fittingNames = async (scout: Crawled, group: number, field: Field): Promise<Fitting> => {
  const paths = requiredIdsOf(field)
  const named = paths.map((path) => kindAt(field.name, path.split('.')) ?? 'Customer')
  const choices = [named, ...named.flatMap((_, at) => KINDS_OF_IDS.map((kind) => named.with(at, kind)))]
  let best: { reach: number; names: Map<string, CrawledName> } = { reach: 0, names: new Map() }
  for (const kind of ['platform', 'agent'] as const) {
    const by = callerOf(scout, kind, group)
    for (const choice of paths.length === 0 ? [] : choices) {
      const names = new Map(paths.map((path, index) => [path, choice[index] ?? 'Customer']))
      const idAt = (at: readonly string[]) => by.own(names.get(at.join('.')) ?? 'Customer')
      const selection = '{ __typename ... on ApiError { status code } }'
      const { query, variables } = questionOf('mutation', field, selection, null, null, idAt)
      const reach = reachOf(await callGraphQL(by.authorization, query, variables))
      if (reach > best.reach) best = { reach, names }
      if (reach === FURTHEST) return names
    }
  }
  if (best.reach === 0 && paths.length > 0) throw new Error(`${field.name} accepts none of the platform's own ids`)
  return best.names
}

const FURTHEST = 3

const reachOf = ({ body }: Reply): number => {
  const { status, code } = body.errors?.[0].extensions ?? body.data.answer
  if (status === undefined) return FURTHEST
  if (status === 404 || status >= 500 || code === 'FORBIDDEN' || code === 'UNAUTHORIZED') return 0
  return code === 'INVALID_INPUT' ? 1 : 2
}
