-- Stablecoins that platforms issue through a provider (docs/domain/stablecoins.md#mint-and-burn).

CREATE TYPE stablecoin_provider AS ENUM ('BRALE');
CREATE TYPE stablecoin_provider_account_status AS ENUM ('ACTIVE', 'INVALID', 'REVOKED');
CREATE TYPE stablecoin_network AS ENUM ('SPARK');
CREATE TYPE stablecoin_operation_type AS ENUM ('MINT', 'BURN');
CREATE TYPE stablecoin_quote_status AS ENUM ('PENDING', 'EXECUTED', 'EXPIRED');
CREATE TYPE stablecoin_operation_status AS ENUM (
  'CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'
);

CREATE TABLE stablecoin_provider_accounts (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  provider stablecoin_provider NOT NULL,
  provider_account_id text NOT NULL,
  provider_environment environment NOT NULL,
  status stablecoin_provider_account_status NOT NULL,
  -- Client id and secret, sealed together.
  credentials_sealed bytea NOT NULL,
  last_verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id)
);
-- A link that is not usable does not stand in the way of a new one.
CREATE UNIQUE INDEX stablecoin_provider_accounts_active ON stablecoin_provider_accounts (platform_id, provider, provider_account_id)
  WHERE status = 'ACTIVE';
CREATE INDEX stablecoin_provider_accounts_list ON stablecoin_provider_accounts (platform_id, created_at DESC, id DESC);

CREATE TABLE stablecoins (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  stablecoin_provider_account_id uuid NOT NULL,
  provider_token_identifier text NOT NULL,
  network_token_identifier text NOT NULL,
  network stablecoin_network NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, stablecoin_provider_account_id) REFERENCES stablecoin_provider_accounts (platform_id, id)
    ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX stablecoins_token ON stablecoins (platform_id, network, network_token_identifier);
CREATE INDEX stablecoins_list ON stablecoins (platform_id, created_at DESC, id DESC);
CREATE INDEX stablecoins_of_account ON stablecoins (platform_id, stablecoin_provider_account_id);

CREATE TABLE stablecoin_quotes (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  stablecoin_id uuid NOT NULL,
  operation_type stablecoin_operation_type NOT NULL,
  -- Cents of the dollars that back the tokens.
  amount amount NOT NULL CHECK (amount > 0),
  -- The internal account that pays for a mint, or is paid by a burn, and the wallet that holds the tokens.
  internal_account_id uuid NOT NULL,
  external_account_id uuid NOT NULL,
  -- EXPIRED is never stored: the view below tells it by the clock.
  status stablecoin_quote_status NOT NULL DEFAULT 'PENDING' CHECK (status <> 'EXPIRED'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, stablecoin_id) REFERENCES stablecoins (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, internal_account_id) REFERENCES internal_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, external_account_id) REFERENCES external_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX stablecoin_quotes_of_stablecoin ON stablecoin_quotes (platform_id, stablecoin_id);
CREATE INDEX stablecoin_quotes_of_account ON stablecoin_quotes (platform_id, internal_account_id);
CREATE INDEX stablecoin_quotes_of_wallet ON stablecoin_quotes (platform_id, external_account_id);

CREATE VIEW current_stablecoin_quotes AS
  SELECT platform_id, id, stablecoin_id, operation_type, amount, internal_account_id, external_account_id,
    CASE WHEN status = 'PENDING' AND expires_at <= now() THEN 'EXPIRED' ELSE status END AS status, created_at, expires_at
  FROM stablecoin_quotes;

CREATE TABLE stablecoin_operations (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  stablecoin_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  operation_type stablecoin_operation_type NOT NULL,
  amount amount NOT NULL CHECK (amount > 0),
  internal_account_id uuid NOT NULL,
  external_account_id uuid NOT NULL,
  status stablecoin_operation_status NOT NULL,
  -- What moved the money, and what moved it back.
  movement_id uuid,
  refund_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, stablecoin_id) REFERENCES stablecoins (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, quote_id) REFERENCES stablecoin_quotes (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, internal_account_id) REFERENCES internal_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, external_account_id) REFERENCES external_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, movement_id) REFERENCES ledger_movements (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, refund_id) REFERENCES ledger_movements (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- A mint is paid before it starts, and paid back when it fails. A burn is paid out when it is done.
  CONSTRAINT stablecoin_operations_money CHECK (CASE operation_type
    WHEN 'MINT' THEN movement_id IS NOT NULL AND (refund_id IS NOT NULL) = (status IN ('FAILED', 'EXPIRED'))
    ELSE (movement_id IS NOT NULL) = (status = 'COMPLETED') AND refund_id IS NULL END)
);
CREATE UNIQUE INDEX stablecoin_operations_of_quote ON stablecoin_operations (platform_id, quote_id);
CREATE INDEX stablecoin_operations_of_stablecoin ON stablecoin_operations (platform_id, stablecoin_id, created_at DESC, id DESC);
CREATE INDEX stablecoin_operations_open ON stablecoin_operations (updated_at) WHERE status NOT IN ('COMPLETED', 'FAILED', 'EXPIRED');
CREATE INDEX stablecoin_operations_of_account ON stablecoin_operations (platform_id, internal_account_id);
CREATE INDEX stablecoin_operations_of_wallet ON stablecoin_operations (platform_id, external_account_id);
CREATE INDEX stablecoin_operations_of_movement ON stablecoin_operations (platform_id, movement_id) WHERE movement_id IS NOT NULL;
CREATE INDEX stablecoin_operations_of_refund ON stablecoin_operations (platform_id, refund_id) WHERE refund_id IS NOT NULL;
