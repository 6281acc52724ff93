-- Which platform a secret belongs to, for those that are presented before the platform is known, and for codes that any platform may present
-- (docs/scale.md#citus). An entry is written before its row, and stays: whether the secret is still valid is said by the row alone.
CREATE TABLE directory (
  kind text NOT NULL CHECK (kind IN ('AGENT', 'DEVICE_CODE', 'INVITATION')),
  -- As the row holds it: the SHA-256 of an access token, the HMAC of a device code, an invitation's code in UTF-8.
  key bytea NOT NULL,
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE CASCADE,
  -- Of the agent or the invitation.
  id uuid NOT NULL,
  PRIMARY KEY (kind, key)
);

-- Gateways of the release before write no entries, nor does who fills the tables in bulk. Distributed tables do without these triggers.
CREATE FUNCTION enter_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO directory VALUES ('AGENT', NEW.access_token_hash, NEW.platform_id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER directory_new AFTER INSERT ON agents FOR EACH ROW WHEN (NEW.access_token_hash IS NOT NULL) EXECUTE FUNCTION enter_agent();
CREATE TRIGGER directory_changed AFTER UPDATE OF access_token_hash ON agents FOR EACH ROW WHEN (NEW.access_token_hash IS NOT NULL) EXECUTE FUNCTION enter_agent();

CREATE FUNCTION enter_device_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO directory VALUES ('DEVICE_CODE', NEW.code_mac, NEW.platform_id, NEW.agent_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER directory_new AFTER INSERT ON agent_device_codes FOR EACH ROW EXECUTE FUNCTION enter_device_code();

CREATE FUNCTION enter_invitation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO directory VALUES ('INVITATION', convert_to(NEW.code, 'UTF8'), NEW.platform_id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER directory_new AFTER INSERT ON invitations FOR EACH ROW EXECUTE FUNCTION enter_invitation();

INSERT INTO directory
  SELECT 'AGENT', access_token_hash, platform_id, id FROM agents WHERE access_token_hash IS NOT NULL
  UNION ALL SELECT 'DEVICE_CODE', code_mac, platform_id, agent_id FROM agent_device_codes
  UNION ALL SELECT 'INVITATION', convert_to(code, 'UTF8'), platform_id, id FROM invitations;

-- The directory keeps them unique among all platforms. The secret comes first, for the look-ups of the release before.
CREATE UNIQUE INDEX agents_access_token ON agents (access_token_hash, platform_id);
CREATE UNIQUE INDEX agent_device_codes_code ON agent_device_codes (code_mac, platform_id);
CREATE UNIQUE INDEX invitations_code_of_platform ON invitations (code, platform_id);
DROP INDEX agents_access_token_hash_key;
DROP INDEX agent_device_codes_code_mac_key;
DROP INDEX invitations_by_code;

-- The agent with this access token. Two look-ups by key in one call, so that each goes to the one node that has the row.
CREATE FUNCTION agent_of_token(hash bytea)
  RETURNS TABLE (platform_id uuid, id uuid, customer_id uuid, permissions agent_permission[], is_paused boolean, environment environment, access_token_hash bytea)
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  entry directory;
BEGIN
  SELECT * INTO entry FROM directory d WHERE d.kind = 'AGENT' AND d.key = hash;
  RETURN QUERY
    SELECT agent.platform_id, agent.id, agent.customer_id, agent.permissions, agent.is_paused, platform.environment, agent.access_token_hash
    FROM agents agent JOIN platforms platform ON platform.id = agent.platform_id
    WHERE agent.platform_id = entry.platform_id AND agent.id = entry.id AND agent.access_token_hash = hash AND agent.deleted_at IS NULL;
END $$;
