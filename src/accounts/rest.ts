// `/customers/…-accounts` and `/platform/…-accounts`.
import type { Context } from 'hono'
import { readBody } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { queryOf } from '#rest/query.ts'
import { type RestVariables, router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { createExternalAccount, requireAccountWriter } from './external/create.ts'
import { deleteExternalAccount } from './external/delete.ts'
import { challengeOwner, verifyOwner } from './external/ownership.ts'
import type { ownershipChallengeSchema } from './external/rest-schema.ts'
import {
  type AccountOwner,
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
  const bodies = found.page.items.map((account) => internalAccountBody(caller, account))
  return sendPage(context, found, bodies)
})

customerAccountRoutes.get('/external-accounts', async (context) =>
  sendExternalAccounts(context, ['customerId', ...EXTERNAL_ACCOUNT_PARAMETERS], 'CUSTOMER'),
)

customerAccountRoutes.get('/external-accounts/:id', async (context) =>
  context.json(externalAccountBody(await readExternalAccount(context.var.caller, context.req.param('id')))),
)

customerAccountRoutes.post('/external-accounts', (context) => addAccount(context, 'CUSTOMER'))

customerAccountRoutes.post('/external-accounts/:id/challenge', (context) => challenge(context, 'CUSTOMER'))
customerAccountRoutes.post('/external-accounts/:id/verify', (context) => verify(context, 'CUSTOMER'))

customerAccountRoutes.delete('/external-accounts/:id', async (context) => {
  await deleteExternalAccount(context.var.caller, context.req.param('id'), 'CUSTOMER')
  return context.body(null, 204)
})

platformAccountRoutes.get('/internal-accounts', async (context) => {
  const query = queryOf(context.req.url, INTERNAL_ACCOUNT_PARAMETERS)
  const { caller } = context.var
  const accounts = await listPlatformAccounts(caller, query)
  return context.json({ data: accounts.map((account) => internalAccountBody(caller, account)) })
})

platformAccountRoutes.get('/external-accounts', async (context) =>
  sendExternalAccounts(context, EXTERNAL_ACCOUNT_PARAMETERS, 'PLATFORM'),
)

platformAccountRoutes.get('/external-accounts/:id', async (context) =>
  context.json(externalAccountBody(await readExternalAccount(context.var.caller, context.req.param('id'), 'PLATFORM'))),
)

platformAccountRoutes.post('/external-accounts', (context) => addAccount(context, 'PLATFORM'))

platformAccountRoutes.post('/external-accounts/:id/challenge', (context) => challenge(context, 'PLATFORM'))
platformAccountRoutes.post('/external-accounts/:id/verify', (context) => verify(context, 'PLATFORM'))

platformAccountRoutes.delete('/external-accounts/:id', async (context) => {
  await deleteExternalAccount(context.var.caller, context.req.param('id'), 'PLATFORM')
  return context.body(null, 204)
})

const addAccount = async (context: Context<RestVariables>, owner: AccountOwner) => {
  const { caller } = context.var
  requireAccountWriter(caller)
  return context.json(externalAccountBody(await createExternalAccount(caller, owner, await readBody(context))), 201)
}

const challenge = async (context: Context<RestVariables, '/:id'>, owner: AccountOwner) => {
  const { caller } = context.var
  requireAccountWriter(caller)
  const made = await challengeOwner(caller, context.req.param('id'), await readBody(context), owner)
  return context.json(made satisfies BodyOf<typeof ownershipChallengeSchema>, 201)
}

const verify = async (context: Context<RestVariables, '/:id'>, owner: AccountOwner) => {
  const { caller } = context.var
  requireAccountWriter(caller)
  return context.json(
    externalAccountBody(await verifyOwner(caller, context.req.param('id'), await readBody(context), owner)),
  )
}

const sendExternalAccounts = async (
  context: Context<RestVariables>,
  conditions: readonly string[],
  owner: AccountOwner,
) => {
  const found = await pageOfList(context.var.caller, context.req.url, externalAccountList, conditions, { owner })
  return sendPage(context, found, found.page.items.map(externalAccountBody))
}
