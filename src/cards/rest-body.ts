// Cards as the specification writes them. A field without a value is absent (undefined).
import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import { type Card, fundingSourcesOf } from './card.ts'
import type { cardSchema } from './rest-schema.ts'

/** The card with the currency of the account that it draws on. */
export const cardBody = (card: Card, currency: string): BodyOf<typeof cardSchema> => ({
  id: publicId('Card', card.id),
  cardholderId: publicId('Customer', card.customerId),
  platformCardId: card.platformCardId ?? undefined,
  state: card.state,
  stateReason: card.stateReason,
  brand: card.brand ?? undefined,
  form: card.form,
  last4: card.last4 ?? undefined,
  expMonth: card.expMonth ?? undefined,
  expYear: card.expYear ?? undefined,
  fundingSources: fundingSourcesOf(card).map((id) => publicId('InternalAccount', id)),
  currency,
  processorRef: card.processorRef ?? undefined,
  issuerRef: card.issuerRef ?? undefined,
  createdAt: card.createdAt,
  updatedAt: card.updatedAt,
})
