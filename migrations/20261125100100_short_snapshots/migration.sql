-- The snapshots of payments and accounts leave out what never changes. Readers take it from the row (src/events/data.ts), which is never deleted.
-- Earlier snapshots have all columns, and stay as they are.

-- The columns that never change from the first event on. An incoming payment may get them as long as it is CREATED, which has no event.
-- The customer of an account may change, and is in the event. Keys find the row.
CREATE FUNCTION fixed_columns(of_table text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE of_table
  WHEN 'transactions' THEN '{platform_id,id,type,direction,customer_id,platform_customer_id,created_at,agent_id,quote_id,card_id,
    source_internal_account_id,source_external_account_id,source_uma_address,source_currency,source_customer_id,
    destination_type,destination_internal_account_id,destination_external_account_id,destination_uma_address,destination_currency,
    sent_amount,sent_currency,received_amount,received_currency,fees,platform_fees,exchange_rate}'::text[]
  WHEN 'internal_accounts' THEN '{platform_id,id,customer_id,type,currency,created_at}'::text[] END;

CREATE TRIGGER transactions_fixed BEFORE UPDATE OF type, direction, customer_id, platform_customer_id, created_at, agent_id, quote_id,
    card_id, source_internal_account_id, source_external_account_id, source_uma_address, source_currency, source_customer_id,
    destination_type, destination_internal_account_id, destination_external_account_id, destination_uma_address, destination_currency,
    sent_amount, sent_currency, received_amount, received_currency, fees, platform_fees, exchange_rate ON transactions FOR EACH ROW
  WHEN (OLD.status <> 'CREATED' AND (OLD.type, OLD.direction, OLD.customer_id, OLD.platform_customer_id, OLD.created_at,
    OLD.agent_id, OLD.quote_id, OLD.card_id, OLD.source_internal_account_id, OLD.source_external_account_id, OLD.source_uma_address, OLD.source_currency,
    OLD.source_customer_id, OLD.destination_type, OLD.destination_internal_account_id, OLD.destination_external_account_id, OLD.destination_uma_address,
    OLD.destination_currency, OLD.sent_amount, OLD.sent_currency, OLD.received_amount, OLD.received_currency, OLD.fees, OLD.platform_fees,
    OLD.exchange_rate)
    IS DISTINCT FROM (NEW.type, NEW.direction, NEW.customer_id, NEW.platform_customer_id, NEW.created_at,
    NEW.agent_id, NEW.quote_id, NEW.card_id, NEW.source_internal_account_id, NEW.source_external_account_id, NEW.source_uma_address, NEW.source_currency,
    NEW.source_customer_id, NEW.destination_type, NEW.destination_internal_account_id, NEW.destination_external_account_id, NEW.destination_uma_address,
    NEW.destination_currency, NEW.sent_amount, NEW.sent_currency, NEW.received_amount, NEW.received_currency, NEW.fees, NEW.platform_fees,
    NEW.exchange_rate))
  EXECUTE FUNCTION refuse_change('its events refer to these columns');

CREATE TRIGGER internal_accounts_fixed BEFORE UPDATE OF type, currency, created_at ON internal_accounts FOR EACH ROW
  WHEN ((OLD.type, OLD.currency, OLD.created_at)
    IS DISTINCT FROM (NEW.type, NEW.currency, NEW.created_at))
  EXECUTE FUNCTION refuse_change('its events refer to these columns');

-- The snapshot with the columns that it leaves out.
CREATE FUNCTION whole_snapshot(of_table text, row_as_json jsonb, snapshot jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT jsonb_object_agg(name, row_as_json -> name) FROM unnest(fixed_columns(of_table)) name) || snapshot;

CREATE OR REPLACE FUNCTION record_account_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    -- Accounts have no columns of JSON, so jsonb_strip_nulls() is exact.
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, TG_ARGV[0]::event_type, 'InternalAccount', NEW.id, NEW.customer_id,
        jsonb_strip_nulls(to_jsonb(NEW)) - fixed_columns('internal_accounts'))
      ON CONFLICT (platform_id, object_id, recorded_in) WHERE type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' AND position IS NULL
      DO UPDATE SET snapshot = excluded.snapshot;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_transaction_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE TG_ARGV[0]
    WHEN 'refund' THEN NEW.type::text || '_PAYMENT.REFUND_' || NEW.refund_status::text
    ELSE payment_event(NEW.type, NEW.status) END;
  kind text := CASE WHEN NEW.type = 'CARD' THEN 'CardTransaction' ELSE 'Transaction' END;
  step_of smallint;
  snapshot jsonb;
BEGIN
  IF what IS NULL OR events_are_off() THEN
    RETURN NULL;
  END IF;
  IF TG_ARGV[0] = 'new' THEN
    step_of := 1;
  ELSIF TG_ARGV[0] = 'status' THEN
    SELECT max(sequence) INTO step_of FROM transaction_state_changes WHERE platform_id = NEW.platform_id AND transaction_id = NEW.id;
  END IF;
  snapshot := jsonb_strip_nulls(to_jsonb(NEW) - fixed_columns('transactions'))
    - '{listed_status,source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[];
  IF num_nonnulls(NEW.source_funding, NEW.requested_receiver_customer_info_fields, NEW.counterparty_information, NEW.payment_instructions,
    NEW.rate_details) > 0 THEN
    snapshot := snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', NEW.source_funding,
      'requested_receiver_customer_info_fields', NEW.requested_receiver_customer_info_fields,
      'counterparty_information', NEW.counterparty_information, 'payment_instructions', NEW.payment_instructions,
      'rate_details', NEW.rate_details)), '{}'::jsonb);
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, step, snapshot)
    VALUES (NEW.platform_id, what::event_type, kind, NEW.id,
      NEW.customer_id, NEW.agent_id, step_of, snapshot);
  RETURN NULL;
END $$;
