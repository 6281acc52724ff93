// Facts that a payment and its quote share.

/** How an outgoing amount was computed (docs/domain/transactions.md#rate-details). Fixed fees and amounts are smallest units. */
export interface RateDetails {
  readonly counterpartyMultiplier: number
  readonly counterpartyFixedFee: number
  readonly serviceApiMultiplier: number
  readonly serviceApiFixedFee: number
  /** A fraction: 0.003 is 0.3 %. */
  readonly serviceApiVariableFeeRate: number
  readonly serviceApiVariableFeeAmount: number
}

/** Free facts about the other side, for example FULL_NAME. */
export type CounterpartyInformation = Readonly<Record<string, string>>
