// Bodies of an operation in which texts are hostile and everything else fits its schema, so that no other check comes first.
import { HERE } from './places.ts'

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly allOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
}

/** Few, so that each is long in a body of the largest size. */
const TEXTS_OF_A_BODY = 4

interface Schemas {
  readonly named: Readonly<Record<string, Schema>>
  /** Whether all alternatives of this schema are needed. Of the others, the first one is taken. */
  readonly isWhole: (name: string) => boolean
}

/** Together they have `HERE` in every text of the schema, each in up to four. */
export const filledBodies = (schema: Schema, schemas: Schemas): string[] =>
  valuesOf(schema, schemas).flatMap((value) => {
    const texts = JSON.stringify(value).split(`"${HERE}"`)
    const count = Math.ceil((texts.length - 1) / TEXTS_OF_A_BODY)
    return Array.from({ length: count }, (_, nth) =>
      texts.reduce(
        (body, rest, at) => body + (Math.floor((at - 1) / TEXTS_OF_A_BODY) === nth ? `"${HERE}"` : '"a"') + rest,
      ),
    )
  })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value for each alternative of the schema. */
const valuesOf = (schema: Schema, schemas: Schemas, depth = 0): unknown[] => {
  const below = (part: Schema) => (depth > 8 ? [] : valuesOf(part, schemas, depth + 1))
  if (schema.enum) return [schema.enum[0]]
  const { $ref, type, properties, items, allOf = [], anyOf, oneOf, minimum = 1 } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    const values = below(schemas.named[name] ?? {})
    return schemas.isWhole(name) ? values : values.slice(0, 1)
  }
  const alternatives = (anyOf ?? oneOf)?.filter((part) => part.type !== 'null').flatMap(below)
  const parts = allOf.map(below)
  const members = Object.entries(properties ?? {}).map(([name, part]) =>
    below(part).map((value) => ({ [name]: value })),
  )
  if (parts.length + members.length > 0)
    return merged([alternatives ?? [], ...parts, ...members].filter(({ length }) => length))
  if (alternatives) return alternatives
  if (items) return below(items).map((item) => [item])
  if (type === 'string') return [HERE]
  return type === 'boolean' ? [true] : [minimum]
}

/** Objects with members of all lists. The shorter lists begin again. */
const merged = (lists: readonly (readonly unknown[])[]): unknown[] =>
  Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, nth) =>
    Object.assign({}, ...lists.map((list) => list[nth % list.length]).filter(isObject)),
  )
