-- One action at a time waits for a quote, and whoever executes the quote finds it at once.
CREATE UNIQUE INDEX agent_actions_waiting_of_quote ON agent_actions (platform_id, quote_id) WHERE status = 'PENDING_APPROVAL' AND quote_id IS NOT NULL;
