-- Exact counts without reading the rows: transactions per UTC day, type, direction and status, of each platform and of each of its customers.
-- A writing statement only appends its net change, so writers never wait for one another; fold_transaction_counts() moves the changes into the
-- counts. A count is the sum of both tables and so is right in every snapshot, folded or not.

CREATE TABLE transaction_count_changes (
  platform_id uuid NOT NULL,
  customer_id uuid,
  day date NOT NULL,
  type transaction_item_type NOT NULL,
  direction transaction_direction NOT NULL,
  status transaction_lifecycle_status NOT NULL,
  change bigint NOT NULL
);
CREATE INDEX transaction_count_changes_of_platform ON transaction_count_changes (platform_id, day);

CREATE TABLE platform_transaction_counts (
  platform_id uuid NOT NULL,
  day date NOT NULL,
  type transaction_item_type NOT NULL,
  direction transaction_direction NOT NULL,
  status transaction_lifecycle_status NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (platform_id, day, type, direction, status) INCLUDE (count)
);

CREATE TABLE customer_transaction_counts (
  platform_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  day date NOT NULL,
  type transaction_item_type NOT NULL,
  direction transaction_direction NOT NULL,
  status transaction_lifecycle_status NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (platform_id, customer_id, day, type, direction, status) INCLUDE (count)
);

CREATE FUNCTION utc_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (at AT TIME ZONE 'UTC')::date;

CREATE FUNCTION append_transaction_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO transaction_count_changes
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, count(*) FROM added GROUP BY 1, 2, 3, 4, 5, 6;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO transaction_count_changes
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, -count(*) FROM removed GROUP BY 1, 2, 3, 4, 5, 6;
  ELSE
    INSERT INTO transaction_count_changes
      SELECT platform_id, customer_id, utc_day(created_at), type, direction, status, sum(n) FROM (
        SELECT platform_id, customer_id, created_at, type, direction, status, 1 AS n FROM added
        UNION ALL SELECT platform_id, customer_id, created_at, type, direction, status, -1 FROM removed
      ) changed GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(n) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER count_inserted AFTER INSERT ON transactions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION append_transaction_count_changes();
CREATE TRIGGER count_deleted AFTER DELETE ON transactions REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION append_transaction_count_changes();
CREATE TRIGGER count_updated AFTER UPDATE ON transactions REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION append_transaction_count_changes();

-- Returns how many changes it moved: 0 while another session folds.
CREATE FUNCTION fold_transaction_counts() RETURNS bigint LANGUAGE plpgsql AS $$
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
      SELECT platform_id, day, type, direction, status, sum(change) FROM gone GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (platform_id, day, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
  ), of_customer AS (
    INSERT INTO customer_transaction_counts AS counts
      SELECT platform_id, customer_id, day, type, direction, status, sum(change) FROM gone WHERE customer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
      ON CONFLICT (platform_id, customer_id, day, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
  )
  SELECT count(*) INTO moved FROM gone;
  RETURN moved;
END $$;
