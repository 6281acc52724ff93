import type { CardState, CardStateReason } from '#generated/prisma/client.ts'
import { internalAccountId } from './accounts.ts'
import { Dice } from './dice.ts'
import { customerId, type Person } from './people.ts'
import type { CurrencyCode } from './rates.ts'
import { DAY, type World } from './world.ts'

type Entry = readonly [owner: string, name: string, currency: CurrencyCode, state: CardState, reason?: CardStateReason]

const CARDS: readonly Entry[] = [
  ['ada-lovelace', 'everyday', 'GBP', 'ACTIVE'],
  ['ada-lovelace', 'travel', 'EUR', 'FROZEN'],
  ['ada-lovelace', 'lost', 'GBP', 'CLOSED', 'CLOSED_BY_PLATFORM'],
  ['northwind-coffee', 'roastery', 'USD', 'ACTIVE'],
  ['northwind-coffee', 'machines', 'USDB', 'ACTIVE'],
  ['anna-schmidt', 'everyday', 'EUR', 'ACTIVE'],
  ['kelp-and-kin', 'office', 'GBP', 'ACTIVE'],
  ['grace-whitfield', 'everyday', 'USD', 'ACTIVE'],
  ['grace-whitfield', 'disputed', 'USD', 'CLOSED', 'CLOSED_BY_SERVICE'],
  ['camille-laurent', 'everyday', 'EUR', 'ACTIVE'],
  ['lucia-hernandez', 'new', 'USD', 'PROCESSING'],
  ['liam-oconnor', 'everyday', 'EUR', 'ACTIVE'],
  ['brightline-logistics', 'fuel', 'USD', 'ACTIVE'],
  ['rafael-oliveira', 'refused', 'USD', 'CLOSED', 'ISSUER_REJECTED'],
  ['harbour-games', 'studio', 'DKK', 'PENDING_KYC'],
]

export const cardId = (world: World, owner: string, name: string) => world.id(`card/${owner}/${name}`)

export type UsedCard = {
  id: string
  owner: string
  currency: CurrencyCode
  accountId: string
  /** Whether the card is still used. Otherwise its last transaction was months ago. */
  isActive: boolean
}

/** Adds the cards and returns those with transactions. */
export const addCards = (world: World, people: readonly Person[]): UsedCard[] => {
  const owners = people.map(({ key }) => key)
  return CARDS.filter(([owner]) => owners.includes(owner)).flatMap((entry) => addCard(world, entry))
}

const addCard = (world: World, [owner, name, currency, state, reason]: Entry): UsedCard[] => {
  const dice = new Dice(`${world.platform}/card/${owner}/${name}`)
  const id = cardId(world, owner, name)
  const accountId = internalAccountId(world, owner, currency)
  const wasIssued = state !== 'PENDING_KYC' && state !== 'PROCESSING' && reason !== 'ISSUER_REJECTED'
  const createdAt = wasIssued ? world.ago(dice.int(121, 125) * DAY) : world.ago(dice.int(1, 3) * 3600)
  world.rows.cards.push({
    platformId: world.platformId,
    id,
    customerId: customerId(world, owner),
    accountId,
    platformCardId: `${owner}-${name}`,
    state,
    stateReason: reason ?? null,
    brand: wasIssued ? dice.pick(['VISA', 'MASTERCARD']) : null,
    form: 'VIRTUAL',
    last4: wasIssued ? dice.digits(4) : null,
    expMonth: wasIssued ? dice.int(1, 12) : null,
    expYear: wasIssued ? world.now.getUTCFullYear() + dice.int(2, 4) : null,
    processorRef: state === 'PENDING_KYC' ? null : `proc_${dice.hex(24)}`,
    issuerRef: wasIssued ? `card_${dice.hex(24)}` : null,
    createdAt,
    updatedAt: state === 'ACTIVE' || !wasIssued ? createdAt : world.ago(dice.int(5, 30) * DAY),
  })
  return wasIssued ? [{ id, owner, currency, accountId, isActive: state === 'ACTIVE' }] : []
}
