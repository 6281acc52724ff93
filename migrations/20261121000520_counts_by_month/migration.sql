-- Counts by UTC month where they were by day: a count of everything adds up a few hundred numbers for years of transactions, and most
-- customers had as many numbers as transactions.

-- Nobody counts meanwhile.
LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE;
LOCK TABLE transaction_count_changes, platform_transaction_counts, customer_transaction_counts IN ACCESS EXCLUSIVE MODE;

CREATE FUNCTION utc_month(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN date_trunc('month', at AT TIME ZONE 'UTC')::date;

CREATE TEMP TABLE changes_by_month ON COMMIT DROP AS
  SELECT platform_id, customer_id, date_trunc('month', day)::date AS month, type, direction, status, sum(change)::bigint AS change
  FROM transaction_count_changes GROUP BY 1, 2, 3, 4, 5, 6;
CREATE TEMP TABLE platform_by_month ON COMMIT DROP AS
  SELECT platform_id, date_trunc('month', day)::date AS month, type, direction, status, sum(count)::bigint AS count
  FROM platform_transaction_counts GROUP BY 1, 2, 3, 4, 5;
CREATE TEMP TABLE customer_by_month ON COMMIT DROP AS
  SELECT platform_id, customer_id, date_trunc('month', day)::date AS month, type, direction, status, sum(count)::bigint AS count
  FROM customer_transaction_counts GROUP BY 1, 2, 3, 4, 5, 6;

TRUNCATE transaction_count_changes, platform_transaction_counts, customer_transaction_counts;
ALTER TABLE transaction_count_changes RENAME COLUMN day TO month;
ALTER TABLE platform_transaction_counts RENAME COLUMN day TO month;
ALTER TABLE customer_transaction_counts RENAME COLUMN day TO month;
INSERT INTO transaction_count_changes SELECT * FROM changes_by_month;
INSERT INTO platform_transaction_counts SELECT * FROM platform_by_month WHERE count <> 0;
INSERT INTO customer_transaction_counts SELECT * FROM customer_by_month WHERE count <> 0;

CREATE OR REPLACE FUNCTION append_transaction_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO transaction_count_changes
      SELECT platform_id, customer_id, utc_month(created_at), type, direction, status, count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO transaction_count_changes
      SELECT platform_id, customer_id, utc_month(created_at), type, direction, status, -count(*) FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  ELSE
    INSERT INTO transaction_count_changes
      SELECT platform_id, customer_id, utc_month(created_at), type, direction, status, sum(n) FROM (
        SELECT platform_id, customer_id, created_at, type, direction, status, 1 AS n FROM added
        UNION ALL SELECT platform_id, customer_id, created_at, type, direction, status, -1 FROM removed
      ) changed GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION fold_transaction_counts() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('fold_transaction_counts')) THEN
    RETURN 0;
  END IF;
  WITH gone AS (
    DELETE FROM transaction_count_changes RETURNING *
  ), of_platform AS (
    INSERT INTO platform_transaction_counts AS counts
      SELECT platform_id, month, type, direction, status, sum(change) FROM gone GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (platform_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
  ), of_customer AS (
    INSERT INTO customer_transaction_counts AS counts
      SELECT platform_id, customer_id, month, type, direction, status, sum(change) FROM gone WHERE customer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (platform_id, customer_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
  )
  SELECT count(*) INTO moved FROM gone;
  RETURN moved;
END $$;

DROP FUNCTION utc_day;
