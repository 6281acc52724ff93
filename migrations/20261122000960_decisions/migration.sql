-- Why an approved action could not be carried out, until when the platform can decide, and at what price.

CREATE TYPE locked_currency_side AS ENUM ('SENDING', 'RECEIVING');
-- What was locked is needed to price the same request again. Quotes made before do not say: most lock what is sent.
ALTER TABLE quotes ADD COLUMN locked_currency_side locked_currency_side NOT NULL DEFAULT 'SENDING';

ALTER TABLE agents
  ADD COLUMN reprice_tolerance_bps integer NOT NULL DEFAULT 100,
  ADD CONSTRAINT agents_reprice_tolerance CHECK (reprice_tolerance_bps BETWEEN 0 AND 1000);

ALTER TABLE agent_actions
  ADD COLUMN failure_code text,
  ADD COLUMN failure_message text,
  ADD COLUMN approval_expires_at timestamptz(3),
  ADD COLUMN repriced_from_id uuid,
  ADD CONSTRAINT agent_actions_platform_id_repriced_from_id_fkey FOREIGN KEY (platform_id, repriced_from_id)
    REFERENCES quotes (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE;

UPDATE agent_actions SET approval_expires_at = created_at + interval '7 days' WHERE status = 'PENDING_APPROVAL';
UPDATE agent_actions SET failure_code = 'CONFLICT', failure_message = 'It could not be carried out. The reason was not recorded' WHERE status = 'FAILED';

ALTER TABLE agent_actions
  ADD CONSTRAINT agent_actions_failed_for_a_reason CHECK (
    (status = 'FAILED') = (failure_code IS NOT NULL) AND (failure_code IS NULL) = (failure_message IS NULL)),
  ADD CONSTRAINT agent_actions_waits_until CHECK (status <> 'PENDING_APPROVAL' OR approval_expires_at IS NOT NULL),
  ADD CONSTRAINT agent_actions_repriced CHECK (repriced_from_id IS NULL OR (status = 'APPROVED' AND repriced_from_id <> quote_id));

-- The job that ends what has waited too long.
CREATE INDEX agent_actions_waiting_until ON agent_actions (approval_expires_at) WHERE status = 'PENDING_APPROVAL';

-- What the platform says about the receiver of an incoming payment that it approves: for the answer to the sender.
ALTER TABLE transactions
  ADD COLUMN receiver_customer_info jsonb,
  ADD CONSTRAINT transactions_receiver_customer_info CHECK (
    receiver_customer_info IS NULL OR (type = 'INCOMING' AND jsonb_typeof(receiver_customer_info) = 'object'));
