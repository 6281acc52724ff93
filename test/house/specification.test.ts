// The tables of the interface specification, all of which the schema must cover. `!` marks what the specification requires.
import { readFileSync } from 'node:fs'
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isNonNullType, isObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { ERROR_STATUS } from '#core/errors.ts'

const schema = buildSchema(readFileSync(new URL('../../src/graphql/schema.graphql', import.meta.url), 'utf8'))

const words = (text: string) => text.trim().split(/\s+/)

const TRANSACTION = `id! status! type! direction! destination! customerId! platformCustomerId! settledAt createdAt updatedAt
  receiptDeliveryConfirmedAt agentId description sentAmount exchangeRate quoteId refund counterpartyInformation`

const FIELDS: Record<string, string> = {
  PaymentTransaction: TRANSACTION,
  IncomingTransaction: `${TRANSACTION} source receivedAmount! fees reconciliationInstructions failureReason`,
  OutgoingTransaction: `${TRANSACTION} source! sentAmount! receivedAmount fees platformFees reconciliationInstructions
    paymentInstructions rateDetails failureReason paymentRail railSelectionMode expectedSettlementAt settlementTimelineSeconds`,
  CardTransaction: `type! id! cardId customerId! platformCustomerId! issuerTransactionToken status! direction! merchant!
    authorizedAmount! settledAmount refundedAmount accountId! pullSummary refundSummary settlementSummary authorizedAt!
    lastEventAt createdAt! updatedAt!`,
  CardMerchant: 'descriptor! mcc country',
  CardPullSummary: 'count! totalAmount! pendingCount',
  CardRefundSummary: 'count! totalAmount!',
  CardSettlementSummary: 'count! totalAmount!',
  Refund: 'reference! initiatedAt! status! settledAt reason',
  AccountDestination: 'destinationType! accountId! currency paymentRail onChainTransaction',
  AccountSource: 'sourceType! accountId! customerId currency onChainTransaction',
  OnChainTransaction: 'transactionHash! network!',
  ReconciliationInstructions: 'reference transactionHash',
  OutgoingRateDetails: `counterpartyMultiplier! counterpartyFixedFee! serviceApiMultiplier! serviceApiFixedFee!
    serviceApiVariableFeeRate! serviceApiVariableFeeAmount!`,
  PaymentInstructions: 'accountOrWalletInfo! instructionsNotes isPlatformAccount',
  UsdAccountInfo: 'accountType! paymentRails accountNumber routingNumber! bankName reference',
  SparkWalletInfo: 'accountType! assetType address! invoice',
  Quote: `id! status! createdAt! expiresAt! source! destination! sendingCurrency! receivingCurrency! totalSendingAmount!
    totalReceivingAmount! exchangeRate! feesIncluded! transactionId! platformFeesIncluded paymentInstructions
    counterpartyInformation rateDetails scaChallenge`,
  Customer: `id! platformCustomerId! customerType! region currencies email phoneNumber umaAddress! createdAt updatedAt isDeleted
    contactVerification`,
  ScaChallenge: 'id! expiresAt availableFactors purpose passkeyAssertionOptions passkeyAllowedOrigins',
  // Left open by the specification (docs/domain/transactions.md#parties).
  UmaAddressDestination: 'destinationType! umaAddress! currency',
  UmaAddressSource: 'sourceType! umaAddress! currency',
  RealtimeFundingSource: `sourceType! currency customerId accountHolderName accountIdentifier bankName bankIdentifier
    paymentRail remittanceInformation endToEndId traceNumber onChainTransaction`,
  // CurrencyAmount is called Money here, and its currency object Currency.
  Money: 'amount! currency!',
  Currency: 'code! name! symbol! decimals!',
  // The query of GET /transactions. `limit` and `cursor` are `first` and `after`; `sortOrder` is an argument beside the filter.
  TransactionFilter: `customerId platformCustomerId accountIdentifier senderAccountIdentifier receiverAccountIdentifier status
    type reference startDate endDate`,
  // Its response: `data` is `nodes`; `hasMore` and `nextCursor` are in `pageInfo`.
  TransactionConnection: 'nodes! pageInfo! totalCount',
  PageInfo: 'hasNextPage! endCursor',
}

/** Required by the specification, but nullable so that the field has one shape on all members of `Node`. */
const NULLABLE_FOR_ONE_SHAPE = [
  'IncomingTransaction.receivedAmount',
  'OutgoingTransaction.source',
  'OutgoingTransaction.sentAmount',
  'Quote.source',
  'Quote.exchangeRate',
]

