-- As text, so that the new labels can be named while they are not committed.
ALTER TABLE agent_actions DROP CONSTRAINT agent_actions_subject;
ALTER TABLE agent_actions ADD CONSTRAINT agent_actions_subject CHECK (CASE
  WHEN type::text = 'EXECUTE_QUOTE' THEN quote_id IS NOT NULL AND num_nonnulls(amount, currency, internal_account_id, external_account_id) = 0
  WHEN type::text IN ('TRANSFER_OUT', 'TRANSFER_IN')
    THEN quote_id IS NULL AND num_nonnulls(amount, currency, internal_account_id, external_account_id) = 4
  ELSE external_account_id IS NOT NULL AND num_nonnulls(quote_id, transaction_id, amount, currency, internal_account_id) = 0 END);
