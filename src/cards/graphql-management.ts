// Platforms order, change and show cards.
import { enumOf } from '#graphql/enums.ts'
import { fieldsInput, inputOf, schemaInput } from '#graphql/input-of.ts'
import { addMutation, type Success, withoutNulls } from '#graphql/mutation.ts'
import { type Card, CardRecord } from './card.ts'
import { createCard, newCard } from './create.ts'
import { CardNode } from './graphql.ts'
import { REVEAL_TEXTS, revealCard } from './reveal.ts'
import { CARD_STATE_CHANGES, cardChanges, updateCard } from './update.ts'

const cardSuccess = (description: string, text: string): Success<{ readonly card: Card }> => ({
  description,
  fields: (t) => ({ card: t.expose('card', { type: CardNode, nullable: false, description: text }) }),
})

addMutation('createCard', {
  description:
    'Orders a card, which is `PROCESSING` until the issuer decides. Errors: `INVALID_INPUT` with the reason `CARDHOLDER_KYC_NOT_APPROVED` or `FUNDING_SOURCE_INELIGIBLE`, `USER_NOT_FOUND`, `CUSTOMER_DELETED`, `REFERENCE_NOT_FOUND`, `NOT_IMPLEMENTED`. REST: `POST /cards`.',
  input: schemaInput(newCard),
  statuses: [400, 403, 404, 410],
  resolve: async (input, { caller }) => ({ card: await createCard(caller, input) }),
  success: cardSuccess('The card is ordered. REST: 201.', 'The new card.'),
})

enumOf('CardStateChange', 'A state that a platform may set.', CARD_STATE_CHANGES, {
  ACTIVE: 'The card can be used again.',
  FROZEN: 'The card declines every use.',
  CLOSED: 'The card is closed for good.',
})

addMutation('updateCard', {
  description:
    'Freezes, unfreezes or closes a card, or changes its funding sources. `CLOSED` is final and cannot be combined with other changes. Errors: `INVALID_INPUT`, `REFERENCE_NOT_FOUND`, `CARD_ALREADY_CLOSED`, `CARD_NOT_MUTABLE`, `INVALID_STATE_TRANSITION`, `NOT_IMPLEMENTED`. REST: `PATCH /cards/{id}`.',
  input: inputOf('UpdateCardInput', 'Input of `updateCard`. At least one change is required.', cardChanges, (t) => ({
    id: t.id({ required: true, description: CardRecord.texts.id }),
  })),
  check: cardChanges,
  statuses: [400, 403, 404, 409],
  resolve: async ({ id, ...changes }, { caller }) => ({ card: await updateCard(caller, id, withoutNulls(changes)) }),
  success: cardSuccess('The card is changed. REST: 200.', 'The changed card.'),
})

addMutation('revealCard', {
  description:
    "Creates the address of a page that shows the card's number. Errors: `REFERENCE_NOT_FOUND`, `FORBIDDEN` unless the card is `ACTIVE` or `FROZEN`, `NOT_IMPLEMENTED`. REST: `POST /cards/{id}/reveal`.",
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: CardRecord.texts.id }) })),
  statuses: [403, 404],
  resolve: async ({ id }, { caller, answerHeaders }) => {
    answerHeaders.set('cache-control', 'no-store')
    return revealCard(caller, id)
  },
  success: {
    description: "Where the card's number is shown. REST: 200.",
    fields: (t) => ({
      panEmbedUrl: t.exposeString('panEmbedUrl', { nullable: false, description: REVEAL_TEXTS.panEmbedUrl }),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: false, description: REVEAL_TEXTS.expiresAt }),
    }),
  },
})
