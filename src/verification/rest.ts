// `/verifications`, and links below `/customers`.
import { bodyOf, optionalBodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { createKycLink } from './kyc-link.ts'
import { verificationBody } from './rest-body.ts'
import type { kycLinkSchema } from './rest-schema.ts'
import { submitVerification } from './submit.ts'
import { readVerification, VERIFICATION_PARAMETERS, verificationList } from './verification.ts'

export const verificationRoutes = router()

verificationRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  return context.json(verificationBody(await submitVerification(context.var.caller, input)))
})

verificationRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, verificationList, VERIFICATION_PARAMETERS)
  return sendPage(context, found, found.page.items.map(verificationBody))
})

verificationRoutes.get('/:id', async (context) =>
  context.json(verificationBody(await readVerification(context.var.caller, context.req.param('id')))),
)

export const kycLinkRoutes = router()

kycLinkRoutes.post('/:id/kyc-link', async (context) => {
  const input = await optionalBodyOf(context, 'MANAGE')
  const key = context.req.header('idempotency-key') ?? null
  const { kycUrl, expiresAt, token } = await createKycLink(context.var.caller, context.req.param('id'), input, key)
  const body: BodyOf<typeof kycLinkSchema> = { kycUrl, expiresAt, provider: 'SUMSUB', token: token ?? undefined }
  return context.json(body, 201)
})
