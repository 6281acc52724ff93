-- Events are stored by week and dropped by week, together with their deliveries (docs/scale.md#retention).

-- A partition has the storage parameters of the rest: Postgres allows none for a partitioned table.
CREATE OR REPLACE FUNCTION add_partition(parent regclass, day date, days int DEFAULT 1) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parameters text := (SELECT array_to_string(rest.reloptions, ', ') FROM pg_class
    JOIN pg_class rest ON rest.relname = pg_class.relname || '_rest' AND rest.relnamespace = 'partitions'::regnamespace WHERE pg_class.oid = parent);
BEGIN
  EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)',
    partition_of_day(parent, day), parent, start_of_day(parent, day), start_of_day(parent, day + days)) || coalesce(' WITH (' || parameters || ')', '');
END $$;

LOCK TABLE events IN ACCESS EXCLUSIVE MODE;
-- The order in which the new table is written does not continue that of the old one, so every event gets its position before.
DO $$ BEGIN
  WHILE number_events(1000) > 0 LOOP END LOOP;
END $$;
DROP VIEW numbered_events;
ALTER TABLE events SET SCHEMA partitions;

-- Without a foreign key to platforms, which would lock the platform's row for each event. The row that an event is about has one.
CREATE TABLE events (
  platform_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT time_ordered_uuid(),
  -- Per platform, 1, 2, 3 and so on. Null until `number_events` gives it, under the lock of the platform's stream, which keeps it unique.
  position bigint CHECK (position > 0),
  recorded bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  recorded_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type event_type NOT NULL,
  object_kind text,
  object_id uuid,
  customer_id uuid,
  agent_id uuid,
  snapshot jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (platform_id, id),
  CONSTRAINT events_object CHECK ((object_kind IS NULL) = (object_id IS NULL))
) PARTITION BY RANGE (id);

-- A position makes a new version of the row, with an entry in each index. An index has either the events without a position or those with one.
CREATE INDEX events_pending ON events (platform_id, recorded) WHERE position IS NULL;
CREATE INDEX events_pending_balance ON events (platform_id, object_id, recorded_in)
  WHERE type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' AND position IS NULL;
CREATE INDEX events_position ON events (platform_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_of_type ON events (platform_id, type, position) WHERE position IS NOT NULL;
CREATE INDEX events_of_object ON events (platform_id, object_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_of_customer ON events (platform_id, customer_id, position) WHERE position IS NOT NULL AND customer_id IS NOT NULL;
CREATE INDEX events_of_agent ON events (platform_id, agent_id, position) WHERE position IS NOT NULL AND agent_id IS NOT NULL;

SELECT belongs_to_platforms('events');

-- The version with the position fits on the page of the version without it, so the write-ahead log holds only the position.
CREATE TABLE partitions.events_rest PARTITION OF events DEFAULT WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
SELECT add_partition('events', first_day((now() AT TIME ZONE 'UTC')::date, 7) + 7 * n, 7) FROM generate_series(-5, 1) n;

INSERT INTO events (platform_id, id, position, recorded, recorded_in, type, object_kind, object_id, customer_id, agent_id, snapshot, created_at)
  OVERRIDING SYSTEM VALUE
  SELECT platform_id, id, position, recorded, recorded_in, type, object_kind, object_id, customer_id, agent_id, snapshot, created_at
  FROM partitions.events;
DROP TABLE partitions.events;

CREATE VIEW numbered_events AS SELECT * FROM events WHERE position IS NOT NULL;

-- All changes of a balance in one transaction are one event. Whoever changes the balance holds the lock of the account's row.
CREATE OR REPLACE FUNCTION record_account_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  this xid8 := pg_current_xact_id();
  -- The ids of this transaction's events begin with later times. So two or three partitions are read.
  since uuid := first_uuid_at(now() - interval '1 minute');
  -- Accounts have no columns of JSON, so jsonb_strip_nulls() is exact.
  shown jsonb := jsonb_strip_nulls(to_jsonb(NEW)) - fixed_columns('internal_accounts');
  earlier uuid;
BEGIN
  IF events_are_off() THEN
    RETURN NULL;
  END IF;
  IF TG_ARGV[0] = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' THEN
    SELECT id INTO earlier FROM events WHERE platform_id = NEW.platform_id AND object_id = NEW.id AND recorded_in = this AND id >= since
      AND type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' AND position IS NULL;
  END IF;
  IF earlier IS NULL THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, TG_ARGV[0]::event_type, 'InternalAccount', NEW.id, NEW.customer_id, shown);
  ELSE
    UPDATE events SET snapshot = shown WHERE platform_id = NEW.platform_id AND id = earlier;
  END IF;
  RETURN NULL;
END $$;

-- As before, without the step: the primary key of transaction_state_changes keeps the steps apart.
CREATE OR REPLACE FUNCTION record_transaction_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE TG_ARGV[0]
    WHEN 'refund' THEN NEW.type::text || '_PAYMENT.REFUND_' || NEW.refund_status::text
    ELSE payment_event(NEW.type, NEW.status) END;
  kind text := CASE WHEN NEW.type = 'CARD' THEN 'CardTransaction' ELSE 'Transaction' END;
  snapshot jsonb;
BEGIN
  IF what IS NULL OR events_are_off() THEN
    RETURN NULL;
  END IF;
  snapshot := jsonb_strip_nulls(to_jsonb(NEW) - fixed_columns('transactions'))
    - '{listed_status,source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[];
  IF num_nonnulls(NEW.source_funding, NEW.requested_receiver_customer_info_fields, NEW.counterparty_information, NEW.payment_instructions,
    NEW.rate_details) > 0 THEN
    snapshot := snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', NEW.source_funding,
      'requested_receiver_customer_info_fields', NEW.requested_receiver_customer_info_fields,
      'counterparty_information', NEW.counterparty_information, 'payment_instructions', NEW.payment_instructions,
      'rate_details', NEW.rate_details)), '{}'::jsonb);
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, snapshot)
    VALUES (NEW.platform_id, what::event_type, kind, NEW.id, NEW.customer_id, NEW.agent_id, snapshot);
  RETURN NULL;
END $$;
