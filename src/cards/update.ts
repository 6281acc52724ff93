// Freezing, unfreezing and closing cards, and changing what funds them (docs/domain/cards.md#card-operations).
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { requireUuid } from '#core/ids.ts'
import { labelOf, parseChanges } from '#core/input.ts'
import { selectWritten } from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { CardState } from '#generated/prisma/client.ts'
import { CARD_FIELDS, CARD_TEXTS, type Card, CardRecord, unknownCard } from './card.ts'
import { fundingSources, lockSources, MAX_FUNDING_SOURCES } from './funding-sources.ts'
import { requireIssuer } from './issuers.ts'
import { lockCard, moveCard, requireMutable } from './state.ts'

/** The states that a platform may set. */
export const CARD_STATE_CHANGES = ['ACTIVE', 'FROZEN', 'CLOSED'] as const

export const cardChanges = z
  .object({
    state: labelOf(CARD_STATE_CHANGES)
      .optional()
      .describe('The new state. `CLOSED` is final and cannot be combined with other changes.'),
    fundingSources: fundingSources
      .optional()
      .describe(`${CARD_TEXTS.fundingSources} 1 to ${MAX_FUNDING_SOURCES}. Replaces the whole list.`),
  })
  .refine((changes) => changes.state !== undefined || changes.fundingSources !== undefined, {
    path: ['state'],
    error: 'or fundingSources is required',
  })
  .refine(({ state, fundingSources: sources }) => state !== 'CLOSED' || sources === undefined, {
    path: ['fundingSources'],
    error: 'must be absent when the card is closed',
  })

/**
 * Changes the state or the funding sources, or both. Needs the permission MANAGE. Throws 501 `NOT_IMPLEMENTED` without an issuer, 404
 * `REFERENCE_NOT_FOUND` for an unknown card or account, the errors of `moveCard` and those of `lockSources`.
 */
export const updateCard = async (caller: PlatformCaller, id: string, input: unknown): Promise<Card> => {
  requirePermission(caller, 'MANAGE')
  const issuer = requireIssuer(caller)
  const changes = parseChanges(cardChanges, input, CARD_FIELDS)
  const uuid = requireUuid('Card', id, unknownCard)
  const { platformId } = caller
  await inTransaction(async (tx) => {
    const card = await lockCard(tx, platformId, uuid)
    if (!card) throw unknownCard()
    requireMutable(card)
    if (changes.fundingSources !== undefined) {
      const checkSources = await lockSources(tx, caller, changes.fundingSources)
      await writeSources(tx, card, checkSources(issuer, card.customerId))
    }
    if (changes.state !== undefined) await moveCard(tx, card, changes.state, reasonOf(changes.state))
  })
  return selectWritten(caller, CardRecord, uuid)
}

const writeSources = (tx: Tx, { platformId, id }: { platformId: string; id: string }, sources: readonly string[]) =>
  tx.card.update({
    where: { platformId_id: { platformId, id } },
    data: { fundingSources: [...sources] },
    select: { id: true },
  })

const reasonOf = (state: CardState) => (state === 'CLOSED' ? { stateReason: 'CLOSED_BY_PLATFORM' as const } : {})
