// `/uma-providers`.
import { publicId } from '#core/ids.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { UMA_PROVIDER_PARAMETERS, type UmaProvider, umaProviderList } from './provider.ts'
import type { umaProviderSchema } from './rest-schema.ts'

export const umaProviderRoutes = router()

umaProviderRoutes.get('/', async (context) => {
  const found = await pageOfList(context.var.caller, context.req.url, umaProviderList, UMA_PROVIDER_PARAMETERS)
  return sendPage(context, found, found.page.items.map(providerBody))
})

const providerBody = (provider: UmaProvider): BodyOf<typeof umaProviderSchema> => ({
  id: publicId('UmaProvider', provider.id),
  name: provider.name,
  domain: provider.domain,
  supportedRegions: provider.supportedRegions,
  supportedCurrencies: provider.supportedCurrencies,
  logoUrl: provider.logoUrl ?? undefined,
  lei: provider.lei ?? undefined,
  allowListStatus: provider.isAllowed,
})
