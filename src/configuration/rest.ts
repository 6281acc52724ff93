// `/config`: the settings of the platform.
import { publicId } from '#core/ids.ts'
import { bodyOf } from '#rest/body.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { type Configuration, changeConfiguration, readConfiguration } from './configuration.ts'
import type { changedConfigurationSchema, configurationSchema } from './rest-schema.ts'

export const configurationRoutes = router()

configurationRoutes.get('/', async (context) =>
  context.json(configurationBody(await readConfiguration(context.var.caller))),
)

configurationRoutes.patch('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { webhookSecret, ...changed } = await changeConfiguration(context.var.caller, input)
  return context.json({
    ...configurationBody(changed),
    webhookSecret: webhookSecret ?? undefined,
  } satisfies BodyOf<typeof changedConfigurationSchema>)
})

const configurationBody = ({ platform, endpoint }: Configuration): BodyOf<typeof configurationSchema> => ({
  id: publicId('PlatformConfig', platform.id),
  webhookEndpoint: endpoint?.url,
  webhookSigningPublicKey: endpoint?.publicKey,
  webhookNextSigningPublicKey: endpoint?.nextPublicKey ?? undefined,
  createdAt: platform.createdAt,
  updatedAt: platform.updatedAt,
})
