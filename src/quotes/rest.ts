// `/quotes`.
import { selectWritten } from '#database/record.ts'
import { once } from '#idempotency/rest.ts'
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { createQuote } from './create.ts'
import { executeQuote } from './execute.ts'
import { findQuote, paymentIdOf } from './find.ts'
import { QuoteRecord } from './quote.ts'
import { quoteBody } from './rest-body.ts'

export const quoteRoutes = router()

quoteRoutes.post('/', async (context) => {
  const { caller } = context.var
  const input = await bodyOf(context, 'TRANSACT')
  return once(context, input, async (made) => {
    const quote = made ? await selectWritten(caller, QuoteRecord, made) : await createQuote(caller, input)
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
  return once(context, input, async (made) => {
    const quote = made
      ? await selectWritten(caller, QuoteRecord, made)
      : await executeQuote(caller, context.req.param('id'), signature)
    return { status: 200, body: quoteBody(quote, await paymentIdOf(caller, quote)) }
  })
})
