// Queries generated from the schema, so that new fields are covered automatically.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** The committed schema, which another test compares with the served one. The served object comes from another copy of the library. */
const schema = buildSchema(readFileSync(new URL('../../../src/graphql/schema.graphql', import.meta.url), 'utf8'))

type Field = GraphQLField<unknown, unknown>

const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] => Object.values(type?.getFields() ?? {})
export const queries = (): Field[] => fieldsOf(schema.getQueryType())
export const mutations = (): Field[] => fieldsOf(schema.getMutationType())
export const subscriptions = (): Field[] => fieldsOf(schema.getSubscriptionType())

export interface Question {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** An input that needs a value, with its path: `['filter', 'customerId']`. */
interface Leaf {
  readonly path: readonly string[]
  readonly type: string
}

/** Every place below the arguments of a field that takes an id or a string. */
export const leavesOf = ({ args }: Field): Leaf[] => args.flatMap(({ name, type }) => leavesBelow([name], type))

const leavesBelow = (path: readonly string[], type: GraphQLInputType, depth = 0): Leaf[] => {
  const named = getNamedType(type)
  if (isInputObjectType(named)) {
    if (depth > 4) return []
    return Object.values(named.getFields()).flatMap((field) =>
      leavesBelow([...path, field.name], field.type, depth + 1),
    )
  }
  return named.name === 'ID' || named.name === 'String' ? [{ path, type: named.name }] : []
}

/** A value for each scalar except ids. A new scalar needs a value here. */
const SCALARS: Readonly<Record<string, unknown>> = {
  Boolean: true,
  Int: 1,
  Int64: 1,
  Float: 1,
  Decimal: '1',
  Date: '2025-10-13',
  DateTime: '2025-10-13T00:00:00Z',
  Base64URL: 'AAAA',
  /** A point on P-256. */
  Hex: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296',
  JSON: {},
  String: 'x',
}

/** Strings with a fixed format, by field name. */
const WORDS: Readonly<Record<string, string>> = {
  amount: '1',
  currency: 'USD',
  currencyCode: 'USD',
  document: '{ apiInfo { version } }',
  receivingCurrencyCode: 'USD',
  receiverUmaAddress: '$sam@bank.example',
  senderUmaAddress: '$sam@bank.example',
}

/** Fields that are optional only because another field may replace them. */
const REPLACED_BY: Readonly<Record<string, string>> = { currencyCode: 'currency', destination: 'umaDestination' }

/** Returns the value for a required id, by its path. */
export type IdAt = (path: readonly string[]) => string

const NOBODY: IdAt = () => 'Customer:x'

interface Target {
  readonly path: readonly string[]
  readonly value: unknown
}

/** The paths to every input below the arguments of a field. */
export const placesIn = ({ args }: Field): string[][] => args.flatMap(({ name, type }) => placesBelow([name], type))

const placesBelow = (path: string[], type: GraphQLInputType): string[][] => {
  const named = getNamedType(type)
  const below = isInputObjectType(named) && path.length < 5 ? Object.values(named.getFields()) : []
  return [path, ...below.flatMap((field) => placesBelow([...path, field.name], field.type))]
}

/** A valid value of the type: the required members and those on the path to the target, which holds the target's value. */
const exampleOf = (type: GraphQLInputType, at: readonly string[], target: Target | null, idAt: IdAt): unknown => {
  // A single value is valid for a list too.
  if (target?.path.length === at.length) return target.value
  if (isNonNullType(type)) return exampleOf(type.ofType, at, target, idAt)
  if (isListType(type)) return [exampleOf(type.ofType, at, target, idAt)]
  const named = type as GraphQLNamedType
  if (isInputObjectType(named)) {
    const next = target?.path[at.length]
    const fields = Object.values(named.getFields())
    const first = next ?? (named.isOneOf ? fields[0]?.name : undefined)
    const needed = fields.filter(
      ({ name, type: of }) => name === first || (!named.isOneOf && (isNonNullType(of) || isNeeded(name, next))),
    )
    return Object.fromEntries(
      needed.map(({ name, type: of }) => [name, exampleOf(of, [...at, name], name === next ? target : null, idAt)]),
    )
  }
  if (isEnumType(named)) return named.getValues()[0]?.name
  if (named.name === 'ID') return idAt(at)
  // A key that is used again with another input would conflict.
  if (at.at(-1) === 'idempotencyKey') return randomUUID()
  const word = named.name === 'String' ? WORDS[at.at(-1) ?? ''] : undefined
  const value = word ?? SCALARS[named.name]
  if (value === undefined) throw new Error(`No value for the scalar ${named.name}`)
  return value
}

const isNeeded = (name: string, next: string | undefined) => name in REPLACED_BY && REPLACED_BY[name] !== next

const isRequired = ({ type, defaultValue }: GraphQLArgument) => isNonNullType(type) && defaultValue === undefined

interface Call {
  readonly variables: Readonly<Record<string, unknown>>
  /** `$name: Type` for each variable. */
  readonly declared: readonly string[]
  /** The field with its arguments. */
  readonly text: string
}

const callOf = ({ name, args }: Field, target: Target | null, idAt: IdAt): Call => {
  const used = args.filter((arg) => arg.name === target?.path[0] || isRequired(arg))
  const values = used.map((arg) => {
    const isOnTheWay = arg.name === target?.path[0]
    return [arg.name, exampleOf(arg.type, [arg.name], isOnTheWay ? target : null, idAt)]
  })
  const given = used.map((arg) => `${arg.name}: $${arg.name}`).join(', ')
  return {
    variables: Object.fromEntries(values),
    declared: used.map((arg) => `$${arg.name}: ${arg.type}`),
    text: `${name}${given && `(${given})`}`,
  }
}

const documentOf = (kind: 'query' | 'mutation', declared: readonly string[], selection: string) =>
  `${kind} ${declared.length === 0 ? '' : `(${declared.join(', ')})`} { ${selection} }`

/** The field with its required arguments, the value at the end of the path, and this selection. */
export const questionOf = (
  kind: 'query' | 'mutation',
  field: Field,
  selection: string,
  path: readonly string[] | null = null,
  value: unknown = null,
  idAt: IdAt = NOBODY,
): Question => {
  const { variables, declared, text } = callOf(field, path && { path, value }, idAt)
  return { query: documentOf(kind, declared, `answer: ${text} ${selection}`), variables }
}

/** Every id that is required to query the field. */
export const requiredIdsOf = (field: Field): string[] => {
  const found: string[] = []
  callOf(field, null, (path) => {
    found.push(path.join('.'))
    return ''
  })
  return found
}

/** A field with arguments below the root, and the path to it. */
interface LinkedField {
  readonly field: Field
  readonly parent: string
  /** The type of the node where the path starts, or null for the root. */
  readonly node: string | null
  readonly ask: (id: string | null, path: readonly string[], value: unknown, selection: string) => Question
}

/** Every field below the roots that takes an id or a string. */
export const linkedFields = (): LinkedField[] => {
  const ways = waysToTypes()
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !type.name.startsWith('__') && !roots.includes(type))
    .flatMap((type) => fieldsOf(type).map((field) => ({ type, field })))
    .filter(({ field }) => leavesOf(field).length > 0)
    .map(({ type, field }) => {
      const way = ways.get(type.name)
      if (!way) throw new Error(`No path leads to ${type.name}.${field.name}`)
      return {
        field,
        parent: type.name,
        node: way.node,
        ask: (id, path, value, selection) => {
          const { variables, declared, text } = callOf(field, { path, value }, NOBODY)
          const below = way.around(`__typename answer: ${text} ${selection}`)
          if (way.node === null) return { query: documentOf('query', declared, below), variables }
          const query = documentOf(
            'query',
            ['$node: ID!', ...declared],
            `node(id: $node) { ... on ${way.node} { ${below} } }`,
          )
          return { query, variables: { node: id, ...variables } }
        },
      }
    })
}

