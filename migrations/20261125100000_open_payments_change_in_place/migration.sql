-- A payment that starts keeps its place in every index. So its new version is written beside the old one, without an entry in each index
-- (a heap-only tuple). All open states are one state in the indexes. A filter by one of them looks through the platform's open payments.

ALTER TABLE transactions
  ADD COLUMN listed_status transaction_lifecycle_status NOT NULL GENERATED ALWAYS AS (
    CASE WHEN status IN ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') THEN 'PENDING' ELSE status END) STORED,
  -- Room for the new version on the page.
  SET (fillfactor = 90);

DROP INDEX transactions_list;
DROP INDEX transactions_of_customer;
DROP INDEX transactions_of_platform;
DROP INDEX transactions_in_status;
DROP INDEX transactions_of_agent;
DROP INDEX transactions_from_party;
DROP INDEX transactions_to_party;
DROP INDEX transactions_of_kind;
DROP INDEX transactions_in_currency;
DROP INDEX transactions_of_card;
DROP INDEX transactions_open;
CREATE INDEX transactions_list ON transactions (platform_id, created_at DESC, id DESC, type, listed_status, direction);
CREATE INDEX transactions_of_customer ON transactions (platform_id, customer_id, created_at DESC, id DESC, type, listed_status, direction);
CREATE INDEX transactions_of_platform ON transactions (platform_id, created_at DESC, id DESC, type, listed_status, direction) WHERE customer_id IS NULL;
CREATE INDEX transactions_in_status ON transactions (platform_id, listed_status, created_at DESC, id DESC, type, direction)
  WHERE listed_status NOT IN ('COMPLETED', 'SETTLED');
CREATE INDEX transactions_of_agent ON transactions (platform_id, agent_id, created_at DESC, id DESC, type, listed_status, direction, customer_id, source_party,
  destination_party) WHERE agent_id IS NOT NULL;
CREATE INDEX transactions_from_party ON transactions (platform_id, source_party, type, created_at DESC, id DESC, listed_status, direction)
  WHERE source_party IS NOT NULL;
CREATE INDEX transactions_to_party ON transactions (platform_id, destination_party, type, created_at DESC, id DESC, listed_status, direction)
  WHERE destination_party IS NOT NULL;
CREATE INDEX transactions_of_kind ON transactions (platform_id, type, direction, created_at DESC, id DESC, listed_status);
CREATE INDEX transactions_in_currency ON transactions (platform_id, headline_currency, created_at DESC, id DESC, headline_amount, type, listed_status, direction);
CREATE INDEX transactions_of_card ON transactions (platform_id, card_id, created_at DESC, id DESC, listed_status, direction) WHERE card_id IS NOT NULL;

-- The job that continues stale payments finds the open ones by their state, and refunds here.
CREATE INDEX transactions_refunding ON transactions (platform_id, created_at, id) WHERE refund_status = 'PENDING';

-- As before, and without the new column, which is derived.
CREATE OR REPLACE FUNCTION payment_snapshot(payment jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  -- Without generated columns, and what the sender is told about the receiver.
  snapshot jsonb := jsonb_strip_nulls(payment)
    - '{listed_status,source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[];
BEGIN
  -- jsonb_strip_nulls() also takes the nulls inside of columns, so the columns of JSON are put back.
  RETURN snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', payment -> 'source_funding',
    'requested_receiver_customer_info_fields', payment -> 'requested_receiver_customer_info_fields',
    'counterparty_information', payment -> 'counterparty_information', 'payment_instructions', payment -> 'payment_instructions',
    'rate_details', payment -> 'rate_details')), '{}'::jsonb);
END $$;
