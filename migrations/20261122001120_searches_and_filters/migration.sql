-- An entry of an index holds at most 2,704 bytes, and a text may be longer. A search has at most 255 characters, so as many of the text are enough.

CREATE INDEX transactions_description_start ON transactions (platform_id, lower(left(description, 255)) text_pattern_ops)
  WHERE description IS NOT NULL;
CREATE INDEX transactions_merchant_start ON transactions (platform_id, lower(left(merchant_descriptor, 255)) text_pattern_ops)
  WHERE merchant_descriptor IS NOT NULL;
CREATE INDEX transactions_counterparty_start ON transactions (platform_id, lower(left(counterparty_name, 255)) text_pattern_ops)
  WHERE counterparty_name IS NOT NULL;

-- Not partial: of a partial index the planner does not use the statistics, and then it takes a rare text for a common one.
CREATE INDEX customers_name_start ON customers (platform_id, lower(left(name, 255)) text_pattern_ops);
CREATE INDEX customers_email_start ON customers (platform_id, lower(left(email, 255)) text_pattern_ops);
CREATE INDEX customers_platform_customer_id_start ON customers (platform_id, lower(left(platform_customer_id, 255)) text_pattern_ops);
CREATE STATISTICS customers_lower_uma_address ON lower(uma_address) FROM customers;

-- A value that few rows have would lead a page through the whole list, so each such filter has an index that begins with its value.
CREATE INDEX customers_of_type ON customers (platform_id, customer_type, created_at DESC, id DESC);
CREATE INDEX customers_in_region ON customers (platform_id, region, created_at DESC, id DESC);
CREATE INDEX customers_by_update ON customers (platform_id, updated_at);
-- Also finds the customers with an account in a currency.
CREATE INDEX internal_accounts_in_currency ON internal_accounts (platform_id, currency, created_at DESC, id DESC, customer_id, type, status);
CREATE INDEX external_accounts_in_currency ON external_accounts (platform_id, currency, created_at DESC, id DESC, status);
-- The common status is found quickly without an index of its own.
CREATE INDEX internal_accounts_in_status ON internal_accounts (platform_id, status, created_at DESC, id DESC) WHERE status <> 'ACTIVE';
CREATE INDEX external_accounts_in_status ON external_accounts (platform_id, status, created_at DESC, id DESC) WHERE status <> 'ACTIVE';

ANALYZE transactions, customers, internal_accounts, external_accounts;
