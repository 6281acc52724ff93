// `/customers`. A change of a customer is in credentials/wallet/rest.ts, because a session may have to sign it.
import { bodyOf } from '#rest/body.ts'
import { pageBody, pageOfList } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { deleteCustomer } from './change.ts'
import { createCustomer } from './create.ts'
import { readEndUserTerms } from './end-user-terms.ts'
import { CUSTOMER_PARAMETERS, customerList, readCustomer } from './list.ts'
import { customerBody } from './rest-body.ts'
import type { endUserTermsSchema } from './rest-schema.ts'

export const customerReadRoutes = router()

customerReadRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, customerList, CUSTOMER_PARAMETERS)
  return context.json(pageBody(found, found.page.items.map(customerBody)))
})

customerReadRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(customerBody(await createCustomer(context.var.caller, input)), 201)
})

customerReadRoutes.delete('/:id', async (context) =>
  context.json(customerBody(await deleteCustomer(context.var.caller, context.req.param('id')))),
)

customerReadRoutes.get('/end-user-terms', (context) => {
  const { version, url } = readEndUserTerms(context.var.caller)
  return context.json({ version, url } satisfies BodyOf<typeof endUserTermsSchema>)
})

customerReadRoutes.get('/:id', async (context) =>
  context.json(customerBody(await readCustomer(context.var.caller, context.req.param('id')))),
)
