// `/customers/{customerId}/verify-email` and `/customers/{customerId}/verify-phone`.
import { requirePermission } from '#core/caller.ts'
import { readCustomerBody } from '#customers/rest-body.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { type Contact, confirmContactVerification, startContactVerification } from './verification.ts'

export const contactRoutes = router()

const addContact = (path: string, contact: Contact) => {
  contactRoutes.post(`/:id/${path}`, async (context) => {
    requirePermission(context.var.caller, 'MANAGE')
    await startContactVerification(context.var.caller, context.req.param('id'), contact)
    return context.body(null, 204)
  })
  contactRoutes.post(`/:id/${path}/confirm`, async (context) => {
    const input = await bodyOf(context, 'MANAGE')
    const customer = await confirmContactVerification(context.var.caller, context.req.param('id'), contact, input)
    return context.json(await readCustomerBody(context.var.caller, customer))
  })
}

addContact('verify-email', 'EMAIL')
addContact('verify-phone', 'PHONE')
