-- A backlog of changes is folded a part at a time: all of it in one statement takes longer than a statement may, and from then on forever.

DROP FUNCTION fold_transaction_counts();

-- Moves at most so many changes, all of them unless told, and returns how many: 0 while another session folds.
CREATE FUNCTION fold_transaction_counts(most bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
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
  )
  SELECT count(*) INTO moved FROM gone;
  RETURN moved;
END $$;
