-- The queue of what waits for the platform: of all, of an agent and of a customer. Decided actions cost these indexes nothing.

CREATE INDEX agent_actions_waiting ON agent_actions (platform_id, created_at DESC, id DESC) WHERE status = 'PENDING_APPROVAL';
CREATE INDEX agent_actions_waiting_of_agent ON agent_actions (platform_id, agent_id, created_at DESC, id DESC) WHERE status = 'PENDING_APPROVAL';
CREATE INDEX agent_actions_waiting_of_customer ON agent_actions (platform_id, customer_id, created_at DESC, id DESC) WHERE status = 'PENDING_APPROVAL';
