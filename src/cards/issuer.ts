// The interface of a card issuer, which makes cards and reports how they are used. It reports through issuance.ts
// whether a card was issued or refused, and through transactions/cards how it is used.
import type { Tx } from '#database/unit-of-work.ts'
import type { Card as CardRow } from '#generated/prisma/client.ts'

/** How the pulls of a card transaction end unless a clearing ends them first. */
export interface PullOutcome {
  readonly isConfirmed: boolean
  readonly afterSeconds: number
}

export interface CardIssuer {
  /** Orders a card that was just written as `PROCESSING`. Schedule the work as a job in `tx`, and make no network calls here. */
  order(tx: Tx, card: CardRow): Promise<void>
  /** Whether an active account of the cardholder may fund a card. */
  admits(accountId: string): boolean
  /** Makes the address of a page that shows the card's number once, until `expiresAt`. It is secret. */
  numberPage(tx: Tx, card: CardRow, expiresAt: Date): Promise<string>
  /** How the pulls of a purchase at this merchant end. */
  pullOutcome(merchantDescriptor: string): PullOutcome
}
