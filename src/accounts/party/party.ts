// Where money comes from and goes to: the variants of `source` and `destination` (docs/domain/transactions.md#parties).
import type { PaymentRail } from '#accounts/payment-rail.ts'

export const SOURCE_TYPES = ['ACCOUNT', 'UMA_ADDRESS', 'REALTIME_FUNDING'] as const
export const DESTINATION_TYPES = ['ACCOUNT', 'UMA_ADDRESS'] as const

/** An account of either kind, with its bare uuid. */
export interface AccountRef {
  readonly kind: 'InternalAccount' | 'ExternalAccount'
  readonly id: string
}

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

interface AccountSource {
  readonly sourceType: 'ACCOUNT'
  readonly account: AccountRef
  readonly customerId: string | null
  readonly currency: string | null
  readonly onChainTransaction: OnChainTransaction | null
}

interface UmaAddressSource {
  readonly sourceType: 'UMA_ADDRESS'
  readonly umaAddress: string
  readonly currency: string | null
}

interface RealtimeFundingSource {
  readonly sourceType: 'REALTIME_FUNDING'
  readonly currency: string | null
  readonly customerId: string | null
  readonly funding: FundingDetails
  readonly onChainTransaction: OnChainTransaction | null
}

export type Source = AccountSource | UmaAddressSource | RealtimeFundingSource

interface AccountDestination {
  readonly destinationType: 'ACCOUNT'
  readonly account: AccountRef
  readonly currency: string | null
  readonly paymentRail: PaymentRail | null
  readonly onChainTransaction: OnChainTransaction | null
}

interface UmaAddressDestination {
  readonly destinationType: 'UMA_ADDRESS'
  readonly umaAddress: string
  readonly currency: string | null
}

export type Destination = AccountDestination | UmaAddressDestination

export interface SourceColumns {
  readonly sourceType: (typeof SOURCE_TYPES)[number] | null
  readonly sourceInternalAccountId: string | null
  readonly sourceExternalAccountId: string | null
  readonly sourceUmaAddress: string | null
  readonly sourceFunding?: FundingDetails | null
  readonly sourceTransactionHash?: string | null
  readonly sourceNetwork?: string | null
}

/** Null while the source is not known. */
export const sourceOf = (row: SourceColumns, currency: string | null, customerId: string | null): Source | null => {
  switch (row.sourceType) {
    case 'ACCOUNT':
      return {
        sourceType: 'ACCOUNT',
        account: accountRef(row.sourceInternalAccountId, row.sourceExternalAccountId),
        customerId,
        currency,
        onChainTransaction: onChain(row.sourceTransactionHash, row.sourceNetwork),
      }
    case 'UMA_ADDRESS':
      return { sourceType: 'UMA_ADDRESS', umaAddress: row.sourceUmaAddress ?? '', currency }
    case 'REALTIME_FUNDING':
      return {
        sourceType: 'REALTIME_FUNDING',
        currency,
        customerId,
        funding: row.sourceFunding ?? {},
        onChainTransaction: onChain(row.sourceTransactionHash, row.sourceNetwork),
      }
    case null:
      return null
  }
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

export const destinationOf = (row: DestinationColumns, currency: string | null): Destination => {
  if (row.destinationType === 'UMA_ADDRESS') {
    return { destinationType: 'UMA_ADDRESS', umaAddress: row.destinationUmaAddress ?? '', currency }
  }
  return {
    destinationType: 'ACCOUNT',
    account: accountRef(row.destinationInternalAccountId, row.destinationExternalAccountId),
    currency,
    paymentRail: row.destinationPaymentRail,
    onChainTransaction: onChain(row.destinationTransactionHash, row.destinationNetwork),
  }
}

/** A CHECK constraint ensures that exactly one is set. */
const accountRef = (internalId: string | null, externalId: string | null): AccountRef =>
  internalId === null ? { kind: 'ExternalAccount', id: externalId ?? '' } : { kind: 'InternalAccount', id: internalId }

const onChain = (transactionHash: string | null = null, network: string | null = null): OnChainTransaction | null =>
  transactionHash === null || network === null ? null : { transactionHash, network }
