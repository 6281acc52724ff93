-- The rules of the domain that a row alone can break. Amounts fit a JSON number exactly: at most 9e15.

CREATE DOMAIN amount AS bigint CHECK (VALUE BETWEEN 0 AND 9000000000000000);

-- Reference data. src/core/currencies.ts holds the same rows.
INSERT INTO currencies (code, name, symbol, decimals) VALUES
  ('USD', 'US Dollar', '$', 2), ('EUR', 'Euro', '€', 2), ('GBP', 'Pound Sterling', '£', 2), ('MXN', 'Mexican Peso', '$', 2),
  ('BRL', 'Brazilian Real', 'R$', 2), ('INR', 'Indian Rupee', '₹', 2), ('PHP', 'Philippine Peso', '₱', 2), ('NGN', 'Nigerian Naira', '₦', 2),
  ('KES', 'Kenyan Shilling', 'KSh', 2), ('COP', 'Colombian Peso', '$', 2), ('CNY', 'Chinese Yuan', '¥', 2), ('JPY', 'Japanese Yen', '¥', 0),
  ('CAD', 'Canadian Dollar', 'C$', 2), ('DKK', 'Danish Krone', 'kr', 2), ('HKD', 'Hong Kong Dollar', 'HK$', 2), ('IDR', 'Indonesian Rupiah', 'Rp', 2),
  ('MYR', 'Malaysian Ringgit', 'RM', 2), ('SGD', 'Singapore Dollar', 'S$', 2), ('THB', 'Thai Baht', '฿', 2), ('VND', 'Vietnamese Dong', '₫', 0),
  ('AED', 'UAE Dirham', 'د.إ', 2), ('MWK', 'Malawian Kwacha', 'MK', 2), ('RWF', 'Rwandan Franc', 'FRw', 0), ('TZS', 'Tanzanian Shilling', 'TSh', 2),
  ('UGX', 'Ugandan Shilling', 'USh', 0), ('XOF', 'West African CFA Franc', 'CFA', 0), ('XAF', 'Central African CFA Franc', 'FCFA', 0), ('ZAR', 'South African Rand', 'R', 2),
  ('ZMW', 'Zambian Kwacha', 'ZK', 2), ('BWP', 'Botswana Pula', 'P', 2), ('BDT', 'Bangladeshi Taka', '৳', 2), ('ARS', 'Argentine Peso', '$', 2),
  ('EGP', 'Egyptian Pound', 'E£', 2), ('GHS', 'Ghanaian Cedi', 'GH₵', 2), ('GTQ', 'Guatemalan Quetzal', 'Q', 2), ('HTG', 'Haitian Gourde', 'G', 2),
  ('JMD', 'Jamaican Dollar', 'J$', 2), ('PKR', 'Pakistani Rupee', '₨', 2), ('BTC', 'Bitcoin', '₿', 8), ('USDC', 'USD Coin', 'USDC', 6),
  ('USDT', 'Tether USD', 'USDT', 6), ('USDB', 'USD wallet token', 'USDB', 6);

ALTER TABLE api_tokens
  ADD CONSTRAINT api_tokens_secret_hash_is_sha256 CHECK (length(secret_hash) = 32),
  ADD CONSTRAINT api_tokens_some_permission CHECK (cardinality(permissions) > 0);

-- A platformCustomerId or UMA address is free again once its customer is deleted.
CREATE UNIQUE INDEX customers_platform_customer_id_key ON customers (platform_id, platform_customer_id) WHERE NOT is_deleted;
CREATE UNIQUE INDEX customers_uma_address_key ON customers (platform_id, lower(uma_address)) WHERE NOT is_deleted AND uma_address IS NOT NULL;
ALTER TABLE customers
  ADD CONSTRAINT customers_phone_number_is_e164 CHECK (phone_number ~ '^\+[1-9]\d{1,14}$'),
  ADD CONSTRAINT customers_email_length CHECK (length(email) <= 254);

