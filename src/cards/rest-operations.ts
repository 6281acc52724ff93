// `/cards`: what is read of them.
import { answer, failures, filterQuery, type Operations, pathId } from '#rest/operation.ts'
import { CARD_PARAMETERS, CardFilterInput } from './list.ts'
import { cardPageSchema, cardSchema } from './rest-schema.ts'

const tags = ['Cards']

export const cardOperations: Operations = {
  '/cards': {
    get: {
      operationId: 'listCards',
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
      summary: 'Read a card',
      tags,
      requestParams: { path: pathId('Card') },
      responses: { 200: answer('The card.', cardSchema), ...failures(404) },
    },
  },
}
