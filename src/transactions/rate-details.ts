// Facts that a payment and its quote share.

/** How an outgoing amount was computed (docs/domain/transactions.md#rate-details). Fixed fees and amounts are in smallest units. */
export interface RateDetails {
  readonly counterpartyMultiplier: number
  readonly counterpartyFixedFee: number
  readonly serviceApiMultiplier: number
  readonly serviceApiFixedFee: number
  /** A fraction: 0.003 is 0.3 %. */
  readonly serviceApiVariableFeeRate: number
  readonly serviceApiVariableFeeAmount: number
}

export type CounterpartyInformation = Readonly<Record<string, string>>

/** The column of a row, which is empty when the counterparty says nothing about itself. */
export const counterpartyColumn = (facts: CounterpartyInformation) =>
  Object.keys(facts).length === 0 ? {} : { counterpartyInformation: { ...facts } }

export const RATE_DETAILS = 'How the amounts of a UMA payment were computed. Only for UMA payments.'
export const COUNTERPARTY_INFORMATION = 'Facts about the counterparty by name, for example `FULL_NAME`.'

export const RATE_DETAILS_TEXTS: Readonly<Record<keyof RateDetails, string>> = {
  counterpartyMultiplier: 'Rate from mSATs to the receiving currency, as the counterparty returned it. Greater than 0.',
  counterpartyFixedFee:
    'Fixed fee of the counterparty, in the smallest unit of the receiving currency. Its value in the sending currency moves with the exchange rate, so a later quote for the same transfer can show another total fee.',
  serviceApiMultiplier: 'Rate from the sending currency to mSATs, including variable fees. Greater than 0.',
  serviceApiFixedFee: 'Fixed fee of the service, in the smallest unit of the sending currency.',
  serviceApiVariableFeeRate: 'Share of the sending amount: 0.003 is 0.3 %.',
  serviceApiVariableFeeAmount:
    'Sending amount times the variable fee rate, in the smallest unit of the sending currency.',
}
