-- Rare statuses of a customer or an account are decided by the entries of one index. The rows themselves may be spread over the whole table.
DROP INDEX transactions_in_status;
CREATE INDEX transactions_in_status ON transactions (platform_id, listed_status, created_at DESC, id DESC, type, direction, customer_id, source_party,
  destination_party) WHERE listed_status NOT IN ('COMPLETED', 'SETTLED');

-- An agent and an account may each have many transactions, but few in common.
CREATE INDEX transactions_of_agent_from ON transactions (platform_id, agent_id, source_party, created_at DESC, id DESC, type, listed_status, direction,
  customer_id, destination_party) WHERE agent_id IS NOT NULL;
CREATE INDEX transactions_of_agent_to ON transactions (platform_id, agent_id, destination_party, created_at DESC, id DESC, type, listed_status, direction,
  customer_id, source_party) WHERE agent_id IS NOT NULL;
