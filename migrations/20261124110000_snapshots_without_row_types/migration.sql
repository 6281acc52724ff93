-- The snapshot of a payment from its row as JSON: the rows of a part of a distributed table have a type of their own (docs/scale.md#citus).
CREATE FUNCTION payment_snapshot(payment jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  -- Without generated columns, and what the sender is told about the receiver.
  snapshot jsonb := jsonb_strip_nulls(payment)
    - '{source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[];
BEGIN
  -- jsonb_strip_nulls() also takes the nulls inside of columns, so the columns of JSON are put back.
  RETURN snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', payment -> 'source_funding',
    'requested_receiver_customer_info_fields', payment -> 'requested_receiver_customer_info_fields',
    'counterparty_information', payment -> 'counterparty_information', 'payment_instructions', payment -> 'payment_instructions',
    'rate_details', payment -> 'rate_details')), '{}'::jsonb);
END $$;

CREATE OR REPLACE FUNCTION record_action_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, snapshot)
      SELECT NEW.platform_id, 'AGENT_ACTION.PENDING_APPROVAL', 'AgentAction', NEW.id, NEW.customer_id, NEW.agent_id,
        snapshot_of(to_jsonb(NEW)) || snapshot_of(jsonb_build_object('customer', snapshot_of(to_jsonb(customer)),
          'quote', snapshot_of(to_jsonb(quote)), 'payment', CASE WHEN payment.id IS NOT NULL THEN payment_snapshot(to_jsonb(payment)) END))
      FROM customers customer
      LEFT JOIN quotes quote ON quote.platform_id = NEW.platform_id AND quote.id = NEW.quote_id
      LEFT JOIN transactions payment ON payment.platform_id = NEW.platform_id AND payment.id = NEW.transaction_id
      WHERE customer.platform_id = NEW.platform_id AND customer.id = NEW.customer_id;
  END IF;
  RETURN NULL;
END $$;
DROP FUNCTION transaction_snapshot(transactions);
