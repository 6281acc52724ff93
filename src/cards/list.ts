// Cards, and one card.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { partsOfId } from '#core/ids.ts'
import { anyOf, bothOf, idOf, labelOf, textOf } from '#core/input.ts'
import { sql } from '#database/db.ts'
import { findById } from '#database/record.ts'
import { isOneOf, recordList, refersTo, when } from '#database/record-list.ts'
import { CARD_STATES, type Card, CardRecord, unknownCard } from './card.ts'

export const CardFilterInput = z.object({
  cardholderId: idOf('Customer').nullish().describe('Cards of this customer.'),
  accountId: idOf('InternalAccount')
    .nullish()
    .describe('Cards with this internal account among their funding sources.'),
  platformCardId: textOf(255).nullish().describe("The card's exact ID in the platform's own system."),
  state: labelOf(CARD_STATES).nullish().describe('Cards in this state.'),
  states: anyOf(CARD_STATES).describe('Cards in any of these states. An empty list means no filter.'),
})

/** The conditions that REST offers. */
export const CARD_PARAMETERS = ['cardholderId', 'accountId', 'platformCardId', 'state'] as const

/** Names the platform itself: Citus does not run a list of several parents that compares it with that of `t`. */
const fundedBy = (id: string, { platformId }: Caller) => sql`t.id = any(array(
  select card_id from card_funding_sources source where source.platform_id = ${platformId}::uuid and source.account_id = ${partsOfId(id).uuid}::uuid))`

export const cardList = recordList(CardRecord, {
  name: 'cards',
  filter: CardFilterInput,
  matches: ({ cardholderId, accountId, platformCardId, state, states }, caller) => [
    ...refersTo('customer_id', cardholderId),
    ...when(accountId, (id) => fundedBy(id, caller)),
    ...when(platformCardId, (id) => sql`t.platform_card_id = ${id}`),
    ...isOneOf('state', 'card_state', bothOf(state, states)),
  ],
  parents: { Customer: 'customer_id', InternalAccount: 'account_id' },
})

/** 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readCard = (caller: Caller, id: string): Promise<Card> =>
  findById(caller, CardRecord, 'Card', id, unknownCard)
