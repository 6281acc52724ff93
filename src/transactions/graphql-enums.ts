import { enumOf } from '#graphql/enums.ts'
import {
  CARD_TRANSACTION_STATUSES,
  FAILURE_REASONS,
  INCOMING_FAILURE_REASONS,
  OUTGOING_FAILURE_REASONS,
  OUTGOING_TRANSACTION_STATUSES,
  RAIL_SELECTION_MODES,
  REFUND_REASONS,
  REFUND_STATUSES,
  TRANSACTION_DIRECTIONS,
  TRANSACTION_ITEM_TYPES,
  TRANSACTION_LIFECYCLE_STATUSES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  TransactionRecord,
} from './transaction.ts'

export const TransactionTypeEnum = enumOf(
  'TransactionType',
  'Type of a payment transaction, and the values that `TransactionFilter.type` accepts.',
  TRANSACTION_TYPES,
  { INCOMING: 'Money received by the customer.', OUTGOING: 'Money sent by the customer.' },
)

export const TransactionItemTypeEnum = enumOf(
  'TransactionItemType',
  'Discriminator of an item of a transaction list.',
  TRANSACTION_ITEM_TYPES,
  {
    INCOMING: '`IncomingTransaction`.',
    OUTGOING: '`OutgoingTransaction`.',
    CARD: '`CardTransaction`.',
  },
)

export const TransactionDirectionEnum = enumOf(
  'TransactionDirection',
  TransactionRecord.texts.direction,
  TRANSACTION_DIRECTIONS,
  {
    CREDIT: 'Money is pushed to the receiver.',
    DEBIT: "Money is taken from the payer's account.",
  },
)

const PAYMENT_STATES = {
  CREATED: 'The payment request of an incoming UMA payment has arrived.',
  PENDING: 'The quote or the transfer was created. No money has moved yet.',
  PENDING_AUTHORIZATION:
    'The payment waits for Strong Customer Authentication. Only for customers in an SCA region: authorize `PaymentTransaction.scaChallenge`.',
  PROCESSING: 'The payment is under way.',
  COMPLETED: 'The money has arrived, or the payment was cancelled and refunded.',
  REJECTED: 'The platform rejected the incoming payment.',
  FAILED: 'An error occurred during the payment.',
  REFUNDED: 'The payment was completed, and the whole amount was returned later.',
  EXPIRED: 'The quote expired before it was executed, or the incoming payment got no quote in time.',
}

const CARD_STATES = {
  AUTHORIZED: 'The authorization is approved, and the amount is held on the funding source. There is no clearing yet.',
  PARTIALLY_SETTLED: 'At least one clearing is posted, and more are expected.',
  SETTLED: 'All clearings are posted, and the funding source has paid them.',
  REFUNDED: 'The merchant returned all or part of the net settled amount.',
  EXCEPTION: 'Settled on the card network, but the pull from the funding source failed.',
}

export const TransactionStatusEnum = enumOf(
  'TransactionStatus',
  'State of a payment transaction.',
  TRANSACTION_STATUSES,
  PAYMENT_STATES,
)

export const OutgoingTransactionStatusEnum = enumOf(
  'OutgoingTransactionStatus',
  'Narrowed state of an outgoing transaction.',
  OUTGOING_TRANSACTION_STATUSES,
  {
    PENDING: 'The quote waits for its execution or its funds.',
    PENDING_AUTHORIZATION: 'The payment waits for Strong Customer Authentication.',
    EXPIRED: 'The quote was not executed or funded before it expired.',
    PROCESSING: 'The payment is on its way.',
    COMPLETED: 'The payment reached its destination, or was cancelled and refunded.',
    FAILED: 'The payment failed. `OutgoingTransaction.outgoingFailureReason` says why.',
  },
)

export const CardTransactionStatusEnum = enumOf(
  'CardTransactionStatus',
  'State of a card transaction.',
  CARD_TRANSACTION_STATUSES,
  CARD_STATES,
)

export const TransactionLifecycleStatusEnum = enumOf(
  'TransactionLifecycleStatus',
  'Every state that a transaction of any type can be in. For table columns and filters that span the types.',
  TRANSACTION_LIFECYCLE_STATUSES,
  { ...CARD_STATES, ...PAYMENT_STATES, REFUNDED: 'Refunded: `TransactionStatus` or `CardTransactionStatus`.' },
)

const FAILURES = {
  LNURLP_FAILED: "The look-up of the receiver's address failed.",
  PAY_REQUEST_FAILED: 'The payment request failed.',
  PAYMENT_APPROVAL_WEBHOOK_ERROR: "The platform's approval webhook gave no answer or a bad one.",
  PAYMENT_APPROVAL_TIMED_OUT: 'The platform did not decide in time.',
  OFFRAMP_FAILED: 'The off-ramp network could not pay out.',
  MISSING_MANDATORY_PAYEE_DATA: 'Mandatory facts about the payee are missing.',
  QUOTE_EXPIRED: 'The quote expired before its execution.',
  QUOTE_EXECUTION_FAILED: 'The quote could not be executed.',
  LIGHTNING_PAYMENT_FAILED: 'The Lightning payment failed.',
  FUNDING_AMOUNT_MISMATCH: 'The amount that arrived is not the amount that the quote asked for.',
  COUNTERPARTY_POST_TX_FAILED: 'The counterparty refused the completed transaction.',
}

export const IncomingFailureReasonEnum = enumOf(
  'IncomingTransactionFailureReason',
  'Why an incoming transaction failed.',
  INCOMING_FAILURE_REASONS,
  FAILURES,
)
export const OutgoingFailureReasonEnum = enumOf(
  'OutgoingTransactionFailureReason',
  'Why an outgoing transaction failed.',
  OUTGOING_FAILURE_REASONS,
  FAILURES,
)
export const FailureReasonEnum = enumOf(
  'TransactionFailureReason',
  'Every reason that a payment transaction of any type can fail for.',
  FAILURE_REASONS,
  FAILURES,
)

export const RefundStatusEnum = enumOf('RefundStatus', 'State of a refund.', REFUND_STATUSES, {
  PENDING: 'Under way.',
  COMPLETED: 'The money was returned.',
  FAILED: 'The money could not be returned.',
})

export const RefundReasonEnum = enumOf('RefundReason', 'Why a refund was made.', REFUND_REASONS, {
  TRANSACTION_FAILED: 'The transaction failed.',
  USER_CANCELLATION: 'The user cancelled.',
  TIMEOUT: 'The transaction took too long.',
})

export const RailSelectionModeEnum = enumOf(
  'RailSelectionMode',
  'Who selected the payment rail.',
  RAIL_SELECTION_MODES,
  {
    AUTO: 'The service selected the rail.',
    MANUAL: 'The platform specified a `paymentRail` on the destination.',
  },
)
