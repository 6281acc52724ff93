// Defines mutations: one `input` argument, and a payload union of outcomes and expected failures.
import { type InputRef, type ObjectFieldsShape, type ObjectParam, ObjectRef, type UnionRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import type { z } from 'zod'
import { type PlatformCaller, requirePlatform } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { FAILURE_TYPES, type Failure, type FailureStatus } from '#graphql/errors/failures.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { builder, type Context, type SchemaTypes } from './builder.ts'
import type { OwnInput } from './input-of.ts'

/** A member of a payload union. */
export interface Member {
  readonly __typename: string
}

/** The payload of a mutation whose resolver returns `T` or fails with one of the statuses. */
interface Payload<T extends object> {
  readonly type: UnionRef<SchemaTypes, T | Member>
  readonly statuses: readonly FailureStatus[]
}

/** Defines a union of the outcomes and the error types of these statuses. A value without `__typename` is of the type `unnamed`. */
export const payloadOf = <T extends object = Member>(
  name: string,
  description: string,
  outcomes: readonly ObjectParam<SchemaTypes>[],
  statuses: readonly FailureStatus[],
  unnamed?: string,
): Payload<T> => {
  const types = [...outcomes, ...statuses.map((status) => FAILURE_TYPES[status])]
  const resolveType = (value: unknown) => (value as Partial<Member>).__typename ?? unnamed
  return {
    type: builder.unionType(name, { description, types, resolveType }) as UnionRef<SchemaTypes, T | Member>,
    statuses,
  }
}

/** The type of the success of one mutation. Its fields read what the resolver returns. */
export interface Success<T> {
  readonly description: string
  readonly fields: ObjectFieldsShape<SchemaTypes, T>
}

/** The outcomes of a mutation, or of several. */
export interface Outcomes<T extends object> {
  /** A type that payloads share keeps its own name. */
  readonly success: Success<T> | ObjectRef<SchemaTypes, T>
  readonly statuses: readonly FailureStatus[]
}

/** Defines `<name>Payload`, and `<name>Success` unless payloads share that type. Other outcomes than the success have a `__typename`. */
export const payloadWith = <T extends object>(
  name: string,
  description: string,
  { success, statuses }: Outcomes<T>,
  others: readonly ObjectParam<SchemaTypes>[] = [],
): Payload<T> => {
  const type = success instanceof ObjectRef ? success : builder.objectRef<T>(`${name}Success`).implement(success)
  return payloadOf(`${name}Payload`, description, [type, ...others], statuses, type.name)
}

/** Defines the payload of one mutation. */
export const payloadOfMutation = <T extends object>(
  mutation: string,
  outcomes: Outcomes<T>,
  others?: readonly ObjectParam<SchemaTypes>[],
): Payload<T> => payloadWith(typeNameOf(mutation), `Result of \`${mutation}\`.`, outcomes, others)

/** `createCard` as `CreateCard`. */
const typeNameOf = (mutation: string) => `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}`

export type CalledBy<C> = Omit<Context, 'caller'> & { readonly caller: C }

type PartsOf<T> = T extends object ? { readonly [K in keyof T]?: PartsOf<T[K]> } : T

export interface MutationFrame<Input> {
  readonly description: string
  /** A type that mutations share keeps its own name. */
  readonly input: OwnInput<Input> | InputRef<Input>
  /** Whether the mutation verifies a credential or a session. An operation may contain one such mutation, which prevents guessing in bulk. */
  readonly usesCredential?: boolean
  /** The schema of `Query.inputConstraints`. Defaults to that of the input. */
  readonly check?: z.ZodType
  /** The inputs that `placeOf` distinguishes. */
  readonly forms?: readonly PartsOf<Input>[]
  /** Maps a field name of the domain to its path in the input. Defaults to the same name below `input`. */
  readonly placeOf?: (input: Input, field: string) => string
}

/** `headers` may replace parts of the input. They are null if the operation has several mutations, because they could belong to any. */
type Resolve<Input, C, T> = (input: Input, context: CalledBy<C>, headers: Headers | null) => Promise<T>

/**
 * By default only platforms may call a mutation, and agents get 403 `FORBIDDEN`. A public mutation needs no credentials, so its payload
 * must not need any either.
 */
type Mutation<Input, T extends object> = MutationFrame<Input> &
  (
    | { readonly callers?: 'PLATFORMS'; readonly resolve: Resolve<Input, PlatformCaller, T> }
    | { readonly callers: 'ALL'; readonly resolve: Resolve<Input, Context['caller'], T> }
    | { readonly callers: 'PUBLIC'; readonly resolve: Resolve<Input, undefined, T> }
  ) &
  (Outcomes<T> | { readonly payload: Payload<T> })

/** The cost of a mutation in rows, in addition to the selection of its payload. */
const ROWS_OF_MUTATION = 10

interface Checks {
  readonly schema: z.ZodType | undefined
  /** The paths that a field of the schema can have in the input. */
  readonly placesOf: (field: string) => readonly string[]
}

const checks = new Map<string, Checks>()

export const checksOf = (name: string): Checks => {
  const found = checks.get(name)
  if (!found) throw new Error(`${name} is not a mutation`)
  return found
}

const credentialMutations = new Set<string>()
const publicMutations = new Set<string>()

/** Whether the mutation can be called without credentials. */
export const isPublicMutation = (name: string) => publicMutations.has(name)

/**
 * Adds a mutation. An `ApiError` with one of the payload's statuses becomes a payload member; any other error goes to `errors`. The
 * loaders are cleared, so the payload reads fresh data.
 */
export const addMutation = <Input extends object, T extends object>(name: string, mutation: Mutation<Input, T>) => {
  const { description, input: given, usesCredential = false, forms = [{}] } = mutation
  const [type, schema] =
    'define' in given
      ? [given.define(`${typeNameOf(name)}Input`, `Input of \`${name}\`.`), given.schema]
      : [given, undefined]
  const payload = 'payload' in mutation ? mutation.payload : payloadOfMutation(name, mutation)
  const placeOf = (input: Input, field: string) => mutation.placeOf?.(input, field) ?? `input.${field}`
  checks.set(name, {
    schema: mutation.check ?? schema,
    placesOf: (field) => forms.map((form) => placeOf(form as Input, field)),
  })
  if (usesCredential) credentialMutations.add(name)
  if (mutation.callers === 'PUBLIC') publicMutations.add(name)
  builder.mutationField(name, (t) =>
    t.field({
      type: payload.type as UnionRef<SchemaTypes, object>,
      description,
      extensions: costing({ rows: ROWS_OF_MUTATION }),
      args: { input: t.arg({ type, required: true, description: 'Input of the mutation.' }) },
      resolve: async (_root, args, context, info) => {
        // Pothos cannot infer that the type parameter is an object.
        const { input } = args as unknown as { input: Input }
        const siblings = mutationsOf(context, info)
        try {
          if (usesCredential) refuseSecondUse(siblings)
          const headers = siblings.length === 1 ? context.request.headers : null
          return await resolve(mutation, input, context, headers)
        } catch (error) {
          return failureOf(error, context, payload, (field) => placeOf(input, field))
        } finally {
          context.loaders.clear()
        }
      },
    }),
  )
}

const resolve = <Input, T extends object>(
  mutation: Mutation<Input, T>,
  input: Input,
  context: Context,
  headers: Headers | null,
): Promise<T> => {
  switch (mutation.callers) {
    case 'PUBLIC':
      return mutation.resolve(input, { ...context, caller: undefined }, headers)
    case 'ALL':
      return mutation.resolve(input, context, headers)
    default:
      return mutation.resolve(input, { ...context, caller: requirePlatform(context.caller) }, headers)
  }
}

const siblingsOf = new WeakMap<Context, readonly string[]>()

/** The names of the mutations that the operation runs, with fragments and aliases resolved. */
const mutationsOf = (
  context: Context,
  { schema, fragments, variableValues, parentType, operation }: GraphQLResolveInfo,
): readonly string[] => {
  const known = siblingsOf.get(context)
  if (known) return known
  const fields = collectFields(schema, fragments, variableValues, parentType, operation.selectionSet)
  const names = [...fields.values()].flatMap(([field]) => field?.name.value ?? [])
  const mutations = names.filter((name) => !name.startsWith('__'))
  siblingsOf.set(context, mutations)
  return mutations
}

const refuseSecondUse = (mutations: readonly string[]) => {
  if (mutations.filter((name) => credentialMutations.has(name)).length > 1) {
    throw new ApiError(
      'INVALID_INPUT',
      'An operation may contain only one mutation that uses a credential or a session',
    )
  }
}

const failureOf = (
  error: unknown,
  { traceId, answerHeaders }: Context,
  { statuses }: Pick<Payload<never>, 'statuses'>,
  placeOf: (field: string) => string,
): Failure => {
  const status = error instanceof ApiError && statuses.find((candidate) => candidate === error.status)
  if (!status) throw error
  const { field, errors, retryAfterSeconds } = error.details ?? {}
  if (retryAfterSeconds !== undefined) answerHeaders.set('retry-after', String(retryAfterSeconds))
  const details =
    field === undefined
      ? error.details
      : {
          ...error.details,
          field: placeOf(field),
          ...(errors && { errors: errors.map((each) => ({ ...each, field: placeOf(each.field) })) }),
        }
  return {
    __typename: FAILURE_TYPES[status].name,
    error: new ApiError(error.code, error.message, details),
    traceId,
  }
}

/** Removes null members, which REST clients omit, and writes amounts as numbers. */
export const withoutNulls = (input: object): object =>
  JSON.parse(
    JSON.stringify(input, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : (value ?? undefined))),
  )
