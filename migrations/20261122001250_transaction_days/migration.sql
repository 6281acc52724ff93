-- Counts and sums of transactions by UTC day and currency, of each platform. They are kept as the counts are: a writing statement appends its
-- net change, which now also says the day, the currency and the amount, and folding moves the changes into every table of counts.
-- The amount of a transaction is its headline: received if incoming, sent if outgoing, authorized if card.

-- Nobody counts meanwhile. The first lock makes a fold that runs finish, and keeps others off.
SELECT pg_advisory_xact_lock(hashtext('fold_transaction_counts'));
LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE transaction_count_changes IN ACCESS EXCLUSIVE MODE;
SELECT fold_transaction_counts();
-- It has no rows now, but maybe much space.
TRUNCATE transaction_count_changes;

CREATE TABLE platform_transaction_days (
  platform_id uuid NOT NULL,
  day date NOT NULL,
  type transaction_item_type NOT NULL,
  direction transaction_direction NOT NULL,
  status transaction_lifecycle_status NOT NULL,
  currency text NOT NULL,
  count bigint NOT NULL,
  -- The sum of many amounts may exceed a bigint.
  amount numeric(38) NOT NULL,
  PRIMARY KEY (platform_id, day, type, direction, status, currency) INCLUDE (count, amount)
);

CREATE FUNCTION utc_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (at AT TIME ZONE 'UTC')::date;

INSERT INTO platform_transaction_days
  SELECT platform_id, utc_day(created_at), type, direction, status, headline_currency, count(*), sum(headline_amount)
  FROM transactions GROUP BY 1, 2, 3, 4, 5, 6;

ALTER TABLE transaction_count_changes
  DROP COLUMN month,
  ADD COLUMN day date NOT NULL,
  ADD COLUMN month date NOT NULL GENERATED ALWAYS AS (date_trunc('month', day::timestamp)::date) STORED,
  ADD COLUMN currency text NOT NULL,
  ADD COLUMN amount numeric(38) NOT NULL;
CREATE INDEX transaction_count_changes_of_platform ON transaction_count_changes (platform_id, day);

CREATE OR REPLACE FUNCTION append_transaction_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, headline_currency, count(*), sum(headline_amount)
      FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, headline_currency, -count(*), -sum(headline_amount)
      FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7;
  ELSE
    INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, headline_currency, sum(n), sum(n * headline_amount) FROM (
        SELECT platform_id, customer_id, created_at, type, direction, status, headline_currency, headline_amount, 1 AS n FROM added
        UNION ALL SELECT platform_id, customer_id, created_at, type, direction, status, headline_currency, headline_amount, -1 FROM removed
      ) changed GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(n) <> 0 OR sum(n * headline_amount) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION fold_transaction_counts(most bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('fold_transaction_counts')) THEN
    RETURN 0;
  END IF;
  WITH gone AS (
    DELETE FROM transaction_count_changes WHERE ctid = ANY (ARRAY(SELECT ctid FROM transaction_count_changes LIMIT most)) RETURNING *
  ), of_platform AS (
    INSERT INTO platform_transaction_counts AS counts
      SELECT platform_id, month, type, direction, status, sum(change) FROM gone GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (platform_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
  ), of_customer AS (
    INSERT INTO customer_transaction_counts AS counts
      SELECT platform_id, customer_id, month, type, direction, status, sum(change) FROM gone WHERE customer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (platform_id, customer_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
  ), of_day AS (
    INSERT INTO platform_transaction_days AS days
      SELECT platform_id, day, type, direction, status, currency, sum(change), sum(amount) FROM gone GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (platform_id, day, type, direction, status, currency)
      DO UPDATE SET count = days.count + excluded.count, amount = days.amount + excluded.amount
  )
  SELECT count(*) INTO moved FROM gone;
  RETURN moved;
END $$;
