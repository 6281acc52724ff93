-- The keys of a platform for its UMA domain. A domain belongs to one platform, whatever others put into their configuration.
CREATE TABLE uma_keys (
  platform_id uuid NOT NULL,
  domain text NOT NULL,
  -- Two secp256k1 keys of 32 bytes, and their certificate chains as PEM, the leaf first.
  signing_key_sealed bytea NOT NULL,
  encryption_key_sealed bytea NOT NULL,
  signing_chain text NOT NULL,
  encryption_chain text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, domain),
  FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT uma_keys_domain CHECK (domain = lower(domain) AND length(domain) <= 253)
);
CREATE UNIQUE INDEX uma_keys_domain_key ON uma_keys (domain);

-- The counterparties of a platform. `balance` is what a provider owes the platform, in satoshis: negative if the platform owes the provider.
CREATE TABLE uma_providers (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  domain text NOT NULL,
  name text NOT NULL,
  base_url text,
  root_fingerprint text NOT NULL,
  is_allowed boolean NOT NULL DEFAULT true,
  credit_limit bigint NOT NULL DEFAULT 0,
  balance bigint NOT NULL DEFAULT 0,
  supported_regions text[] NOT NULL DEFAULT '{}',
  supported_currencies text[] NOT NULL DEFAULT '{}',
  logo_url text,
  lei text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT uma_providers_domain CHECK (domain = lower(domain) AND length(domain) <= 253),
  CONSTRAINT uma_providers_fingerprint CHECK (root_fingerprint ~ '^[0-9a-f]{64}$'),
  CONSTRAINT uma_providers_credit CHECK (credit_limit BETWEEN 0 AND 9000000000000000)
);
CREATE UNIQUE INDEX uma_providers_domain_key ON uma_providers (platform_id, domain);
CREATE INDEX uma_providers_list ON uma_providers (platform_id, created_at DESC, id DESC);

-- Nonces of messages that were accepted, so that none is accepted twice.
CREATE TABLE uma_nonces (
  platform_id uuid NOT NULL,
  domain text NOT NULL,
  nonce text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (platform_id, domain, nonce),
  FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX uma_nonces_expiry ON uma_nonces (expires_at);

-- Look-ups of receivers that the platform made.
CREATE TABLE uma_lookups (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid,
  uma_address text,
  external_account_id uuid,
  -- Null for an external account, and for an address of the sandbox, which nobody is asked about.
  provider_id uuid,
  callback text,
  currencies jsonb NOT NULL,
  payer_data jsonb NOT NULL DEFAULT '[]',
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id) REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, external_account_id) REFERENCES external_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, provider_id) REFERENCES uma_providers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT uma_lookups_receiver CHECK (num_nonnulls(uma_address, external_account_id) = 1),
  CONSTRAINT uma_lookups_callback CHECK ((provider_id IS NULL) = (callback IS NULL))
);
CREATE INDEX uma_lookups_expiry ON uma_lookups (expires_at);
CREATE INDEX uma_lookups_of_customer ON uma_lookups (platform_id, customer_id);
CREATE INDEX uma_lookups_of_account ON uma_lookups (platform_id, external_account_id);
CREATE INDEX uma_lookups_of_provider ON uma_lookups (platform_id, provider_id);

-- Look-ups of the platform's customers that counterparties made. A payment request names one of them.
CREATE TABLE uma_answered_lookups (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  provider_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  uma_address text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, provider_id) REFERENCES uma_providers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX uma_answered_lookups_expiry ON uma_answered_lookups (expires_at);
CREATE INDEX uma_answered_lookups_of_provider ON uma_answered_lookups (platform_id, provider_id);
CREATE INDEX uma_answered_lookups_of_customer ON uma_answered_lookups (platform_id, customer_id);

CREATE TYPE uma_role AS ENUM ('PAYER', 'PAYEE');
CREATE TYPE uma_demand_status AS ENUM ('OPEN', 'SETTLED', 'REFUSED');

-- A demand for one payment, which the institution of the payee signs. Both institutions store it. Its end is final: whoever asks again gets
-- the same answer.
CREATE TABLE uma_demands (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  role uma_role NOT NULL,
  -- Chosen by the payee's institution. Nobody else knows it.
  demand_id uuid NOT NULL,
  provider_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  payer text NOT NULL,
  payee text NOT NULL,
  satoshis bigint NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  status uma_demand_status NOT NULL DEFAULT 'OPEN',
  -- The code of the refusal, in the words of the protocol.
  refusal text,
  -- The path at the payee's institution that is told of the payment. Null at that institution itself.
  callback text,
  -- What the payer's institution has signed: that it owes this much more.
  note text,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  settled_at timestamptz(3),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, provider_id) REFERENCES uma_providers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, transaction_id) REFERENCES transactions (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT uma_demands_callback CHECK ((role = 'PAYER') = (callback IS NOT NULL)),
  CONSTRAINT uma_demands_amounts CHECK (satoshis > 0 AND amount > 0),
  CONSTRAINT uma_demands_end CHECK ((status = 'REFUSED') = (refusal IS NOT NULL) AND (status = 'SETTLED') = (settled_at IS NOT NULL))
);
CREATE UNIQUE INDEX uma_demands_once ON uma_demands (platform_id, role, provider_id, demand_id);
CREATE UNIQUE INDEX uma_demands_of_transaction ON uma_demands (platform_id, transaction_id);
CREATE INDEX uma_demands_open ON uma_demands (expires_at) WHERE status = 'OPEN';
