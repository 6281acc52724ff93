// The page that shows a card's number in the sandbox (docs/domain/cards.md#card-numbers). The address works once.
import { config } from '#core/config.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { placeTokens } from '#core/place-token.ts'
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import type { Card as CardRow } from '#generated/prisma/client.ts'
import { numberOf, securityCodeOf } from './number.ts'

export const NUMBER_PAGES = '/card-numbers'

const tokens = placeTokens('sandbox card number page')

/** Makes the address of a new page, which is valid until `expiresAt`. */
export const createNumberPage = async (
  tx: Tx,
  { platformId: platform, id: cardId }: CardRow,
  expiresAt: Date,
): Promise<string> => {
  const platformId = platform as PlatformId
  const id = newUuid()
  await tx.$executeRaw`
    insert into card_number_pages (platform_id, id, card_id, expires_at)
    values (${platformId}::uuid, ${id}::uuid, ${cardId}::uuid, ${expiresAt}::timestamptz)`
  return `${config.publicUrl}${NUMBER_PAGES}/${tokens.tokenOf({ platformId, id })}`
}

/** The platform whose page the token names. Undefined for a token that the gateway did not make. */
export const placeOfPage = tokens.placeOf

export interface CardNumber {
  readonly number: string
  /** `MM/YY`. */
  readonly expiry: string
  readonly securityCode: string
}

/** Uses up the page. `GONE` if it was shown before, or has expired, or the card is closed. Undefined if there is no such page. */
export const openNumberPage = (token: string): Promise<CardNumber | 'GONE' | undefined> => {
  const place = placeOfPage(token)
  if (!place) return Promise.resolve(undefined)
  const { platformId, id } = place
  return inTransaction(async (tx) => {
    const [page] = await tx.$queryRaw<{ cardId: string; isOpen: boolean }[]>`
      with locked as materialized (
        select card_id, shown_at, expires_at from card_number_pages
        where platform_id = ${platformId}::uuid and id = ${id}::uuid for update)
      select card_id as "cardId", shown_at is null and expires_at > clock_timestamp() as "isOpen" from locked`
    if (!page) return undefined
    if (!page.isOpen) return 'GONE'
    await tx.$executeRaw`
      update card_number_pages set shown_at = now() where platform_id = ${platformId}::uuid and id = ${id}::uuid`
    const card = await tx.card.findUniqueOrThrow({ where: { platformId_id: { platformId, id: page.cardId } } })
    if (card.state !== 'ACTIVE' && card.state !== 'FROZEN') return 'GONE'
    const [month, year] = [String(card.expMonth).padStart(2, '0'), String(card.expYear).slice(-2)]
    return { number: numberOf(card), expiry: `${month}/${year}`, securityCode: securityCodeOf(card) }
  })
}

export const deleteOldNumberPages: Task = {
  name: 'deleteOldNumberPages',
  cron: '*/10 * * * *',
  run: async () => {
    await db.$executeRaw`delete from card_number_pages where expires_at < now() - interval '1 day'`
  },
}
