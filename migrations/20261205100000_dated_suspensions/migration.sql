-- When the endpoint was suspended. Null unless it is suspended. Until now updated_at told it, which a rotation of the keys changes too.
ALTER TABLE webhook_endpoints ADD COLUMN suspended_at timestamptz(3);
UPDATE webhook_endpoints SET suspended_at = updated_at WHERE status = 'SUSPENDED';

-- A trigger, because gateways of the release before change the status and do not know the column.
CREATE FUNCTION date_suspension() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.suspended_at := CASE WHEN NEW.status = 'SUSPENDED' THEN now() END;
  RETURN NEW;
END $$;
CREATE TRIGGER webhook_endpoints_suspended BEFORE UPDATE OF status ON webhook_endpoints FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION date_suspension();
