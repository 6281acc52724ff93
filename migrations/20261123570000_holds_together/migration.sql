-- Holds that one statement places change each account once.

CREATE FUNCTION place_ledger_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE internal_accounts AS account
    SET balance = balance - held, updated_at = greatest(updated_at, at)
    FROM (
      SELECT platform_id, account_id, sum(amount)::bigint AS held, max(created_at) AS at
      FROM added WHERE released_at IS NULL GROUP BY 1, 2
    ) AS placed
    WHERE account.platform_id = placed.platform_id AND account.id = placed.account_id;
  RETURN NULL;
END $$;

CREATE FUNCTION release_ledger_hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.released_at IS NOT NULL OR NEW.released_at IS NULL OR to_jsonb(OLD) - 'released_at' <> to_jsonb(NEW) - 'released_at' THEN
    RAISE EXCEPTION 'A hold can be released, once, and nothing else' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_holds_released_once';
  END IF;
  UPDATE internal_accounts
    SET balance = balance + NEW.amount, updated_at = greatest(updated_at, NEW.released_at)
    WHERE platform_id = NEW.platform_id AND id = NEW.account_id;
  RETURN NULL;
END $$;

DROP TRIGGER ledger_holds_applied ON ledger_holds;
DROP FUNCTION apply_ledger_hold();
CREATE TRIGGER ledger_holds_placed AFTER INSERT ON ledger_holds REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION place_ledger_holds();
CREATE TRIGGER ledger_holds_released AFTER UPDATE ON ledger_holds FOR EACH ROW EXECUTE FUNCTION release_ledger_hold();
