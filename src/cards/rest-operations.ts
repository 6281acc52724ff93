// `/cards`.
import { ADA } from '#rest/examples.ts'
import { answer, body, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { newCard } from './create.ts'
import { CARD_PARAMETERS, CardFilterInput } from './list.ts'
import { cardPageSchema, cardSchema, revealedSchema } from './rest-schema.ts'
import { cardChanges } from './update.ts'

const tags = ['Cards']

export const cardOperations: Operations = {
  '/cards': {
    post: {
      operationId: 'createCard',
      'x-graphql': ['Mutation.createCard'],
      summary: 'Order a card',
      description:
        'The card is `PROCESSING` until the issuer decides. The event `CARD.STATE_CHANGE` reports the decision. 400 with the reason `CARDHOLDER_KYC_NOT_APPROVED` or `FUNDING_SOURCE_INELIGIBLE`.',
      tags,
      requestBody: body(newCard.meta({ id: 'CardRequest', description: 'The new card.' }), {
        cardholderId: ADA.customerId,
        form: 'VIRTUAL',
        fundingSources: [ADA.dollars],
        platformCardId: 'ada-lovelace-second',
      }),
      responses: { 201: answer('The ordered card.', cardSchema), ...failures(404, 410, 501) },
    },
    get: {
      operationId: 'listCards',
      'x-graphql': ['Query.cards'],
      summary: 'List cards',
      tags,
      requestParams: {
        query: filterQuery(CardFilterInput, CARD_PARAMETERS),
      },
      responses: { 200: answer('A page of cards.', cardPageSchema), ...failures() },
    },
  },
  '/cards/{id}': {
    get: {
      operationId: 'getCard',
      'x-graphql': ['Query.node ... on Card'],
      summary: 'Get a card',
      tags,
      requestParams: { path: pathId('id', 'Card') },
      responses: { 200: answer('The card.', cardSchema), ...failures(404) },
    },
    patch: {
      operationId: 'updateCard',
      'x-graphql': ['Mutation.updateCard'],
      summary: 'Freeze, unfreeze or close a card, or change its funding sources',
      description:
        'At least one field is required. `CLOSED` is final and cannot be combined with other changes. Needs no signature.',
      tags,
      requestParams: { path: pathId('id', 'Card') },
      requestBody: body(cardChanges.meta({ id: 'CardChanges', description: 'The changes of a card.' }), {
        state: 'FROZEN',
      }),
      responses: { 200: answer('The changed card.', cardSchema), ...failures(404, 409, 501) },
    },
  },
  '/cards/{id}/reveal': {
    post: {
      operationId: 'revealCard',
      'x-graphql': ['Mutation.revealCard'],
      summary: "Reveal a card's number",
      description: 'The address works once, and expires after 5 minutes. 403 unless the card is `ACTIVE` or `FROZEN`.',
      tags,
      requestParams: { path: pathId('id', 'Card') },
      responses: { 200: answer('Where the number is shown.', revealedSchema), ...failures(404, 501) },
    },
  },
}
