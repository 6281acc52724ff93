// `/webhooks`: the endpoint's keys.
import { optionalBodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { SetEndpoint } from './endpoint.ts'
import { endpointNotSet } from './endpoint.ts'
import type { rotationSchema } from './rest-schema.ts'
import { rotateKey } from './rotation.ts'

export const webhookRoutes = router()

webhookRoutes.post('/key/rotate', async (context) => {
  const input = await optionalBodyOf(context, 'MANAGE')
  return context.json(rotationBody(await rotateKey(context.var.caller, input)))
})

const rotationBody = ({ endpoint, secret }: SetEndpoint): BodyOf<typeof rotationSchema> => {
  if (endpoint === null) throw endpointNotSet()
  return {
    signingPublicKey: endpoint.publicKey,
    nextSigningPublicKey: endpoint.nextPublicKey ?? undefined,
    nextKeyAt: endpoint.nextKeyAt ?? undefined,
    secret: secret ?? undefined,
  }
}
