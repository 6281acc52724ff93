// GraphQL inputs made from the zod schemas that check them: fields, texts and what is required have one source for both faces.
import type { InputRef } from '@pothos/core'
import { z } from 'zod'
import { isAmount, isId, isInstant } from '#core/input.ts'
import { builder } from './builder.ts'
import { enumWithLabels } from './enums.ts'

/** What resolvers get for a schema: a field that may be absent may also be null, amounts are bigint and ids are text. */
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

/** The inputs of nested objects, by schema. */
const inputs = new Map<z.core.$ZodType, InputRef<object>>()

/**
 * An input type with the fields of `schema`. Every field needs a description. The schemas of nested objects must have become inputs
 * before; a union of objects has no input, because GraphQL has another form for it.
 */
export const inputOf = <S extends z.ZodObject>(name: string, description: string, schema: S): InputRef<InputOf<S>> => {
  const ref = builder.inputType(name, {
    description,
    fields: (t) =>
      Object.fromEntries(
        Object.entries(schema.shape).map(([key, member]) => {
          const { type, isList, isRequired, text } = readField(`${name}.${key}`, member)
          const required = isList ? { list: isRequired, items: true } : isRequired
          return [
            key,
            t.field({ type: (isList ? [type] : type) as 'String', required: required as boolean, description: text }),
          ]
        }),
      ),
  })
  inputs.set(schema, ref as unknown as InputRef<object>)
  return ref as unknown as InputRef<InputOf<S>>
}

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

/** What is written: the value itself, before it is transformed. */
const withoutWrappers = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = schema._zod
  if (WRAPPERS.includes(def.type)) return withoutWrappers((def as Wrapper).innerType)
  return def.type === 'pipe' ? withoutWrappers((def as z.core.$ZodPipeDef).in) : schema
}

/** Of the schema itself, or of what it wraps. */
const descriptionOf = (schema: z.core.$ZodType): string | undefined => {
  const own = z.globalRegistry.get(schema as z.ZodType)?.description
  if (own !== undefined) return own
  const { def } = schema._zod
  if (WRAPPERS.includes(def.type)) return descriptionOf((def as Wrapper).innerType)
  return def.type === 'pipe' ? descriptionOf((def as z.core.$ZodPipeDef).in) : undefined
}

const typeOf = (path: string, schema: z.core.$ZodType): unknown => {
  const { def } = schema._zod
  if (isId(schema)) return 'ID'
  if (isAmount(schema)) return 'Int64'
  if (isInstant(schema)) return 'DateTime'
  switch (def.type) {
    case 'string':
      return 'String'
    case 'boolean':
      return 'Boolean'
    case 'int':
    case 'number':
      return 'Int'
    case 'enum':
      return enumWithLabels(Object.values((def as z.core.$ZodEnumDef).entries).map(String))
    case 'object':
      return nestedInput(path, schema)
    default:
      throw new Error(`${path}: there is no GraphQL input for a zod ${def.type}`)
  }
}

/** Describing a schema copies it: the input belongs to the first of the copies. */
const nestedInput = (path: string, schema: z.core.$ZodType): InputRef<object> => {
  for (let copy: z.core.$ZodType | undefined = schema; copy; copy = copy._zod.parent) {
    const found = inputs.get(copy)
    if (found) return found
  }
  throw new Error(`${path}: make its input with inputOf first`)
}
