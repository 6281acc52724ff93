-- Events cost less to write.

-- The version with the position fits on the page of the version without it, however many events are numbered at once. So the write-ahead log
-- holds the position, and not the event again.
ALTER TABLE events SET (fillfactor = 50);

-- Like snapshot_of(), in half the time. jsonb_strip_nulls() also takes the nulls inside of columns, so the columns of JSON are put back.
CREATE OR REPLACE FUNCTION transaction_snapshot(payment transactions) RETURNS jsonb LANGUAGE sql STABLE
  RETURN (jsonb_strip_nulls(to_jsonb(payment))
    - '{source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[])
    || CASE num_nonnulls(payment.source_funding, payment.requested_receiver_customer_info_fields, payment.counterparty_information,
      payment.payment_instructions, payment.rate_details) WHEN 0 THEN '{}' ELSE coalesce(snapshot_of(jsonb_build_object(
        'source_funding', payment.source_funding,
        'requested_receiver_customer_info_fields', payment.requested_receiver_customer_info_fields,
        'counterparty_information', payment.counterparty_information,
        'payment_instructions', payment.payment_instructions,
        'rate_details', payment.rate_details)), '{}') END;

-- Only the transaction that writes an event of a balance can write it again, so the index needs no events that have their position.
CREATE UNIQUE INDEX events_one_pending_balance ON events (platform_id, object_id, recorded_in)
  WHERE type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' AND position IS NULL;

-- Accounts have no columns of JSON, so jsonb_strip_nulls() is exact.
CREATE OR REPLACE FUNCTION record_account_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, TG_ARGV[0]::event_type, 'InternalAccount', NEW.id, NEW.customer_id, jsonb_strip_nulls(to_jsonb(NEW)))
      ON CONFLICT (platform_id, object_id, recorded_in) WHERE type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' AND position IS NULL
      DO UPDATE SET snapshot = excluded.snapshot;
  END IF;
  RETURN NULL;
END $$;
