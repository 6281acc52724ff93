// The customers, accounts, cards and agents of bulk transactions.
import type { Client } from 'pg'
import { PAIRS, PAYEE_INFOS, PAYEE_TYPES, RAILS } from './payees.ts'
import { PLANS, slotsOf } from './plans.ts'

/** `hasTriggers` is false for a superuser, who skips the triggers. */
export type Bulk = { platformId: string; platform: string; count: number; run: number; hasTriggers: boolean }

/** The number of customers. Number 0 stands for the platform and is added to them. */
const customersFor = (count: number) => Math.min(20_000, Math.max(50, Math.ceil(count / 100)))

/** SQL functions: an integer below `sides` derived from `n` and `salt`, and a version 7 uuid derived from a time and a name. */
const FUNCTIONS = `
  CREATE FUNCTION pg_temp.roll(n bigint, salt int, sides int) RETURNS int LANGUAGE sql IMMUTABLE
    RETURN ((hashint8extended(n, salt) & 2147483647) % sides)::int;
  CREATE FUNCTION pg_temp.uuid7(at timestamptz, name text) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || left(md5(name), 3)
      || 'a' || substr(md5(name), 4, 15))::uuid;
  CREATE FUNCTION pg_temp.half_up(numerator bigint, denominator bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
    RETURN (2 * numerator + denominator) / (2 * denominator);`

const PLAN_COLUMNS = `
  id int, type transaction_item_type, route text, is_open boolean, statuses transaction_lifecycle_status[], reasons text[],
  after int[], travels int[], divisor int, residue int, validity int, failure_reason transaction_failure_reason,
  refund_status refund_status, refund_reason refund_reason, is_cancellation boolean, is_quoted boolean, is_cancelled boolean,
  by_agent boolean, is_lookup boolean, settled_share int, refunded_share int, pull_count int, pull_share int, pull_pending int,
  settlement_count int, settlement_share int, refund_count int, refund_share int`

const PAIR_COLUMNS = `
  sending text, receiving text, bps int, rate numeric, numerator numeric, denominator numeric,
  sending_multiplier float8, receiving_multiplier float8`

const TYPE_COLUMNS = `
  place int, account_type account_type, currency text, rails payment_rail[], own_rail payment_rail, network blockchain_network`

/** Temporary tables, visible to this connection only. */
export const prepare = async (client: Client) => {
  await client.query(FUNCTIONS)
  await load(client, 'plan', PLAN_COLUMNS, PLANS)
  await load(client, 'pair', PAIR_COLUMNS, PAIRS)
  await load(client, 'payee_type', TYPE_COLUMNS, PAYEE_TYPES)
  await load(client, 'payee_info', 'place int, variant int, info jsonb', PAYEE_INFOS)
  await load(client, 'rail', 'rail payment_rail, is_instant boolean, seconds int', RAILS)
  const slots = [false, true].flatMap((isOpen) =>
    slotsOf(isOpen).map((plan, slot) => ({ is_open: isOpen, slot, plan })),
  )
  await load(client, 'slot', 'is_open boolean, slot int, plan int', slots)
}

const load = async (client: Client, table: string, columns: string, rows: readonly object[]) => {
  await client.query(
    `CREATE TEMP TABLE ${table} AS SELECT * FROM json_to_recordset('${JSON.stringify(rows).replaceAll("'", "''")}') AS row(${columns})`,
  )
  await client.query(`ANALYZE ${table}`)
}

/**
 * Number 0 is the platform itself, number 1 the customer with the most transactions. Odd numbers are in the EEA and have euros, even ones
 * are elsewhere and have dollars. Every 25th can receive dollars, every 10th has an agent, and all have a card.
 */
