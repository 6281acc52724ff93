-- How agents get in, and which day and month their usage is of.

ALTER TABLE agents
  ADD COLUMN access_token_hash bytea,
  ADD COLUMN usage_day date NOT NULL DEFAULT (CURRENT_TIMESTAMP AT TIME ZONE 'UTC')::date,
  ADD CONSTRAINT agents_access_token_hash_is_sha256 CHECK (length(access_token_hash) = 32),
  ADD CONSTRAINT agents_deleted_have_no_access CHECK (deleted_at IS NULL OR access_token_hash IS NULL);
CREATE UNIQUE INDEX agents_access_token_hash_key ON agents (access_token_hash);

CREATE TABLE agent_device_codes (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  code_mac bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  redeemed_at timestamptz(3),
  voided_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (platform_id, id),
  CONSTRAINT agent_device_codes_platform_id_agent_id_fkey FOREIGN KEY (platform_id, agent_id) REFERENCES agents (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT agent_device_codes_mac_is_sha256 CHECK (length(code_mac) = 32),
  CONSTRAINT agent_device_codes_redeemed_or_voided CHECK (num_nonnulls(redeemed_at, voided_at) <= 1)
);
-- A redeem knows the code alone, and no platform.
CREATE UNIQUE INDEX agent_device_codes_code_mac_key ON agent_device_codes (code_mac);
CREATE UNIQUE INDEX agent_device_codes_one_open ON agent_device_codes (platform_id, agent_id) WHERE redeemed_at IS NULL AND voided_at IS NULL;

-- Who redeems has no platform either: counted by the address of the client, of its last minute.
CREATE TABLE device_code_redeems (
  client_address text PRIMARY KEY,
  times timestamptz(3)[],
  last_at timestamptz(3) NOT NULL
);
CREATE INDEX device_code_redeems_last_at_idx ON device_code_redeems (last_at);

CREATE INDEX agents_list ON agents (platform_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX agent_actions_of_agent ON agent_actions (platform_id, agent_id, created_at DESC, id DESC);
