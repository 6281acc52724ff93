import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { counterpartyFieldSchema } from '#platforms/settings/rest-schema.ts'
import { currencySchema } from '#rest/schema.ts'
import { LOOKUP_TEXTS } from './look-up.ts'

const lookedUpCurrencySchema = z
  .object({
    currency: currencySchema,
    estimatedExchangeRate: z.number().describe(LOOKUP_TEXTS.estimatedExchangeRate),
    min: z.int().describe(LOOKUP_TEXTS.min),
    max: z.int().describe(LOOKUP_TEXTS.max),
  })
  .meta({ id: 'LookedUpCurrency', description: 'A currency that a receiver accepts.' })

const lookup = {
  lookupId: idOf('LookupRequest').describe(LOOKUP_TEXTS.lookupId),
  supportedCurrencies: z.array(lookedUpCurrencySchema).describe(LOOKUP_TEXTS.supportedCurrencies),
  requiredPayerDataFields: z.array(counterpartyFieldSchema).describe(LOOKUP_TEXTS.requiredPayerDataFields),
}

export const umaLookupSchema = z
  .object({ ...lookup, receiverUmaAddress: z.string().describe(LOOKUP_TEXTS.receiverUmaAddress) })
  .meta({ id: 'UmaLookup', description: 'What a payment to a UMA address needs.' })

export const accountLookupSchema = z
  .object({ ...lookup, accountId: idOf('ExternalAccount').describe(LOOKUP_TEXTS.accountId) })
  .meta({ id: 'ExternalAccountLookup', description: 'What a payment to an external account needs.' })
