// `/auth/credentials` and `/auth/sessions`.

import { challengeBody } from '#credentials/kinds/rest-table.ts'
import { refreshSession } from '#credentials/sessions/refresh.ts'
import { revokeSession } from '#credentials/sessions/revoke.ts'
import { listSessions } from '#credentials/sessions/session.ts'
import { answerOutcome, proofOf } from '#credentials/signed-retry/rest.ts'
import { bodyOf } from '#rest/body.ts'
import { queryOf } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import { challengeCredential } from './challenge.ts'
import { listCredentials } from './credential.ts'
import { registerCredential } from './register.ts'
import { credentialBody, issuedSessionBody, otpCredentialBody, sessionBody } from './rest-body.ts'
import { revokeCredential } from './revoke.ts'
import { verifyCredential } from './verify.ts'

export const credentialRoutes = router()
export const sessionRoutes = router()

credentialRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  const outcome = await registerCredential(context.var.caller, input, proofOf(context))
  return answerOutcome(context, outcome, ({ credential, otpEncryptionTargetBundle }) =>
    context.json(otpCredentialBody(credential, otpEncryptionTargetBundle), 201),
  )
})

credentialRoutes.get('/', async (context) => {
  const credentials = await listCredentials(context.var.caller, queryOf(context.req.url, ['accountId'])['accountId'])
  return context.json({ data: credentials.map(credentialBody) })
})

credentialRoutes.delete('/:id', async (context) => {
  const outcome = await revokeCredential(context.var.caller, context.req.param('id'), proofOf(context))
  return answerOutcome(context, outcome, () => context.body(null, 204))
})

credentialRoutes.post('/:id/challenge', async (context) => {
  const readInput = () => bodyOf(context, 'TRANSACT')
  const issued = await challengeCredential(context.var.caller, context.req.param('id'), readInput)
  return context.json(challengeBody(issued))
})

credentialRoutes.post('/:id/verify', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  const outcome = await verifyCredential(context.var.caller, context.req.param('id'), input, proofOf(context))
  return answerOutcome(context, outcome, (issued) => context.json(issuedSessionBody(issued)))
})

sessionRoutes.get('/', async (context) => {
  const sessions = await listSessions(context.var.caller, queryOf(context.req.url, ['accountId'])['accountId'])
  return context.json({ data: sessions.map(sessionBody) })
})

sessionRoutes.post('/:id/refresh', async (context) => {
  const input = await bodyOf(context, 'TRANSACT')
  const outcome = await refreshSession(context.var.caller, context.req.param('id'), input, proofOf(context))
  return answerOutcome(context, outcome, (issued) => context.json(issuedSessionBody(issued), 201))
})

sessionRoutes.delete('/:id', async (context) => {
  const outcome = await revokeSession(context.var.caller, context.req.param('id'), proofOf(context))
  return answerOutcome(context, outcome, () => context.body(null, 204))
})
