CREATE TYPE account_ownership_type AS ENUM ('FIRST_PARTY', 'THIRD_PARTY');

-- Payments still refer to deleted accounts. The fingerprint identifies the account outside, and the challenge is what its owner signs.
ALTER TABLE external_accounts
  ADD COLUMN ownership_type account_ownership_type NOT NULL DEFAULT 'THIRD_PARTY',
  ADD COLUMN fingerprint bytea,
  ADD COLUMN challenge text,
  ADD COLUMN challenge_expires_at timestamptz(3),
  ADD COLUMN deleted_at timestamptz(3),
  ADD CONSTRAINT external_accounts_fingerprint_is_sha256 CHECK (length(fingerprint) = 32),
  ADD CONSTRAINT external_accounts_challenge_expires CHECK ((challenge IS NULL) = (challenge_expires_at IS NULL)),
  ADD CONSTRAINT external_accounts_deleted_is_unused
    CHECK (deleted_at IS NULL OR (status = 'INACTIVE' AND NOT default_uma_deposit_account AND challenge IS NULL));

-- An owner has an account once.
CREATE UNIQUE INDEX external_accounts_once ON external_accounts (platform_id, customer_id, fingerprint) NULLS NOT DISTINCT
  WHERE deleted_at IS NULL AND fingerprint IS NOT NULL;

-- Lists have no deleted accounts.
DROP INDEX external_accounts_list;
CREATE INDEX external_accounts_list ON external_accounts (platform_id, created_at DESC, id DESC, status, currency)
  WHERE deleted_at IS NULL;
DROP INDEX external_accounts_of_customer;
CREATE INDEX external_accounts_of_customer ON external_accounts (platform_id, customer_id, created_at DESC, id DESC, status, currency)
  WHERE deleted_at IS NULL;
DROP INDEX external_accounts_in_currency;
CREATE INDEX external_accounts_in_currency ON external_accounts (platform_id, currency, created_at DESC, id DESC, status)
  WHERE deleted_at IS NULL;
DROP INDEX external_accounts_in_status;
CREATE INDEX external_accounts_in_status ON external_accounts (platform_id, status, created_at DESC, id DESC)
  WHERE status <> 'ACTIVE' AND deleted_at IS NULL;
