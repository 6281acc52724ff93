// Wallet accounts, which credentials belong to.
import type { Caller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
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
  const parsed = parseId(accountId)
  if (parsed?.kind !== 'InternalAccount') throw unknownAccount()
  const statement = sql`
    select customer_id, type, status from internal_accounts
    where platform_id = ${platformId}::uuid and id = ${parsed.uuid}::uuid`
  const [[account]] = await (tx ? sendIn(tx, statement) : lookUpTogether(statement))
  if (!account) throw unknownAccount()
  const [customerId, type, status] = account
  if (type !== 'EMBEDDED_WALLET' || !customerId) throw invalidInput('accountId', 'The account is not a wallet')
  if (mustBeActive && status !== 'ACTIVE') throw invalidInput('accountId', 'The wallet is not active')
  return { id: parsed.uuid, customerId }
}

const unknownAccount = () => new ApiError('REFERENCE_NOT_FOUND', 'There is no such account')
