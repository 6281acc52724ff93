-- A decision by the transaction finds the action that carries it.
CREATE INDEX agent_actions_of_transaction ON agent_actions (platform_id, transaction_id);
