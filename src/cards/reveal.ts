// The page that shows a card's number to its holder (docs/domain/cards.md#card-operations).
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { requireUuid } from '#core/ids.ts'
import { inTransaction, timeOf } from '#database/unit-of-work.ts'
import { unknownCard } from './card.ts'
import { requireIssuer } from './issuers.ts'

const MILLISECONDS = 5 * 60 * 1000

export interface RevealedCard {
  /** Anyone who has this address can see the number. Never log it. */
  readonly panEmbedUrl: string
  readonly expiresAt: string
}

export const REVEAL_TEXTS = {
  panEmbedUrl: 'The address of a page that shows the number. It is secret, works once, and expires after 5 minutes.',
  expiresAt: 'When the address expires.',
} as const

/**
 * Needs the permission MANAGE. Throws 501 `NOT_IMPLEMENTED` without an issuer, 404 `REFERENCE_NOT_FOUND`, and 403 `FORBIDDEN` unless the card is
 * `ACTIVE` or `FROZEN`.
 */
export const revealCard = async (caller: PlatformCaller, id: string): Promise<RevealedCard> => {
  requirePermission(caller, 'MANAGE')
  const issuer = requireIssuer(caller)
  const { platformId } = caller
  const uuid = requireUuid('Card', id, unknownCard)
  return inTransaction(async (tx) => {
    const card = await tx.card.findUnique({ where: { platformId_id: { platformId, id: uuid } } })
    if (!card) throw unknownCard()
    if (card.state !== 'ACTIVE' && card.state !== 'FROZEN') {
      throw new ApiError('FORBIDDEN', `The number of a card that is ${card.state} cannot be shown`)
    }
    const expiresAt = new Date((await timeOf(tx)).getTime() + MILLISECONDS)
    return { panEmbedUrl: await issuer.numberPage(tx, card, expiresAt), expiresAt: expiresAt.toISOString() }
  })
}
