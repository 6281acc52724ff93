// The frame of every mutation: one `input`, and a payload whose members are the outcomes and the expected failures.
import type { InputRef, ObjectParam, UnionRef } from '@pothos/core'
import type { GraphQLResolveInfo } from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import { ApiError } from '#core/errors.ts'
import { builder, type Context } from './builder.ts'
import { FAILURE_TYPES, type Failure, type FailureStatus } from './failures.ts'
import { type Proof, proofOf } from './signed-retry.ts'

type Types = typeof builder.$inferSchemaTypes

/** A value of a payload: `__typename` says which of its types. */
interface Member {
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

interface Mutation<Input> {
  readonly description: string
  readonly input: InputRef<Input>
  readonly payload: Payload
  /** Whether it tries a credential or a session: an operation may hold one such mutation, so that no document guesses in bulk. */
  readonly usesCredential?: boolean
  /** Where the input has what the domain calls `field`; below `input` under the same name unless said otherwise. */
  readonly placeOf?: (input: Input, field: string) => string
  readonly resolve: (input: Input, context: Context, proof: Proof) => Promise<Member>
}

const credentialMutations = new Set<string>()

/**
 * Adds a mutation. An `ApiError` with one of the payload's statuses becomes its member; any other error is answered in `errors`.
 * What the payload then selects is read anew.
 */
export const addMutation = <Input extends object>(name: string, mutation: Mutation<Input>) => {
  const { description, input: type, payload, usesCredential = false } = mutation
  if (usesCredential) credentialMutations.add(name)
  builder.mutationField(name, (t) =>
    t.field({
      type: payload.type,
      description,
      args: { input: t.arg({ type, required: true, description: 'What to do, and to what.' }) },
      resolve: async (_root, args, context, info) => {
        // Pothos cannot know of a type parameter that it is an object.
        const { input } = args as unknown as { input: Input }
        const siblings = mutationsOf(context, info)
        try {
          if (usesCredential) refuseSecondUse(siblings)
          const headers = siblings.length === 1 ? context.request.headers : null
          return await mutation.resolve(input, context, proofOf(input, headers))
        } catch (error) {
          return failureOf(error, context, payload, (field) => mutation.placeOf?.(input, field) ?? `input.${field}`)
        } finally {
          context.loaders.clear()
        }
      },
    }),
  )
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
  const { field, retryAfterSeconds } = error.details ?? {}
  if (retryAfterSeconds !== undefined) answerHeaders.set('retry-after', String(retryAfterSeconds))
  const details = field === undefined ? error.details : { ...error.details, field: placeOf(field) }
  return {
    __typename: FAILURE_TYPES[status].name,
    error: new ApiError(error.code, error.message, details),
    traceId,
  }
}

/** An input as REST would have sent it: what is null there is absent here. */
export const withoutNulls = (input: object): object =>
  JSON.parse(JSON.stringify(input, (_key, value: unknown) => value ?? undefined))
