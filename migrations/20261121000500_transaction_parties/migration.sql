-- Each side of a transaction has at most one party: an account, or a UMA address regardless of case. With one value for all three, one index
-- serves where three did, and one more any two parties. And behind its order each list index now has what filters ask besides: rows that do
-- not match are skipped in the index, where a hundred share a page; each was a visit to the table.

DROP INDEX transactions_list;
DROP INDEX transactions_of_customer;
DROP INDEX transactions_of_platform;
DROP INDEX transactions_of_agent;
DROP INDEX transactions_in_status;
DROP INDEX transactions_from_internal_account;
DROP INDEX transactions_from_external_account;
DROP INDEX transactions_from_uma_address;
DROP INDEX transactions_to_internal_account;
DROP INDEX transactions_to_external_account;
DROP INDEX transactions_to_uma_address;

CREATE FUNCTION party(internal_account_id uuid, external_account_id uuid, uma_address text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  -- Hashed, so that no external account is found by the id of an internal one.
  RETURN coalesce(internal_account_id, md5(coalesce(external_account_id::text, lower(uma_address)))::uuid);

-- Columns, not expressions in the indexes: with these Postgres would visit the table to count.
ALTER TABLE transactions
  ADD COLUMN source_party uuid GENERATED ALWAYS AS (party(source_internal_account_id, source_external_account_id, source_uma_address)) STORED,
  ADD COLUMN destination_party uuid GENERATED ALWAYS AS (party(destination_internal_account_id, destination_external_account_id, destination_uma_address)) STORED;

CREATE INDEX transactions_list ON transactions (platform_id, created_at DESC, id DESC, type, status, direction);
CREATE INDEX transactions_of_customer ON transactions (platform_id, customer_id, created_at DESC, id DESC, type, status, direction);
CREATE INDEX transactions_of_platform ON transactions (platform_id, created_at DESC, id DESC, type, status, direction) WHERE customer_id IS NULL;
CREATE INDEX transactions_in_status ON transactions (platform_id, status, created_at DESC, id DESC, type, direction) WHERE status NOT IN ('COMPLETED', 'SETTLED');

-- Agents have few of a platform's rows, so that everything fits.
CREATE INDEX transactions_of_agent ON transactions (platform_id, agent_id, created_at DESC, id DESC, type, status, direction, customer_id, source_party, destination_party)
  WHERE agent_id IS NOT NULL;

-- The type nearly tells the direction. What differs has an index of its own: a list that holds nothing of it would be read to its end.
CREATE INDEX transactions_in_unusual_direction ON transactions (platform_id, type, direction, created_at DESC, id DESC, status)
  WHERE (type = 'INCOMING') <> (direction = 'CREDIT');

-- The type stands before the time because a side may hold almost no rows of one type: a page merges one range per side and type.
CREATE INDEX transactions_from_party ON transactions (platform_id, source_party, type, created_at DESC, id DESC, status, direction)
  WHERE source_party IS NOT NULL;
CREATE INDEX transactions_to_party ON transactions (platform_id, destination_party, type, created_at DESC, id DESC, status, direction)
  WHERE destination_party IS NOT NULL;
CREATE INDEX transactions_between_parties ON transactions (platform_id, source_party, destination_party, type, created_at DESC, id DESC)
  WHERE source_party IS NOT NULL AND destination_party IS NOT NULL;

ANALYZE transactions;
