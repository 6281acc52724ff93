// Deposits money into an internal account, as a bank or a blockchain would.
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type InternalAccount, InternalAccountRecord } from '#accounts/internal-account.ts'
import { unknownAccount } from '#accounts/list.ts'
import type { PlatformCaller } from '#core/caller.ts'
import { requireUuid } from '#core/ids.ts'
import { amountOf, parse } from '#core/input.ts'
import { requireSandbox } from '#core/only-sandbox.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { receiveDeposit } from '#settlement/arrivals/deposit.ts'
import { findInternalAccount } from '#settlement/parties.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { payerOfSandbox } from './payer.ts'

const MAX_FUNDING = 100_000_000_000n

export const accountFunding = z.object({
  amount: amountOf(1n, MAX_FUNDING).describe(
    'The amount, in the smallest unit of the currency of the account, 1 to 100,000,000,000.',
  ),
})

/**
 * An incoming payment that completes at once. Needs the permission TRANSACT. Throws 403 `FORBIDDEN` in production, 404 `REFERENCE_NOT_FOUND`,
 * 403 `USER_NOT_READY` if the account or its customer is not active, and 400 `AMOUNT_OUT_OF_RANGE` if the account cannot hold that much.
 */
export const fundAccount = async (
  caller: PlatformCaller,
  id: string,
  input: unknown,
): Promise<{ account: InternalAccount; transaction: Transaction }> => {
  requireSandbox(caller, 'TRANSACT')
  const { amount } = parse(accountFunding, input)
  const uuid = requireUuid('InternalAccount', id, unknownAccount)
  const account = await findInternalAccount(caller, uuid)
  const source = payerOfSandbox({ currency: account.currency, hash: randomBytes(32).toString('hex') })
  const payment = await inTransaction((tx) => receiveDeposit(tx, caller, account, { amount, ...source }))
  return {
    account: await selectWritten(caller, InternalAccountRecord, account.id),
    transaction: await selectWritten(caller, TransactionRecord, payment.id),
  }
}
