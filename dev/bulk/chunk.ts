// One statement that creates a chunk of transactions, with quotes and timelines, from the tables of the cast.
//   $1 platform   $2 name of the run   $3, $4 first and last number   $5 total number   $6 now
import { type ExternalType, paymentInstructions } from '../demo/account-info.ts'
import { Dice } from '../demo/dice.ts'
import { BUSINESS_NOTES, CORRESPONDENTS, MERCHANTS, PRIVATE_NOTES } from '../demo/words.ts'
import { INSERT_COUNT_CHANGES, INSERT_QUOTES, INSERT_STEPS, INSERT_TRANSACTIONS } from './inserts.ts'
import { SHARES } from './plans.ts'

/** Chooses the plan and the customer. The first rows take each finished plan once, the last rows each open plan. */
const CHOSEN = `
  SELECT n, coalesce(each_once.plan, slot.plan) AS plan, last,
    -- The square makes the first customers busier; every tenth row is of the hot one.
    CASE WHEN pg_temp.roll(n, 1, 10) = 0 THEN 1 WHEN pg_temp.roll(n, 1, 40) = 1 THEN 0
      ELSE 1 + (pg_temp.roll(n, 2, 65536)::bigint * pg_temp.roll(n, 2, 65536) * last >> 32) END::int AS wish
  FROM generate_series($3::bigint, $4::bigint) AS n
  CROSS JOIN (SELECT max(k) AS last FROM member) AS members
  JOIN slot ON slot.slot = pg_temp.roll(n, 3, 1000)
    AND slot.is_open = (n > $5::bigint - greatest(150, $5 / 100) AND pg_temp.roll(n, 4, 2) = 0)
  LEFT JOIN (
    SELECT id AS plan, CASE WHEN is_open THEN $5 + 1 - place ELSE place END AS place
    FROM (SELECT id, is_open, row_number() OVER (PARTITION BY is_open ORDER BY id) AS place FROM plan) AS placed
  ) AS each_once ON each_once.place = n`

/** Chooses a customer that fits the plan, the currencies, the amount and the rail. */
const SHAPED = `
  SELECT n, plan.*, member.*, sending, receiving, rail,
    rail IS NOT NULL AND (is_cancelled OR rail IS DISTINCT FROM own_rail) AS is_manual,
    CASE type
      WHEN 'CARD' THEN 5 + pg_temp.roll(n, 5, 800)
      WHEN 'INCOMING' THEN CASE sending WHEN 'USDB' THEN 10000 WHEN 'USDC' THEN 10000 ELSE 1 END * cents
      ELSE cents
    END AS amount
  FROM chosen
  JOIN plan ON plan.id = plan
  CROSS JOIN LATERAL (SELECT greatest(wish, 1) - greatest(wish, 1) % divisor + residue AS near OFFSET 0) AS nearest
  JOIN member ON k = CASE
    WHEN wish = 0 AND divisor = 1 AND type <> 'CARD' AND route NOT IN ('uma', 'book') THEN 0
    WHEN near = 0 THEN divisor WHEN near > last THEN near - divisor ELSE near END
  CROSS JOIN LATERAL (
    SELECT
      CASE WHEN type = 'INCOMING' AND route = 'uma' THEN ('{USD,EUR,GBP,INR,MXN}'::text[])[1 + pg_temp.roll(n, 31, 5)]
        WHEN route = 'chain' THEN wallet_currency ELSE currency_a END AS sending,
      CASE WHEN type = 'OUTGOING' THEN CASE route WHEN 'uma' THEN ('{EUR,USD,GBP,MXN,INR,NGN}'::text[])[1 + pg_temp.roll(n, 32, 6)]
          WHEN 'conversion' THEN currency_b ELSE payee_currency END
        WHEN route = 'chain' THEN wallet_currency ELSE currency_a END AS receiving,
      CASE WHEN is_cancelled THEN ('{ACH,WIRE}'::payment_rail[])[1 + pg_temp.roll(n, 33, 2)]
        WHEN type = 'OUTGOING' AND route IN ('payout', 'funded') AND cardinality(rails) > 0
          THEN rails[1 + pg_temp.roll(n, 33, cardinality(rails))] END AS rail,
      100 + CASE WHEN pg_temp.roll(n, 7, 10) < 6 THEN raw / 500 * 500 ELSE raw END AS cents
    FROM (SELECT (1 + pg_temp.roll(n, 5, 1000)::bigint) * (1 + pg_temp.roll(n, 6, 1500)) AS raw) AS drawn OFFSET 0
  ) AS drawn`

