// `/cards`: what is read of them.
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import type { Caller } from '#core/caller.ts'
import { selectPartsByIds } from '#database/record.ts'
import { pageBody, pageOfList } from '#rest/query.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Card } from './card.ts'
import { CARD_PARAMETERS, cardList, readCard } from './list.ts'
import { cardBody } from './rest-body.ts'
import type { cardSchema } from './rest-schema.ts'

export const cardRoutes = router()

cardRoutes.get('/', async (context) => {
  const { caller } = context.var
  const found = await pageOfList(caller, context.req.url, cardList, CARD_PARAMETERS)
  return context.json(pageBody(found, await cardBodies(caller, found.page.items)))
})

cardRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const [body] = await cardBodies(caller, [await readCard(caller, context.req.param('id'))])
  return context.json(body)
})

/** With the currency of the account that each draws on. */
const cardBodies = async (caller: Caller, cards: readonly Card[]): Promise<BodyOf<typeof cardSchema>[]> => {
  const accountIds = cards.map(({ accountId }) => accountId)
  const accounts = await selectPartsByIds(caller, InternalAccountRecord, accountIds)
  // A foreign key holds that the account is there.
  return cards.map((card) => cardBody(card, accounts.get(card.accountId)?.currency ?? ''))
}
