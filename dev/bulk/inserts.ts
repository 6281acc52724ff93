// The inserts of a chunk: each target column with the expression that fills it.

type Columns = Readonly<Record<string, string>>

const insert = (table: string, columns: Columns, from: string) => `
  INSERT INTO ${table} (${Object.keys(columns).join(', ')})
  SELECT ${Object.values(columns).join(', ')} FROM ${from}`

const whenType = (type: string, value: string) => `CASE WHEN type = '${type}' THEN ${value} END`
const outgoing = (value: string) => whenType('OUTGOING', value)
const card = (value: string) => whenType('CARD', value)
const payment = (value: string) => `CASE WHEN type <> 'CARD' THEN ${value} END`
const whenRoute = (routes: string, value: string) => `CASE WHEN route IN (${routes}) THEN ${value} END`

/** A transaction hash in the format of the network. For Solana, only the alphabet and length match base58. */
const hashOn = (network: string) =>
  `CASE WHEN ${network} IN ('ETHEREUM', 'BASE', 'POLYGON') THEN '0x' || hash
    WHEN ${network} = 'SOLANA' THEN translate(hash || left(hash, 24), '0', 'x') ELSE hash END`

const IS_UMA_OUT = `type = 'OUTGOING' AND route = 'uma'`
const UPDATED_AT = 'greatest(last_at, refund_initiated_at, refund_settled_at)'
const CORRESPONDENT = `($7::jsonb -> (who - 1))`

const INSTRUCTIONS = `CASE WHEN route = 'funded' AND status <> 'PENDING_AUTHORIZATION'
  THEN replace($8::jsonb ->> sending, 'REFERENCE', reference)::jsonb END`
const RATE_DETAILS = `CASE WHEN ${IS_UMA_OUT} THEN jsonb_build_object('counterpartyMultiplier', receiving_multiplier, 'counterpartyFixedFee', 0,
  'serviceApiMultiplier', CASE WHEN bps > 0 THEN sending_multiplier * 0.995 ELSE sending_multiplier END, 'serviceApiFixedFee', 0,
  'serviceApiVariableFeeRate', bps / 10000.0, 'serviceApiVariableFeeAmount', variable_fee) END`
const COUNTERPARTY = whenRoute(
  `'uma'`,
  `jsonb_build_object('FULL_NAME', ${CORRESPONDENT} ->> 'name', 'COUNTRY_OF_RESIDENCE', ${CORRESPONDENT} ->> 'country', 'USER_TYPE', 'INDIVIDUAL')`,
)
const SOURCE_ACCOUNT = `CASE
  WHEN type = 'OUTGOING' AND route <> 'funded' THEN account_a
  WHEN route = 'book' THEN (SELECT CASE made.sending WHEN 'USD' THEN account_a ELSE account_b END FROM member AS house WHERE house.k = 0)
  WHEN route = 'debit' THEN account_a END`

const DIRECTION = `CASE WHEN type = 'OUTGOING' OR route IN ('pull', 'debit') THEN 'DEBIT' ELSE 'CREDIT' END::transaction_direction`

