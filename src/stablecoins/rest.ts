// `/stablecoin-provider-accounts`, `/stablecoins`, `/stablecoin-quotes` and `/stablecoin-operations`. Every POST needs an idempotency key.
import type { Context } from 'hono'
import { publicId } from '#core/ids.ts'
import { selectWritten } from '#database/record.ts'
import { onceWithKey } from '#idempotency/rest.ts'
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { type RestVariables, router } from '#rest/router.ts'
import { executeStablecoinQuote, stablecoinExecution } from './execute.ts'
import { operationList, readOperation, StablecoinOperationRecord } from './operation.ts'
import {
  linkProviderAccount,
  newProviderAccount,
  PROVIDER_ACCOUNT_PARAMETERS,
  ProviderAccountRecord,
  providerAccountList,
  readProviderAccount,
} from './provider-account.ts'
import { burnRequest, createStablecoinQuote, mintRequest, type OperationType, StablecoinQuoteRecord } from './quote.ts'
import { operationBody, providerAccountBody, stablecoinBody, stablecoinQuoteBody } from './rest-body.ts'
import { newStablecoin, readStablecoin, registerStablecoin, StablecoinRecord, stablecoinList } from './stablecoin.ts'

export const providerAccountRoutes = router()

providerAccountRoutes.post('/', async (context) => {
  const { caller } = context.var
  const input = await bodyOf(context, 'MANAGE')
  const call = { operation: 'createStablecoinProviderAccount', input, schema: newProviderAccount } as const
  return onceWithKey(context, call, async ({ result, record }) => {
    const link = result
      ? await selectWritten(caller, ProviderAccountRecord, result)
      : await linkProviderAccount(caller, input, record)
    return { status: 201, body: providerAccountBody(link) }
  })
})

providerAccountRoutes.get('/', async (context) => {
  const { caller, url } = { caller: context.var.caller, url: context.req.url }
  const found = await pageOfList(caller, url, providerAccountList, PROVIDER_ACCOUNT_PARAMETERS)
  return sendPage(context, found, found.page.items.map(providerAccountBody))
})

providerAccountRoutes.get('/:id', async (context) =>
  context.json(providerAccountBody(await readProviderAccount(context.var.caller, context.req.param('id')))),
)

export const stablecoinRoutes = router()

stablecoinRoutes.post('/', async (context) => {
  const { caller } = context.var
  const input = await bodyOf(context, 'MANAGE')
  const call = { operation: 'registerStablecoin', input, schema: newStablecoin } as const
  return onceWithKey(context, call, async ({ result, record }) => {
    const coin = result
      ? await selectWritten(caller, StablecoinRecord, result)
      : await registerStablecoin(caller, input, record)
    return { status: 201, body: stablecoinBody(coin) }
  })
})

stablecoinRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, stablecoinList, [])
  return sendPage(context, found, found.page.items.map(stablecoinBody))
})

stablecoinRoutes.get('/:id', async (context) =>
  context.json(stablecoinBody(await readStablecoin(context.var.caller, context.req.param('id')))),
)

stablecoinRoutes.get('/:id/operations', async (context) => {
  const { caller } = context.var
  const { id } = await readStablecoin(caller, context.req.param('id'))
  const given = { stablecoinId: publicId('Stablecoin', id) }
  const found = await pageOfList(caller, context.req.url, operationList, [], given)
  return sendPage(context, found, found.page.items.map(operationBody))
})

const quote = async (context: Context<RestVariables>, id: string, type: OperationType) => {
  const { caller } = context.var
  const input = { ...(await bodyOf(context, 'TRANSACT')), id }
  const call = {
    operation: type === 'MINT' ? 'createMintQuote' : 'createBurnQuote',
    input,
    schema: type === 'MINT' ? mintRequest : burnRequest,
  } as const
  return onceWithKey(context, call, async ({ result, record }) => {
    const made = result
      ? await selectWritten(caller, StablecoinQuoteRecord, result)
      : await createStablecoinQuote(caller, id, type, input, record)
    return { status: 201, body: stablecoinQuoteBody(made) }
  })
}

stablecoinRoutes.post('/:id/mint-quotes', (context) => quote(context, context.req.param('id'), 'MINT'))
stablecoinRoutes.post('/:id/burn-quotes', (context) => quote(context, context.req.param('id'), 'BURN'))

export const stablecoinQuoteRoutes = router()

stablecoinQuoteRoutes.post('/:id/execute', async (context) => {
  const { caller } = context.var
  const id = context.req.param('id')
  const input = { ...(await optionalBodyOf(context, 'TRANSACT')), id }
  const call = { operation: 'executeStablecoinQuote', input, schema: stablecoinExecution } as const
  return onceWithKey(context, call, async ({ result, record }) => {
    const operation = result
      ? await selectWritten(caller, StablecoinOperationRecord, result)
      : await executeStablecoinQuote(caller, id, record)
    return { status: 201, body: operationBody(operation) }
  })
})

export const operationRoutes = router()

operationRoutes.get('/:id', async (context) =>
  context.json(operationBody(await readOperation(context.var.caller, context.req.param('id')))),
)
