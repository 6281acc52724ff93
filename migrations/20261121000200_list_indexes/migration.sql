-- One index per way of asking for a page of transactions. Each ends in the order of the list, so a page is one short range of it,
-- read forwards or backwards, at any size of the table.

CREATE INDEX transactions_list ON transactions (platform_id, created_at DESC, id DESC);
CREATE INDEX transactions_of_customer ON transactions (platform_id, customer_id, created_at DESC, id DESC);
CREATE INDEX transactions_of_platform ON transactions (platform_id, created_at DESC, id DESC) WHERE customer_id IS NULL;
CREATE INDEX transactions_of_agent ON transactions (platform_id, agent_id, created_at DESC, id DESC) WHERE agent_id IS NOT NULL;
CREATE INDEX transactions_of_card ON transactions (platform_id, card_id, created_at DESC, id DESC) WHERE card_id IS NOT NULL;
CREATE INDEX transactions_of_quote ON transactions (platform_id, quote_id) WHERE quote_id IS NOT NULL;

-- The common end states are found quickly without an index of their own.
CREATE INDEX transactions_in_status ON transactions (platform_id, status, created_at DESC, id DESC) WHERE status NOT IN ('COMPLETED', 'SETTLED');

-- An account or address on either side. The type stands before the time because a side may hold almost no rows of one type:
-- a page merges one range per side and type.
CREATE INDEX transactions_from_internal_account ON transactions (platform_id, source_internal_account_id, type, created_at DESC, id DESC) WHERE source_internal_account_id IS NOT NULL;
CREATE INDEX transactions_to_internal_account ON transactions (platform_id, destination_internal_account_id, type, created_at DESC, id DESC) WHERE destination_internal_account_id IS NOT NULL;
CREATE INDEX transactions_from_external_account ON transactions (platform_id, source_external_account_id, type, created_at DESC, id DESC) WHERE source_external_account_id IS NOT NULL;
CREATE INDEX transactions_to_external_account ON transactions (platform_id, destination_external_account_id, type, created_at DESC, id DESC) WHERE destination_external_account_id IS NOT NULL;
CREATE INDEX transactions_from_uma_address ON transactions (platform_id, lower(source_uma_address), type, created_at DESC, id DESC) WHERE source_uma_address IS NOT NULL;
CREATE INDEX transactions_to_uma_address ON transactions (platform_id, lower(destination_uma_address), type, created_at DESC, id DESC) WHERE destination_uma_address IS NOT NULL;

CREATE INDEX transactions_reconciliation_reference ON transactions (platform_id, reconciliation_reference, created_at DESC, id DESC) WHERE reconciliation_reference IS NOT NULL;
CREATE INDEX transactions_instructions_reference ON transactions (platform_id, instructions_reference, created_at DESC, id DESC) WHERE instructions_reference IS NOT NULL;

CREATE INDEX customers_list ON customers (platform_id, created_at DESC, id DESC);
CREATE INDEX customers_by_platform_customer_id ON customers (platform_id, platform_customer_id);
CREATE INDEX customers_name_prefix ON customers (platform_id, lower(name) text_pattern_ops) WHERE name IS NOT NULL;
CREATE INDEX customers_email_prefix ON customers (platform_id, lower(email) text_pattern_ops) WHERE email IS NOT NULL;
CREATE INDEX customers_platform_customer_id_prefix ON customers (platform_id, lower(platform_customer_id) text_pattern_ops);
