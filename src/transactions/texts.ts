// Descriptions of the public fields that are not columns of one record, for both faces.

export const EXCHANGE_RATE =
  'Units of the sending currency per unit of the receiving currency, in major units and net of fees. Greater than 0.'
export const PAYMENT_INSTRUCTIONS =
  'How to fund the payment: where to push the money, or what the owner of the wallet signs. Only when the payment needs either.'

/** Fields of a transaction that are made of several columns. */
export const TRANSACTION_TEXTS = {
  source: 'Where the money comes from. An outgoing transaction always has it.',
  destination: 'Where the money goes.',
  refund: 'Refund of the payment. Only after the refund has started.',
  reconciliationInstructions:
    "How an incoming payment is matched. At least one of its fields is present. The hash of a payout on a blockchain is in the destination's `onChainTransaction`.",
  merchant: 'Merchant where the card was used.',
  accountId: '`InternalAccount:<uuid>` of the account that funded the card transaction.',
  pullSummary: 'Summary of the pulls from the funding account.',
  refundSummary: "Summary of the merchant's returns.",
  settlementSummary: 'Summary of the clearings.',
  authorizedAt: 'When the authorization was approved.',
} as const