export const addCast = async (client: Client, { platformId, platform, count, run, hasTriggers }: Bulk) => {
  await client.query(
    `CREATE TEMP TABLE member AS
     SELECT k, pg_temp.uuid7(since, $1 || '/customer/' || k) AS made_id,
       CASE WHEN k > 0 THEN pg_temp.uuid7(since, $1 || '/customer/' || k) END AS customer_id,
       CASE WHEN k > 0 THEN format('bulk-%s-%s', $2::int, k) END AS platform_customer_id,
       (ARRAY['Amina','Ben','Chiara','Dmitri','Elif','Farid','Greta','Hugo','Ines','Jonas','Keiko','Lea','Marek','Nadia','Omar','Petra'])[1 + pg_temp.roll(k, 11, 16)]
         || ' ' || (ARRAY['Abbott','Brandt','Costa','Diallo','Eriksen','Ferrari','Gupta','Haddad','Ivanova','Jansen','Kowalski','Lindqvist','Moreau','Novak','Okoye','Park'])[1 + pg_temp.roll(k, 12, 16)] AS name,
       CASE WHEN k % 2 = 1 THEN (ARRAY['DE','FR','IE','IT','NL','ES'])[1 + pg_temp.roll(k, 13, 6)]
         ELSE (ARRAY['US','GB','MX','BR','IN','NG','KE','PH','SG'])[1 + pg_temp.roll(k, 13, 9)] END AS region,
       since,
       pg_temp.uuid7(since, $1 || '/account/a/' || k) AS account_a, CASE WHEN k % 2 = 1 THEN 'EUR' ELSE 'USD' END AS currency_a,
       pg_temp.uuid7(since, $1 || '/account/b/' || k) AS account_b, CASE WHEN k % 2 = 1 THEN 'USD' ELSE 'EUR' END AS currency_b,
       pg_temp.uuid7(since, $1 || '/account/w/' || k) AS wallet, CASE WHEN k > 0 THEN 'USDB' ELSE 'USDC' END AS wallet_currency,
       pg_temp.uuid7(since, $1 || '/payee/' || k) AS payee,
       payee_type.account_type, payee_type.currency AS payee_currency, rails, own_rail, network,
       CASE WHEN k > 0 THEN pg_temp.uuid7(since, $1 || '/card/' || k) END AS card_id,
       CASE WHEN k > 0 AND k % 10 = 0 THEN pg_temp.uuid7(since, $1 || '/agent/' || k) END AS agent_id
     FROM generate_series(0, $3::int) AS k
     CROSS JOIN LATERAL (SELECT date_trunc('hour', now()) - interval '800 days' + k * interval '1 minute' AS since) AS joined
     JOIN payee_type ON place = k % 25`,
    [`${platform}/bulk/${run}`, run, customersFor(count)],
  )
  await client.query(`CREATE INDEX ON member (k)`)
  await client.query(`ANALYZE member`)
  await client.query(FUNDS)
  for (const statement of CAST) await client.query(statement, [platformId])
  if (!hasTriggers) await client.query(WRITE_BALANCES, [platformId])
}

/** The opening balance of each internal account. It covers the open payments. Accounts of the platform itself have more of them. */
const FUNDS = `
  CREATE TEMP TABLE funds AS
  SELECT account.*, customer_id, since, pg_temp.uuid7(since, id || '/opening') AS opening_id, spendable, held
  FROM member CROSS JOIN LATERAL (VALUES
    (account_a, currency_a, 'INTERNAL_FIAT', 1), (account_b, currency_b, 'INTERNAL_FIAT', 1),
    (wallet, wallet_currency, CASE WHEN k > 0 THEN 'EMBEDDED_WALLET' ELSE 'INTERNAL_CRYPTO' END, 10000)
  ) AS account (id, currency, type, cent)
  CROSS JOIN LATERAL (SELECT (5000000 + pg_temp.roll(k, 21, 2000000)::bigint) * cent * CASE k WHEN 0 THEN 10000 ELSE 1 END AS spendable, pg_temp.roll(k, 22, 20000)::bigint * cent AS held) AS money`

/** Writes what the triggers would write, for when they are off. */
const WRITE_BALANCES = `
  UPDATE internal_accounts AS account SET balance = spendable, total_balance = spendable + held
  FROM funds WHERE account.platform_id = $1 AND account.id = funds.id`

