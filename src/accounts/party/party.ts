// Where money comes from and where it goes: the variants of `source` and `destination` (docs/domain/transactions.md#parties).
import type { PaymentRail } from '#accounts/payment-rail.ts'

export const SOURCE_TYPES = ['ACCOUNT', 'UMA_ADDRESS', 'REALTIME_FUNDING'] as const
export const DESTINATION_TYPES = ['ACCOUNT', 'UMA_ADDRESS'] as const

export interface OnChainTransaction {
  readonly transactionHash: string
  readonly network: string
}

/** Facts that the payer's bank reports about real-time funding. */
export interface FundingDetails {
  readonly accountHolderName?: string
  /** The sender's account, masked. */
  readonly accountIdentifier?: string
  readonly bankName?: string
  readonly bankIdentifier?: string
  readonly paymentRail?: PaymentRail
  readonly remittanceInformation?: string
  readonly endToEndId?: string
  readonly traceNumber?: string
}

export interface SourceColumns {
  readonly sourceType: (typeof SOURCE_TYPES)[number] | null
  readonly sourceInternalAccountId: string | null
  readonly sourceExternalAccountId: string | null
  readonly sourceUmaAddress: string | null
  readonly sourceFunding?: FundingDetails | null
  readonly sourceTransactionHash?: string | null
  readonly sourceNetwork?: string | null
}

export interface DestinationColumns {
  readonly destinationType: (typeof DESTINATION_TYPES)[number] | null
  readonly destinationInternalAccountId: string | null
  readonly destinationExternalAccountId: string | null
  readonly destinationUmaAddress: string | null
  readonly destinationPaymentRail: PaymentRail | null
  readonly destinationTransactionHash?: string | null
  readonly destinationNetwork?: string | null
}
