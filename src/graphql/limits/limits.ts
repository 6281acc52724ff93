// The limits of GraphQL requests. The checks, their error messages and `apiInfo.limits` all use this table.
import { MAX_ITEMS } from '#core/body.ts'
import { config } from '#core/config.ts'
import { StartupError } from '#core/environment.ts'
import { ApiError } from '#core/errors.ts'

interface Limit {
  readonly value: number
  readonly counted: string
}

const TABLE = {
  maxTokens: { value: 2_000, counted: 'tokens (names, values and punctuation) in a document' },
  maxLines: { value: 4_000, counted: 'lines in a document' },
  maxNameLength: { value: 255, counted: 'characters in a name, for example of a field, alias or variable' },
  maxNesting: { value: 32, counted: 'levels of brackets in a document or of JSON in its variables' },
  maxDepth: { value: 12, counted: 'levels of fields in an operation, not counting introspection' },
  maxFields: { value: 2_000, counted: 'fields in an operation with its fragments expanded' },
  maxRepeats: { value: 50, counted: 'selections of the same field in the same place' },
  maxRootFields: { value: 20, counted: 'fields at the root of an operation' },
  maxAliases: { value: 30, counted: 'aliases in a document' },
  maxDirectives: { value: 20, counted: 'directives in a document' },
  maxDirectivesInOnePlace: { value: 5, counted: 'directives in one place' },
  maxFragments: { value: 50, counted: 'fragment definitions in a document' },
  maxOperations: { value: 5, counted: 'operations in a document' },
  maxSchemas: { value: 1, counted: '`__schema` fields in an operation' },
  maxVariables: { value: 50, counted: 'variables in an operation' },
  maxMembers: { value: 100, counted: 'members in one object of the variables' },
  maxItems: { value: MAX_ITEMS, counted: 'items in one list of the variables' },
  maxMilliseconds: { value: 500, counted: 'milliseconds of event loop time for an operation' },
  maxNodes: { value: 5_000, counted: 'nodes in the cost of an operation' },
  maxAnswerBytes: { value: 2 ** 23, counted: 'bytes in a response' },
  nodesPerMinute: {
    value: 1_000_000,
    counted: 'nodes per minute for an API token or agent across all servers, accurate to within a tenth',
  },
} as const satisfies Record<string, Limit>

type LimitName = keyof typeof TABLE
export const LIMIT_NAMES = Object.keys(TABLE) as LimitName[]

const unknown = Object.keys(config.graphqlLimits).filter((name) => !Object.hasOwn(TABLE, name))
if (unknown.length > 0) {
  throw new StartupError(
    `GRAPHQL_LIMITS contains unknown limits: ${unknown.join(', ')}. The limits are ${LIMIT_NAMES.join(', ')}`,
  )
}

export const limitOf = (name: LimitName): number => config.graphqlLimits[name] ?? TABLE[name].value

export const descriptionOf = (name: LimitName): string => `Maximum number of ${TABLE[name].counted}.`

/** Throws 400 `QUERY_TOO_COMPLEX` if `found` exceeds the limit. */
export const keepLimit = (name: LimitName, found: number) => {
  if (found > limitOf(name)) throw tooComplex(name)
}

export const tooComplex = (name: LimitName, message = `More than ${limitOf(name)} ${TABLE[name].counted}`): ApiError =>
  new ApiError('QUERY_TOO_COMPLEX', message, {
    reason: name.replaceAll(/[A-Z]/g, '_$&').toUpperCase(),
    limit: limitOf(name),
  })
