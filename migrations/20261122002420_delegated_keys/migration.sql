-- Keys by which a card pulls from a wallet (docs/domain/cards.md#delegated-keys).

ALTER TYPE signed_operation ADD VALUE 'CREATE_DELEGATED_KEY';

CREATE TYPE delegated_key_status AS ENUM ('PENDING', 'ACTIVE', 'REVOKED');

CREATE TABLE delegated_keys (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  card_id uuid NOT NULL,
  account_id uuid NOT NULL,
  -- A funding source is an account of a card.
  funding_source_id uuid NOT NULL GENERATED ALWAYS AS (md5(card_id::text || ' ' || account_id::text)::uuid) STORED,
  -- Compressed P-256 point, in hex. The private key is sealed.
  public_key text NOT NULL,
  private_key_sealed bytea NOT NULL,
  nickname text NOT NULL,
  status delegated_key_status NOT NULL,
  spending_limits jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, card_id) REFERENCES cards (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, account_id) REFERENCES internal_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT delegated_keys_public_key CHECK (public_key ~ '^0[23][0-9a-f]{64}$'),
  CONSTRAINT delegated_keys_nickname CHECK (length(nickname) BETWEEN 1 AND 256)
);
CREATE UNIQUE INDEX delegated_keys_one_active ON delegated_keys (platform_id, funding_source_id) WHERE status = 'ACTIVE';
CREATE INDEX delegated_keys_list ON delegated_keys (platform_id, created_at DESC, id DESC);
CREATE INDEX delegated_keys_of_account ON delegated_keys (platform_id, account_id, created_at DESC, id DESC);
CREATE INDEX delegated_keys_of_source ON delegated_keys (platform_id, funding_source_id, created_at DESC, id DESC);
CREATE INDEX delegated_keys_of_card ON delegated_keys (platform_id, card_id);