/** Fields whose type differs by type of transaction: one wide enum for all, and a field with the exact enum beside it. */
const EXACT_TYPES = {
  'TransactionNode.type': ['TransactionItemType!', 'type', 'TransactionItemType!'],
  'IncomingTransaction.status': ['TransactionLifecycleStatus!', 'paymentStatus', 'TransactionStatus!'],
  'OutgoingTransaction.status': ['TransactionLifecycleStatus!', 'outgoingStatus', 'OutgoingTransactionStatus'],
  'CardTransaction.status': ['TransactionLifecycleStatus!', 'cardStatus', 'CardTransactionStatus!'],
  'IncomingTransaction.failureReason': [
    'TransactionFailureReason',
    'incomingFailureReason',
    'IncomingTransactionFailureReason',
  ],
  'OutgoingTransaction.failureReason': [
    'TransactionFailureReason',
    'outgoingFailureReason',
    'OutgoingTransactionFailureReason',
  ],
} as const

const TRANSACTION_STATES = 'CREATED PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED REJECTED FAILED REFUNDED EXPIRED'
const INCOMING_FAILURES = `LNURLP_FAILED PAY_REQUEST_FAILED PAYMENT_APPROVAL_WEBHOOK_ERROR PAYMENT_APPROVAL_TIMED_OUT OFFRAMP_FAILED
  MISSING_MANDATORY_PAYEE_DATA QUOTE_EXPIRED QUOTE_EXECUTION_FAILED`

const ENUMS: Record<string, string> = {
  TransactionType: 'INCOMING OUTGOING',
  TransactionItemType: 'INCOMING OUTGOING CARD',
  TransactionDirection: 'CREDIT DEBIT',
  TransactionStatus: TRANSACTION_STATES,
  OutgoingTransactionStatus: 'PENDING PENDING_AUTHORIZATION EXPIRED PROCESSING COMPLETED FAILED',
  CardTransactionStatus: 'AUTHORIZED PARTIALLY_SETTLED SETTLED REFUNDED EXCEPTION',
  TransactionLifecycleStatus: `${TRANSACTION_STATES} AUTHORIZED PARTIALLY_SETTLED SETTLED EXCEPTION`,
  IncomingTransactionFailureReason: INCOMING_FAILURES,
  OutgoingTransactionFailureReason: `QUOTE_EXPIRED QUOTE_EXECUTION_FAILED LIGHTNING_PAYMENT_FAILED FUNDING_AMOUNT_MISMATCH
    COUNTERPARTY_POST_TX_FAILED`,
  TransactionFailureReason: `${INCOMING_FAILURES} LIGHTNING_PAYMENT_FAILED FUNDING_AMOUNT_MISMATCH COUNTERPARTY_POST_TX_FAILED`,
  RailSelectionMode: 'AUTO MANUAL',
  PaymentRail: `ACH ACH_COLOMBIA BANK_TRANSFER BRE_B CIPS FAST FASTER_PAYMENTS FEDNOW INSTAPAY MOBILE_MONEY NEFT PAYNOW PESONET
    PIX RTGS RTP SEPA SEPA_INSTANT SPEI SWIFT UNIONPAY UPI WIRE`,
  SourceType: 'ACCOUNT UMA_ADDRESS REALTIME_FUNDING',
  DestinationType: 'ACCOUNT UMA_ADDRESS',
  AccountType: `USD_ACCOUNT BRL_ACCOUNT MXN_ACCOUNT DKK_ACCOUNT EUR_ACCOUNT INR_ACCOUNT NGN_ACCOUNT CAD_ACCOUNT GBP_ACCOUNT
    HKD_ACCOUNT IDR_ACCOUNT MYR_ACCOUNT PHP_ACCOUNT SGD_ACCOUNT THB_ACCOUNT VND_ACCOUNT AED_ACCOUNT KES_ACCOUNT MWK_ACCOUNT
    RWF_ACCOUNT TZS_ACCOUNT UGX_ACCOUNT XOF_ACCOUNT ZAR_ACCOUNT ZMW_ACCOUNT BWP_ACCOUNT XAF_ACCOUNT BDT_ACCOUNT ARS_ACCOUNT
    COP_ACCOUNT EGP_ACCOUNT GHS_ACCOUNT GTQ_ACCOUNT HTG_ACCOUNT JMD_ACCOUNT PKR_ACCOUNT SLV_ACCOUNT SWIFT_ACCOUNT CNY_ACCOUNT
    SPARK_WALLET LIGHTNING SOLANA_WALLET TRON_WALLET POLYGON_WALLET BASE_WALLET ETHEREUM_WALLET EMBEDDED_WALLET`,
  SortOrder: 'ASC DESC',
  // Left open by the specification and defined in the pages of docs/domain.md#the-domain.
  RefundStatus: 'PENDING COMPLETED FAILED',
  RefundReason: 'TRANSACTION_FAILED USER_CANCELLATION TIMEOUT',
  QuoteStatus: 'PENDING PENDING_AUTHORIZATION PROCESSING COMPLETED FAILED EXPIRED',
  CustomerType: 'INDIVIDUAL BUSINESS',
  VerificationStatus: 'UNVERIFIED PENDING APPROVED REJECTED HOLD',
  InternalAccountType: 'INTERNAL_FIAT INTERNAL_CRYPTO EMBEDDED_WALLET',
  InternalAccountStatus: 'PENDING ACTIVE CLOSED FROZEN FAILED',
  ExternalAccountStatus: 'PENDING ACTIVE UNDER_REVIEW INACTIVE PENDING_OWNERSHIP_VERIFICATION UNVERIFIED',
  CardState: 'PENDING_KYC PROCESSING ACTIVE FROZEN CLOSED',
  CardStateReason: 'ISSUER_REJECTED CLOSED_BY_PLATFORM CLOSED_BY_SERVICE',
  CardBrand: 'VISA MASTERCARD',
  CardForm: 'VIRTUAL',
}