/** Computes times, prices and names. */
const MADE = `
  SELECT shaped.*, pg_temp.uuid7(created_at, name_of_row) AS tx_id,
    CASE WHEN needs_quote AND (statuses[cardinality(statuses)] <> 'COMPLETED' OR pg_temp.roll(n, 34, 4) = 0)
      THEN pg_temp.uuid7(created_at, name_of_row || '/quote') END AS quote_id,
    statuses[cardinality(statuses)] AS status, travel, created_at, last_at, started_at, completed_at,
    CASE WHEN refund_status IS NOT NULL THEN
      CASE WHEN is_cancellation AND refund_status <> 'PENDING' THEN last_at - interval '1 second' ELSE last_at + interval '2 seconds' END END AS refund_initiated_at,
    CASE WHEN refund_status = 'COMPLETED' THEN
      CASE WHEN is_cancellation THEN last_at ELSE last_at + (60 + pg_temp.roll(n, 35, 14000)) * interval '1 second' END END AS refund_settled_at,
    CASE WHEN is_manual OR started_at IS NOT NULL THEN shaped.rail END AS known_rail, is_instant, seconds AS rail_seconds,
    needs_quote, bps, rate, platform_fee, variable_fee, sending_multiplier, receiving_multiplier,
    div((amount - platform_fee - variable_fee) * numerator, denominator)::bigint AS receive,
    upper(translate(left(md5(name_of_row), 12), '0189', 'WXYZ')) AS reference,
    (hashes.pair || md5(hashes.pair)) AS hash, ('{BITCOIN,ETHEREUM,SOLANA,BASE,POLYGON,TRON,SPARK}'::blockchain_network[])[1 + pg_temp.roll(n, 36, 7)] AS any_network,
    1 + pg_temp.roll(n, 37, 7) AS who,
    CASE WHEN type = 'CARD' THEN NULL WHEN by_agent OR (pg_temp.roll(n, 38, 3) = 0 AND route IN ('payout', 'conversion')) THEN agent_id END AS by_agent_id
  FROM shaped
  JOIN pair USING (sending, receiving)
  LEFT JOIN (SELECT rail AS speed_of, is_instant, seconds FROM rail) AS speed ON speed_of = shaped.rail
  CROSS JOIN LATERAL (
    SELECT $2 || '/' || n AS name_of_row, is_quoted OR (type = 'OUTGOING' AND sending <> receiving) AS needs_quote,
      CASE WHEN shaped.rail IS NULL THEN CASE WHEN route IN ('payout', 'funded') THEN 20 + pg_temp.roll(n, 39, 120) ELSE 1 + pg_temp.roll(n, 39, 8) END
        WHEN is_instant THEN 2 + pg_temp.roll(n, 39, 46) ELSE seconds * (55 + pg_temp.roll(n, 39, 41)) / 100 END AS travel,
      -- Two years back, denser towards now, some rows together.
      (1 - (n - CASE WHEN pg_temp.roll(n / 4, 40, 5) = 0 THEN n % 4 ELSE 0 END)::float8 / $5) ^ 2 * interval '730 days' AS age
    OFFSET 0
  ) AS first
  CROSS JOIN LATERAL (SELECT md5(name_of_row || '#') AS pair OFFSET 0) AS hashes
  CROSS JOIN LATERAL (
    SELECT after[cardinality(after)] + travels[cardinality(travels)] * travel AS takes,
      CASE WHEN type = 'OUTGOING' AND needs_quote AND sending = 'USD' AND pg_temp.roll(n, 41, 5) < 2
        THEN 50 + pg_temp.half_up((amount - 50) * 20, 10000) ELSE 0 END AS platform_fee
    OFFSET 0
  ) AS second
  CROSS JOIN LATERAL (
    SELECT CASE WHEN pg_temp.roll(n, 42, 20) = 0 THEN date_trunc('hour', early) ELSE date_trunc('milliseconds', early) END AS created_at,
      pg_temp.half_up((amount - CASE WHEN platform_fee > 0 THEN 50 ELSE 0 END) * bps, 10000) AS variable_fee
    FROM (SELECT $6::timestamptz - age - (takes + CASE WHEN refund_status IS NOT NULL AND NOT is_cancellation THEN 14400 ELSE 0 END) * interval '1 second' AS early) AS began
    OFFSET 0
  ) AS third
  CROSS JOIN LATERAL (
    SELECT created_at + takes * interval '1 second' AS last_at,
      created_at + after[array_position(statuses, 'PROCESSING')] * interval '1 second' AS started_at,
      created_at + (after[array_position(statuses, 'COMPLETED')] + travels[array_position(statuses, 'COMPLETED')] * travel) * interval '1 second' AS completed_at
    OFFSET 0
  ) AS fourth`

/** With `countsItself` the triggers are off, and the statement writes the counts itself. */
export const chunkStatement = (countsItself: boolean) => `
  WITH chosen AS MATERIALIZED (${CHOSEN}),
  shaped AS MATERIALIZED (${SHAPED}),
  made AS MATERIALIZED (${MADE}),
  quoted AS (${INSERT_QUOTES}),
  inserted AS (${INSERT_TRANSACTIONS}),
  ${countsItself ? `counted AS (${INSERT_COUNT_CHANGES}),` : ''}
  told AS (${INSERT_STEPS})
  SELECT 1`

const instructionsOf = (type: ExternalType) =>
  JSON.stringify(paymentInstructions(type, new Dice(`bulk/funding/${type}`), 'REFERENCE'))

/** The parameters from $7 on. */
export const WORDS = [
  JSON.stringify(CORRESPONDENTS),
  JSON.stringify({ USD: instructionsOf('USD_ACCOUNT'), EUR: instructionsOf('EUR_ACCOUNT') }),
  [...PRIVATE_NOTES, ...BUSINESS_NOTES],
  JSON.stringify(MERCHANTS),
  Number(SHARES),
]
