// Publishes the constraints on mutation inputs, taken from the schemas that validate them, so that forms can validate before they send.
import type { GraphQLInputField, GraphQLInputType, GraphQLSchema } from 'graphql'
import { getNamedType, getNullableType, isInputObjectType, isListType, isNonNullType } from 'graphql/type/definition.js'
import type { z } from 'zod'
import { type FieldConstraint, invalidInput } from '#core/errors.ts'
import { jsonSchemaOf } from '#core/input.ts'
import { FieldConstraintType } from '#graphql/errors/failures.ts'
import { builder } from './builder.ts'
import { costing } from './limits/field-cost.ts'
import { checksOf } from './mutation.ts'

interface InputConstraint {
  readonly field: string
  readonly required: boolean
  readonly constraint: FieldConstraint | null
}

const InputConstraintType = builder.objectRef<InputConstraint>('InputConstraint').implement({
  description: 'Constraint on an input field, in addition to its type.',
  fields: (t) => ({
    field: t.exposeString('field', {
      nullable: false,
      description:
        'Dot-notation path, as in `details.field` of errors. `*` stands for an index into a list of objects.',
    }),
    required: t.exposeBoolean('required', {
      nullable: false,
      description: 'Whether the field is required when its parent is present. Always false inside a `@oneOf` input.',
    }),
    constraint: t.expose('constraint', {
      type: FieldConstraintType,
      description: 'The constraint. For a list it applies to each item. Null if the type alone is checked.',
      extensions: costing({ rows: 1 }),
    }),
  }),
})

builder.queryField('inputConstraints', (t) =>
  t.field({
    type: [InputConstraintType],
    nullable: { list: true, items: false },
    description:
      'Constraints on the input of a mutation, taken from the schemas that validate it. Checks that depend on other fields or on stored data are not included. Error: `INVALID_INPUT` for an unknown mutation.',
    args: {
      mutation: t.arg.string({ required: true, description: 'Name of the mutation, for example `createQuote`.' }),
    },
    extensions: costing({
      rows: 1,
      items: ({ mutation }, schema) => constraintsOf(schema, String(mutation))?.length ?? 0,
    }),
    resolve: (_root, { mutation }, _context, { schema }) => {
      const constraints = constraintsOf(schema, mutation)
      if (constraints) return constraints
      const names = Object.keys(mutationsOf(schema))
      throw invalidInput('mutation', `mutation must be one of ${names.join(', ')}`, { enum: names })
    },
  }),
)

const known = new Map<string, readonly InputConstraint[]>()

const mutationsOf = (schema: GraphQLSchema) => schema.getMutationType()?.getFields() ?? {}

/** Undefined for an unknown mutation. */
const constraintsOf = (schema: GraphQLSchema, mutation: string): readonly InputConstraint[] | undefined => {
  const constraints = known.get(mutation) ?? readConstraints(schema, mutation)
  if (constraints) known.set(mutation, constraints)
  return constraints
}

const readConstraints = (schema: GraphQLSchema, mutation: string): InputConstraint[] | undefined => {
  const mutations = mutationsOf(schema)
  const [input] = (Object.hasOwn(mutations, mutation) ? mutations[mutation]?.args : undefined) ?? []
  if (!input) return undefined
  const { schema: check, placesOf } = checksOf(mutation)
  const checked = new Map(
    [...(check ? fieldsIn(jsonSchemaOf(check), '', false) : [])].flatMap((field) =>
      placesOf(field.path).map((place) => [place, field]),
    ),
  )
  return [...fieldsOfType(input.type, 'input')].map(({ path, required, isAlternative }) => {
    const field = checked.get(path)
    const isRequired = !isAlternative && (required || field?.required === true)
    return { field: path, required: isRequired, constraint: constraintIn(field?.schema) }
  })
}

interface Field {
  readonly path: string
  readonly required: boolean
}

/** The leaf fields of an input type. Nested input objects are replaced by their fields. */
function* fieldsOfType(type: GraphQLInputType, path: string): Generator<Field & { isAlternative: boolean }> {
  const named = getNamedType(type)
  if (!isInputObjectType(named)) return
  for (const field of Object.values(named.getFields())) {
    const isList = isListType(getNullableType(field.type))
    const place = `${path}.${field.name}`
    if (isInputObjectType(getNamedType(field.type))) yield* fieldsOfType(field.type, isList ? `${place}.*` : place)
    else yield { path: place, required: isRequired(field), isAlternative: named.isOneOf }
  }
}

const isRequired = ({ type, defaultValue }: GraphQLInputField) => isNonNullType(type) && defaultValue === undefined

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The leaf fields of a schema. A union yields the fields of all its members. */
function* fieldsIn(schema: JsonSchema, path: string, required: boolean): Generator<Field & { schema: JsonSchema }> {
  const { properties, items, anyOf, oneOf, type } = schema
  const members = (anyOf ?? oneOf)?.filter((member) => member.type !== 'null')
  if (members) {
    const isNullable = members.length < (anyOf ?? oneOf ?? []).length
    const [only] = members
    const parts = only && members.length === 1 ? [only] : members.map(withoutForm)
    for (const member of parts) yield* fieldsIn(member, path, required && !isNullable)
  } else if (properties) {
    for (const [name, member] of Object.entries(properties)) {
      if (typeof member === 'object') {
        const isRequired = schema.required?.includes(name) === true
        yield* fieldsIn(member, path === '' ? name : `${path}.${name}`, isRequired)
      }
    }
  } else if (type === 'array' && typeof items === 'object' && !Array.isArray(items)) {
    yield* fieldsIn(items, items.properties ? `${path}.*` : path, required)
  } else yield { path, required, schema }
}

/** The form of one member of a union is not the form of the field. */
const withoutForm = ({ pattern: _pattern, format: _format, ...member }: JsonSchema): JsonSchema => member

const KEYS = ['format', 'pattern', 'enum', 'minLength', 'maxLength', 'minimum', 'maximum'] as const

const constraintIn = (schema: JsonSchema = {}): FieldConstraint | null => {
  const entries = KEYS.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]]]))
  return entries.length > 0 ? Object.fromEntries(entries) : null
}
