// `idempotencyKey` in mutations, the counterpart of `Idempotency-Key` in REST (docs/domain/transfers.md#idempotency-keys).
import { type ApiPermission, type Caller, requirePermission } from '#core/caller.ts'
import { parse } from '#core/input.ts'
import { type Column, type RecordOf, type RecordType, type Shape, selectWritten } from '#database/record.ts'
import { type Call, idempotencyKey, type RecordResult, resultOnce } from './idempotency.ts'

export const IDEMPOTENCY_KEY_DESCRIPTION =
  'Your own key for this call, 1 to 255 characters. For 24 hours, repeating the operation with the same key, over GraphQL or REST, changes nothing and returns the result of the first call. `ConflictError` when the input differs, or while the first call is running.'

/** The permission that a platform needs for each operation, as in REST. */
const PERMISSIONS: Readonly<Record<Call['operation'], ApiPermission>> = {
  createQuote: 'TRANSACT',
  executeQuote: 'TRANSACT',
  authorizeQuote: 'TRANSACT',
  transferOut: 'TRANSACT',
  transferIn: 'TRANSACT',
  createKycLink: 'MANAGE',
  createStablecoinProviderAccount: 'MANAGE',
  registerStablecoin: 'MANAGE',
  createMintQuote: 'TRANSACT',
  createBurnQuote: 'TRANSACT',
  executeStablecoinQuote: 'TRANSACT',
}

/**
 * The key of an input. Throws 403 `FORBIDDEN` before it reads the key if a platform lacks the permission. The permissions of an agent are
 * checked by its caller.
 */
export const keyFor = (caller: Caller, operation: Call['operation'], key: string | null | undefined): string | null => {
  if (caller.scheme === 'PLATFORM') requirePermission(caller, PERMISSIONS[operation])
  return key == null ? null : parse(idempotencyKey, key, 'idempotencyKey')
}

/** `resultOnce` with the key of an input, for a row of `type`. Throws what `keyFor` throws. */
export const makeOnce = async <S extends Shape & { readonly id: Column<string> }>(
  caller: Caller,
  { key, ...call }: Omit<Call, 'key'> & { readonly key: string | null | undefined },
  type: RecordType<S>,
  make: (record: RecordResult) => Promise<RecordOf<RecordType<S>>>,
): Promise<RecordOf<RecordType<S>>> => {
  const checkedKey = keyFor(caller, call.operation, key)
  return resultOnce(caller, { ...call, key: checkedKey }, make, (_caller, id) => selectWritten(caller, type, id))
}