const TRANSACTION: Columns = {
  platform_id: '$1::uuid',
  id: 'tx_id',
  type: 'type',
  direction: DIRECTION,
  status: 'status',
  customer_id: 'customer_id',
  platform_customer_id: 'platform_customer_id',
  created_at: 'created_at',
  updated_at: UPDATED_AT,

  source_type: payment(
    `CASE WHEN type = 'INCOMING' AND route = 'uma' THEN 'UMA_ADDRESS' WHEN route IN ('funded', 'push', 'chain') THEN 'REALTIME_FUNDING' ELSE 'ACCOUNT' END::source_type`,
  ),
  source_internal_account_id: SOURCE_ACCOUNT,
  source_external_account_id: whenRoute(`'pull'`, 'payee'),
  source_uma_address: `CASE WHEN type = 'INCOMING' AND route = 'uma' THEN ${CORRESPONDENT} ->> 'address' END`,
  source_currency: payment('sending'),
  source_customer_id: `CASE WHEN type = 'OUTGOING' OR route IN ('push', 'chain', 'pull') THEN customer_id END`,
  source_funding: `CASE WHEN route = 'push' OR (route = 'funded' AND (started_at IS NOT NULL OR failure_reason = 'FUNDING_AMOUNT_MISMATCH'))
    THEN jsonb_build_object('accountHolderName', name, 'accountIdentifier', '••••' || right(reference, 4), 'bankName', 'Hansebank AG', 'bankIdentifier', 'HANBDEFF',
      'paymentRail', CASE sending WHEN 'EUR' THEN 'SEPA' ELSE 'ACH' END, 'remittanceInformation', reference, 'endToEndId', 'E2E' || upper(left(hash, 16))) END`,
  source_transaction_hash: whenRoute(`'chain'`, hashOn('any_network')),
  source_network: whenRoute(`'chain'`, 'any_network'),

  destination_type: payment(
    `CASE WHEN ${IS_UMA_OUT} OR is_lookup THEN 'UMA_ADDRESS' ELSE 'ACCOUNT' END::destination_type`,
  ),
  destination_internal_account_id: `CASE WHEN route = 'conversion' THEN account_b WHEN route = 'chain' THEN wallet
    WHEN route = 'credit' OR (type = 'INCOMING' AND NOT is_lookup) THEN account_a END`,
  destination_external_account_id: whenRoute(`'payout', 'funded'`, 'payee'),
  destination_uma_address: `CASE WHEN ${IS_UMA_OUT} THEN ${CORRESPONDENT} ->> 'address' WHEN is_lookup THEN '$' || platform_customer_id || '@bulk.example' END`,
  destination_currency: payment('receiving'),
  destination_payment_rail: outgoing('known_rail'),
  destination_transaction_hash: `CASE WHEN route IN ('payout', 'funded') AND network IS NOT NULL AND completed_at IS NOT NULL THEN ${hashOn('network')} END`,
  destination_network: `CASE WHEN route IN ('payout', 'funded') AND completed_at IS NOT NULL THEN network END`,

  sent_amount: `CASE WHEN type <> 'CARD' AND is_lookup IS NOT TRUE THEN amount END`,
  sent_currency: `CASE WHEN type <> 'CARD' AND is_lookup IS NOT TRUE THEN sending END`,
  received_amount: payment('receive'),
  received_currency: payment('receiving'),
  fees: `CASE WHEN type <> 'CARD' AND is_lookup IS NOT TRUE THEN platform_fee + variable_fee END`,
  platform_fees: outgoing('platform_fee'),
  exchange_rate: `CASE WHEN needs_quote OR (type = 'INCOMING' AND sending <> receiving AND NOT is_lookup) THEN rate END`,
  settled_at: payment(
    `CASE WHEN status = 'PROCESSING' AND NOT is_instant THEN created_at + rail_seconds * interval '1 second' ELSE completed_at END`,
  ),
  receipt_delivery_confirmed_at: `CASE WHEN type <> 'CARD' AND status = 'COMPLETED' AND n % 3 = 0 THEN ${UPDATED_AT} END`,
  agent_id: 'by_agent_id',
  description: payment(`CASE WHEN n % 4 > 0 THEN ($9::text[])[1 + n % cardinality($9::text[])] END`),
  quote_id: 'quote_id',
  counterparty_information: COUNTERPARTY,
  reconciliation_reference: `CASE WHEN route = 'funded' OR (type = 'INCOMING' AND status <> 'CREATED') THEN reference END`,
  reconciliation_transaction_hash: `CASE WHEN route = 'uma' AND completed_at IS NOT NULL THEN hash END`,
  failure_reason: 'failure_reason',
  refund_reference: `CASE WHEN refund_status IS NOT NULL THEN 'RF' || left(reference, 10) END`,
  refund_initiated_at: 'refund_initiated_at',
  refund_status: 'refund_status',
  refund_settled_at: 'refund_settled_at',
  refund_reason: 'refund_reason',

  payment_instructions: INSTRUCTIONS,
  rate_details: RATE_DETAILS,
  payment_rail: outgoing('known_rail'),
  rail_selection_mode: `CASE WHEN known_rail IS NOT NULL THEN CASE WHEN is_manual THEN 'MANUAL' ELSE 'AUTO' END END::rail_selection_mode`,
  expected_settlement_at: `CASE WHEN started_at IS NOT NULL AND NOT is_instant THEN created_at + rail_seconds * interval '1 second' END`,
  settlement_timeline_seconds: 'CASE WHEN known_rail IS NOT NULL THEN rail_seconds END',

  card_id: card('card_id'),
  issuer_transaction_token: card(`'itx_' || left(hash, 24)`),
  merchant_descriptor: card(`$10::jsonb -> (n % jsonb_array_length($10))::int ->> 'descriptor'`),
  merchant_mcc: card(`$10::jsonb -> (n % jsonb_array_length($10))::int ->> 'mcc'`),
  merchant_country: card(`$10::jsonb -> (n % jsonb_array_length($10))::int ->> 'country'`),
  card_currency: card('currency_a'),
  authorized_amount: card('amount * $11::int'),
  settled_amount: 'amount * settled_share',
  refunded_amount: 'amount * refunded_share',
  pull_count: 'pull_count',
  pull_total_amount: 'amount * pull_share',
  pull_pending_count: 'pull_pending',
  refund_count: 'refund_count',
  refund_total_amount: 'amount * refund_share',
  settlement_count: 'settlement_count',
  settlement_total_amount: 'amount * settlement_share',
  last_event_at: 'CASE WHEN settled_share IS NOT NULL THEN last_at END',
}

