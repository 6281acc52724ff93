// `idempotencyKey` of the mutations that move money: what REST calls `Idempotency-Key` (docs/domain/transfers.md#idempotency-keys).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { answerOnce, type Call, idempotencyKey } from './idempotency.ts'

export const IDEMPOTENCY_KEY_DESCRIPTION =
  'Of your choice, 1 to 255 characters. For 24 hours the same operation with the same key, over GraphQL or REST, makes nothing new and returns what the first call made. `ConflictError` with another input, and while the first call runs.'

/** What `make` makes; or what an earlier call with the key made, as `find` finds it now. A client error is repeated as well. */
export const makeOnce = async <T extends { readonly id: string }>(
  caller: Caller,
  { key, ...call }: Omit<Call, 'key'> & { readonly key: string | null | undefined },
  make: () => Promise<T>,
  find: (caller: Caller, id: string) => Promise<T>,
): Promise<T> => {
  if (key == null) return make()
  let made: T | undefined
  const reply = await answerOnce(caller, { ...call, key: parse(idempotencyKey, key, 'idempotencyKey') }, async (id) => {
    made = id === undefined ? await make() : await find(caller, id)
    return { status: 200, body: undefined }
  })
  if (made) return made
  if (reply.made !== null) return find(caller, reply.made)
  const { code, message, details } = JSON.parse(reply.text)
  throw new ApiError(code, message, details)
}
