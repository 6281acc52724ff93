// `/agents/me`: an agent reads itself, its actions, and the transactions and accounts of its customer.
import {
  EXTERNAL_ACCOUNT_PARAMETERS,
  externalAccountList,
  INTERNAL_ACCOUNT_PARAMETERS,
  internalAccountList,
  readExternalAccount,
} from '#accounts/list.ts'
import { externalAccountBody, internalAccountBody } from '#accounts/rest-body.ts'
import { accountOfAction, addAccountAsAgent, deleteAccountAsAgent } from '#agents/actions/account-actions.ts'
import { partsOfAction } from '#agents/actions/action-parts.ts'
import { actionList, readAction } from '#agents/actions/list.ts'
import { sendActions } from '#agents/actions/rest-actions.ts'
import { readAgent } from '#agents/management.ts'
import { actionBody, agentBody } from '#agents/rest-body.ts'
import { publicId } from '#core/ids.ts'
import { readBody } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { agentRouter } from '#rest/router.ts'
import { requirePayer } from '#settlement/payer.ts'
import { readTransaction } from '#transactions/read.ts'
import { sendTransactions } from '#transactions/rest.ts'
import { transactionBody } from '#transactions/rest-body.ts'

export const ownRoutes = agentRouter()

ownRoutes.get('/', async (context) => {
  const { caller } = context.var
  return context.json(agentBody(await readAgent(caller, publicId('Agent', caller.agentId))))
})

ownRoutes.get('/actions', async (context) => sendActions(context, context.var.caller, actionList, ['status']))

ownRoutes.get('/actions/:id', async (context) => {
  const { caller } = context.var
  const action = await readAction(caller, context.req.param('id'))
  return context.json(actionBody(await partsOfAction(caller, action)))
})

ownRoutes.get('/transactions', async (context) => sendTransactions(context, context.var.caller))

ownRoutes.get('/transactions/:id', async (context) =>
  context.json(transactionBody(await readTransaction(context.var.caller, context.req.param('id')))),
)

ownRoutes.get('/internal-accounts', async (context) => {
  const { caller } = context.var
  const found = await pageOfList(caller, context.req.url, internalAccountList, INTERNAL_ACCOUNT_PARAMETERS)
  const bodies = found.page.items.map((account) => internalAccountBody(caller, account))
  return sendPage(context, found, bodies)
})

ownRoutes.get('/external-accounts', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, externalAccountList, EXTERNAL_ACCOUNT_PARAMETERS)
  return sendPage(context, found, found.page.items.map(externalAccountBody))
})

ownRoutes.post('/external-accounts', async (context) => {
  const { caller } = context.var
  requirePayer(caller, 'MANAGE_EXTERNAL_ACCOUNTS')
  const action = await addAccountAsAgent(caller, await readBody(context))
  return context.json(externalAccountBody(await accountOfAction(caller, action)), 201)
})

ownRoutes.delete('/external-accounts/:id', async (context) => {
  const { caller } = context.var
  const action = await deleteAccountAsAgent(caller, context.req.param('id'))
  if (action.status === 'APPROVED') return context.body(null, 204)
  return context.json(actionBody(await partsOfAction(caller, action)), 202)
})

ownRoutes.get('/external-accounts/:id', async (context) =>
  context.json(externalAccountBody(await readExternalAccount(context.var.caller, context.req.param('id')))),
)