interface Way {
  readonly node: string | null
  readonly around: (selection: string) => string
}

/** The shortest path without arguments, from a node or else from the root. */
const waysToTypes = (): Map<string, Way> => {
  const node = schema.getType('Node')
  const nodes = isAbstractType(node) ? schema.getPossibleTypes(node) : []
  const ways = new Map<string, Way>(nodes.map(({ name }) => [name, { node: name, around: (selection) => selection }]))
  const root = schema.getQueryType()
  if (root) ways.set(root.name, { node: null, around: (selection) => selection })
  for (const [name, way] of ways) {
    for (const field of fieldsOf(schema.getType(name) as GraphQLObjectType)) {
      const next = getNamedType(field.type)
      if (isLeafType(next) || field.args.some(isRequired)) continue
      for (const member of isAbstractType(next) ? schema.getPossibleTypes(next) : [next]) {
        if (ways.has(member.name)) continue
        const around = (selection: string) => way.around(`${field.name} { ... on ${member.name} { ${selection} } }`)
        ways.set(member.name, { node: way.node, around })
      }
    }
  }
  return ways
}

/** Everything below a type that needs no argument, to this depth. Aliases contain the type's name, so that all selections merge. */
export const everythingOf = (type: GraphQLNamedType, depth: number): string => {
  if (isLeafType(type)) return ''
  const members = isAbstractType(type) ? schema.getPossibleTypes(type) : [type as GraphQLObjectType]
  const parts = members.map((member) => {
    const fields = fieldsOf(member).flatMap((field) => {
      if (field.args.some(isRequired)) return []
      const next = getNamedType(field.type)
      const isLink = isObjectType(next) || isAbstractType(next)
      const below = isLink ? (depth > 0 ? everythingOf(next, depth - 1) : undefined) : ''
      return below === undefined || (isLink && below === '')
        ? []
        : [`${member.name}_${field.name}: ${field.name} ${below}`]
    })
    return `... on ${member.name} { __typename ${fields.join(' ')} }`
  })
  return `{ ${parts.join(' ')} }`
}

export const typeOf = (field: Field) => getNamedType(field.type)
