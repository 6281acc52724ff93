// `/quotes`, `/transfer-in` and `/transfer-out`.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { PlatformCaller } from '#core/caller.ts'
import { selectWritten } from '#database/record.ts'
import { type Answer, answerOnce, type Call } from '#idempotency/idempotency.ts'
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { type AgentVariables, type RestVariables, router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { transferInOf, transferInRequest, transferOutOf, transferOutRequest } from '#transfers/transfer.ts'
import { createQuote } from './create.ts'
import { executeQuote, executionRequest } from './execute.ts'
import { findQuote, partsOfQuote } from './find.ts'
import { QuoteRecord } from './quote.ts'
import { quoteRequest } from './request.ts'
import { quoteBody } from './rest-body.ts'

export const quoteRoutes = router()
export const transferRoutes = router()

/** Reads `Idempotency-Key`. `answer` carries the call out, or, given the id of what an earlier call made, only tells of it. */
export const once = async (
  context: Context<RestVariables> | Context<AgentVariables>,
  call: Omit<Call, 'key'>,
  answer: (made?: string) => Promise<Answer>,
): Promise<Response> => {
  const key = context.req.header('idempotency-key') ?? null
  const { status, text } = await answerOnce(context.var.caller, { ...call, key }, answer)
  return context.body(text, status as ContentfulStatusCode, { 'content-type': 'application/json' })
}

quoteRoutes.post('/', async (context) => {
  const { caller } = context.var
  const input = await bodyOf(context, 'TRANSACT')
  return once(context, { operation: 'createQuote', input, schema: quoteRequest }, async (made) => {
    const quote = made ? await selectWritten(caller, QuoteRecord, made) : await createQuote(caller, input)
    return { status: 201, body: quoteBody(await partsOfQuote(caller, quote)) }
  })
})

quoteRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const quote = await findQuote(caller, context.req.param('id'))
  return context.json(quoteBody(await partsOfQuote(caller, quote)))
})

quoteRoutes.post('/:id/execute', async (context) => {
  const { caller } = context.var
  await optionalBodyOf(context, 'TRANSACT')
  const input = { id: context.req.param('id') }
  const signature = context.req.header('service-wallet-signature') || null
  return once(context, { operation: 'executeQuote', input, schema: executionRequest }, async (made) => {
    const quote = made
      ? await selectWritten(caller, QuoteRecord, made)
      : await executeQuote(caller, input.id, signature)
    return { status: 200, body: quoteBody(await partsOfQuote(caller, quote)) }
  })
})

const transferRoute = (
  path: string,
  call: Pick<Call, 'operation' | 'schema'>,
  make: (caller: PlatformCaller, input: unknown) => Promise<Transaction>,
) =>
  transferRoutes.post(path, async (context) => {
    const { caller } = context.var
    const input = await bodyOf(context, 'TRANSACT')
    return once(context, { ...call, input }, async (made) => {
      const transfer = made ? await selectWritten(caller, TransactionRecord, made) : await make(caller, input)
      return { status: 201, body: transactionBody(transfer) }
    })
  })

transferRoute('/transfer-out', { operation: 'transferOut', schema: transferOutRequest }, transferOutOf)
transferRoute('/transfer-in', { operation: 'transferIn', schema: transferInRequest }, transferInOf)
