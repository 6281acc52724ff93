// Builds GraphQL inputs from the zod schemas that validate them, so that both faces share fields, descriptions and required fields.
import type { InputFieldMap, InputRef, InputShapeFromFields } from '@pothos/core'
import { z } from 'zod'
import { labelsOf, meaningOf } from '#core/input.ts'
import { builder, type SchemaTypes } from './builder.ts'
import { enumWithLabels } from './enums.ts'

/** The input that resolvers receive for a schema. Optional fields may also be null, amounts are bigint, and ids are strings. */
export type InputOf<S> = S extends z.ZodOptional<infer I> | z.ZodNullable<infer I> | z.ZodDefault<infer I>
  ? InputOf<I>
  : S extends z.ZodPipe<infer I, z.core.$ZodType>
    ? InputOf<I>
    : S extends z.ZodUnion
      ? bigint
      : S extends z.ZodArray<infer I>
        ? InputOf<I>[]
        : S extends z.ZodObject<infer Shape>
          ? Flat<
              { [K in RequiredOf<Shape>]: InputOf<Shape[K]> } & { [K in OptionalOf<Shape>]?: InputOf<Shape[K]> | null }
            >
          : S extends z.core.$ZodType
            ? z.input<S>
            : never

type Flat<T> = { [K in keyof T]: T[K] }
type OptionalOf<Shape> = {
  [K in keyof Shape]: undefined extends z.input<Shape[K] & z.ZodType>
    ? K
    : null extends z.input<Shape[K] & z.ZodType>
      ? K
      : never
}[keyof Shape]
type RequiredOf<Shape> = Exclude<keyof Shape, OptionalOf<Shape>>

/** `$inferInput` is the type of the input. It has no value. */
type BuiltInput<Shape> = InputRef<Shape> & { readonly $inferInput: Shape }

/** The inputs built so far, by schema. */
const inputs = new Map<z.core.$ZodType, InputRef<object>>()

export type InputFieldBuilder = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>

/**
 * Defines an input type with the fields of `schema`, and with `more` fields that REST has in the path or in headers. Every field needs a
 * description. Inputs of nested objects must be defined first. Unions of objects are not supported, because GraphQL represents them
 * differently.
 */
export const inputOf = <S extends z.ZodObject, More extends InputFieldMap = Record<never, never>>(
  name: string,
  description: string,
  schema: S,
  more?: (t: InputFieldBuilder) => More,
): BuiltInput<InputOf<S> & InputShapeFromFields<More>> => {
  const ref = builder.inputType(name, {
    description,
    fields: (t) => ({
      ...more?.(t),
      ...Object.fromEntries(
        Object.entries(schema.shape).map(([key, member]) => {
          const { type, isList, isRequired, text } = readField(`${name}.${key}`, member)
          const required = isList ? { list: isRequired, items: true } : isRequired
          return [
            key,
            t.field({ type: (isList ? [type] : type) as 'String', required: required as boolean, description: text }),
          ]
        }),
      ),
    }),
  })
  inputs.set(schema, ref as unknown as InputRef<object>)
  return ref as unknown as BuiltInput<InputOf<S> & InputShapeFromFields<More>>
}

/** The fields of the input of one mutation, after which its type is named. */
export interface OwnInput<Shape> {
  readonly define: (name: string, description: string) => InputRef<Shape>
  /** Validates the input. Undefined if the types of the fields say it all. */
  readonly schema?: z.ZodType
}

/** The fields of `schema`, and `more` fields that REST has in the path or in headers. */
export const schemaInput = <S extends z.ZodObject, More extends InputFieldMap = Record<never, never>>(
  schema: S,
  more?: (t: InputFieldBuilder) => More,
): OwnInput<InputOf<S> & InputShapeFromFields<More>> => ({
  define: (name, description) => inputOf(name, description, schema, more),
  schema,
})

/** Fields without a schema. */
export const fieldsInput = <Fields extends InputFieldMap>(
  fields: (t: InputFieldBuilder) => Fields,
): OwnInput<InputShapeFromFields<Fields>> => ({
  define: (name, description) => builder.inputType(name, { description, fields }),
})

interface Field {
  readonly type: unknown
  readonly isList: boolean
  readonly isRequired: boolean
  readonly text: string
}

const readField = (path: string, schema: z.core.$ZodType): Field => {
  const text = descriptionOf(schema)
  if (text === undefined) throw new Error(`${path} has no description`)
  const bare = withoutWrappers(schema)
  const { def } = bare._zod
  return {
    type: typeOf(path, def.type === 'array' ? withoutWrappers((def as z.core.$ZodArrayDef).element) : bare),
    isList: def.type === 'array',
    isRequired: !z.safeParse(schema, undefined).success,
    text,
  }
}

type Wrapper = z.core.$ZodOptionalDef | z.core.$ZodNullableDef | z.core.$ZodDefaultDef
const WRAPPERS = ['optional', 'nullable', 'default', 'prefault', 'readonly']

/** The schema of the value that clients send, without wrappers and transforms. */
const withoutWrappers = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = schema._zod
  if (WRAPPERS.includes(def.type)) return withoutWrappers((def as Wrapper).innerType)
  return def.type === 'pipe' ? withoutWrappers((def as z.core.$ZodPipeDef).in) : schema
}

/** The description of the schema, or of the schema that it wraps. */
const descriptionOf = (schema: z.core.$ZodType): string | undefined => {
  const own = z.globalRegistry.get(schema as z.ZodType)?.description
  if (own !== undefined) return own
  const { def } = schema._zod
  if (WRAPPERS.includes(def.type)) return descriptionOf((def as Wrapper).innerType)
  return def.type === 'pipe' ? descriptionOf((def as z.core.$ZodPipeDef).in) : undefined
}

const SCALARS = {
  ID: 'ID',
  INSTANT: 'DateTime',
  AMOUNT: 'Int64',
  HEX: 'Hex',
  BASE64URL: 'Base64URL',
  PLAIN_TEXT: 'String',
} as const

const typeOf = (path: string, schema: z.core.$ZodType): unknown => {
  const meaning = meaningOf(schema)
  if (meaning) return SCALARS[meaning]
  const { def } = schema._zod
  switch (def.type) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'int':
    case 'number':
      return 'Int'
    case 'enum':
      return enumWithLabels(labelsOf(schema) ?? [])
    case 'object':
      return nestedInput(path, schema)
    default:
      throw new Error(`${path}: zod ${def.type} is not supported in GraphQL inputs`)
  }
}

/** Describing a schema copies it, so the input is registered under one of the schema's parents. */
const nestedInput = (path: string, schema: z.core.$ZodType): InputRef<object> => {
  for (let copy: z.core.$ZodType | undefined = schema; copy; copy = copy._zod.parent) {
    const found = inputs.get(copy)
    if (found) return found
  }
  throw new Error(`${path}: define its input with inputOf first`)
}
