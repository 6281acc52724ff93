import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { currencyCodeSchema, pageSchema, timeSchema } from '#rest/schema.ts'
import { CARD_BRANDS, CARD_FORMS, CARD_STATE_REASONS, CARD_STATES } from './card.ts'

export const cardSchema = z
  .object({
    id: idOf('Card'),
    cardholderId: idOf('Customer').describe('Who holds it.'),
    platformCardId: z.string().optional().describe('The platform’s own id of the card.'),
    state: z.enum(CARD_STATES).describe('Only ACTIVE can be used.'),
    stateReason: z.enum(CARD_STATE_REASONS).nullable().describe('Why it is closed. Null unless it is.'),
    brand: z.enum(CARD_BRANDS).optional().describe('The network. Absent until it is issued.'),
    form: z.enum(CARD_FORMS).describe('Whether there is plastic.'),
    last4: z.string().optional().describe('The last four digits. Absent until it is issued.'),
    expMonth: z.int().min(1).max(12).optional().describe('Month of expiry. Absent until it is issued.'),
    expYear: z.int().optional().describe('Year of expiry, four digits. Absent until it is issued.'),
    fundingSources: z.array(idOf('InternalAccount')).describe('The accounts that it draws on, the first one first.'),
    currency: currencyCodeSchema.describe('Code of the currency of the first funding source.'),
    processorRef: z.string().optional().describe('The processor’s own id of the card.'),
    issuerRef: z.string().optional().describe('The issuer’s own id of the card.'),
    createdAt: timeSchema('When it was ordered.'),
    updatedAt: timeSchema('When it last changed.'),
  })
  .meta({ id: 'Card', description: 'A debit card that draws on an account held here.' })

export const cardPageSchema = pageSchema('CardPage', cardSchema)
