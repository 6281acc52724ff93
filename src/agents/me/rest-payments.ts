// `/agents/me`: quotes and payments by agents.
import type { Context } from 'hono'
import { executeQuoteAsAgent, transferInAsAgent, transferOutAsAgent } from '#agents/actions/act.ts'
import { type AgentAction, AgentActionRecord } from '#agents/actions/action.ts'
import { partsOfAction } from '#agents/actions/action-parts.ts'
import { actionBody } from '#agents/rest-body.ts'
import type { AgentCaller } from '#core/caller.ts'
import { selectWritten } from '#database/record.ts'
import type { Call, RecordResult } from '#idempotency/idempotency.ts'
import { once } from '#idempotency/rest.ts'
import { createQuote } from '#quotes/create.ts'
import { executionRequest } from '#quotes/execute.ts'
import { findQuote, partsOfQuote, partsOfWritten } from '#quotes/find.ts'
import { quoteRequest } from '#quotes/request.ts'
import { createdStatusOf } from '#quotes/rest.ts'
import { quoteBody } from '#quotes/rest-body.ts'
import { readBody, readOptionalBody } from '#rest/body.ts'
import { type AgentVariables, agentRouter } from '#rest/router.ts'
import { requirePayer } from '#settlement/payer.ts'
import { transferInRequest, transferOutRequest } from '#transfers/transfer.ts'

export const ownPaymentRoutes = agentRouter()

ownPaymentRoutes.post('/quotes', async (context) => {
  const { caller } = context.var
  requirePayer(caller, 'CREATE_QUOTES')
  const input = await readBody(context)
  return once(context, { operation: 'createQuote', input, schema: quoteRequest }, async ({ result, record }) => {
    const parts = await partsOfWritten(caller, result ?? (await createQuote(caller, input, record)))
    return { status: createdStatusOf(parts.quote), body: quoteBody(parts) }
  })
})

ownPaymentRoutes.get('/quotes/:id', async (context) => {
  const { caller } = context.var
  const quote = await findQuote(caller, context.req.param('id'))
  return context.json(quoteBody(await partsOfQuote(caller, quote)))
})

ownPaymentRoutes.post('/quotes/:id/execute', async (context) => {
  requirePayer(context.var.caller, 'EXECUTE_QUOTES')
  const signature = context.req.header('service-wallet-signature') || null
  const input = { ...(await readOptionalBody(context)), id: context.req.param('id') }
  const execute = (caller: AgentCaller, record: RecordResult) => executeQuoteAsAgent(caller, input, signature, record)
  return actOnce(context, 200, { operation: 'executeQuote', input, schema: executionRequest }, execute)
})

ownPaymentRoutes.post('/transfer-out', async (context) => {
  requirePayer(context.var.caller, 'CREATE_TRANSFERS')
  const input = await readBody(context)
  const call = { operation: 'transferOut', input, schema: transferOutRequest } as const
  return actOnce(context, 201, call, (caller, record) => transferOutAsAgent(caller, input, record))
})

ownPaymentRoutes.post('/transfer-in', async (context) => {
  requirePayer(context.var.caller, 'CREATE_TRANSFERS')
  const input = await readBody(context)
  const call = { operation: 'transferIn', input, schema: transferInRequest } as const
  return actOnce(context, 201, call, (caller, record) => transferInAsAgent(caller, input, record))
})

const actOnce = (
  context: Context<AgentVariables>,
  status: number,
  call: Omit<Call, 'key'>,
  act: (caller: AgentCaller, record: RecordResult) => Promise<AgentAction>,
) =>
  once(context, call, async ({ result, record }) => {
    const { caller } = context.var
    const action = result ? await selectWritten(caller, AgentActionRecord, result) : await act(caller, record)
    return { status, body: actionBody(await partsOfAction(caller, action)) }
  })
