// The amounts of a transaction, each with its currency.
import { type Money, money, optionalMoney } from '#core/money.ts'
import type { Transaction } from './transaction.ts'

export const sentMoney = ({ sentAmount, sentCurrency }: Transaction) => optionalMoney(sentAmount, sentCurrency)
export const receivedMoney = ({ receivedAmount, receivedCurrency }: Transaction) =>
  optionalMoney(receivedAmount, receivedCurrency)

/** An amount of a card transaction. All of its amounts are in the currency of the card. */
export const cardMoney = ({ cardCurrency }: Transaction, cardAmount: bigint | null) =>
  optionalMoney(cardAmount, cardCurrency)

/** The amount received, sent, or authorized by card. CHECK constraints ensure that it is set. */
export const headlineMoney = (transaction: Transaction): Money => {
  const { type, receivedAmount, receivedCurrency, sentAmount, sentCurrency, authorizedAmount, cardCurrency } =
    transaction
  if (type === 'INCOMING') return money(receivedAmount ?? 0n, receivedCurrency ?? '')
  if (type === 'OUTGOING') return money(sentAmount ?? 0n, sentCurrency ?? '')
  return money(authorizedAmount ?? 0n, cardCurrency ?? '')
}
