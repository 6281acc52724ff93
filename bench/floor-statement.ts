// One handwritten statement that selects exactly the columns of the query of record, one row per transaction.
const KINDS = ['internal', 'external'] as const
const SIDES = ['source', 'destination'] as const

const accounts = SIDES.flatMap((side) => KINDS.map((kind) => ({ side, kind, alias: `${side}_${kind}` })))

const accountColumns = accounts.map(({ kind, alias }) =>
  kind === 'internal'
    ? `${alias}.currency as ${alias}_currency, ${alias}.type as ${alias}_type, ${alias}.balance as ${alias}_balance`
    : `${alias}.currency as ${alias}_currency, ${alias}.account_type as ${alias}_type`,
)

const accountJoins = accounts.map(
  ({ kind, alias }) =>
    `left join ${kind}_accounts ${alias} on ${alias}.platform_id = t.platform_id and ${alias}.id = t.${alias}_account_id`,
)

/** The columns of a transaction. */
export const COLUMNS = [
  'id',
  'type',
  'status',
  'direction',
  'created_at',
  'customer_id',
  'agent_id',
  'description',
  'settled_at',
  'fees',
  'exchange_rate',
  'source_type',
  'source_internal_account_id',
  'source_external_account_id',
  'source_uma_address',
  'source_currency',
  'destination_type',
  'destination_internal_account_id',
  'destination_external_account_id',
  'destination_uma_address',
  'sent_amount',
  'sent_currency',
  'received_amount',
  'received_currency',
  'platform_fees',
  'payment_rail',
  'expected_settlement_at',
  'reconciliation_reference',
  'reconciliation_transaction_hash',
  'failure_reason',
  'refund_reference',
  'refund_status',
  'card_id',
  'merchant_descriptor',
  'merchant_mcc',
  'merchant_country',
  'card_currency',
  'authorized_amount',
  'settled_amount',
  'refunded_amount',
  'settlement_count',
  'settlement_total_amount',
  'last_event_at',
] as const

/** The page size is part of the text, because with a parameter a generic plan would expect a tenth of the table. */
export const pageOf = (size: number) => `
  select ${COLUMNS.map((name) => `t.${name}`).join(', ')},
    customer.name as customer_name, ${accountColumns.join(', ')},
    card.brand as card_brand, card.last4 as card_last4, agent.name as agent_name
  from transactions t
  left join customers customer on customer.platform_id = t.platform_id and customer.id = t.customer_id
  ${accountJoins.join('\n  ')}
  left join cards card on card.platform_id = t.platform_id and card.id = t.card_id
  left join agents agent on agent.platform_id = t.platform_id and agent.id = t.agent_id
  where t.platform_id = $1
  order by t.created_at desc, t.id desc
  limit ${size + 1}`

export const TOKEN = `
  select token.platform_id, token.id, token.permissions, token.secret_hash, platform.environment
  from api_tokens token join platforms platform on platform.id = token.platform_id
  where token.client_id = $1`
