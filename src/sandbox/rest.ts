// `/sandbox`: money that comes in, and time that passes.
import type { Context } from 'hono'
import { internalAccountBody } from '#accounts/rest-body.ts'
import { requireSandbox } from '#core/only-sandbox.ts'
import { bodyOf } from '#rest/body.ts'
import { type RestVariables, router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { transactionBody } from '#transactions/rest-body.ts'
import { advanceTime } from './advance-time.ts'
import { fundAccount } from './fund.ts'
import { receiveUma } from './receive-uma.ts'
import type { advancedTimeSchema } from './rest-schema.ts'
import { sendFunds } from './send.ts'

export const sandboxRoutes = router()

/** Checks the environment before the body is read: a production token learns nothing. */
const inputOf = (context: Context<RestVariables>) => {
  requireSandbox(context.var.caller, 'TRANSACT')
  return bodyOf(context, 'TRANSACT')
}

sandboxRoutes.post('/internal-accounts/:id/fund', async (context) => {
  const input = await inputOf(context)
  const { caller } = context.var
  const { account } = await fundAccount(caller, context.req.param('id'), input)
  return context.json(internalAccountBody(caller, account))
})

sandboxRoutes.post('/send', async (context) => {
  const input = await inputOf(context)
  return context.json(transactionBody(await sendFunds(context.var.caller, input)))
})

sandboxRoutes.post('/uma/receive', async (context) => {
  const input = await inputOf(context)
  return context.json(transactionBody(await receiveUma(context.var.caller, input)))
})

sandboxRoutes.post('/advance-time', async (context) => {
  const input = await inputOf(context)
  const advanced: BodyOf<typeof advancedTimeSchema> = await advanceTime(context.var.caller, input)
  return context.json(advanced)
})
