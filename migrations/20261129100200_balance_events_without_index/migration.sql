-- The transaction itself remembers its events of balances, in a setting that ends with it. Before, they were found by an index, which cost each
-- of them an entry, and by the id of the transaction, which every event had.

-- All changes of a balance in one transaction are one event. Whoever changes the balance holds the lock of the account's row.
CREATE OR REPLACE FUNCTION record_account_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account text := NEW.platform_id || ' ' || NEW.id;
  -- The accounts whose balance this transaction has changed, each with the id of its event.
  earlier jsonb := coalesce(nullif(current_setting('app.balance_events', true), ''), '{}');
  -- Accounts have no columns of JSON, so jsonb_strip_nulls() is exact.
  shown jsonb := jsonb_strip_nulls(to_jsonb(NEW)) - fixed_columns('internal_accounts');
  event uuid;
BEGIN
  IF events_are_off() THEN
    RETURN NULL;
  END IF;
  IF TG_ARGV[0] = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' AND earlier ? account THEN
    UPDATE events SET snapshot = shown WHERE platform_id = NEW.platform_id AND id = (earlier ->> account)::uuid;
    RETURN NULL;
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
    VALUES (NEW.platform_id, TG_ARGV[0]::event_type, 'InternalAccount', NEW.id, NEW.customer_id, shown)
    RETURNING id INTO event;
  IF TG_ARGV[0] = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' THEN
    PERFORM set_config('app.balance_events', (earlier || jsonb_build_object(account, event))::text, true);
  END IF;
  RETURN NULL;
END $$;

DROP INDEX events_pending_balance;
DROP VIEW numbered_events;
ALTER TABLE events DROP COLUMN recorded_in;
CREATE VIEW numbered_events AS SELECT * FROM events WHERE position IS NOT NULL;
