// `/beneficial-owners`
import { invalidInput } from '#core/errors.ts'
import { bodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import { createOwner, updateOwner } from './change.ts'
import { ownerList, readOwner } from './owner.ts'
import { ownerBody } from './rest-body.ts'

export const ownerRoutes = router()

ownerRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(ownerBody(await createOwner(context.var.caller, input)), 201)
})

ownerRoutes.get('/', async (context) => {
  if (context.req.query('customerId') === undefined) throw invalidInput('customerId', 'customerId is required')
  const found = await pageOfList(context.var.caller, context.req.url, ownerList, ['customerId'])
  return sendPage(context, found, found.page.items.map(ownerBody))
})

ownerRoutes.get('/:id', async (context) =>
  context.json(ownerBody(await readOwner(context.var.caller, context.req.param('id')))),
)

ownerRoutes.patch('/:id', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(ownerBody(await updateOwner(context.var.caller, context.req.param('id'), input)))
})
