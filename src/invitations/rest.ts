// `/invitations`
import { requirePermission } from '#core/caller.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import { createInvitation } from './create.ts'
import { cancelInvitation, claimInvitation } from './decide.ts'
import { readInvitation } from './invitation.ts'
import { invitationBody } from './rest-body.ts'

export const invitationRoutes = router()

invitationRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(invitationBody(await createInvitation(context.var.caller, input)), 201)
})

invitationRoutes.get('/:code', async (context) =>
  context.json(invitationBody(await readInvitation(context.var.caller, context.req.param('code')))),
)

invitationRoutes.post('/:code/claim', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(invitationBody(await claimInvitation(context.var.caller, context.req.param('code'), input)))
})

invitationRoutes.post('/:code/cancel', async (context) => {
  requirePermission(context.var.caller, 'MANAGE')
  return context.json(invitationBody(await cancelInvitation(context.var.caller, context.req.param('code'))))
})
