// The frame of every mutation: one `input`, and a payload whose members are the outcomes and the expected failures.
import type { InputRef, ObjectParam, UnionRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import type { z } from 'zod'
import { type PlatformCaller, requirePlatform } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { FAILURE_TYPES, type Failure, type FailureStatus } from '#graphql/errors/failures.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { builder, type Context } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes

/** A value of a payload: `__typename` says which of its types. */
export interface Member {
  readonly __typename: string
}

interface Payload {
  readonly type: UnionRef<Types, Member>
  readonly statuses: readonly FailureStatus[]
}

/** A union of the outcomes and of the error types of these statuses. */
export const payloadOf = (
  name: string,
  description: string,
  outcomes: readonly ObjectParam<Types>[],
  statuses: readonly FailureStatus[],
): Payload => {
  const types = [...outcomes, ...statuses.map((status) => FAILURE_TYPES[status])]
  const resolveType = (value: unknown) => (value as Member).__typename
  return { type: builder.unionType(name, { description, types, resolveType }) as UnionRef<Types, Member>, statuses }
}

export type CalledBy<C> = Omit<Context, 'caller'> & { readonly caller: C }

type PartsOf<T> = T extends object ? { readonly [K in keyof T]?: PartsOf<T[K]> } : T

export interface MutationFrame<Input> {
  readonly description: string
  readonly input: InputRef<Input>
  readonly payload: Payload
  /** Whether it tries a credential or a session: an operation may hold one such mutation, so that no document guesses in bulk. */
  readonly usesCredential?: boolean
  /** The schema that its input is checked by, for `Query.inputConstraints`. */
  readonly check?: z.ZodType
  /** Inputs that `placeOf` tells apart, when it does. */
  readonly forms?: readonly PartsOf<Input>[]
  /** Where the input has what the domain calls `field`; below `input` under the same name unless said otherwise. */
  readonly placeOf?: (input: Input, field: string) => string
}

/** `headers` may stand for parts of the input. Null when the operation holds other mutations too: nothing says which one they are for. */
type Resolve<Input, C> = (input: Input, context: CalledBy<C>, headers: Headers | null) => Promise<Member>

/** Of platforms unless said otherwise: to an agent 403 `FORBIDDEN`. A public one needs no credentials, and its payload must not either. */
type Mutation<Input> = MutationFrame<Input> &
  (
    | { readonly callers?: 'PLATFORMS'; readonly resolve: Resolve<Input, PlatformCaller> }
    | { readonly callers: 'ALL'; readonly resolve: Resolve<Input, Context['caller']> }
    | { readonly callers: 'PUBLIC'; readonly resolve: Resolve<Input, undefined> }
  )

/** What a write counts for, beside what its payload selects. */
const ROWS_OF_MUTATION = 10

interface Checks {
  readonly schema: z.ZodType | undefined
  /** Where a field of the schema can stand in the input. */
  readonly placesOf: (field: string) => readonly string[]
}

const checks = new Map<string, Checks>()

export const checksOf = (name: string): Checks => {
  const found = checks.get(name)
  if (!found) throw new Error(`${name} is no mutation`)
  return found
}

const credentialMutations = new Set<string>()
const publicMutations = new Set<string>()

/** Whether the mutation needs no credentials. */
export const isPublicMutation = (name: string) => publicMutations.has(name)

/**
 * Adds a mutation. An `ApiError` with one of the payload's statuses becomes its member; any other error is answered in `errors`.
 * What the payload then selects is read anew.
 */
export const addMutation = <Input extends object>(name: string, mutation: Mutation<Input>) => {
  const { description, input: type, payload, usesCredential = false, forms = [{}] } = mutation
  const placeOf = (input: Input, field: string) => mutation.placeOf?.(input, field) ?? `input.${field}`
  checks.set(name, {
    schema: mutation.check,
    placesOf: (field) => forms.map((form) => placeOf(form as Input, field)),
  })
  if (usesCredential) credentialMutations.add(name)
  if (mutation.callers === 'PUBLIC') publicMutations.add(name)
  builder.mutationField(name, (t) =>
    t.field({
      type: payload.type,
      description,
      extensions: costing({ rows: ROWS_OF_MUTATION }),
      args: { input: t.arg({ type, required: true, description: 'What to do, and to what.' }) },
      resolve: async (_root, args, context, info) => {
        // Pothos cannot know of a type parameter that it is an object.
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

const resolve = <Input>(
  mutation: Mutation<Input>,
  input: Input,
  context: Context,
  headers: Headers | null,
): Promise<Member> => {
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

/** The mutations that the operation runs, through fragments and by whatever alias. */
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
    throw new ApiError('INVALID_INPUT', 'An operation may hold one mutation that uses a credential or a session')
  }
}

const failureOf = (
  error: unknown,
  { traceId, answerHeaders }: Context,
  { statuses }: Payload,
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

/** An input as REST would have sent it: what is null there is absent here. */
export const withoutNulls = (input: object): object =>
  JSON.parse(JSON.stringify(input, (_key, value: unknown) => value ?? undefined))