const ERROR_CODES: Record<number, string> = {
  400: `INVALID_INPUT MISSING_MANDATORY_USER_INFO INVITATION_ALREADY_CLAIMED INVITATIONS_NOT_CONFIGURED INVALID_UMA_ADDRESS
    INVITATION_CANCELLED QUOTE_REQUEST_FAILED INVALID_PAYREQ_RESPONSE INVALID_RECEIVER PARSE_PAYREQ_RESPONSE_ERROR
    CERT_CHAIN_INVALID CERT_CHAIN_EXPIRED INVALID_PUBKEY_FORMAT MISSING_REQUIRED_UMA_PARAMETERS SENDER_NOT_ACCEPTED
    AMOUNT_OUT_OF_RANGE INVALID_CURRENCY INVALID_TIMESTAMP INVALID_NONCE INVALID_REQUEST_FORMAT INVALID_BANK_ACCOUNT
    SELF_PAYMENT LOOKUP_REQUEST_FAILED PARSE_LNURLP_RESPONSE_ERROR INVALID_AMOUNT WEBHOOK_ENDPOINT_NOT_SET
    WEBHOOK_DELIVERY_ERROR LOW_QUALITY DATA_MISMATCH EXPIRED SUSPECTED_FRAUD UNSUITABLE_DOCUMENT INCOMPLETE
    EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS SMS_OTP_CREDENTIAL_ALREADY_EXISTS PASSKEY_CREDENTIAL_ALREADY_EXISTS
    STABLECOIN_PROVIDER_ACCOUNT_INVALID STABLECOIN_PROVIDER_ACCOUNT_REVOKED STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED`,
  401: `UNAUTHORIZED INVALID_SIGNATURE WALLET_SIGNATURE_MISSING WALLET_SIGNATURE_MALFORMED WALLET_SIGNATURE_BODY_MISMATCH
    WALLET_SIGNATURE_INVALID REQUEST_ID_MISSING`,
  500: 'SERVICE_SWITCH_ERROR INTERNAL_ERROR',
}

const typeOf = (owner: string, field: string) => {
  const type = schema.getType(owner)
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
  return hasFields ? type.getFields()[field]?.type : undefined
}

describe('every field of the specification', () => {
  const all = Object.entries(FIELDS).flatMap(([owner, fields]) =>
    [...new Set(words(fields))].map((field) => ({
      owner,
      field: field.replace('!', ''),
      isRequired: field.endsWith('!'),
    })),
  )

  it('exists in the schema under its name', () => {
    const missing = all
      .filter(({ owner, field }) => !typeOf(owner, field))
      .map(({ owner, field }) => `${owner}.${field}`)
    console.log(`${all.length} fields of ${Object.keys(FIELDS).length} types`)
    expect(missing).toEqual([])
  })

  it('is non-null if it is required', () => {
    const nullable = all.filter(({ owner, field, isRequired }) => isRequired && !isNonNullType(typeOf(owner, field)))
    expect(nullable.map(({ owner, field }) => `${owner}.${field}`)).toEqual(NULLABLE_FOR_ONE_SHAPE)
  })

  it.each(Object.entries(EXACT_TYPES))('%s has its exact enum', (name, [wide, exactField, exact]) => {
    const [owner = '', field = ''] = name.split('.')
    expect(`${typeOf(owner, field)}`).toBe(wide)
    expect(`${typeOf(owner, exactField)}`).toBe(exact)
  })
})

describe('every enum of the specification', () => {
  it.each(Object.entries(ENUMS))('%s has exactly its values', (name, labels) => {
    const type = schema.getType(name)
    const values = isEnumType(type) ? type.getValues().map((value) => value.name) : []
    expect(values.toSorted()).toEqual(words(labels).toSorted())
  })
})

it.each(Object.entries(ERROR_CODES))('every code of Error%s has that status', (status, codes) => {
  const wrong = words(codes).filter(
    (code) => new Map<string, number>(Object.entries(ERROR_STATUS)).get(code) !== Number(status),
  )
  expect(wrong).toEqual([])
})
