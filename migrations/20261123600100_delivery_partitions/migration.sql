-- Deliveries and their attempts are stored by week and dropped by week, together with their events (docs/scale.md#retention).
-- A delivery gets the id of its event, so all three have the same week. Ids from before stay as they are: they are a few milliseconds younger.

LOCK TABLE webhook_endpoints, webhook_deliveries, webhook_attempts IN ACCESS EXCLUSIVE MODE;
ALTER TABLE webhook_attempts SET SCHEMA partitions;
ALTER TABLE webhook_deliveries SET SCHEMA partitions;

-- No foreign key to events: deleting an event would delete its delivery row by row. It is planned from its event, in one statement.
CREATE TABLE webhook_deliveries (
  platform_id uuid NOT NULL REFERENCES webhook_endpoints (platform_id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
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
  CONSTRAINT webhook_deliveries_done CHECK ((status = 'PENDING') = (done_at IS NULL))
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (platform_id, event_id);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (platform_id, lane, position) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (platform_id, created_at, id);
CREATE INDEX webhook_deliveries_of_status ON webhook_deliveries (platform_id, status, created_at, id);
CREATE INDEX webhook_deliveries_of_type ON webhook_deliveries (platform_id, type, created_at, id);
CREATE INDEX webhook_deliveries_of_lane ON webhook_deliveries (platform_id, lane, created_at, id);

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
  CONSTRAINT webhook_attempts_body CHECK (length(response_body) <= 1024)
) PARTITION BY RANGE (delivery_id);

CREATE TABLE partitions.webhook_deliveries_rest PARTITION OF webhook_deliveries DEFAULT;
CREATE TABLE partitions.webhook_attempts_rest PARTITION OF webhook_attempts DEFAULT;
SELECT add_partition(parent, first_day((now() AT TIME ZONE 'UTC')::date, 7) + 7 * n, 7)
  FROM unnest('{webhook_deliveries,webhook_attempts}'::regclass[]) parent, generate_series(-5, 1) n;

INSERT INTO webhook_deliveries (platform_id, id, event_id, type, position, lane, status, give_up_at, created_at, done_at)
  SELECT platform_id, id, event_id, type, position, lane, status, give_up_at, created_at, done_at FROM partitions.webhook_deliveries;
INSERT INTO webhook_attempts (platform_id, delivery_id, number, trigger, at, milliseconds, response_status, response_body, failure)
  SELECT platform_id, delivery_id, number, trigger, at, milliseconds, response_status, response_body, failure FROM partitions.webhook_attempts;

DROP TABLE partitions.webhook_attempts;
DROP TABLE partitions.webhook_deliveries;
