// Wallet accounts, which credentials belong to.
import type { Caller } from '#core/caller.ts'
import { ApiError, invalidInput } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import type { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'

export interface WalletAccount {
  readonly id: string
  readonly customerId: string
}

/** 404 `REFERENCE_NOT_FOUND` for an unknown account. 400 `INVALID_INPUT` when it is not a wallet, or not `ACTIVE` when it must be. */
export const findWallet = async (
  reader: Tx | typeof db,
  { platformId }: Caller,
  accountId: string,
  { mustBeActive }: { mustBeActive: boolean },
): Promise<WalletAccount> => {
  const parsed = parseId(accountId)
  const account =
    parsed?.kind === 'InternalAccount'
      ? await reader.internalAccount.findFirst({ where: { platformId, id: parsed.uuid } })
      : null
  if (!account) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such account')
  const { id, customerId, type, status } = account
  if (type !== 'EMBEDDED_WALLET' || customerId === null) throw invalidInput('accountId', 'The account is not a wallet')
  if (mustBeActive && status !== 'ACTIVE') throw invalidInput('accountId', 'The wallet is not active')
  return { id, customerId }
}
