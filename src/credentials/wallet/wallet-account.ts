// Wallet accounts, which credentials belong to.
import type { Caller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import type { Requirement } from '#credentials/signed-retry/pending-request.ts'
import { sql } from '#database/db.ts'
import { lookUpTogether, sendIn } from '#database/round-trips.ts'
import type { Tx } from '#database/unit-of-work.ts'

export interface WalletAccount {
  readonly id: string
  readonly customerId: string
}

/** 404 `REFERENCE_NOT_FOUND` for an unknown account. 400 `INVALID_INPUT` when it is not a wallet, or not `ACTIVE` when it must be. */
export const findWallet = async (
  { platformId }: Caller,
  accountId: string,
  { mustBeActive }: { mustBeActive: boolean },
  tx?: Tx,
): Promise<WalletAccount> => {
  const id = walletUuid(accountId)
  const statement = sql`
    select customer_id, type, status from internal_accounts
    where platform_id = ${platformId}::uuid and id = ${id}::uuid`
  const [[account]] = await (tx ? sendIn(tx, statement) : lookUpTogether(statement))
  if (!account) throw unknownAccount()
  const [customerId, type, status] = account
  if (type !== 'EMBEDDED_WALLET' || !customerId) throw invalidInput('accountId', 'The account is not a wallet')
  if (mustBeActive && status !== 'ACTIVE') throw invalidInput('accountId', 'The wallet is not active')
  return { id, customerId }
}

/** 404 `REFERENCE_NOT_FOUND` for an id that no account can have. */
export const walletUuid = (accountId: string): string => {
  const parsed = parseId(accountId)
  if (parsed?.kind !== 'InternalAccount') throw unknownAccount()
  return parsed.uuid
}

/** What `findWallet` requires of a wallet in any status, for a first call that needs nothing else of it. */
export const walletExists = (caller: Caller, accountId: string): Requirement => ({
  condition: sql`exists (
    select from internal_accounts where platform_id = ${caller.platformId}::uuid and id = ${walletUuid(accountId)}::uuid
      and type = 'EMBEDDED_WALLET' and customer_id is not null)`,
  require: () => findWallet(caller, accountId, { mustBeActive: false }),
})

/** The input, as `read` returns it. If it is invalid, an error of the account comes first (R1). */
export const inputOfWallet = async <T>(caller: Caller, accountId: string, read: () => T): Promise<T> => {
  try {
    return read()
  } catch (error) {
    await findWallet(caller, accountId, { mustBeActive: false })
    throw error
  }
}

const unknownAccount = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such account')
