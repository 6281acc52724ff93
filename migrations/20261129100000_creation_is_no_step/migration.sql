-- A timeline begins with the creation of its transaction, which the row of the transaction tells. So only the steps after it are stored.

-- The whole timeline. The creation is number 1.
CREATE VIEW transaction_timelines AS
  SELECT payment.platform_id, payment.id AS transaction_id, 1::smallint AS sequence, NULL::transaction_lifecycle_status AS from_status,
    coalesce(next.from_status, payment.status) AS to_status, payment.created_at AS at,
    CASE WHEN next.from_status IS NULL THEN payment.failure_reason::text END AS reason
  FROM transactions payment LEFT JOIN transaction_state_changes next
    ON next.platform_id = payment.platform_id AND next.transaction_id = payment.id AND next.sequence = 2
  UNION ALL
  SELECT platform_id, transaction_id, sequence, from_status, to_status, at, reason FROM transaction_state_changes;

CREATE OR REPLACE FUNCTION record_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM transaction_transitions WHERE type = NEW.type AND from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'A transaction of the type % does not go from % to %', NEW.type, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transaction_transitions';
  END IF;
  INSERT INTO transaction_state_changes (platform_id, transaction_id, sequence, from_status, to_status, at, reason)
    SELECT NEW.platform_id, NEW.id, coalesce(max(sequence), 1) + 1, OLD.status, NEW.status, greatest(now(), OLD.created_at, max(at)), NEW.failure_reason
    FROM transaction_state_changes WHERE platform_id = NEW.platform_id AND transaction_id = NEW.id
    RETURNING at INTO NEW.updated_at;
  RETURN NEW;
END $$;

DROP TRIGGER transactions_first_state ON transactions;
DROP FUNCTION record_first_states();
