// `/transfer-in` and `/transfer-out`.
import type { PlatformCaller } from '#core/caller.ts'
import { selectWritten } from '#database/record.ts'
import type { Call, RecordResult } from '#idempotency/idempotency.ts'
import { once } from '#idempotency/rest.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { createTransferIn, createTransferOut, transferInRequest, transferOutRequest } from './transfer.ts'

export const transferRoutes = router()

const transferRoute = (
  path: string,
  call: Pick<Call, 'operation' | 'schema'>,
  make: (caller: PlatformCaller, input: unknown, record: RecordResult) => Promise<Transaction>,
) =>
  transferRoutes.post(path, async (context) => {
    const { caller } = context.var
    const input = await bodyOf(context, 'TRANSACT')
    return once(context, { ...call, input }, async ({ result, record }) => {
      const transfer = result
        ? await selectWritten(caller, TransactionRecord, result)
        : await make(caller, input, record)
      return { status: 201, body: transactionBody(transfer) }
    })
  })

transferRoute('/transfer-out', { operation: 'transferOut', schema: transferOutRequest }, createTransferOut)
transferRoute('/transfer-in', { operation: 'transferIn', schema: transferInRequest }, createTransferIn)
