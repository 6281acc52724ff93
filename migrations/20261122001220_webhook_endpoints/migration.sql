-- Where events are sent to (docs/domain/events.md#webhook-endpoint).

CREATE TYPE webhook_endpoint_status AS ENUM ('ENABLED', 'SUSPENDED', 'DISABLED');
CREATE TYPE webhook_disabled_reason AS ENUM ('GONE', 'FAILING');

-- One for each platform that has ever set one, so that its keys outlive a removal.
CREATE TABLE webhook_endpoints (
  platform_id uuid PRIMARY KEY REFERENCES platforms (id) ON DELETE CASCADE ON UPDATE CASCADE,
  -- Null: removed.
  url text,
  -- Null: all.
  types event_type[],
  status webhook_endpoint_status NOT NULL,
  disabled_reason webhook_disabled_reason,
  -- The events up to this position have their deliveries.
  position bigint NOT NULL CHECK (position >= 0),
  -- SPKI PEM, and its P-256 private key, sealed.
  public_key text NOT NULL,
  sealed_key bytea NOT NULL,
  sealed_secret bytea NOT NULL,
  -- They become the key and the secret at this time.
  next_public_key text,
  sealed_next_key bytea,
  sealed_next_secret bytea,
  next_key_at timestamptz(3),
  -- Attempts that failed since the last success, and when the first of them did.
  failures int NOT NULL DEFAULT 0 CHECK (failures >= 0),
  failing_since timestamptz(3),
  -- When a suspended endpoint is tried again.
  probe_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_url CHECK (length(url) <= 2000),
  CONSTRAINT webhook_endpoints_disabled CHECK ((status = 'DISABLED') = (url IS NULL OR disabled_reason IS NOT NULL)),
  CONSTRAINT webhook_endpoints_probe CHECK ((status = 'SUSPENDED') = (probe_at IS NOT NULL)),
  CONSTRAINT webhook_endpoints_failing CHECK ((failures = 0) = (failing_since IS NULL)),
  CONSTRAINT webhook_endpoints_next CHECK (num_nonnulls(next_public_key, sealed_next_key, sealed_next_secret, next_key_at) IN (0, 4))
) WITH (fillfactor = 50);