ALTER TABLE internal_accounts
  ALTER COLUMN balance TYPE amount,
  ALTER COLUMN total_balance TYPE amount,
  ADD CONSTRAINT internal_accounts_currency_fkey FOREIGN KEY (currency) REFERENCES currencies (code),
  ADD CONSTRAINT internal_accounts_spendable_within_total CHECK (balance <= total_balance),
  ADD CONSTRAINT internal_accounts_wallet_has_owner CHECK (type <> 'EMBEDDED_WALLET' OR customer_id IS NOT NULL);

ALTER TABLE external_accounts
  ADD CONSTRAINT external_accounts_currency_fkey FOREIGN KEY (currency) REFERENCES currencies (code),
  ADD CONSTRAINT external_accounts_info_is_object CHECK (jsonb_typeof(account_info) = 'object');
CREATE UNIQUE INDEX external_accounts_one_default_uma ON external_accounts (platform_id, customer_id) WHERE default_uma_deposit_account;

ALTER TABLE cards
  ADD CONSTRAINT cards_last4_digits CHECK (last4 ~ '^\d{4}$'),
  ADD CONSTRAINT cards_expiry CHECK (exp_month BETWEEN 1 AND 12 AND exp_year BETWEEN 2000 AND 9999),
  ADD CONSTRAINT cards_closed_for_a_reason CHECK ((state = 'CLOSED') = (state_reason IS NOT NULL));

ALTER TABLE quotes
  ALTER COLUMN total_sending_amount TYPE amount,
  ALTER COLUMN total_receiving_amount TYPE amount,
  ALTER COLUMN fees_included TYPE amount,
  ALTER COLUMN platform_fees_included TYPE amount,
  ADD CONSTRAINT quotes_sending_currency_fkey FOREIGN KEY (sending_currency) REFERENCES currencies (code),
  ADD CONSTRAINT quotes_receiving_currency_fkey FOREIGN KEY (receiving_currency) REFERENCES currencies (code),
  ADD CONSTRAINT quotes_exchange_rate_positive CHECK (exchange_rate > 0),
  ADD CONSTRAINT quotes_platform_fees_within_fees CHECK (platform_fees_included <= fees_included),
  ADD CONSTRAINT quotes_source CHECK (CASE source_type
    WHEN 'ACCOUNT' THEN num_nonnulls(source_internal_account_id, source_external_account_id) = 1 AND source_uma_address IS NULL
    WHEN 'UMA_ADDRESS' THEN num_nonnulls(source_internal_account_id, source_external_account_id) = 0 AND source_uma_address IS NOT NULL
    ELSE num_nonnulls(source_internal_account_id, source_external_account_id, source_uma_address) = 0 END),
  ADD CONSTRAINT quotes_destination CHECK (CASE destination_type
    WHEN 'ACCOUNT' THEN num_nonnulls(destination_internal_account_id, destination_external_account_id) = 1 AND destination_uma_address IS NULL
    ELSE num_nonnulls(destination_internal_account_id, destination_external_account_id) = 0 AND destination_uma_address IS NOT NULL END);

ALTER TABLE agents
  ALTER COLUMN per_transaction_limit TYPE amount,
  ALTER COLUMN daily_limit TYPE amount,
  ALTER COLUMN monthly_limit TYPE amount,
  ALTER COLUMN approval_threshold_amount TYPE amount,
  ADD CONSTRAINT agents_limit_currency_fkey FOREIGN KEY (limit_currency) REFERENCES currencies (code),
  ADD CONSTRAINT agents_approval_threshold_currency_fkey FOREIGN KEY (approval_threshold_currency) REFERENCES currencies (code),
  ADD CONSTRAINT agents_threshold_has_currency CHECK (approval_threshold_amount IS NULL OR approval_threshold_currency IS NOT NULL),
  ADD CONSTRAINT agents_usage_not_negative CHECK (daily_transaction_count >= 0 AND daily_spend >= 0 AND monthly_spend >= 0),
  ADD CONSTRAINT agents_rules_are_lists CHECK (jsonb_typeof(account_rules) = 'array' AND jsonb_typeof(allowed_account_ids) IN ('array', 'null'));

