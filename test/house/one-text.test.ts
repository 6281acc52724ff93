// A field that GraphQL and REST share has one description.
import { readFileSync } from 'node:fs'
import { GraphQLInterfaceType, GraphQLObjectType } from 'graphql/type/definition.js'
import { buildSchema } from 'graphql/utilities/buildASTSchema.js'
import { describe, expect, it } from 'vitest'

interface Schema {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

const types = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8')).getTypeMap()
const contract: { components: { schemas: Record<string, Schema> } } = JSON.parse(
  readFileSync('src/rest/openapi.json', 'utf8'),
)

/** Not converted yet. A type leaves this list with the slice that describes its fields in one place; none may join it. */
const NOT_CONVERTED = ['ErrorDetails', 'FieldConstraint', 'FieldError']

/** Fields whose two descriptions must differ, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {}

/** A field that says nothing of its own is described by the schema that it refers to. */
const textOf = ({ description, $ref }: Schema) =>
  description ?? contract.components.schemas[$ref?.split('/').at(-1) ?? '']?.description

/** The types with their shared fields, and the two texts of each. A member of a REST union is a type of its own. */
const shared = Object.entries(contract.components.schemas).flatMap(([name, { properties = {} }]) => {
  const type = types[name]
  if (!(type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType)) return []
  const fields = type.getFields()
  const texts = Object.entries(properties).flatMap(([field, member]) => {
    const other = fields[field]
    return other ? [{ field: `${name}.${field}`, graphql: other.description ?? undefined, rest: textOf(member) }] : []
  })
  return texts.length > 0 ? [{ name, texts }] : []
})

const differing = (name: string) =>
  shared
    .filter((type) => type.name === name)
    .flatMap(({ texts }) => texts)
    .filter(({ field, graphql, rest }) => graphql !== rest && !(field in EXCEPTIONS))

describe('the description of a field that both faces share', () => {
  it.each(shared.map(({ name }) => name).filter((name) => !NOT_CONVERTED.includes(name)))(
    'is the same on both: %s',
    (name) => expect(differing(name)).toEqual([]),
  )

  it('differs in every type that is not converted yet, so that the list shrinks', () => {
    expect(NOT_CONVERTED.filter((name) => differing(name).length === 0)).toEqual([])
  })

  it('differs in every exception', () => {
    const texts = new Map(shared.flatMap((type) => type.texts).map((each) => [each.field, each]))
    expect(Object.keys(EXCEPTIONS).filter((field) => texts.get(field)?.graphql === texts.get(field)?.rest)).toEqual([])
  })
})
