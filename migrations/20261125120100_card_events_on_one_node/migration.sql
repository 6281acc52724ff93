-- As before, but with one statement for each table: a distributed database cannot insert what it selects as JSON from another table.
CREATE OR REPLACE FUNCTION record_card_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  account jsonb;
BEGIN
  IF events_are_off() THEN
    RETURN NULL;
  END IF;
  SELECT to_jsonb(t) INTO account FROM internal_accounts t WHERE t.platform_id = NEW.platform_id AND t.id = NEW.account_id;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
    VALUES (NEW.platform_id, TG_ARGV[0]::event_type, 'Card', NEW.id, NEW.customer_id,
      snapshot_of(to_jsonb(NEW)) || jsonb_build_object('account', snapshot_of(account)));
  RETURN NULL;
END $$;
