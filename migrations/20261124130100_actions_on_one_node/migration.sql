-- As before, but with one statement for each table: a distributed database does not join tables for the rows of a statement that inserts.
CREATE OR REPLACE FUNCTION record_action_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  customer jsonb;
  quote jsonb;
  payment jsonb;
BEGIN
  IF events_are_off() THEN
    RETURN NULL;
  END IF;
  SELECT to_jsonb(t) INTO customer FROM customers t WHERE t.platform_id = NEW.platform_id AND t.id = NEW.customer_id;
  IF NEW.quote_id IS NOT NULL THEN
    SELECT to_jsonb(t) INTO quote FROM quotes t WHERE t.platform_id = NEW.platform_id AND t.id = NEW.quote_id;
  END IF;
  IF NEW.transaction_id IS NOT NULL THEN
    SELECT to_jsonb(t) INTO payment FROM transactions t WHERE t.platform_id = NEW.platform_id AND t.id = NEW.transaction_id;
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, snapshot)
    VALUES (NEW.platform_id, 'AGENT_ACTION.PENDING_APPROVAL', 'AgentAction', NEW.id, NEW.customer_id, NEW.agent_id,
      snapshot_of(to_jsonb(NEW)) || snapshot_of(jsonb_build_object('customer', snapshot_of(customer), 'quote', snapshot_of(quote),
        'payment', CASE WHEN payment IS NOT NULL THEN payment_snapshot(payment) END)));
  RETURN NULL;
END $$;
