// `/customers`. A change of a customer is in credentials/wallet/rest.ts, because a session may have to sign it.
import { bodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { createCustomer } from './create.ts'
import { deleteCustomer } from './deletion.ts'
import { readEndUserTerms } from './end-user-terms.ts'
import { CUSTOMER_PARAMETERS, customerList, readCustomer } from './list.ts'
import { customerBodies, readCustomerBody } from './rest-body.ts'
import type { endUserTermsSchema } from './rest-schema.ts'

export const customerReadRoutes = router()

customerReadRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, customerList, CUSTOMER_PARAMETERS)
  return sendPage(context, found, await customerBodies(context.var.caller, found.page.items))
})

customerReadRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const created = await createCustomer(context.var.caller, input)
  return context.json(await readCustomerBody(context.var.caller, created), 201)
})

customerReadRoutes.delete('/:id', async (context) => {
  const deleted = await deleteCustomer(context.var.caller, context.req.param('id'))
  return context.json(await readCustomerBody(context.var.caller, deleted))
})

customerReadRoutes.get('/end-user-terms', (context) => {
  const { version, url } = readEndUserTerms(context.var.caller)
  return context.json({ version, url } satisfies BodyOf<typeof endUserTermsSchema>)
})

customerReadRoutes.get('/:id', async (context) => {
  const customer = await readCustomer(context.var.caller, context.req.param('id'))
  return context.json(await readCustomerBody(context.var.caller, customer))
})