const CAST = [
  `INSERT INTO customers (platform_id, id, platform_customer_id, customer_type, name, email, phone_number, uma_address, region, verification_status, created_at, updated_at)
   SELECT $1, customer_id, platform_customer_id, CASE WHEN k % 7 = 0 THEN 'BUSINESS' ELSE 'INDIVIDUAL' END::customer_type, name,
     lower(replace(name, ' ', '.')) || '.' || k || '@mail.example', '+1202555' || lpad((k % 10000)::text, 4, '0'),
     '$' || platform_customer_id || '@bulk.example', region, 'APPROVED', since, since
   FROM member WHERE k > 0`,
  `INSERT INTO internal_accounts (platform_id, id, customer_id, type, status, currency, private_enabled, created_at, updated_at)
   SELECT $1, id, customer_id, type::internal_account_type, 'ACTIVE', currency, CASE type WHEN 'EMBEDDED_WALLET' THEN false END, since, since
   FROM funds`,
  `INSERT INTO ledger_movements (platform_id, id, kind, created_at) SELECT $1, opening_id, 'OPENING', since FROM funds`,
  `INSERT INTO ledger_entries (platform_id, movement_id, position, account_id, book, currency, amount)
   SELECT $1, opening_id, position, CASE position WHEN 1 THEN id END, CASE position WHEN 2 THEN 'OUTSIDE' END::ledger_book, currency,
     CASE position WHEN 1 THEN 1 ELSE -1 END * (spendable + held)
   FROM funds CROSS JOIN generate_series(1, 2) AS position`,
  `INSERT INTO ledger_holds (platform_id, id, account_id, amount, created_at)
   SELECT $1, pg_temp.uuid7(since, id || '/hold'), id, held, since FROM funds WHERE held > 0`,
  `INSERT INTO external_accounts (platform_id, id, customer_id, status, currency, account_type, account_info, default_uma_deposit_account, beneficiary_verification_status, beneficiary_verified_name, created_at, updated_at)
   SELECT $1, payee, customer_id, 'ACTIVE', payee_currency, account_type,
     CASE WHEN info ? 'beneficiary' THEN jsonb_set(info, '{beneficiary,fullName}', to_jsonb(name)) ELSE info END,
     customer_id IS NOT NULL, CASE WHEN info ? 'beneficiary' THEN 'MATCHED' END::beneficiary_verification_status,
     CASE WHEN info ? 'beneficiary' THEN name END, since, since
   FROM member JOIN payee_info ON place = k % 25 AND variant = pg_temp.roll(k, 23, 16)`,
  `INSERT INTO cards (platform_id, id, customer_id, account_id, funding_sources, platform_card_id, state, state_reason, brand, form, last4, exp_month, exp_year, processor_ref, issuer_ref, created_at, updated_at)
   SELECT $1, card_id, customer_id, account_a, ARRAY[account_a], 'bulk-card-' || card_id, state::card_state, CASE state WHEN 'CLOSED' THEN 'CLOSED_BY_PLATFORM' END::card_state_reason,
     CASE WHEN k % 3 = 0 THEN 'MASTERCARD' ELSE 'VISA' END::card_brand, 'VIRTUAL', lpad(pg_temp.roll(k, 24, 10000)::text, 4, '0'),
     1 + pg_temp.roll(k, 25, 12), extract(year FROM now())::int + 2 + pg_temp.roll(k, 26, 3), 'proc_' || left(md5(card_id::text), 24), 'card_' || right(md5(card_id::text), 24), since, since
   FROM member CROSS JOIN LATERAL (SELECT CASE WHEN k % 40 = 39 THEN 'CLOSED' WHEN k % 40 = 38 THEN 'FROZEN' ELSE 'ACTIVE' END AS state) AS stated
   WHERE card_id IS NOT NULL`,
  // The triggers have written them already, unless they are off.
  `INSERT INTO card_funding_sources (platform_id, card_id, priority, account_id)
   SELECT $1, card_id, 1, account_a FROM member WHERE card_id IS NOT NULL ON CONFLICT DO NOTHING`,
  `INSERT INTO agents (platform_id, id, customer_id, name, is_paused, is_connected, permissions, default_execution_mode, limit_currency, per_transaction_limit, daily_limit, created_at, updated_at)
   SELECT $1, agent_id, customer_id, 'Assistant of ' || name, k % 70 = 0, true, '{VIEW_TRANSACTIONS,CREATE_TRANSFERS,CREATE_QUOTES,EXECUTE_QUOTES}',
     CASE WHEN k % 20 = 0 THEN 'APPROVAL_REQUIRED' ELSE 'AUTO' END::agent_execution_mode, currency_a, 1000000, 5000000, since, since
   FROM member WHERE agent_id IS NOT NULL`,
]
