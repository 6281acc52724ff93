-- Strong Customer Authentication (docs/domain/sca.md#factors).

ALTER TABLE sca_customers
  -- Wrong proofs and failed logins in a row. Nine suspend the customer.
  ADD COLUMN failed_attempts smallint NOT NULL DEFAULT 0,
  ADD COLUMN locked_until timestamptz(3),
  ADD COLUMN authenticated_until timestamptz(3),
  ADD CONSTRAINT sca_customers_nine_attempts CHECK (failed_attempts BETWEEN 0 AND 9);

CREATE TABLE sca_factors (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  type sca_factor NOT NULL,
  -- Of a TOTP. Sealed.
  secret_sealed bytea,
  -- The time step of the latest code that was accepted. Only later ones are.
  last_step bigint,
  -- Of a passkey, as in auth_methods.
  credential_id text,
  public_key bytea,
  counter bigint,
  transports text[] NOT NULL DEFAULT '{}',
  origin text,
  rp_id text,
  rp_id_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, customer_id) REFERENCES sca_customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT sca_factors_columns CHECK (CASE type
    WHEN 'TOTP' THEN num_nonnulls(secret_sealed, last_step) = 2 AND num_nonnulls(credential_id, public_key, counter, origin, rp_id, rp_id_hash) = 0
    WHEN 'PASSKEY' THEN num_nonnulls(secret_sealed, last_step) = 0 AND num_nonnulls(credential_id, public_key, counter, origin, rp_id_hash) = 5
    ELSE false END)
);
CREATE UNIQUE INDEX sca_factors_one_of_a_type ON sca_factors (platform_id, customer_id, type);
CREATE UNIQUE INDEX sca_factors_passkey_key ON sca_factors (platform_id, credential_id) WHERE credential_id IS NOT NULL;

-- What was issued for a factor that is not confirmed yet: the secret or the challenge. Sealed.
CREATE TABLE sca_enrolments (
  platform_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  type sca_factor NOT NULL,
  sealed bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (platform_id, customer_id, type),
  FOREIGN KEY (platform_id, customer_id) REFERENCES sca_customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

-- The unused recovery codes of a TOTP, as HMAC.
CREATE TABLE sca_recovery_codes (
  platform_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  code_mac bytea NOT NULL,
  PRIMARY KEY (platform_id, customer_id, code_mac),
  FOREIGN KEY (platform_id, customer_id) REFERENCES sca_customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT sca_recovery_codes_mac_is_sha256 CHECK (length(code_mac) = 32)
);

CREATE TYPE sca_reset_status AS ENUM ('INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED', 'COMPLETED', 'REJECTED', 'EXPIRED');

CREATE TABLE sca_factor_resets (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  factor sca_factor NOT NULL,
  status sca_reset_status NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, customer_id) REFERENCES sca_customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX sca_factor_resets_of_customer ON sca_factor_resets (platform_id, customer_id, created_at);
-- An open reset expires by itself.
CREATE VIEW current_sca_factor_resets AS
  SELECT platform_id, id, customer_id, factor, created_at, expires_at,
    CASE WHEN status IN ('INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED') AND expires_at <= now() THEN 'EXPIRED' ELSE status END AS status
  FROM sca_factor_resets;

-- External accounts that a customer trusts: payments to them raise no challenge.
CREATE TABLE trusted_accounts (
  platform_id uuid NOT NULL,
  external_account_id uuid NOT NULL,
  trusted_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, external_account_id),
  FOREIGN KEY (platform_id, external_account_id) REFERENCES external_accounts (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

-- A challenge is for a quote, a login, or the trust in an external account.
CREATE TYPE sca_action AS ENUM ('PAY', 'LOGIN', 'TRUST', 'UNTRUST');

ALTER TABLE sca_challenges
  ALTER COLUMN quote_id DROP NOT NULL,
  ALTER COLUMN purpose DROP NOT NULL,
  ADD COLUMN action sca_action NOT NULL DEFAULT 'PAY',
  ADD COLUMN customer_id uuid,
  ADD COLUMN external_account_id uuid,
  -- HMAC of the SMS code. Null until it is sent.
  ADD COLUMN code_mac bytea,
  ADD COLUMN sent_at timestamptz(3),
  ADD COLUMN tries smallint NOT NULL DEFAULT 0,
  -- What the quote shows once it is authorized.
  ADD COLUMN payment_instructions jsonb,
  ADD CONSTRAINT sca_challenges_customer FOREIGN KEY (platform_id, customer_id)
    REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  ADD CONSTRAINT sca_challenges_account FOREIGN KEY (platform_id, external_account_id)
    REFERENCES external_accounts (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  ADD CONSTRAINT sca_challenges_five_tries CHECK (tries BETWEEN 0 AND 5),
  ADD CONSTRAINT sca_challenges_subject CHECK (CASE action
    WHEN 'PAY' THEN quote_id IS NOT NULL AND external_account_id IS NULL AND purpose IS NOT NULL
    WHEN 'LOGIN' THEN num_nonnulls(quote_id, external_account_id) = 0 AND customer_id IS NOT NULL
    ELSE quote_id IS NULL AND num_nonnulls(external_account_id, customer_id) = 2 END);
CREATE UNIQUE INDEX sca_challenges_one_login ON sca_challenges (platform_id, customer_id) WHERE action = 'LOGIN';
CREATE UNIQUE INDEX sca_challenges_one_trust ON sca_challenges (platform_id, external_account_id) WHERE external_account_id IS NOT NULL;
CREATE INDEX sca_challenges_by_expiry ON sca_challenges (expires_at) WHERE quote_id IS NULL;
