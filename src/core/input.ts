// Parses caller input for both faces. Every value is validated before it reaches the database.
import { z } from 'zod'
import { ApiError, type FieldConstraint, type FieldError } from './errors.ts'
import { idPattern, type Kind } from './ids.ts'

/** Returns the parsed input. Throws 400 `INVALID_INPUT` with every invalid field. `path` is the position of the input in the request. */
export const parse = <T>(schema: z.ZodType<T>, input: unknown, path = ''): T => {
  const result = schema.safeParse(input, { error: messageOf })
  if (result.success) return result.data
  throw invalidFields(result.error.issues.map((issue) => fieldErrorOf(issue, input, path)))
}

/** The value at a path of keys, or undefined. */
export const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input)

const TYPES: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
}

/** The message for schemas that define none. */
const messageOf = (issue: z.core.$ZodRawIssue): string => {
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected] ?? 'of a different type'}`
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) {
    return `must be one of ${issue.options.join(', ')}`
  }
  return 'is not valid'
}

/**
 * Parses what writes a resource. Throws 400 `INVALID_INPUT` if the input names one of the resource's `fields` that the schema does not take.
 * Unknown fields are ignored.
 */
export const parseChanges = <T>(schema: z.ZodType<T>, input: unknown, fields: readonly string[]): T => {
  const taken = schema instanceof z.ZodObject ? schema.shape : {}
  const named = fields.filter((field) => !Object.hasOwn(taken, field) && isNamed(input, field))
  const result = schema.safeParse(input, { error: messageOf })
  if (result.success && named.length === 0) return result.data
  const issues = result.error?.issues ?? []
  throw invalidFields([
    ...issues.map((issue) => fieldErrorOf(issue, input, '')),
    ...named.map((field) => ({ field, message: `${field} cannot be set by this call` })),
  ])
}

/** Whether the input has the field of this dot-notation path. */
const isNamed = (input: unknown, field: string): boolean => {
  const path = field.split('.')
  const last = path.pop() ?? ''
  return Object.hasOwn(Object(valueAt(input, path)), last)
}

/** The 400 `INVALID_INPUT` for these errors. Only the first error of each field is kept. */
const invalidFields = (found: readonly FieldError[]): ApiError => {
  const errors = [...new Map([...found].reverse().map((error) => [error.field, error])).values()].reverse()
  const [{ field, message, constraint } = { field: '', message: 'The input is not valid' }] = errors
  const details = { field, ...(constraint && { constraint }), errors }
  return new ApiError('INVALID_INPUT', message, details)
}

const fieldErrorOf = (issue: z.core.$ZodIssue, input: unknown, path: string): FieldError => {
  const field = [path, ...issue.path].filter((part) => part !== '').join('.')
  const constraint = constraintOf(issue)
  return { field, message: `${field} ${messageFor(issue, input)}`, ...(constraint && { constraint }) }
}

const messageFor = (issue: z.core.$ZodIssue, input: unknown): string => {
  // A rule about several fields says itself what is missing.
  if (issue.code === 'custom') return issue.message
  const value = valueAt(input, issue.path)
  if (value === undefined) return 'is required'
  return value === null ? 'must not be null' : issue.message
}

const constraintOf = (issue: z.core.$ZodIssue): FieldConstraint | undefined => {
  switch (issue.code) {
    case 'invalid_value':
      return { enum: issue.values.map(String) }
    case 'invalid_union':
      return 'options' in issue && issue.options ? { enum: issue.options.map(String) } : undefined
    case 'invalid_format':
      return issue.pattern === undefined
        ? { format: issue.format }
        : { pattern: issue.pattern.slice(1, issue.pattern.lastIndexOf('/')) }
    case 'too_big':
      return boundOf(issue.origin, 'maxLength', 'maximum', issue.maximum)
    case 'too_small':
      return boundOf(issue.origin, 'minLength', 'minimum', issue.minimum)
    case 'custom':
      return issue.params?.['constraint'] as FieldConstraint | undefined
    default:
      return undefined
  }
}

const boundOf = <L extends string, N extends string>(
  origin: string,
  ofText: L,
  ofNumber: N,
  bound: number | bigint,
) => {
  if (origin === 'string') return { [ofText]: Number(bound) }
  return origin === 'number' || origin === 'int' ? { [ofNumber]: Number(bound) } : undefined
}

/** What a schema stands for, if its type does not say it. GraphQL has scalars of its own for all of these but plain text. */
type Meaning = 'ID' | 'INSTANT' | 'AMOUNT' | 'HEX' | 'BASE64URL' | 'PLAIN_TEXT'

const meanings = new WeakMap<z.core.$ZodType, Meaning>()

const meant = <S extends z.core.$ZodType>(meaning: Meaning, schema: S): S => {
  meanings.set(schema, meaning)
  return schema
}

/** Describing a schema or adding a check copies it, so the parents are searched too. */
export const meaningOf = (schema: z.core.$ZodType): Meaning | undefined =>
  meanings.get(schema) ?? (schema._zod.parent && meaningOf(schema._zod.parent))

const labels = new WeakMap<z.core.$ZodType, readonly string[]>()

/** The list of labels from which `labelOf` or `someOf` made the schema. It is the same object, because two enums may have the same labels. */
export const labelsOf = (schema: z.core.$ZodType): readonly string[] | undefined =>
  labels.get(schema) ?? (schema._zod.parent && labelsOf(schema._zod.parent))

/** The schema holds an instant as text. */
export const asInstant = <S extends z.core.$ZodType>(schema: S): S => meant('INSTANT', schema)
/** The schema holds bytes as hexadecimal text. */
export const inHex = <S extends z.core.$ZodType>(schema: S): S => meant('HEX', schema)
/** The schema holds bytes as base64url text. */
export const inBase64url = <S extends z.core.$ZodType>(schema: S): S => meant('BASE64URL', schema)

/**
 * Text that Postgres can store unchanged. It refuses NUL, and lone surrogates would be silently replaced. Further checks do not see a text
 * that is too long. Those of `start` come first.
 */
export const textOf = (maxLength: number, minLength = 1, start = z.string({ error: 'must be a string' })) =>
  // One call, because each copies the schema.
  start.check(
    z.minLength(minLength, minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters`),
    z.maxLength(maxLength, { error: `must be at most ${maxLength} characters`, abort: true }),
    z.refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be well-formed Unicode without NUL'),
  )

