// `/agents/me`: what an agent reads of itself, and of its customer's transactions and accounts.
import {
  countExternalAccounts,
  countInternalAccounts,
  listExternalAccounts,
  listInternalAccounts,
  parseExternalAccountFilter,
  parseInternalAccountFilter,
  readExternalAccount,
} from '#accounts/list.ts'
import { externalAccountBody, internalAccountBody } from '#accounts/rest-body.ts'
import { partsOfActions } from '#agents/actions/action-parts.ts'
import { countOwnActions, listOwnActions, parseActionFilter, readOwnAction } from '#agents/actions/list.ts'
import { actionsBody } from '#agents/actions/rest-actions.ts'
import { readAgent } from '#agents/management.ts'
import { actionBody, agentBody } from '#agents/rest-body.ts'
import { publicId } from '#core/ids.ts'
import { pageBody, queryOf, WINDOW_PARAMETERS, windowOfQuery } from '#rest/query.ts'
import { agentRouter } from '#rest/router.ts'
import { readTransaction } from '#transactions/read.ts'
import { transactionsBody } from '#transactions/rest.ts'
import { transactionBody } from '#transactions/rest-body.ts'

export const ownRoutes = agentRouter()

ownRoutes.get('/', async (context) => {
  const { caller } = context.var
  return context.json(agentBody(await readAgent(caller, publicId('Agent', caller.agentId))))
})

ownRoutes.get('/actions', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url, ['status', ...WINDOW_PARAMETERS])
  const filter = parseActionFilter({ status: query['status'] })
  const [page, totalCount] = await Promise.all([
    listOwnActions(caller, filter, windowOfQuery(query)),
    countOwnActions(caller, filter),
  ])
  return context.json(await actionsBody(caller, page, totalCount))
})

ownRoutes.get('/actions/:id', async (context) => {
  const { caller } = context.var
  const parts = await partsOfActions(caller, [await readOwnAction(caller, context.req.param('id'))])
  return context.json(parts.map(actionBody)[0])
})

ownRoutes.get('/transactions', async (context) =>
  context.json(await transactionsBody(context.var.caller, context.req.url)),
)

ownRoutes.get('/transactions/:id', async (context) =>
  context.json(transactionBody(await readTransaction(context.var.caller, context.req.param('id')))),
)

ownRoutes.get('/internal-accounts', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url, ['currency', 'type', ...WINDOW_PARAMETERS])
  const filter = parseInternalAccountFilter({ currency: query['currency'], type: query['type'] })
  const [page, totalCount] = await Promise.all([
    listInternalAccounts(caller, filter, windowOfQuery(query)),
    countInternalAccounts(caller, filter),
  ])
  return context.json(pageBody(page, totalCount, internalAccountBody))
})

ownRoutes.get('/external-accounts', async (context) => {
  const { caller } = context.var
  const query = queryOf(context.req.url, ['currency', ...WINDOW_PARAMETERS])
  const filter = parseExternalAccountFilter({ currency: query['currency'] })
  const [page, totalCount] = await Promise.all([
    listExternalAccounts(caller, filter, windowOfQuery(query)),
    countExternalAccounts(caller, filter),
  ])
  return context.json(pageBody(page, totalCount, externalAccountBody))
})

ownRoutes.get('/external-accounts/:id', async (context) =>
  context.json(externalAccountBody(await readExternalAccount(context.var.caller, context.req.param('id')))),
)
