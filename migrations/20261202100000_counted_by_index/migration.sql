-- A customer's transactions with an account, an address or a card are found and counted by the entries of one index. The rows themselves may be
-- spread over the whole table.

DROP INDEX transactions_from_party;
DROP INDEX transactions_to_party;
DROP INDEX transactions_of_card;
CREATE INDEX transactions_from_party ON transactions (platform_id, source_party, type, created_at DESC, id DESC, listed_status, direction, customer_id)
  WHERE source_party IS NOT NULL;
CREATE INDEX transactions_to_party ON transactions (platform_id, destination_party, type, created_at DESC, id DESC, listed_status, direction, customer_id)
  WHERE destination_party IS NOT NULL;
CREATE INDEX transactions_of_card ON transactions (platform_id, card_id, created_at DESC, id DESC, listed_status, direction, customer_id)
  WHERE card_id IS NOT NULL;

-- The indexes of these texts are partial, and of a partial index the planner does not use the statistics.
CREATE STATISTICS transactions_description_start_values ON lower(left(description, 255)) FROM transactions;
CREATE STATISTICS transactions_merchant_start_values ON lower(left(merchant_descriptor, 255)) FROM transactions;
CREATE STATISTICS transactions_counterparty_start_values ON lower(left(counterparty_name, 255)) FROM transactions;

ANALYZE transactions;
