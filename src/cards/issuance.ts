// The issuer's decision on an ordered card. Each function does nothing once the card is no longer `PROCESSING`.
import type { PlatformId } from '#core/ids.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { CardBrand } from '#generated/prisma/client.ts'
import { lockCard, moveCard } from './state.ts'

interface Issued {
  readonly brand: CardBrand
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly processorRef: string
  readonly issuerRef: string
}

/** The card becomes `ACTIVE`. */
export const activateCard = async (tx: Tx, platformId: PlatformId, id: string, issued: Issued): Promise<void> => {
  const card = await lockCard(tx, platformId, id)
  if (card?.state === 'PROCESSING') await moveCard(tx, card, 'ACTIVE', { ...issued })
}

/** The card becomes `CLOSED`, with the reason `ISSUER_REJECTED`. */
export const refuseCard = async (tx: Tx, platformId: PlatformId, id: string): Promise<void> => {
  const card = await lockCard(tx, platformId, id)
  if (card?.state === 'PROCESSING') await moveCard(tx, card, 'CLOSED', { stateReason: 'ISSUER_REJECTED' })
}
