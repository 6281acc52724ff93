// The magic values of cards (docs/domain/sandbox.md#magic-values). The sandbox obeys these tables.
import { type MagicEffect, type MagicTable, outcomeOfSuffix } from '#core/magic-values.ts'

/** The issuer's decision on an order. Without a state the card stays `PROCESSING`. */
interface Issuance {
  readonly state: 'ACTIVE' | 'CLOSED' | undefined
  readonly afterSeconds: number
}

const issued = (effect: string, state: Issuance['state'], afterSeconds = 0): MagicEffect<Issuance> => ({
  effect,
  outcome: { state, afterSeconds },
})

export const CARD_ISSUANCE: MagicTable<Issuance> = {
  name: 'CARD_ISSUANCE',
  place: '`platformCardId` of a new card, or `cardholderId` if there is none.',
  match: 'SUFFIX',
  values: {
    '001': issued('The card stays PROCESSING.', undefined),
    '002': issued('The card is CLOSED, with the reason ISSUER_REJECTED.', 'CLOSED'),
    '005': issued('The card is ACTIVE after 30 seconds.', 'ACTIVE', 30),
  },
  otherwise: issued('The card is ACTIVE at once.', 'ACTIVE'),
}

const INELIGIBLE = { effect: '400 `INVALID_INPUT`, reason `FUNDING_SOURCE_INELIGIBLE`.', outcome: false }

/** Whether the account may fund a card. */
export const CARD_FUNDING_SOURCES: MagicTable<boolean> = {
  name: 'CARD_FUNDING_SOURCE',
  place: 'The id of an account that is to fund a card.',
  match: 'SUFFIX',
  values: { '002': INELIGIBLE, '003': INELIGIBLE },
  otherwise: { effect: 'The account may fund the card.', outcome: true },
}

/** The decision on an authorization. */
interface Purchase {
  readonly isDeclined: boolean
  readonly isPullConfirmed: boolean
  /** The time until the pull ends, unless a clearing comes first. */
  readonly afterSeconds: number
}

/** Jobs start up to half a second late. */
const SOON = 0.4

const purchase = (effect: string, given: Partial<Purchase> = {}): MagicEffect<Purchase> => ({
  effect,
  outcome: { isDeclined: false, isPullConfirmed: true, afterSeconds: SOON, ...given },
})

export const CARD_MERCHANTS: MagicTable<Purchase> = {
  name: 'CARD_MERCHANT',
  place: '`merchant.descriptor` of a simulated authorization.',
  match: 'SUFFIX',
  values: {
    '002': purchase('Is declined with INSUFFICIENT_FUNDS.', { isDeclined: true }),
    '003': purchase('Is declined with CARD_PAUSED.', { isDeclined: true }),
    '005': purchase('Is approved, and the pull confirms after 30 seconds.', { afterSeconds: 30 }),
    '006': purchase(
      'Is approved, but the pull fails, and the clearing ends in EXCEPTION. A single message is declined.',
      {
        isPullConfirmed: false,
      },
    ),
  },
  otherwise: purchase('Is approved, and the pull confirms within a second.'),
}

/** In a value like an email address, the part before the @ decides. */
const nameOf = (value: string) => value.split('@')[0] ?? ''

export const issuanceOf = (value: string): Issuance => outcomeOfSuffix(CARD_ISSUANCE, nameOf(value))
export const mayFund = (accountId: string): boolean => outcomeOfSuffix(CARD_FUNDING_SOURCES, accountId)
export const purchaseAt = (descriptor: string): Purchase => outcomeOfSuffix(CARD_MERCHANTS, nameOf(descriptor))
