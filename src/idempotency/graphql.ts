// `idempotencyKey` in mutations, the counterpart of `Idempotency-Key` in REST (docs/domain/transfers.md#idempotency-keys).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { answerOnce, type Call, idempotencyKey } from './idempotency.ts'

export const IDEMPOTENCY_KEY_DESCRIPTION =
  'A key of your choice, 1 to 255 characters. For 24 hours, repeating the operation with the same key and input, over GraphQL or REST, returns the object that the first call created instead of creating another. Error: `ConflictError` if the input differs or the first call is still running.'

/**
 * Returns what `make` creates or, if an earlier call with the same key succeeded, what that call created, as `find` reads it now. An
 * earlier client error is thrown again.
 */
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
