-- Searches, and filters by currency and amount, are decided by the entries of one index. The rows themselves may be spread over the whole table.

DROP INDEX transactions_description_start;
DROP INDEX transactions_merchant_start;
DROP INDEX transactions_counterparty_start;
DROP STATISTICS transactions_description_start_values;
DROP STATISTICS transactions_merchant_start_values;
DROP STATISTICS transactions_counterparty_start_values;
DROP INDEX transactions_of_customer;
DROP INDEX transactions_of_agent;
DROP INDEX transactions_from_party;
DROP INDEX transactions_to_party;
DROP INDEX transactions_of_card;
DROP INDEX transactions_between_parties;

-- Postgres reads no expression from an index, only columns. An entry of an index holds at most 2,704 bytes, and a text may be longer. A search has at
-- most 255 characters, so as many of the text are enough. Processes of the earlier release, which still run, read counterparty_name with every
-- payment, so a later release drops it.
ALTER TABLE transactions
  -- A payment has no merchant, and the use of a card no description.
  ADD COLUMN searched_text text GENERATED ALWAYS AS (lower(left(coalesce(description, merchant_descriptor), 255))) STORED,
  ADD COLUMN searched_counterparty text GENERATED ALWAYS AS
    (lower(left(coalesce(counterparty_information ->> 'FULL_NAME', counterparty_information ->> 'COMPANY_LEGAL_NAME'), 255))) STORED;

CREATE INDEX transactions_by_text ON transactions (platform_id, searched_text text_pattern_ops, created_at, id, type, listed_status,
  direction, customer_id, headline_currency, headline_amount, agent_id, card_id, source_party, destination_party) WHERE searched_text IS NOT NULL;
CREATE INDEX transactions_by_counterparty ON transactions (platform_id, searched_counterparty text_pattern_ops, created_at, id, type,
  listed_status, direction, customer_id, headline_currency, headline_amount, agent_id, card_id, source_party, destination_party, searched_text)
  WHERE searched_counterparty IS NOT NULL;
CREATE INDEX transactions_of_customer ON transactions (platform_id, customer_id, created_at DESC, id DESC, type, listed_status, direction,
  headline_currency, headline_amount);
CREATE INDEX transactions_of_agent ON transactions (platform_id, agent_id, created_at DESC, id DESC, type, listed_status, direction, customer_id,
  source_party, destination_party, headline_currency, headline_amount) WHERE agent_id IS NOT NULL;
CREATE INDEX transactions_from_party ON transactions (platform_id, source_party, type, created_at DESC, id DESC, listed_status, direction, customer_id,
  headline_currency, headline_amount) WHERE source_party IS NOT NULL;
CREATE INDEX transactions_to_party ON transactions (platform_id, destination_party, type, created_at DESC, id DESC, listed_status, direction,
  customer_id, headline_currency, headline_amount) WHERE destination_party IS NOT NULL;
CREATE INDEX transactions_of_card ON transactions (platform_id, card_id, created_at DESC, id DESC, listed_status, direction, customer_id,
  headline_currency, headline_amount) WHERE card_id IS NOT NULL;
CREATE INDEX transactions_between_parties ON transactions (platform_id, source_party, destination_party, type, created_at DESC, id DESC,
  listed_status, direction) WHERE source_party IS NOT NULL AND destination_party IS NOT NULL;

-- As before, and without the new columns, which are derived.
CREATE OR REPLACE FUNCTION record_transaction_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE TG_ARGV[0]
    WHEN 'refund' THEN NEW.type::text || '_PAYMENT.REFUND_' || NEW.refund_status::text
    ELSE payment_event(NEW.type, NEW.status) END;
  kind text := CASE WHEN NEW.type = 'CARD' THEN 'CardTransaction' ELSE 'Transaction' END;
  snapshot jsonb;
BEGIN
  IF what IS NULL OR events_are_off() THEN
    RETURN NULL;
  END IF;
  snapshot := jsonb_strip_nulls(to_jsonb(NEW) - fixed_columns('transactions'))
    - '{listed_status,source_party,destination_party,headline_amount,headline_currency,counterparty_name,searched_text,searched_counterparty,receiver_customer_info}'::text[];
  IF num_nonnulls(NEW.source_funding, NEW.requested_receiver_customer_info_fields, NEW.counterparty_information, NEW.payment_instructions,
    NEW.rate_details) > 0 THEN
    snapshot := snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', NEW.source_funding,
      'requested_receiver_customer_info_fields', NEW.requested_receiver_customer_info_fields,
      'counterparty_information', NEW.counterparty_information, 'payment_instructions', NEW.payment_instructions,
      'rate_details', NEW.rate_details)), '{}'::jsonb);
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, snapshot)
    VALUES (NEW.platform_id, what::event_type, kind, NEW.id, NEW.customer_id, NEW.agent_id, snapshot);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION payment_snapshot(payment jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  -- Without generated columns, and what the sender is told about the receiver.
  snapshot jsonb := jsonb_strip_nulls(payment)
    - '{listed_status,source_party,destination_party,headline_amount,headline_currency,counterparty_name,searched_text,searched_counterparty,receiver_customer_info}'::text[];
BEGIN
  -- jsonb_strip_nulls() also takes the nulls inside of columns, so the columns of JSON are put back.
  RETURN snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', payment -> 'source_funding',
    'requested_receiver_customer_info_fields', payment -> 'requested_receiver_customer_info_fields',
    'counterparty_information', payment -> 'counterparty_information', 'payment_instructions', payment -> 'payment_instructions',
    'rate_details', payment -> 'rate_details')), '{}'::jsonb);
END $$;

ANALYZE transactions;
