import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { currencyCodeSchema, pageSchema, timeSchema } from '#rest/schema.ts'
import { CARD_BRANDS, CARD_FORMS, CARD_STATE_REASONS, CARD_STATES, CARD_TEXTS, CardRecord } from './card.ts'
import { REVEAL_TEXTS } from './reveal.ts'

const { texts } = CardRecord

export const cardSchema = z
  .object({
    id: idOf('Card').describe(texts.id),
    cardholderId: idOf('Customer').describe(texts.customerId),
    platformCardId: z.string().optional().describe(texts.platformCardId),
    state: z.enum(CARD_STATES).describe(texts.state),
    stateReason: z.enum(CARD_STATE_REASONS).nullable().describe(texts.stateReason),
    brand: z.enum(CARD_BRANDS).optional().describe(texts.brand),
    form: z.enum(CARD_FORMS).describe(texts.form),
    last4: z.string().optional().describe(texts.last4),
    expMonth: z.int().min(1).max(12).optional().describe(texts.expMonth),
    expYear: z.int().optional().describe(texts.expYear),
    fundingSources: z.array(idOf('InternalAccount')).describe(CARD_TEXTS.fundingSources),
    currency: currencyCodeSchema.describe(CARD_TEXTS.currency),
    processorRef: z.string().optional().describe(texts.processorRef),
    issuerRef: z.string().optional().describe(texts.issuerRef),
    createdAt: timeSchema(texts.createdAt),
    updatedAt: timeSchema(texts.updatedAt),
  })
  .meta({ id: 'Card', description: 'A debit card that draws on an internal account.' })

export const revealedSchema = z
  .object({
    panEmbedUrl: z.string().describe(REVEAL_TEXTS.panEmbedUrl),
    expiresAt: timeSchema(REVEAL_TEXTS.expiresAt),
  })
  .meta({ id: 'RevealedCard', description: "Where the card's number is shown." })

export const cardPageSchema = pageSchema('CardPage', cardSchema)