/** Like `textOf`, with at least one visible character. */
export const visibleText = (maxLength: number) =>
  textOf(maxLength).regex(/[\p{L}\p{N}\p{P}\p{S}]/u, 'must not be blank')

/** A setting that null resets, and that is kept if it is omitted. */
export const clearable = <T extends z.ZodType>(schema: T, text: string) => schema.nullable().optional().describe(text)

/** Text that is not stored and is validated by the code that uses it. */
export const rawText = z.string({ error: 'must be a string' })

export const idOf = (...kinds: readonly Kind[]) =>
  meant(
    'ID',
    z
      .string({ error: 'must be a string' })
      .regex(idPattern(...kinds), `must be ${kinds.map((kind) => `${kind}:<uuid>`).join(' or ')}`)
      .describe(`${kinds.map((kind) => `\`${kind}:<uuid>\``).join(' or ')}.`),
  )

/** Whether the currency exists is checked by the code that uses it. */
export const currencyCode = textOf(16).describe('Currency code, for example `USD`.')

export const labelOf = <const T extends readonly [string, ...string[]]>(list: T) => someOf(list, list)

/** Some of the labels of a list. GraphQL takes them as the enum of the whole list. */
export const someOf = <const T extends readonly [string, ...string[]]>(some: T, list: readonly string[]) => {
  const schema = z.enum(some, { error: `must be one of ${some.join(', ')}` })
  labels.set(schema, list)
  return schema
}

/** Labels of another standard, which GraphQL takes as strings instead of an enum. */
export const foreignLabelOf = <const T extends readonly [string, ...string[]]>(list: T) =>
  meant('PLAIN_TEXT', labelOf(list))

/** A filter for any of the labels, without duplicates and in a fixed order. An empty list means no filter. */
export const anyOf = <const T extends readonly [string, ...string[]]>(list: T) =>
  z
    .array(labelOf(list))
    .nullish()
    .transform((given): T[number][] | null => (given?.length ? list.filter((label) => given.includes(label)) : null))

/** Combines a filter for one label with a filter for several. Null admits every label, an empty list admits none. */
export const bothOf = <T>(one: T | null | undefined, several: readonly T[] | null): readonly T[] | null => {
  if (one === null || one === undefined) return several
  return several === null || several.includes(one) ? [one] : []
}

/** An amount in the smallest unit. REST sends a JSON number, GraphQL a bigint. */
export const amountOf = (least: bigint, most: bigint) => {
  const constraint: FieldConstraint = { minimum: Number(least), maximum: Number(most) }
  return meant('AMOUNT', z.union([z.int(), z.bigint()], { error: 'must be an integer' }))
    .meta({ type: 'integer', ...constraint, description: 'Amount in the smallest unit of its currency.' })
    .transform((value) => BigInt(value))
    .refine((value) => value >= least && value <= most, {
      error: `must be from ${least} to ${most}`,
      params: { constraint },
    })
}

/** The schema's input as JSON Schema (draft 2020-12), without references. Refinements are not included. */
export const jsonSchemaOf = (schema: z.ZodType): z.core.JSONSchema.BaseSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: writeAmounts, metadata: withoutIds })

/** Schemas with an id would be referenced instead of written out. */
const withoutIds = Object.assign(z.registry<z.core.GlobalMeta>(), {
  get: (schema: z.core.$ZodType) => {
    const { id: _id, ...meta } = z.globalRegistry.get(schema) ?? {}
    return meta
  },
})

/** Removes the bigint alternative of `amountOf`, which JSON does not have. */
export const writeAmounts = ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.type === 'integer') delete jsonSchema.anyOf
}
