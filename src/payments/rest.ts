// `/quotes`, `/transfer-in` and `/transfer-out`.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { type AgentVariables, type RestVariables, router } from '#rest/router.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { createQuote } from './create-quote.ts'
import { executeQuote } from './execute-quote.ts'
import { findQuote, paymentIdOf } from './find-quote.ts'
import { type Answer, answerOnce } from './idempotency.ts'
import { quoteBody } from './rest-body.ts'
import { transferInOf, transferOutOf } from './transfer.ts'

export const quoteRoutes = router()
export const transferRoutes = router()

/** Reads `Idempotency-Key`. */
export const once = async (
  context: Context<RestVariables> | Context<AgentVariables>,
  input: unknown,
  answer: () => Promise<Answer>,
): Promise<Response> => {
  const { caller } = context.var
  const { method, path } = context.req
  const key = context.req.header('idempotency-key') ?? null
  const { status, body } = await answerOnce(caller, { method, path, key, input }, answer)
  return context.json(body as object, status as ContentfulStatusCode)
}

quoteRoutes.post('/', async (context) => {
  const { caller } = context.var
  const input = await bodyOf(context, 'TRANSACT')
  return once(context, input, async () => {
    const quote = await createQuote(caller, input)
    return { status: 201, body: quoteBody(quote, await paymentIdOf(caller, quote)) }
  })
})

quoteRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const quote = await findQuote(caller, context.req.param('id'))
  return context.json(quoteBody(quote, await paymentIdOf(caller, quote)))
})

quoteRoutes.post('/:id/execute', async (context) => {
  const { caller } = context.var
  const input = await optionalBodyOf(context, 'TRANSACT')
  const signature = context.req.header('service-wallet-signature') || null
  return once(context, input, async () => {
    const quote = await executeQuote(caller, context.req.param('id'), signature)
    return { status: 200, body: quoteBody(quote, await paymentIdOf(caller, quote)) }
  })
})

transferRoutes.post('/transfer-out', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  return once(context, input, async () => ({
    status: 201,
    body: transactionBody(await transferOutOf(context.var.caller, input)),
  }))
})

transferRoutes.post('/transfer-in', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  return once(context, input, async () => ({
    status: 201,
    body: transactionBody(await transferInOf(context.var.caller, input)),
  }))
})