ALTER TABLE agent_actions
  ALTER COLUMN amount TYPE amount,
  ADD CONSTRAINT agent_actions_currency_fkey FOREIGN KEY (currency) REFERENCES currencies (code),
  ADD CONSTRAINT agent_actions_subject CHECK (CASE type
    WHEN 'EXECUTE_QUOTE' THEN quote_id IS NOT NULL AND num_nonnulls(amount, currency, internal_account_id, external_account_id) = 0
    ELSE quote_id IS NULL AND num_nonnulls(amount, currency, internal_account_id, external_account_id) = 4 END),
  ADD CONSTRAINT agent_actions_rejected_for_a_reason CHECK (rejection_reason IS NULL OR status = 'REJECTED');

ALTER TABLE transactions
  ALTER COLUMN sent_amount TYPE amount,
  ALTER COLUMN received_amount TYPE amount,
  ALTER COLUMN fees TYPE amount,
  ALTER COLUMN platform_fees TYPE amount,
  ALTER COLUMN authorized_amount TYPE amount,
  ALTER COLUMN settled_amount TYPE amount,
  ALTER COLUMN refunded_amount TYPE amount,
  ALTER COLUMN pull_total_amount TYPE amount,
  ALTER COLUMN refund_total_amount TYPE amount,
  ALTER COLUMN settlement_total_amount TYPE amount,
  ADD CONSTRAINT transactions_sent_currency_fkey FOREIGN KEY (sent_currency) REFERENCES currencies (code),
  ADD CONSTRAINT transactions_received_currency_fkey FOREIGN KEY (received_currency) REFERENCES currencies (code),
  ADD CONSTRAINT transactions_card_currency_fkey FOREIGN KEY (card_currency) REFERENCES currencies (code),
  ADD CONSTRAINT transactions_owner CHECK ((customer_id IS NULL) = (platform_customer_id IS NULL)),
  ADD CONSTRAINT transactions_status_of_type CHECK (CASE type
    WHEN 'INCOMING' THEN status IN ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED')
    WHEN 'OUTGOING' THEN status IN ('PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED')
    ELSE status IN ('AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION') END),
  ADD CONSTRAINT transactions_failure_reason_of_type CHECK (failure_reason IS NULL OR CASE type
    WHEN 'INCOMING' THEN failure_reason IN ('LNURLP_FAILED', 'PAY_REQUEST_FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR', 'PAYMENT_APPROVAL_TIMED_OUT',
      'OFFRAMP_FAILED', 'MISSING_MANDATORY_PAYEE_DATA', 'QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED')
    WHEN 'OUTGOING' THEN failure_reason IN ('QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED', 'LIGHTNING_PAYMENT_FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COUNTERPARTY_POST_TX_FAILED')
    ELSE false END),
  -- The failed transaction says why, and no other one does.
  ADD CONSTRAINT transactions_failed_for_a_reason CHECK ((status = 'FAILED') = (failure_reason IS NOT NULL)),
  ADD CONSTRAINT transactions_required_of_type CHECK (CASE type
    WHEN 'INCOMING' THEN num_nonnulls(destination_type, received_amount, received_currency) = 3
    WHEN 'OUTGOING' THEN num_nonnulls(source_type, destination_type, sent_amount, sent_currency) = 4
    ELSE num_nonnulls(authorized_amount, card_currency, merchant_descriptor) = 3 AND num_nonnulls(source_internal_account_id, destination_internal_account_id) = 1
      AND (direction = 'DEBIT') = (source_internal_account_id IS NOT NULL) END),
  ADD CONSTRAINT transactions_payment_fields CHECK (type <> 'CARD' OR num_nonnulls(
    source_type, source_external_account_id, source_uma_address, source_currency, source_customer_id, source_funding, source_transaction_hash, source_network,
    destination_type, destination_external_account_id, destination_uma_address, destination_currency, destination_payment_rail, destination_transaction_hash, destination_network,
    sent_amount, sent_currency, received_amount, received_currency, fees, platform_fees, exchange_rate, settled_at, receipt_delivery_confirmed_at, agent_id, description, quote_id,
    counterparty_information, reconciliation_reference, reconciliation_transaction_hash, failure_reason,
    refund_reference, refund_initiated_at, refund_status, refund_settled_at, refund_reason) = 0),
  ADD CONSTRAINT transactions_outgoing_fields CHECK (type = 'OUTGOING' OR num_nonnulls(
    platform_fees, payment_instructions, rate_details, payment_rail, rail_selection_mode, expected_settlement_at, settlement_timeline_seconds) = 0),
  ADD CONSTRAINT transactions_card_fields CHECK (type = 'CARD' OR num_nonnulls(
    card_id, issuer_transaction_token, merchant_descriptor, merchant_mcc, merchant_country, card_currency, authorized_amount, settled_amount, refunded_amount,
    pull_count, pull_total_amount, pull_pending_count, refund_count, refund_total_amount, settlement_count, settlement_total_amount, last_event_at) = 0),
  ADD CONSTRAINT transactions_source CHECK (type = 'CARD' OR CASE source_type
    WHEN 'ACCOUNT' THEN num_nonnulls(source_internal_account_id, source_external_account_id) = 1 AND num_nonnulls(source_uma_address, source_funding) = 0
    WHEN 'UMA_ADDRESS' THEN num_nonnulls(source_internal_account_id, source_external_account_id, source_funding) = 0 AND source_uma_address IS NOT NULL
    WHEN 'REALTIME_FUNDING' THEN num_nonnulls(source_internal_account_id, source_external_account_id, source_uma_address) = 0 AND source_currency IS NOT NULL
    ELSE num_nonnulls(source_internal_account_id, source_external_account_id, source_uma_address, source_funding, source_currency, source_customer_id, source_transaction_hash) = 0 END),
  ADD CONSTRAINT transactions_destination CHECK (type = 'CARD' OR CASE destination_type
    WHEN 'ACCOUNT' THEN num_nonnulls(destination_internal_account_id, destination_external_account_id) = 1 AND destination_uma_address IS NULL
    ELSE num_nonnulls(destination_internal_account_id, destination_external_account_id) = 0 AND destination_uma_address IS NOT NULL END),
  ADD CONSTRAINT transactions_pairs CHECK (
    (sent_amount IS NULL) = (sent_currency IS NULL) AND (received_amount IS NULL) = (received_currency IS NULL)
    AND (source_transaction_hash IS NULL) = (source_network IS NULL) AND (destination_transaction_hash IS NULL) = (destination_network IS NULL)
    AND num_nonnulls(refund_reference, refund_initiated_at, refund_status) IN (0, 3)
    AND (refund_reference IS NOT NULL OR num_nonnulls(refund_settled_at, refund_reason) = 0)
    AND (pull_count IS NULL) = (pull_total_amount IS NULL) AND (pull_count IS NOT NULL OR pull_pending_count IS NULL)
    AND (refund_count IS NULL) = (refund_total_amount IS NULL) AND (settlement_count IS NULL) = (settlement_total_amount IS NULL)),
  ADD CONSTRAINT transactions_amounts CHECK (platform_fees <= fees AND exchange_rate > 0 AND settlement_timeline_seconds >= 0
    AND pull_count >= 0 AND pull_pending_count >= 0 AND refund_count >= 0 AND settlement_count >= 0),
  ADD CONSTRAINT transactions_merchant CHECK (merchant_mcc ~ '^\d{4}$' AND merchant_country ~ '^[A-Z]{2}$'),
  ADD CONSTRAINT transactions_no_reference_before_quote CHECK (status <> 'CREATED' OR num_nonnulls(reconciliation_reference, reconciliation_transaction_hash) = 0),
  ADD CONSTRAINT transactions_maps CHECK (
    jsonb_typeof(counterparty_information) = 'object' AND jsonb_typeof(source_funding) = 'object' AND jsonb_typeof(payment_instructions) = 'array'
    AND jsonb_typeof(rate_details) = 'object' AND rate_details ?& ARRAY['counterpartyMultiplier', 'counterpartyFixedFee', 'serviceApiMultiplier',
      'serviceApiFixedFee', 'serviceApiVariableFeeRate', 'serviceApiVariableFeeAmount']);

ALTER TABLE transaction_state_changes
  ADD CONSTRAINT transaction_state_changes_first_from_nothing CHECK ((sequence = 1) = (from_status IS NULL));
