// `/quotes`.
import { requirePermission } from '#core/caller.ts'
import { once } from '#idempotency/rest.ts'
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { authorizeQuote, quoteAuthorization, resendQuoteCode } from './authorization/authorize.ts'
import { createQuote } from './create.ts'
import { executeQuote, executionRequest } from './execute.ts'
import { findQuote, partsOfQuote, partsOfWritten } from './find.ts'
import type { Quote } from './quote.ts'
import { quoteRequest } from './request.ts'
import { quoteBody } from './rest-body.ts'

export const quoteRoutes = router()

/** 202 while the payment instructions are withheld. */
export const createdStatusOf = ({ status, sourceType }: Quote): 201 | 202 =>
  status === 'PENDING_AUTHORIZATION' && sourceType === 'REALTIME_FUNDING' ? 202 : 201

quoteRoutes.post('/', async (context) => {
  const { caller } = context.var
  const input = await bodyOf(context, 'TRANSACT')
  return once(context, { operation: 'createQuote', input, schema: quoteRequest }, async ({ result, record }) => {
    const parts = await partsOfWritten(caller, result ?? (await createQuote(caller, input, record)))
    return { status: createdStatusOf(parts.quote), body: quoteBody(parts) }
  })
})

quoteRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const quote = await findQuote(caller, context.req.param('id'))
  return context.json(quoteBody(await partsOfQuote(caller, quote)))
})

quoteRoutes.post('/:id/execute', async (context) => {
  const { caller } = context.var
  const input = { ...(await optionalBodyOf(context, 'TRANSACT')), id: context.req.param('id') }
  const signature = context.req.header('service-wallet-signature') || null
  return once(context, { operation: 'executeQuote', input, schema: executionRequest }, async ({ result, record }) => {
    const id = result ?? (await executeQuote(caller, input, signature, record))
    return { status: 200, body: quoteBody(await partsOfWritten(caller, id)) }
  })
})

quoteRoutes.post('/:id/authorize', async (context) => {
  const { caller } = context.var
  const id = context.req.param('id')
  const input = { ...(await bodyOf(context, 'TRANSACT')), id }
  const call = { operation: 'authorizeQuote', input, schema: quoteAuthorization } as const
  return once(context, call, async ({ result, record }) => {
    const authorized = result ?? (await authorizeQuote(caller, id, input, record))
    return { status: 200, body: quoteBody(await partsOfWritten(caller, authorized)) }
  })
})

quoteRoutes.post('/:id/authorize/resend', async (context) => {
  requirePermission(context.var.caller, 'TRANSACT')
  await resendQuoteCode(context.var.caller, context.req.param('id'))
  return context.body(null, 204)
})
