// `/cards`.
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import type { Caller } from '#core/caller.ts'
import { selectPartsByIds } from '#database/record.ts'
import { bodyOf } from '#rest/body.ts'
import { pageOfList, sendPage } from '#rest/page.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { Card } from './card.ts'
import { createCard } from './create.ts'
import { CARD_PARAMETERS, cardList, readCard } from './list.ts'
import { cardBody } from './rest-body.ts'
import type { cardSchema, revealedSchema } from './rest-schema.ts'
import { revealCard } from './reveal.ts'
import { updateCard } from './update.ts'

export const cardRoutes = router()

cardRoutes.get('/', async (context) => {
  const { caller } = context.var
  const found = await pageOfList(caller, context.req.url, cardList, CARD_PARAMETERS)
  return sendPage(context, found, await cardBodies(caller, found.page.items))
})

cardRoutes.post('/', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { caller } = context.var
  const [body] = await cardBodies(caller, [await createCard(caller, input)])
  return context.json(body, 201)
})

cardRoutes.patch('/:id', async (context) => {
  const input = await bodyOf(context, 'MANAGE')
  const { caller } = context.var
  const [body] = await cardBodies(caller, [await updateCard(caller, context.req.param('id'), input)])
  return context.json(body)
})

cardRoutes.post('/:id/reveal', async (context) => {
  const revealed: BodyOf<typeof revealedSchema> = await revealCard(context.var.caller, context.req.param('id'))
  return context.json(revealed, 200, { 'cache-control': 'no-store' })
})

cardRoutes.get('/:id', async (context) => {
  const { caller } = context.var
  const [body] = await cardBodies(caller, [await readCard(caller, context.req.param('id'))])
  return context.json(body)
})

/** The cards, each with the currency of the account that it draws on. */
const cardBodies = async (caller: Caller, cards: readonly Card[]): Promise<BodyOf<typeof cardSchema>[]> => {
  const accountIds = cards.map(({ accountId }) => accountId)
  const accounts = await selectPartsByIds(caller, InternalAccountRecord, accountIds)
  // A foreign key ensures that the account exists.
  return cards.map((card) => cardBody(card, accounts.get(card.accountId)?.currency ?? ''))
}
