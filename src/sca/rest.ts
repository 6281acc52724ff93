// `/sca`, and trust in external accounts.
import type { Context } from 'hono'
import { type ApiPermission, requireAnyPermission, requirePermission } from '#core/caller.ts'
import { bodyOf, readBody, readOptionalBody } from '#rest/body.ts'
import { queryOf } from '#rest/query.ts'
import { type RestVariables, router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { challengeBody } from './challenge/rest-body.ts'
import { confirmEnrolment, startEnrolment } from './factors/enrolment.ts'
import { listFactors, removeFactor } from './factors/removal.ts'
import { recordScaEvent } from './lockout.ts'
import { completeScaLogin, startScaLogin } from './login/login.ts'
import { completeFactorReset, readFactorReset, startFactorReset } from './reset/reset.ts'
import { confirmedBody, factorBody, loginBody, recordedEventBody, resetBody, startedResetBody } from './rest-body.ts'
import type { factorListSchema } from './rest-schema.ts'
import { confirmTrustChange, startTrustChange, type TrustChange } from './trust/trust.ts'

export const scaRoutes = router()
/** Routes under `/customers/external-accounts`. */
export const trustRoutes = router()

/** The query parameter `customerId`. Throws 403 `FORBIDDEN` first if the caller lacks the permission. */
const customerOf = ({ var: { caller }, req }: Context<RestVariables>, permission: ApiPermission) => {
  requirePermission(caller, permission)
  return queryOf(req.url, ['customerId'])['customerId']
}

scaRoutes.get('/factors', async (context) => {
  const factors = await listFactors(context.var.caller, customerOf(context, 'VIEW'))
  return context.json({ factors: factors.map(factorBody) } satisfies BodyOf<typeof factorListSchema>)
})

scaRoutes.post('/factors', async (context) =>
  context.json(await startEnrolment(context.var.caller, await bodyOf(context, 'MANAGE')), 201),
)

scaRoutes.post('/factors/confirm', async (context) =>
  context.json(confirmedBody(await confirmEnrolment(context.var.caller, await bodyOf(context, 'MANAGE')))),
)

scaRoutes.delete('/factors/:credentialId', async (context) => {
  const input = { customerId: customerOf(context, 'MANAGE'), credentialId: context.req.param('credentialId') }
  await removeFactor(context.var.caller, input)
  return context.body(null, 204)
})

scaRoutes.post('/login/start', async (context) =>
  context.json(loginBody(await startScaLogin(context.var.caller, await bodyOf(context, 'MANAGE')))),
)

scaRoutes.post('/login/complete', async (context) =>
  context.json(loginBody(await completeScaLogin(context.var.caller, await bodyOf(context, 'MANAGE')))),
)

scaRoutes.post('/record-event', async (context) =>
  context.json(recordedEventBody(await recordScaEvent(context.var.caller, await bodyOf(context, 'MANAGE')))),
)

scaRoutes.post('/factors/reset', async (context) =>
  context.json(startedResetBody(await startFactorReset(context.var.caller, await bodyOf(context, 'MANAGE'))), 201),
)

scaRoutes.get('/factors/reset/:resetId', async (context) => {
  const resetId = context.req.param('resetId')
  return context.json(resetBody(await readFactorReset(context.var.caller, resetId, customerOf(context, 'VIEW'))))
})

scaRoutes.post('/factors/reset/:resetId/complete', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  await completeFactorReset(context.var.caller, context.req.param('resetId'), input)
  return context.body(null, 204)
})

const addTrust = (path: string, change: TrustChange) => {
  trustRoutes.post(`/:id/${path}`, async (context) => {
    const { caller } = context.var
    requireAnyPermission(caller, ['TRANSACT', 'MANAGE'])
    const input = await readOptionalBody(context)
    const challenge = await startTrustChange(caller, context.req.param('id'), change, input)
    return context.json({ scaChallenge: challenge === null ? undefined : challengeBody(challenge) })
  })
  trustRoutes.post(`/:id/${path}/confirm`, async (context) => {
    const { caller } = context.var
    requireAnyPermission(caller, ['TRANSACT', 'MANAGE'])
    const input = await readBody(context)
    const { trusted } = await confirmTrustChange(caller, context.req.param('id'), change, input)
    return context.json({ trusted })
  })
}

addTrust('trust', 'TRUST')
addTrust('untrust', 'UNTRUST')
