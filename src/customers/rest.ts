// `/customers`: the read operations.
import { pageBody, pageOfList } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { CUSTOMER_PARAMETERS, customerList, readCustomer } from './list.ts'
import { customerBody } from './rest-body.ts'

export const customerReadRoutes = router()

customerReadRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, customerList, CUSTOMER_PARAMETERS)
  return context.json(pageBody(found, found.page.items.map(customerBody)))
})

customerReadRoutes.get('/:id', async (context) =>
  context.json(customerBody(await readCustomer(context.var.caller, context.req.param('id')))),
)
