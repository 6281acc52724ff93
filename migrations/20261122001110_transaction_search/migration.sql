-- Filters by amount, by currency and by text. A range of values is either common, and then a page of the list soon holds enough of it, or it is
-- rare, and then an index by value holds few rows of it: each has both, and the statistics tell which is the shorter way.

ALTER TABLE transactions
  -- Received if incoming, sent if outgoing, authorized if card.
  ADD COLUMN headline_amount bigint GENERATED ALWAYS AS
    (CASE type WHEN 'INCOMING' THEN received_amount WHEN 'OUTGOING' THEN sent_amount ELSE authorized_amount END) STORED,
  ADD COLUMN headline_currency text GENERATED ALWAYS AS
    (CASE type WHEN 'INCOMING' THEN received_currency WHEN 'OUTGOING' THEN sent_currency ELSE card_currency END) STORED,
  ADD COLUMN counterparty_name text GENERATED ALWAYS AS
    (coalesce(counterparty_information ->> 'FULL_NAME', counterparty_information ->> 'COMPANY_LEGAL_NAME')) STORED;

CREATE INDEX transactions_in_currency ON transactions (platform_id, headline_currency, created_at DESC, id DESC, headline_amount, type, status, direction);
CREATE INDEX transactions_of_amount ON transactions (platform_id, headline_currency, headline_amount);
CREATE INDEX transactions_description_prefix ON transactions (platform_id, lower(description) text_pattern_ops) WHERE description IS NOT NULL;
CREATE INDEX transactions_merchant_prefix ON transactions (platform_id, lower(merchant_descriptor) text_pattern_ops) WHERE merchant_descriptor IS NOT NULL;
CREATE INDEX transactions_counterparty_prefix ON transactions (platform_id, lower(counterparty_name) text_pattern_ops) WHERE counterparty_name IS NOT NULL;

-- A page of one card: what it was used for, by state and time.
DROP INDEX transactions_of_card;
CREATE INDEX transactions_of_card ON transactions (platform_id, card_id, created_at DESC, id DESC, status, direction) WHERE card_id IS NOT NULL;

ANALYZE transactions;
