// Wallet accounts, which credentials belong to.
import { unknownAccount } from '#accounts/list.ts'
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { type Sql, sql } from '#database/db.ts'
import { lookUpTogether, sendIn } from '#database/round-trips.ts'
import type { Row } from '#database/row.ts'
import type { Tx } from '#database/unit-of-work.ts'

export interface WalletAccount {
  readonly id: string
  readonly customerId: string
}

/** How a call names the account, and whether it needs an active one. */
interface Use {
  /** The field of the error. */
  readonly field: 'accountId' | 'internalAccountId' | 'id'
  readonly mustBeActive: boolean
}

/** Of calls that name the wallet in their path. */
export const IN_PATH: Use = { field: 'id', mustBeActive: false }

/** 404 `REFERENCE_NOT_FOUND` for an unknown account. 400 `INVALID_INPUT` when it is not a wallet, or not `ACTIVE` when it must be. */
export const findWallet = async (caller: Caller, accountId: string, use: Use, tx?: Tx): Promise<WalletAccount> => {
  const statement = selectingWallet(caller, walletUuid(accountId))
  const [rows] = await (tx ? sendIn(tx, statement) : lookUpTogether(statement))
  return readWallet(rows, use)
}

/** 404 `REFERENCE_NOT_FOUND` for an id that no account can have. */
export const walletUuid = (accountId: string): string => requireUuid('InternalAccount', accountId, unknownAccount)

const selectingWallet = ({ platformId }: Caller, id: string): Sql => sql`
  select id, customer_id, type, status from internal_accounts where platform_id = ${platformId}::uuid and id = ${id}::uuid`

/** Throws what `findWallet` throws. */
export const readWallet = ([account]: readonly Row[], { field, mustBeActive }: Use): WalletAccount => {
  if (!account) throw unknownAccount()
  const [id, customerId, type, status] = account
  if (type !== 'EMBEDDED_WALLET' || !id || !customerId) throw invalidInput(field, 'The account is not a wallet')
  if (mustBeActive && status !== 'ACTIVE') throw invalidInput(field, 'The wallet is not active')
  return { id, customerId }
}

/** The input of a call that does not look its wallet up, as `read` returns it. If it is invalid, an error of the account comes first. */
export const inputForWallet = async <T>(caller: Caller, accountId: string, read: () => T): Promise<T> => {
  try {
    return read()
  } catch (error) {
    await findWallet(caller, accountId, IN_PATH)
    throw error
  }
}
