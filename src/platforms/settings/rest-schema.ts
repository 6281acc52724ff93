import { z } from 'zod'
import { FIELD_TEXTS } from './currencies.ts'
import { CUSTOMER_INFO_FIELDS } from './customer-info-fields.ts'

export const counterpartyFieldSchema = z
  .object({
    name: z.enum(CUSTOMER_INFO_FIELDS).describe(FIELD_TEXTS.name),
    mandatory: z.boolean().describe(FIELD_TEXTS.mandatory),
  })
  .meta({ id: 'CounterpartyField', description: 'A piece of information about the counterparty of a payment.' })
