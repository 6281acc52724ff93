-- A list is empty or it is not: there is no third. Prisma reads null as empty, and SQL does not.
UPDATE platforms SET passkey_origins = '{}' WHERE passkey_origins IS NULL;
ALTER TABLE platforms
  ALTER COLUMN passkey_origins SET DEFAULT '{}',
  ALTER COLUMN passkey_origins SET NOT NULL;
UPDATE api_tokens SET permissions = '{}' WHERE permissions IS NULL;
ALTER TABLE api_tokens
  ALTER COLUMN permissions SET DEFAULT '{}',
  ALTER COLUMN permissions SET NOT NULL;
UPDATE sca_challenges SET available_factors = '{}' WHERE available_factors IS NULL;
UPDATE sca_challenges SET passkey_allowed_origins = '{}' WHERE passkey_allowed_origins IS NULL;
ALTER TABLE sca_challenges
  ALTER COLUMN available_factors SET DEFAULT '{}',
  ALTER COLUMN available_factors SET NOT NULL,
  ALTER COLUMN passkey_allowed_origins SET DEFAULT '{}',
  ALTER COLUMN passkey_allowed_origins SET NOT NULL;
UPDATE agents SET permissions = '{}' WHERE permissions IS NULL;
ALTER TABLE agents
  ALTER COLUMN permissions SET DEFAULT '{}',
  ALTER COLUMN permissions SET NOT NULL;
UPDATE auth_methods SET transports = '{}' WHERE transports IS NULL;
UPDATE auth_methods SET challenge_times = '{}' WHERE challenge_times IS NULL;
UPDATE auth_methods SET failure_times = '{}' WHERE failure_times IS NULL;
ALTER TABLE auth_methods
  ALTER COLUMN transports SET DEFAULT '{}',
  ALTER COLUMN transports SET NOT NULL,
  ALTER COLUMN challenge_times SET DEFAULT '{}',
  ALTER COLUMN challenge_times SET NOT NULL,
  ALTER COLUMN failure_times SET DEFAULT '{}',
  ALTER COLUMN failure_times SET NOT NULL;
UPDATE device_code_redeems SET times = '{}' WHERE times IS NULL;
ALTER TABLE device_code_redeems
  ALTER COLUMN times SET DEFAULT '{}',
  ALTER COLUMN times SET NOT NULL;