const QUOTE: Columns = {
  platform_id: '$1::uuid',
  id: 'quote_id',
  customer_id: 'customer_id',
  status: 'status::text::quote_status',
  source_type: `CASE route WHEN 'funded' THEN 'REALTIME_FUNDING' ELSE 'ACCOUNT' END::source_type`,
  source_internal_account_id: SOURCE_ACCOUNT,
  destination_type: `CASE route WHEN 'uma' THEN 'UMA_ADDRESS' ELSE 'ACCOUNT' END::destination_type`,
  destination_internal_account_id: whenRoute(`'conversion'`, 'account_b'),
  destination_external_account_id: whenRoute(`'payout', 'funded'`, 'payee'),
  destination_uma_address: whenRoute(`'uma'`, `${CORRESPONDENT} ->> 'address'`),
  destination_payment_rail: 'CASE WHEN is_manual THEN rail END',
  sending_currency: 'sending',
  receiving_currency: 'receiving',
  total_sending_amount: 'amount',
  total_receiving_amount: 'receive',
  exchange_rate: 'rate',
  fees_included: 'platform_fee + variable_fee',
  platform_fees_included: 'platform_fee',
  payment_instructions: INSTRUCTIONS,
  counterparty_information: COUNTERPARTY,
  rate_details: RATE_DETAILS,
  expires_at: `created_at + validity * interval '1 second'`,
  created_at: 'created_at',
  updated_at: UPDATED_AT,
}

const STEP: Columns = {
  platform_id: '$1::uuid',
  transaction_id: 'tx_id',
  sequence: 'place',
  from_status: 'statuses[place - 1]',
  to_status: 'step_status',
  at: `created_at + (seconds_after + times * travel) * interval '1 second'`,
  reason: 'step_reason',
}

export const INSERT_TRANSACTIONS = `${insert('transactions', TRANSACTION, 'made')}
  RETURNING customer_id, source_party, destination_party, agent_id, card_id, created_at, type, direction, status, headline_currency, headline_amount`
export const INSERT_QUOTES = insert('quotes', QUOTE, 'made WHERE quote_id IS NOT NULL')
export const INSERT_STEPS = insert(
  'transaction_state_changes',
  STEP,
  `made CROSS JOIN LATERAL unnest(statuses, reasons, after, travels) WITH ORDINALITY AS step (step_status, step_reason, seconds_after, times, place) WHERE place > 1`,
)
/** Appends what the triggers would append, for when they are off. */
export const INSERT_COUNT_CHANGES = `
  INSERT INTO transaction_count_changes (platform_id, customer_id, parent_ids, day, type, direction, status, currency, change, amount)
  SELECT $1::uuid, customer_id, parents_of(source_party, destination_party, agent_id, card_id), utc_day(created_at), type, direction, status,
    headline_currency, count(*), sum(headline_amount)
  FROM inserted GROUP BY 2, 3, 4, 5, 6, 7, 8`
