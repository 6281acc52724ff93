// The bodies of the simulations, on both faces (docs/domain/cards.md#simulated-card-use).
import { z } from 'zod'
import { countryCode } from '#core/codes/countries.ts'
import { amountOf, currencyCode, idOf, textOf } from '#core/input.ts'
import { MAX_AMOUNT } from '#core/money.ts'
import { CARD_UNIT, TransactionRecord } from '#transactions/transaction.ts'

const { texts } = TransactionRecord

/** What the card network may ask for, and whether it debits the account and is cleared at once. */
export const AUTHORIZATION_KINDS = [
  'AUTHORIZATION',
  'CREDIT_AUTHORIZATION',
  'FINANCIAL_AUTHORIZATION',
  'FINANCIAL_CREDIT_AUTHORIZATION',
  'CREDIT_AUTHORIZATION_ADVICE',
] as const
export type AuthorizationKind = (typeof AUTHORIZATION_KINDS)[number]

export const merchant = z
  .object(
    {
      descriptor: textOf(255).describe(`${texts.merchantDescriptor} Its last three characters may be a magic value.`),
      mcc: textOf(4, 4)
        .regex(/^\d{4}$/, 'must be four digits')
        .nullish()
        .describe(texts.merchantMcc),
      country: countryCode.nullish().describe(texts.merchantCountry),
    },
    { error: 'must be an object' },
  )
  .meta({ id: 'CardMerchantRequest', description: 'Where a card is used.' })

export const authorizationRequest = z.object({
  amount: amountOf(1n, MAX_AMOUNT).describe(`${CARD_UNIT} Above 0.`),
  currency: z
    .object({ code: currencyCode.describe('Currency code.') }, { error: 'must be an object' })
    .describe("The card's currency."),
  merchant: merchant.describe('Where the card is used.'),
})

export const inquiryRequest = z.object({ merchant: merchant.describe('Where the card is used.') })

const cardTransactionId = idOf('CardTransaction').describe('`CardTransaction:<uuid>` of this card.')

export const adviceRequest = z.object({
  cardTransactionId,
  amount: amountOf(1n, MAX_AMOUNT).describe(`The new total, not below the cleared amount. ${CARD_UNIT}`),
})
export const clearingRequest = z.object({
  cardTransactionId,
  amount: amountOf(0n, MAX_AMOUNT).describe(`0 closes the transaction. ${CARD_UNIT}`),
})
export const returnRequest = z.object({
  cardTransactionId,
  amount: amountOf(1n, MAX_AMOUNT).describe(`At most the settled amount that has not been returned. ${CARD_UNIT}`),
})
export const reversalRequest = z.object({ cardTransactionId })
