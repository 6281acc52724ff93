// The numbers of the sandbox's cards. They are derived from the card's id, so they are not stored.
import type { KeyObject } from 'node:crypto'
import { deriveSecretKey, mac } from '#core/keys.ts'
import type { Card as CardRow } from '#generated/prisma/client.ts'

const numberKey = deriveSecretKey('sandbox card number')
const codeKey = deriveSecretKey('sandbox card security code')

/** The first six digits: ranges that the card networks' test systems use. */
const TEST_RANGES = { VISA: '400000', MASTERCARD: '222300' } as const

const derived = (key: KeyObject, { platformId, id }: CardKey, digits: number): string =>
  String(mac(key, `${platformId} ${id}`).readBigUInt64BE() % 10n ** BigInt(digits)).padStart(digits, '0')

type CardKey = Pick<CardRow, 'platformId' | 'id'>

/** The last four digits of a new card. */
export const lastDigitsOf = (card: CardKey): string => derived(numberKey, card, 4)

/** Sixteen digits of a test range that end in the card's `last4`, and pass the check of ISO/IEC 7812-1, annex B. */
export const numberOf = (card: CardKey & Pick<CardRow, 'brand' | 'last4'>): string => {
  const start = `${TEST_RANGES[card.brand ?? 'VISA']}${derived(numberKey, card, 9).slice(0, 5)}`
  const end = card.last4 ?? lastDigitsOf(card)
  // Exactly one digit in this place makes the sum right.
  const digit = [...'0123456789'].find((each) => isValidNumber(`${start}${each}${end}`))
  return `${start}${digit}${end}`
}

/** Three digits. */
export const securityCodeOf = (card: CardKey): string => derived(codeKey, card, 3)

/** Every second digit counts twice, from the right. */
const isValidNumber = (number: string): boolean => {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
