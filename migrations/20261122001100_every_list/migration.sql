-- One index per list and per parent of a list, in the order of the list. Behind the order stands what filters ask besides, so that rows that
-- do not match are skipped in the index.

DROP INDEX internal_accounts_platform_id_customer_id_idx;
CREATE INDEX internal_accounts_list ON internal_accounts (platform_id, created_at DESC, id DESC, type, status, currency);
CREATE INDEX internal_accounts_of_customer ON internal_accounts (platform_id, customer_id, created_at DESC, id DESC, type, status, currency);

DROP INDEX external_accounts_platform_id_customer_id_idx;
CREATE INDEX external_accounts_list ON external_accounts (platform_id, created_at DESC, id DESC, status, currency);
CREATE INDEX external_accounts_of_customer ON external_accounts (platform_id, customer_id, created_at DESC, id DESC, status, currency);

DROP INDEX cards_platform_id_customer_id_idx;
DROP INDEX cards_platform_id_account_id_idx;
CREATE INDEX cards_list ON cards (platform_id, created_at DESC, id DESC, state);
CREATE INDEX cards_of_customer ON cards (platform_id, customer_id, created_at DESC, id DESC, state);
CREATE INDEX cards_of_account ON cards (platform_id, account_id, created_at DESC, id DESC, state);
CREATE INDEX cards_by_platform_card_id ON cards (platform_id, platform_card_id) WHERE platform_card_id IS NOT NULL;

DROP INDEX agents_platform_id_customer_id_idx;
CREATE INDEX agents_of_customer ON agents (platform_id, customer_id, created_at DESC, id DESC);

CREATE INDEX quotes_list ON quotes (platform_id, created_at DESC, id DESC, status, sending_currency, receiving_currency);
CREATE INDEX quotes_of_customer ON quotes (platform_id, customer_id, created_at DESC, id DESC, status, sending_currency, receiving_currency);
CREATE INDEX quotes_of_agent ON quotes (platform_id, agent_id, created_at DESC, id DESC, status) WHERE agent_id IS NOT NULL;
-- The common end states are found quickly without an index of their own.
CREATE INDEX quotes_in_status ON quotes (platform_id, status, created_at DESC, id DESC) WHERE status NOT IN ('COMPLETED', 'EXPIRED');

CREATE INDEX agent_actions_list ON agent_actions (platform_id, created_at DESC, id DESC, status, type);
CREATE INDEX agent_actions_of_customer ON agent_actions (platform_id, customer_id, created_at DESC, id DESC, status, type);

CREATE INDEX customers_in_status ON customers (platform_id, verification_status, created_at DESC, id DESC) WHERE verification_status <> 'APPROVED';

CREATE INDEX auth_methods_list ON auth_methods (platform_id, created_at DESC, id DESC) WHERE revoked_at IS NULL;
CREATE INDEX auth_methods_of_account ON auth_methods (platform_id, account_id, created_at DESC, id DESC) WHERE revoked_at IS NULL;
-- Sessions end by themselves: those that are over are never read for a list of the active ones.
CREATE INDEX wallet_sessions_by_end ON wallet_sessions (platform_id, expires_at) WHERE revoked_at IS NULL;
