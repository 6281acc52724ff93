// `/receiver`.
import { queryOf } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { LOOKUP_PARAMETERS, type Lookup, lookUpExternalAccount, lookUpUmaAddress } from './look-up.ts'
import type { accountLookupSchema, umaLookupSchema } from './rest-schema.ts'

export const receiverRoutes = router()

receiverRoutes.get('/uma/:receiverUmaAddress', async (context) => {
  const input = queryOf(context.req.url, LOOKUP_PARAMETERS)
  const lookup = await lookUpUmaAddress(context.var.caller, context.req.param('receiverUmaAddress'), input)
  const body: BodyOf<typeof umaLookupSchema> = {
    ...sharedBody(lookup),
    receiverUmaAddress: lookup.receiverUmaAddress ?? '',
  }
  return context.json(body)
})

receiverRoutes.get('/external-account/:accountId', async (context) => {
  const input = queryOf(context.req.url, LOOKUP_PARAMETERS)
  const lookup = await lookUpExternalAccount(context.var.caller, context.req.param('accountId'), input)
  const body: BodyOf<typeof accountLookupSchema> = { ...sharedBody(lookup), accountId: lookup.accountId ?? '' }
  return context.json(body)
})

const sharedBody = ({ lookupId, supportedCurrencies, requiredPayerDataFields }: Lookup) => ({
  lookupId,
  supportedCurrencies: supportedCurrencies.map(({ currency, estimatedExchangeRate, min, max }) => ({
    currency,
    estimatedExchangeRate,
    min: Number(min),
    max: Number(max),
  })),
  requiredPayerDataFields,
})
