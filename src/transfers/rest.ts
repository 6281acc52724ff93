// `/transfer-in` and `/transfer-out`.
import type { PlatformCaller } from '#core/caller.ts'
import { selectWritten } from '#database/record.ts'
import { once } from '#idempotency/rest.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { transferInOf, transferOutOf } from './transfer.ts'

export const transferRoutes = router()

const transferRoute = (path: string, make: (caller: PlatformCaller, input: unknown) => Promise<Transaction>) =>
  transferRoutes.post(path, async (context) => {
    const { caller } = context.var
    const input = await bodyOf(context, 'TRANSACT')
    return once(context, input, async (made) => {
      const transfer = made ? await selectWritten(caller, TransactionRecord, made) : await make(caller, input)
      return { status: 201, body: transactionBody(transfer) }
    })
  })

transferRoute('/transfer-out', transferOutOf)
transferRoute('/transfer-in', transferInOf)
