-- A change of status is one change of the counts, which says which status was left, instead of two.
ALTER TABLE transaction_count_changes ADD COLUMN left_status transaction_lifecycle_status;

-- What each change adds to the counts.
CREATE VIEW transaction_count_deltas AS
  SELECT platform_id, customer_id, day, month, type, direction, status, currency, change, amount FROM transaction_count_changes
  UNION ALL
  SELECT platform_id, customer_id, day, month, type, direction, left_status, currency, -change, -amount FROM transaction_count_changes
    WHERE left_status IS NOT NULL;

CREATE OR REPLACE FUNCTION append_transaction_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR changed IN
      SELECT platform_id, customer_id, utc_day(created_at) AS day, type, direction, status, headline_currency, count(*) AS n, sum(headline_amount) AS amount
      FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.day, changed.type, changed.direction, changed.status, changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR changed IN
      SELECT platform_id, customer_id, utc_day(created_at) AS day, type, direction, status, headline_currency, -count(*) AS n, -sum(headline_amount) AS amount
      FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.day, changed.type, changed.direction, changed.status, changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  ELSE
    FOR changed IN
      SELECT a.platform_id, a.customer_id, utc_day(a.created_at) AS day, a.type, a.direction, a.status, r.status AS left_status, a.headline_currency,
        count(*) AS n, sum(a.headline_amount) AS amount
      FROM added a JOIN removed r ON r.platform_id = a.platform_id AND r.id = a.id
      WHERE r.status <> a.status AND (a.customer_id, utc_day(a.created_at), a.type, a.direction, a.headline_currency, a.headline_amount)
        IS NOT DISTINCT FROM (r.customer_id, utc_day(r.created_at), r.type, r.direction, r.headline_currency, r.headline_amount)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
      UNION ALL
      -- Another change than one of the status.
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, NULL, headline_currency, sum(sign), sum(sign * headline_amount) FROM (
        SELECT side.platform_id, side.customer_id, side.created_at, side.type, side.direction, side.status, side.headline_currency, side.headline_amount, side.sign
        FROM added a JOIN removed r ON r.platform_id = a.platform_id AND r.id = a.id
        CROSS JOIN LATERAL (VALUES
          (a.platform_id, a.customer_id, a.created_at, a.type, a.direction, a.status, a.headline_currency, a.headline_amount, 1),
          (r.platform_id, r.customer_id, r.created_at, r.type, r.direction, r.status, r.headline_currency, r.headline_amount, -1)
        ) side (platform_id, customer_id, created_at, type, direction, status, headline_currency, headline_amount, sign)
        WHERE (a.customer_id, utc_day(a.created_at), a.type, a.direction, a.headline_currency, a.headline_amount)
          IS DISTINCT FROM (r.customer_id, utc_day(r.created_at), r.type, r.direction, r.headline_currency, r.headline_amount)
      ) both_sides GROUP BY 1, 2, 3, 4, 5, 6, 8 HAVING sum(sign) <> 0 OR sum(sign * headline_amount) <> 0
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, left_status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.day, changed.type, changed.direction, changed.status, changed.left_status,
          changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

-- As before, with what each change adds.
CREATE OR REPLACE FUNCTION fold_transaction_counts(most bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint := 0;
  moved bigint;
  platform uuid;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('fold_transaction_counts')) THEN
    RETURN 0;
  END IF;
  FOR platform IN SELECT DISTINCT platform_id FROM (SELECT platform_id FROM transaction_count_changes LIMIT most) waiting
    LIMIT CASE WHEN most IS NULL THEN NULL ELSE 1000 END
  LOOP
    WITH gone AS (
      DELETE FROM transaction_count_changes WHERE platform_id = platform AND ctid = ANY (
        ARRAY(SELECT ctid FROM transaction_count_changes WHERE platform_id = platform LIMIT most - folded)) RETURNING *
    ), deltas AS (
      SELECT platform_id, customer_id, day, month, type, direction, status, currency, change, amount FROM gone
      UNION ALL
      SELECT platform_id, customer_id, day, month, type, direction, left_status, currency, -change, -amount FROM gone WHERE left_status IS NOT NULL
    ), of_platform AS (
      INSERT INTO platform_transaction_counts AS counts
        SELECT platform_id, month, type, direction, status, sum(change) FROM deltas GROUP BY 1, 2, 3, 4, 5
        ON CONFLICT (platform_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_customer AS (
      INSERT INTO customer_transaction_counts AS counts
        SELECT platform_id, customer_id, month, type, direction, status, sum(change) FROM deltas WHERE customer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (platform_id, customer_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_day AS (
      INSERT INTO platform_transaction_days AS days
        SELECT platform_id, day, type, direction, status, currency, sum(change), sum(amount) FROM deltas GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (platform_id, day, type, direction, status, currency)
        DO UPDATE SET count = days.count + excluded.count, amount = days.amount + excluded.amount
    )
    SELECT count(*) INTO moved FROM gone;
    folded := folded + moved;
    EXIT WHEN folded >= most;
  END LOOP;
  RETURN folded;
END $$;
