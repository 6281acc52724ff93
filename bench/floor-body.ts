// Handwritten code that turns the rows of the statement into the JSON of the query of record.
import { createHmac } from 'node:crypto'

/** Columns by name, as pg decodes them. */
export type Row = Readonly<Record<string, unknown>>

const TYPE_NAMES = new Map<unknown, string>([
  ['INCOMING', 'IncomingTransaction'],
  ['OUTGOING', 'OutgoingTransaction'],
  ['CARD', 'CardTransaction'],
])

export const pageBody = (rows: readonly Row[], first: number) => {
  const nodes = rows.slice(0, first)
  return {
    data: {
      transactions: {
        nodes: nodes.map((row) => (row['type'] === 'CARD' ? card(row) : payment(row))),
        pageInfo: {
          hasNextPage: rows.length > first,
          hasPreviousPage: false,
          startCursor: cursor(nodes[0]),
          endCursor: cursor(nodes.at(-1)),
        },
      },
    },
  }
}

/** Signs cursors as the gateway does. */
const cursor = (row: Row | undefined) => {
  if (!row) return null
  const position = `${(row['created_at'] as Date).toISOString()} ${row['id']}`
  return Buffer.from(`${position} ${createHmac('sha256', 'secret').update(position).digest('base64url')}`).toString(
    'base64url',
  )
}

const number = (value: unknown) => (value === null ? null : Number(value))

const publicId = (kind: string, id: unknown) => (id === null ? null : `${kind}:${id}`)

const amount = (value: unknown, code: unknown) =>
  value === null || code === null ? null : { amount: Number(value), currency: { code } }

const shared = (row: Row, headline: object | null) => ({
  __typename: TYPE_NAMES.get(row['type']),
  id: publicId(row['type'] === 'CARD' ? 'CardTransaction' : 'Transaction', row['id']),
  status: row['status'],
  direction: row['direction'],
  createdAt: row['created_at'],
  amount: headline,
  customer:
    row['customer_id'] === null ? null : { id: publicId('Customer', row['customer_id']), name: row['customer_name'] },
})

const payment = (row: Row) => {
  const sentAmount = amount(row['sent_amount'], row['sent_currency'])
  const receivedAmount = amount(row['received_amount'], row['received_currency'])
  const isIncoming = row['type'] === 'INCOMING'
  const body = {
    ...shared(row, isIncoming ? receivedAmount : sentAmount),
    description: row['description'],
    settledAt: row['settled_at'],
    fees: number(row['fees']),
    exchangeRate: number(row['exchange_rate']),
    source: source(row),
    destination: destination(row),
    agent: row['agent_id'] === null ? null : { id: publicId('Agent', row['agent_id']), name: row['agent_name'] },
    receivedAmount,
  }
  return isIncoming ? { ...body, ...incoming(row) } : { ...body, sentAmount, ...outgoing(row) }
}

const incoming = (row: Row) => ({
  reconciliationInstructions:
    row['reconciliation_reference'] === null && row['reconciliation_transaction_hash'] === null
      ? null
      : { reference: row['reconciliation_reference'], transactionHash: row['reconciliation_transaction_hash'] },
  incomingFailureReason: row['failure_reason'],
})

const outgoing = (row: Row) => ({
  platformFees: number(row['platform_fees']),
  paymentRail: row['payment_rail'],
  expectedSettlementAt: row['expected_settlement_at'],
  outgoingFailureReason: row['failure_reason'],
  refund:
    row['refund_reference'] === null ? null : { reference: row['refund_reference'], status: row['refund_status'] },
})

const card = (row: Row) => ({
  ...shared(row, amount(row['authorized_amount'], row['card_currency'])),
  merchant: {
    descriptor: row['merchant_descriptor'],
    mcc: row['merchant_mcc'],
    country: row['merchant_country'],
  },
  settledAmount: amount(row['settled_amount'], row['card_currency']),
  refundedAmount: amount(row['refunded_amount'], row['card_currency']),
  lastEventAt: row['last_event_at'],
  settlementSummary:
    row['settlement_count'] === null
      ? null
      : { count: row['settlement_count'], totalAmount: number(row['settlement_total_amount']) },
  card: { id: publicId('Card', row['card_id']), brand: row['card_brand'], last4: row['card_last4'] },
  account: account(row, row['source_internal_account_id'] === null ? 'destination' : 'source'),
})

const source = (row: Row) => {
  switch (row['source_type']) {
    case 'ACCOUNT':
      return { account: account(row, 'source') }
    case 'UMA_ADDRESS':
      return { umaAddress: row['source_uma_address'] }
    case 'REALTIME_FUNDING':
      return { currency: row['source_currency'] }
    default:
      return null
  }
}

const destination = (row: Row) =>
  row['destination_type'] === 'ACCOUNT'
    ? { account: account(row, 'destination') }
    : { umaAddress: row['destination_uma_address'] }

const account = (row: Row, side: string) => {
  const internalId = row[`${side}_internal_account_id`]
  if (internalId === null) {
    return {
      id: publicId('ExternalAccount', row[`${side}_external_account_id`]),
      currency: { code: row[`${side}_external_currency`] },
      accountInfo: { accountType: row[`${side}_external_type`] },
    }
  }
  const code = row[`${side}_internal_currency`]
  return {
    id: publicId('InternalAccount', internalId),
    currency: { code },
    type: row[`${side}_internal_type`],
    balance: amount(row[`${side}_internal_balance`], code),
  }
}
