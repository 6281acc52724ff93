-- How events are sent to the endpoint (docs/domain/events.md#delivery).

CREATE TYPE webhook_delivery_status AS ENUM ('PENDING', 'DELIVERED', 'FAILED', 'SKIPPED');
CREATE TYPE webhook_trigger AS ENUM ('SCHEDULE', 'REDELIVERY', 'TEST');
CREATE TYPE webhook_failure AS ENUM ('TIMEOUT', 'CONNECTION', 'TLS', 'DNS', 'ADDRESS_REFUSED', 'REDIRECT', 'STATUS', 'TOO_LARGE');

-- One for each event that the endpoint takes. It goes with its event.
CREATE TABLE webhook_deliveries (
  platform_id uuid NOT NULL REFERENCES webhook_endpoints (platform_id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL DEFAULT time_ordered_uuid(),
  event_id uuid NOT NULL,
  type event_type NOT NULL,
  position bigint NOT NULL,
  -- What the event happened to. A test has a lane of its own.
  lane uuid NOT NULL,
  status webhook_delivery_status NOT NULL DEFAULT 'PENDING',
  give_up_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  done_at timestamptz(3),
  PRIMARY KEY (platform_id, id),
  UNIQUE (platform_id, event_id),
  FOREIGN KEY (platform_id, event_id) REFERENCES events (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT webhook_deliveries_done CHECK ((status = 'PENDING') = (done_at IS NULL))
);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (platform_id, lane, position) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (platform_id, created_at, id);
CREATE INDEX webhook_deliveries_of_status ON webhook_deliveries (platform_id, status, created_at, id);
CREATE INDEX webhook_deliveries_of_type ON webhook_deliveries (platform_id, type, created_at, id);
CREATE INDEX webhook_deliveries_of_lane ON webhook_deliveries (platform_id, lane, created_at, id);

-- One for each object that has something waiting: its events go one after the other, those of different objects beside each other.
CREATE TABLE webhook_lanes (
  platform_id uuid NOT NULL REFERENCES webhook_endpoints (platform_id) ON DELETE CASCADE ON UPDATE CASCADE,
  lane uuid NOT NULL,
  -- When it is the turn of its oldest event, or when the lease of the process that sends it ends.
  due_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Of the oldest event.
  tries int NOT NULL DEFAULT 0,
  -- An approval waits for no circuit.
  is_urgent boolean NOT NULL DEFAULT false,
  -- A fence: who comes back with an older number changes nothing.
  lease bigint NOT NULL DEFAULT 0,
  is_leased boolean NOT NULL DEFAULT false,
  PRIMARY KEY (platform_id, lane)
) WITH (fillfactor = 50);
CREATE INDEX webhook_lanes_due ON webhook_lanes (platform_id, due_at);
CREATE INDEX webhook_lanes_leased ON webhook_lanes (platform_id) WHERE is_leased;
CREATE INDEX webhook_lanes_urgent ON webhook_lanes (platform_id) WHERE is_urgent;

CREATE TABLE webhook_attempts (
  platform_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  number int NOT NULL CHECK (number > 0),
  trigger webhook_trigger NOT NULL,
  at timestamptz(3) NOT NULL,
  milliseconds int NOT NULL CHECK (milliseconds >= 0),
  -- Null: no answer.
  response_status smallint,
  response_body text,
  -- Null: delivered.
  failure webhook_failure,
  PRIMARY KEY (platform_id, delivery_id, number),
  FOREIGN KEY (platform_id, delivery_id) REFERENCES webhook_deliveries (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT webhook_attempts_body CHECK (length(response_body) <= 1024)
);
