// The fields of payments in REST. A call refuses those that it does not take.

export const INCOMING_FIELDS = [
  'id',
  'type',
  'status',
  'direction',
  'source',
  'destination',
  'customerId',
  'platformCustomerId',
  'agentId',
  'quoteId',
  'description',
  'sentAmount',
  'receivedAmount',
  'exchangeRate',
  'fees',
  'counterpartyInformation',
  'reconciliationInstructions',
  'refund',
  'failureReason',
  'receiptDeliveryConfirmedAt',
  'settledAt',
  'createdAt',
  'updatedAt',
]

/** Those of incoming and outgoing payments. An outgoing payment has all of them. */
export const PAYMENT_FIELDS = [
  ...INCOMING_FIELDS,
  'platformFees',
  'paymentInstructions',
  'rateDetails',
  'paymentRail',
  'railSelectionMode',
  'expectedSettlementAt',
  'settlementTimelineSeconds',
]
