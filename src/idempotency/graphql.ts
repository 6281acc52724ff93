// `idempotencyKey` in mutations, the counterpart of `Idempotency-Key` in REST (docs/domain/transfers.md#idempotency-keys).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { answerOnce, type Call, idempotencyKey, type RecordResult } from './idempotency.ts'

export const IDEMPOTENCY_KEY_DESCRIPTION =
  'Your own key for this call, 1 to 255 characters. For 24 hours, repeating the operation with the same key, over GraphQL or REST, changes nothing and returns the result of the first call. `ConflictError` when the input differs, or while the first call is running.'

/** Runs `make`, or reads the result of an earlier call with the same key with `find`. A stored client error is thrown again. */
export const makeOnce = async <T extends { readonly id: string }>(
  caller: Caller,
  { key, ...call }: Omit<Call, 'key'> & { readonly key: string | null | undefined },
  make: (record: RecordResult) => Promise<T>,
  find: (caller: Caller, id: string) => Promise<T>,
): Promise<T> => {
  let found: T | undefined
  const checkedKey = key == null ? null : parse(idempotencyKey, key, 'idempotencyKey')
  const reply = await answerOnce(caller, { ...call, key: checkedKey }, async ({ result, record }) => {
    found = result === undefined ? await make(record) : await find(caller, result)
    return { status: 200, body: undefined }
  })
  if (found) return found
  if (reply.result !== null) return find(caller, reply.result)
  const { code, message, details } = JSON.parse(reply.text)
  throw new ApiError(code, message, details)
}
