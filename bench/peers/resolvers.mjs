// Resolvers by hand: one statement for the page, and one for each kind of nested rows, in batches by DataLoader. Mercurius' own loaders would
// send one for each type of transaction too.
import { createHmac } from 'node:crypto'
import DataLoader from 'dataloader'
import { COLUMNS } from '../floor-statement.ts'
import { platformId, pool } from './server.mjs'

const publicId = (kind, id) => id && `${kind}:${id}`
const number = (value) => (value === null ? null : Number(value))
const currency = (code) => ({ code })
const money = (amount, code) =>
  amount === null || code === null ? null : { amount: Number(amount), currency: currency(code) }

const end = (row, side) => {
  const name = side === 'source' ? 'Source' : 'Destination'
  switch (row[`${side}_type`]) {
    case 'ACCOUNT':
      return { __typename: `Account${name}`, ...accountIds(row, side) }
    case 'UMA_ADDRESS':
      return { __typename: `UmaAddress${name}`, umaAddress: row[`${side}_uma_address`] }
    case 'REALTIME_FUNDING':
      return { __typename: 'RealtimeFundingSource', currency: row.source_currency }
    default:
      return null
  }
}

const accountIds = (row, side) => ({
  internalId: row[`${side}_internal_account_id`],
  externalId: row[`${side}_external_account_id`],
})

const shared = (row, amount) => ({
  status: row.status,
  direction: row.direction,
  createdAt: row.created_at,
  amount,
  customerId: row.customer_id,
})

const payment = (row, amount) => ({
  ...shared(row, amount),
  id: `Transaction:${row.id}`,
  description: row.description,
  settledAt: row.settled_at,
  fees: number(row.fees),
  exchangeRate: number(row.exchange_rate),
  source: end(row, 'source'),
  destination: end(row, 'destination'),
  agentId: row.agent_id,
})

const NODES = {
  INCOMING: (row) => {
    const receivedAmount = money(row.received_amount, row.received_currency)
    const [reference, transactionHash] = [row.reconciliation_reference, row.reconciliation_transaction_hash]
    return {
      __typename: 'IncomingTransaction',
      ...payment(row, receivedAmount),
      receivedAmount,
      reconciliationInstructions:
        reference === null && transactionHash === null ? null : { reference, transactionHash },
      incomingFailureReason: row.failure_reason,
    }
  },
  OUTGOING: (row) => {
    const sentAmount = money(row.sent_amount, row.sent_currency)
    return {
      __typename: 'OutgoingTransaction',
      ...payment(row, sentAmount),
      sentAmount,
      receivedAmount: money(row.received_amount, row.received_currency),
      platformFees: number(row.platform_fees),
      paymentRail: row.payment_rail,
      expectedSettlementAt: row.expected_settlement_at,
      outgoingFailureReason: row.failure_reason,
      refund: row.refund_reference === null ? null : { reference: row.refund_reference, status: row.refund_status },
    }
  },
  CARD: (row) => ({
    __typename: 'CardTransaction',
    ...shared(row, money(row.authorized_amount, row.card_currency)),
    id: `CardTransaction:${row.id}`,
    merchant: { descriptor: row.merchant_descriptor, mcc: row.merchant_mcc, country: row.merchant_country },
    settledAmount: money(row.settled_amount, row.card_currency),
    refundedAmount: money(row.refunded_amount, row.card_currency),
    lastEventAt: row.last_event_at,
    settlementSummary:
      row.settlement_count === null
        ? null
        : { count: row.settlement_count, totalAmount: number(row.settlement_total_amount) },
    cardId: row.card_id,
    ...accountIds(row, row.source_internal_account_id === null ? 'destination' : 'source'),
  }),
}

const cursorOf = (row) => {
  if (!row) return null
  const position = `${row.created_at.toISOString()} ${row.id}`
  return Buffer.from(`${position} ${createHmac('sha256', 'secret').update(position).digest('base64url')}`).toString(
    'base64url',
  )
}

const pageOf = async (first) => {
  const { rows } = await pool.query({
    name: `page of ${first}`,
    text: `select ${COLUMNS.join(', ')} from transactions where platform_id = $1 order by created_at desc, id desc limit ${first + 1}`,
    values: [platformId],
  })
  const items = rows.slice(0, first)
  return {
    nodes: items.map((row) => NODES[row.type](row)),
    pageInfo: {
      hasNextPage: rows.length > first,
      hasPreviousPage: false,
      startCursor: cursorOf(items[0]),
      endCursor: cursorOf(items.at(-1)),
    },
  }
}

/** `toNode` receives the row without its id. */
const batch = (table, names, toNode) => () =>
  new DataLoader(async (ids) => {
    const { rows } = await pool.query({
      name: table,
      text: `select id, ${names} from ${table} where platform_id = $1 and id = any($2::uuid[])`,
      values: [platformId, ids],
    })
    const found = new Map(rows.map((row) => [row.id, toNode(row)]))
    return ids.map((id) => found.get(id) ?? null)
  })

const LOADERS = {
  customer: batch('customers', 'name', ({ id, name }) => ({ id: publicId('Customer', id), name })),
  agent: batch('agents', 'name', ({ id, name }) => ({ id: publicId('Agent', id), name })),
  card: batch('cards', 'brand, last4', ({ id, ...card }) => ({ id: publicId('Card', id), ...card })),
  internal: batch('internal_accounts', 'currency, type, balance', (row) => ({
    __typename: 'InternalAccount',
    id: publicId('InternalAccount', row.id),
    currency: currency(row.currency),
    type: row.type,
    balance: money(row.balance, row.currency),
  })),
  external: batch('external_accounts', 'currency, account_type', (row) => ({
    __typename: 'ExternalAccount',
    id: publicId('ExternalAccount', row.id),
    currency: currency(row.currency),
    accountInfo: { accountType: row.account_type },
  })),
}

/** The context of a request. */
export const contextOf = async () => ({
  load: Object.fromEntries(Object.entries(LOADERS).map(([name, make]) => [name, make()])),
})

const link =
  (name) =>
  (parent, _args, { load }) =>
    parent[`${name}Id`] && load[name].load(parent[`${name}Id`])
const account = ({ internalId, externalId }, _args, { load }) =>
  internalId === null ? externalId && load.external.load(externalId) : load.internal.load(internalId)

export const resolvers = {
  Query: { transactions: (_root, { first }) => pageOf(first) },
  IncomingTransaction: { customer: link('customer'), agent: link('agent') },
  OutgoingTransaction: { customer: link('customer'), agent: link('agent') },
  CardTransaction: { customer: link('customer'), card: link('card'), account },
  AccountSource: { account },
  AccountDestination: { account },
}
