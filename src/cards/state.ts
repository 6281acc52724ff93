// The states of a card. The table `card_transitions` of the database holds the same steps and refuses all others.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Card as CardRow, CardState, Prisma } from '#generated/prisma/client.ts'

/** From each state, the states that may follow. */
export const CARD_TRANSITIONS: Readonly<Record<CardState, readonly CardState[]>> = {
  PENDING_KYC: [],
  PROCESSING: ['ACTIVE', 'CLOSED'],
  ACTIVE: ['FROZEN', 'CLOSED'],
  FROZEN: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
}

/** Locks the card until `tx` ends. Undefined if it is unknown. */
export const lockCard = async (tx: Tx, platformId: PlatformId, id: string): Promise<CardRow | undefined> => {
  const found = await tx.$queryRaw<unknown[]>`
    select from cards where platform_id = ${platformId}::uuid and id = ${id}::uuid for no key update`
  return found.length === 0 ? undefined : readCardRow(tx, platformId, id)
}

/** Like `lockCard`, but only against changes of the card: several transactions may use it at once. */
export const shareCard = async (tx: Tx, platformId: PlatformId, id: string): Promise<CardRow | undefined> => {
  const found = await tx.$queryRaw<unknown[]>`
    select from cards where platform_id = ${platformId}::uuid and id = ${id}::uuid for share`
  return found.length === 0 ? undefined : readCardRow(tx, platformId, id)
}

const readCardRow = (tx: Tx, platformId: PlatformId, id: string) =>
  tx.card.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })

/** Columns that change together with the state. */
type Changes = Omit<Prisma.CardUncheckedUpdateInput, 'platformId' | 'id' | 'state'>

/**
 * Changes the state of a locked card. Throws 409 `CARD_ALREADY_CLOSED` for a closed card, `CARD_NOT_MUTABLE` for one that is not issued yet
 * and cannot take the step, and `INVALID_STATE_TRANSITION` for any other step that the table does not have.
 */
export const moveCard = async (tx: Tx, card: CardRow, to: CardState, changes: Changes = {}): Promise<void> => {
  const { platformId, id, state } = card
  if (!CARD_TRANSITIONS[state].includes(to)) {
    requireMutable(card)
    throw new ApiError('INVALID_STATE_TRANSITION', `A card that is ${state} cannot become ${to}`)
  }
  const data = { ...changes, state: to }
  await tx.card.update({ where: { platformId_id: { platformId, id } }, data, select: { id: true } })
}

/** Throws 409 `CARD_ALREADY_CLOSED` or, before the card is issued, `CARD_NOT_MUTABLE`. */
export const requireMutable = ({ state }: Pick<CardRow, 'state'>): void => {
  if (state === 'CLOSED') throw new ApiError('CARD_ALREADY_CLOSED', 'The card is closed')
  if (state === 'PROCESSING' || state === 'PENDING_KYC') {
    throw new ApiError('CARD_NOT_MUTABLE', 'The card is not issued yet')
  }
}
