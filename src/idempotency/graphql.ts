// `idempotencyKey` of the mutations that move money: what REST calls `Idempotency-Key` (docs/domain/transfers.md#idempotency-keys).
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parse } from '#core/input.ts'
import { answerOnce, idempotencyKey } from './idempotency.ts'

export const IDEMPOTENCY_KEY_DESCRIPTION =
  'Of your choice, 1 to 255 characters. For 24 hours the same call with the same key makes nothing new, and tells of what the first one made. `ConflictError` with another input, and while the first one runs.'

export interface Call {
  readonly mutation: string
  readonly key: string | null | undefined
  readonly input: unknown
}

/** What `make` makes; or what an earlier call with the key made, as `find` finds it now. A refusal is repeated as well. */
export const makeOnce = async <T extends { readonly id: string }>(
  caller: Caller,
  { mutation: path, key, input }: Call,
  make: () => Promise<T>,
  find: (caller: Caller, id: string) => Promise<T>,
): Promise<T> => {
  if (key == null) return make()
  const call = { method: 'MUTATION', path, key: parse(idempotencyKey, key, 'idempotencyKey'), input }
  let made: T | undefined
  const { status, text } = await answerOnce(caller, call, async (id) => {
    made = id === undefined ? await make() : await find(caller, id)
    return { status: 200, body: { id: made.id } }
  })
  if (made) return made
  const { id, code, message, details } = JSON.parse(text)
  if (status !== 200) throw new ApiError(code, message, details)
  return find(caller, id)
}
