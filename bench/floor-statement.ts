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

/** The page size is part of the text, because with a parameter a generic plan would expect a tenth of the table. */
export const pageOf = (size: number) => `
  select t.id, t.type, t.status, t.direction, t.created_at, t.platform_id, t.customer_id, t.description, t.settled_at, t.fees, t.exchange_rate,
    t.source_type, t.source_internal_account_id, t.source_external_account_id, t.source_uma_address, t.source_currency,
    t.destination_type, t.destination_internal_account_id, t.destination_external_account_id, t.destination_uma_address,
    t.sent_amount, t.sent_currency, t.received_amount, t.received_currency, t.platform_fees, t.payment_rail, t.expected_settlement_at,
    t.reconciliation_reference, t.reconciliation_transaction_hash, t.failure_reason, t.refund_reference, t.refund_status,
    t.card_id, t.merchant_descriptor, t.merchant_mcc, t.merchant_country, t.card_currency, t.authorized_amount, t.settled_amount,
    t.refunded_amount, t.settlement_count, t.settlement_total_amount, t.last_event_at,
    customer.name as customer_name, ${accountColumns.join(', ')},
    card.brand as card_brand, card.last4 as card_last4, agent.id as agent_id, agent.name as agent_name
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
