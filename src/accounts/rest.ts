// `/customers/…-accounts` and `/platform/…-accounts`.
import type { Context } from 'hono'
import { pageBody, pageOfList, queryOf } from '#rest/query.ts'
import { type RestVariables, router } from '#rest/router.ts'
import {
  EXTERNAL_ACCOUNT_PARAMETERS,
  externalAccountList,
  INTERNAL_ACCOUNT_PARAMETERS,
  internalAccountList,
  listPlatformAccounts,
  readExternalAccount,
} from './list.ts'
import { externalAccountBody, internalAccountBody } from './rest-body.ts'

/** Routes under `/customers`. */
export const customerAccountRoutes = router()
/** Routes under `/platform`. */
export const platformAccountRoutes = router()

customerAccountRoutes.get('/internal-accounts', async (context) => {
  const { caller } = context.var
  const conditions = ['customerId', ...INTERNAL_ACCOUNT_PARAMETERS]
  const found = await pageOfList(caller, context.req.url, internalAccountList, conditions, { owner: 'CUSTOMER' })
  return context.json(pageBody(found, found.page.items.map(internalAccountBody)))
})

customerAccountRoutes.get('/external-accounts', async (context) =>
  context.json(await externalAccountsBody(context, ['customerId', ...EXTERNAL_ACCOUNT_PARAMETERS], 'CUSTOMER')),
)

customerAccountRoutes.get('/external-accounts/:id', async (context) =>
  context.json(externalAccountBody(await readExternalAccount(context.var.caller, context.req.param('id')))),
)

platformAccountRoutes.get('/internal-accounts', async (context) => {
  const query = queryOf(context.req.url, INTERNAL_ACCOUNT_PARAMETERS)
  const accounts = await listPlatformAccounts(context.var.caller, query)
  return context.json({ data: accounts.map(internalAccountBody) })
})

platformAccountRoutes.get('/external-accounts', async (context) =>
  context.json(await externalAccountsBody(context, EXTERNAL_ACCOUNT_PARAMETERS, 'PLATFORM')),
)

platformAccountRoutes.get('/external-accounts/:id', async (context) =>
  context.json(externalAccountBody(await readExternalAccount(context.var.caller, context.req.param('id'), 'PLATFORM'))),
)

const externalAccountsBody = async (
  context: Context<RestVariables>,
  conditions: readonly string[],
  owner: 'CUSTOMER' | 'PLATFORM',
) => {
  const found = await pageOfList(context.var.caller, context.req.url, externalAccountList, conditions, { owner })
  return pageBody(found, found.page.items.map(externalAccountBody))
}
