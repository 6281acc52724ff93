import type { Caller } from '#core/caller.ts'
import { parseId } from '#core/ids.ts'
import {
  cardTransactionsByIds,
  paymentTransactionsByIds,
  type Transaction,
  TransactionRecord,
  unknownTransaction,
} from './transaction.ts'

/** The transaction of any type. 404 `TRANSACTION_NOT_FOUND` for an unknown or malformed id. */
export const readTransaction = async (caller: Caller, id: string): Promise<Transaction> => {
  TransactionRecord.requireView(caller)
  const parsed = parseId(id)
  const byIds = parsed?.kind === 'CardTransaction' ? cardTransactionsByIds : paymentTransactionsByIds
  const [transaction] =
    parsed?.kind === 'Transaction' || parsed?.kind === 'CardTransaction' ? await byIds(caller, [parsed.uuid]) : []
  if (!transaction) throw unknownTransaction()
  return transaction
}
