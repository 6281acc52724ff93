// Questions made from the schema alone, so that a field that is new tomorrow is asked too.
import { readFileSync } from 'node:fs'
import {
  buildSchema,
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

/** The committed one, which another test holds to be that of the face: a value of the face's own is of another copy of the library. */
const schema = buildSchema(readFileSync(new URL('../../src/graphql/schema.graphql', import.meta.url), 'utf8'))

type Field = GraphQLField<unknown, unknown>

const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] => Object.values(type?.getFields() ?? {})
export const queries = (): Field[] => fieldsOf(schema.getQueryType())
export const mutations = (): Field[] => fieldsOf(schema.getMutationType())

export interface Question {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** What a value must be given for, with the way to it: `['filter', 'customerId']`. */
interface Leaf {
  readonly path: readonly string[]
  readonly type: string
}

/** Every place below the arguments of a field where an id or a text can stand. */
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

/** A value that the type admits: what must be there, and what lies on the path, with the value at its end. */
const exampleOf = (type: GraphQLInputType, path: readonly string[] | null, value: unknown): unknown => {
  if (isNonNullType(type)) return exampleOf(type.ofType, path, value)
  if (isListType(type)) return [exampleOf(type.ofType, path, value)]
  const named = type as GraphQLNamedType
  if (isInputObjectType(named)) {
    const [next, ...rest] = path ?? []
    const fields = Object.values(named.getFields())
    const first = next ?? (named.isOneOf ? fields[0]?.name : undefined)
    const needed = fields.filter((field) => field.name === first || (isNonNullType(field.type) && !named.isOneOf))
    return Object.fromEntries(
      needed.map((field) => [field.name, exampleOf(field.type, field.name === next ? rest : null, value)]),
    )
  }
  if (path) return value
  if (isEnumType(named)) return named.getValues()[0]?.name
  const examples: Record<string, unknown> = {
    Boolean: true,
    Int: 1,
    Int64: 1,
    ID: 'Customer:x',
    DateTime: '2025-10-13T00:00:00Z',
  }
  return examples[named.name] ?? 'x'
}

/** The field with its required arguments, with the value at the end of the path, and with this selection. */
export const questionOf = (
  kind: 'query' | 'mutation',
  field: Field,
  selection: string,
  path: readonly string[] | null = null,
  value: unknown = null,
): Question => {
  const used = field.args.filter(
    ({ name, type, defaultValue }) => name === path?.[0] || (isNonNullType(type) && defaultValue === undefined),
  )
  const variables = Object.fromEntries(
    used.map(({ name, type }) => [name, exampleOf(type, name === path?.[0] ? path.slice(1) : null, value)]),
  )
  const declared = used.map(({ name, type }) => `$${name}: ${type}`).join(', ')
  const given = used.map(({ name }) => `${name}: $${name}`).join(', ')
  const query = `${kind} ${declared && `(${declared})`} { answer: ${field.name}${given && `(${given})`} ${selection} }`
  return { query, variables }
}

/** Everything below a type that needs no argument, so many links deep. Names are those of the types, so that all merge. */
export const everythingOf = (type: GraphQLNamedType, depth: number): string => {
  if (isLeafType(type)) return ''
  const members = isAbstractType(type) ? schema.getPossibleTypes(type) : [type as GraphQLObjectType]
  const parts = members.map((member) => {
    const fields = fieldsOf(member).flatMap((field) => {
      if (field.args.some(({ type: argument, defaultValue }) => isNonNullType(argument) && defaultValue === undefined))
        return []
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
