-- Every change of state is an event (docs/domain/events.md#event-types). A trigger writes it in the transaction of the change, with the row
-- as it is then. After the commit it gets its position in the stream of its platform, by which it is read.

CREATE TYPE event_type AS ENUM (
  'OUTGOING_PAYMENT.PENDING', 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION', 'OUTGOING_PAYMENT.PROCESSING', 'OUTGOING_PAYMENT.COMPLETED',
  'OUTGOING_PAYMENT.FAILED', 'OUTGOING_PAYMENT.EXPIRED',
  'OUTGOING_PAYMENT.REFUND_PENDING', 'OUTGOING_PAYMENT.REFUND_COMPLETED', 'OUTGOING_PAYMENT.REFUND_FAILED',
  'INCOMING_PAYMENT.PENDING', 'INCOMING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.FAILED',
  'INCOMING_PAYMENT.REFUND_PENDING', 'INCOMING_PAYMENT.REFUND_COMPLETED', 'INCOMING_PAYMENT.REFUND_FAILED',
  'CARD_TRANSACTION.AUTHORIZED', 'CARD_TRANSACTION.PARTIALLY_SETTLED', 'CARD_TRANSACTION.SETTLED', 'CARD_TRANSACTION.REFUNDED',
  'CARD_TRANSACTION.EXCEPTION',
  'CARD.STATE_CHANGE', 'CARD.FUNDING_SOURCE_CHANGE',
  'AGENT_ACTION.PENDING_APPROVAL',
  'CUSTOMER.KYC_APPROVED', 'CUSTOMER.KYC_REJECTED', 'CUSTOMER.KYC_PENDING',
  'CUSTOMER.KYB_APPROVED', 'CUSTOMER.KYB_REJECTED', 'CUSTOMER.KYB_PENDING',
  'VERIFICATION.APPROVED', 'VERIFICATION.REJECTED', 'VERIFICATION.RESOLVE_ERRORS', 'VERIFICATION.IN_PROGRESS',
  'VERIFICATION.PENDING_MANUAL_REVIEW', 'VERIFICATION.READY_FOR_VERIFICATION',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'INTERNAL_ACCOUNT.STATUS_UPDATED',
  'INVITATION.CLAIMED', 'BULK_UPLOAD.COMPLETED', 'BULK_UPLOAD.FAILED', 'TEST');

-- Version 7 (RFC 9562), for servers that have no uuidv7() yet.
CREATE FUNCTION time_ordered_uuid() RETURNS uuid LANGUAGE sql VOLATILE RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
  PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;

CREATE TABLE event_streams (
  platform_id uuid PRIMARY KEY REFERENCES platforms (id) ON DELETE CASCADE ON UPDATE CASCADE,
  last_position bigint NOT NULL DEFAULT 0 CHECK (last_position >= 0)
) WITH (fillfactor = 50);

-- Refers to the platform, and not to its stream: a foreign key would lock the row of the stream until the writer commits.
CREATE TABLE events (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL DEFAULT time_ordered_uuid(),
  -- 1, 2, 3… in each platform, without gaps, in the order of the commits. Null until number_events() has seen it.
  position bigint CHECK (position > 0),
  -- The order among those that have no position yet. It has gaps.
  recorded bigint GENERATED ALWAYS AS IDENTITY,
  recorded_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  type event_type NOT NULL,
  -- What it happened to, by the kind and the uuid of its public id.
  object_kind text,
  object_id uuid,
  -- Whose it is: decides what an agent sees.
  customer_id uuid,
  agent_id uuid,
  -- transaction_state_changes.sequence, if the event tells of such a step.
  step smallint,
  -- The row after the change, without its nulls, for jsonb_populate_record(). So the columns of these tables are added and dropped, and are
  -- not renamed and keep their types.
  snapshot jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (platform_id, id),
  CONSTRAINT events_object CHECK ((object_kind IS NULL) = (object_id IS NULL))
) WITH (autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX events_pending ON events (platform_id, recorded) WHERE position IS NULL;
CREATE UNIQUE INDEX events_one_per_step ON events (platform_id, object_id, type, step) WHERE step IS NOT NULL;
-- A transaction that moves a balance several times sends the last one.
CREATE UNIQUE INDEX events_one_balance ON events (platform_id, object_id, recorded_in) WHERE type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED';

-- The list and its filters. Only what is numbered is ever listed.
CREATE UNIQUE INDEX events_position ON events (platform_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_of_type ON events (platform_id, type, position) WHERE position IS NOT NULL;
CREATE INDEX events_of_object ON events (platform_id, object_id, position) WHERE position IS NOT NULL;
CREATE INDEX events_of_customer ON events (platform_id, customer_id, position) WHERE position IS NOT NULL AND customer_id IS NOT NULL;
CREATE INDEX events_of_agent ON events (platform_id, agent_id, position) WHERE position IS NOT NULL AND agent_id IS NOT NULL;
CREATE INDEX events_by_time ON events (platform_id, created_at) WHERE position IS NOT NULL;

-- What can be read.
CREATE VIEW numbered_events AS SELECT * FROM events WHERE position IS NOT NULL;

CREATE FUNCTION open_event_stream() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_streams (platform_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER platforms_event_stream AFTER INSERT ON platforms FOR EACH ROW EXECUTE FUNCTION open_event_stream();
INSERT INTO event_streams (platform_id) SELECT id FROM platforms;

-- Gives a position to the oldest events of each platform that have none, of at most 100 platforms and `most` of each, and notifies `events`
-- with the ids of these platforms. Returns how many it numbered. Needs READ COMMITTED.
-- What changed an object earlier had committed before the later change had the lock of its row, and so has the smaller `recorded`. Each call
-- takes the first in that order of all that is committed, so the positions of the events of one object are in the order of its changes.
CREATE FUNCTION number_events(most int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  platforms uuid[];
  numbered uuid[];
BEGIN
  -- A position that a crash takes back would be given twice.
  PERFORM set_config('synchronous_commit', 'on', true);
  -- One look into the index for each platform.
  WITH RECURSIVE waiting (platform_id) AS (
    (SELECT platform_id FROM events WHERE position IS NULL ORDER BY platform_id, recorded LIMIT 1)
    UNION ALL
    SELECT (SELECT e.platform_id FROM events e WHERE e.position IS NULL AND e.platform_id > waiting.platform_id ORDER BY e.platform_id, e.recorded LIMIT 1)
    FROM waiting WHERE waiting.platform_id IS NOT NULL
  ) SELECT array_agg(platform_id) INTO platforms FROM (SELECT platform_id FROM waiting WHERE platform_id IS NOT NULL LIMIT 100) w;
  IF platforms IS NULL THEN
    RETURN 0;
  END IF;
  -- FOR UPDATE would wait for every open transaction that refers to the row. This excludes other calls only. The next statement sees all that
  -- was committed before the lock was had.
  PERFORM FROM event_streams s WHERE s.platform_id = ANY (platforms) ORDER BY s.platform_id FOR NO KEY UPDATE;
  WITH pending AS MATERIALIZED (
    SELECT p.platform_id, p.id, row_number() OVER (PARTITION BY p.platform_id ORDER BY p.recorded) AS n
    FROM unnest(platforms) AS u (platform_id) CROSS JOIN LATERAL (
      SELECT e.platform_id, e.id, e.recorded FROM events e
      WHERE e.platform_id = u.platform_id AND e.position IS NULL ORDER BY e.recorded LIMIT most) p
  ), streams AS (
    UPDATE event_streams s SET last_position = last_position + c.n
    FROM (SELECT platform_id, max(n) AS n FROM pending GROUP BY 1) c
    WHERE s.platform_id = c.platform_id RETURNING s.platform_id, s.last_position - c.n AS base
  ), done AS (
    UPDATE events e SET position = base + n FROM pending JOIN streams USING (platform_id)
    WHERE e.platform_id = pending.platform_id AND e.id = pending.id RETURNING e.platform_id
  ) SELECT array_agg(platform_id) INTO numbered FROM done;
  PERFORM pg_notify('events', platform_id::text) FROM (SELECT DISTINCT unnest(numbered) AS platform_id) n;
  RETURN coalesce(cardinality(numbered), 0);
END $$;

-- ── The events of each table. A seed that writes histories switches them off: SET LOCAL app.events = 'off' ──

CREATE FUNCTION events_are_off() RETURNS boolean LANGUAGE sql STABLE RETURN coalesce(current_setting('app.events', true), '') = 'off';

-- jsonb_strip_nulls() would also take the nulls inside of columns.
CREATE FUNCTION snapshot_of(row_as_json jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT jsonb_object_agg(key, value) FROM jsonb_each(row_as_json) WHERE value <> 'null'::jsonb);

CREATE FUNCTION transaction_snapshot(payment transactions) RETURNS jsonb LANGUAGE sql STABLE
  -- Without generated columns, and what the sender is told about the receiver.
  RETURN snapshot_of(to_jsonb(payment) - '{source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[]);

-- Null where no event tells of it.
CREATE FUNCTION payment_event(type transaction_item_type, status transaction_lifecycle_status) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
  WHEN type = 'CARD' THEN 'CARD_TRANSACTION.' || status::text
  WHEN type = 'OUTGOING' THEN 'OUTGOING_PAYMENT.' || status::text
  WHEN status IN ('PENDING', 'COMPLETED', 'FAILED') THEN 'INCOMING_PAYMENT.' || status::text
  WHEN status IN ('REJECTED', 'EXPIRED') THEN 'INCOMING_PAYMENT.FAILED' END;

-- The argument says what has changed.
CREATE FUNCTION record_transaction_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE TG_ARGV[0]
    WHEN 'refund' THEN NEW.type::text || '_PAYMENT.REFUND_' || NEW.refund_status::text
    ELSE payment_event(NEW.type, NEW.status) END;
BEGIN
  IF what IS NULL OR events_are_off() THEN
    RETURN NULL;
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, step, snapshot)
    VALUES (NEW.platform_id, what::event_type, CASE NEW.type WHEN 'CARD' THEN 'CardTransaction' ELSE 'Transaction' END, NEW.id,
      NEW.customer_id, NEW.agent_id,
      CASE TG_ARGV[0] WHEN 'new' THEN 1 WHEN 'status' THEN (
        SELECT max(sequence) FROM transaction_state_changes WHERE platform_id = NEW.platform_id AND transaction_id = NEW.id) END,
      transaction_snapshot(NEW));
  RETURN NULL;
END $$;
-- Triggers fire in the order of their names: the status before the refund. By then the BEFORE trigger has recorded the step.
CREATE TRIGGER transactions_event_1_new AFTER INSERT ON transactions FOR EACH ROW EXECUTE FUNCTION record_transaction_event('new');
CREATE TRIGGER transactions_event_1_status AFTER UPDATE OF status ON transactions FOR EACH ROW EXECUTE FUNCTION record_transaction_event('status');
CREATE TRIGGER transactions_event_2_refund AFTER UPDATE OF refund_status ON transactions FOR EACH ROW
  WHEN (NEW.refund_status IS DISTINCT FROM OLD.refund_status AND NEW.refund_status IS NOT NULL) EXECUTE FUNCTION record_transaction_event('refund');

CREATE FUNCTION record_card_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      SELECT NEW.platform_id, TG_ARGV[0]::event_type, 'Card', NEW.id, NEW.customer_id,
        snapshot_of(to_jsonb(NEW)) || jsonb_build_object('account', snapshot_of(to_jsonb(account)))
      FROM internal_accounts account WHERE account.platform_id = NEW.platform_id AND account.id = NEW.account_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER cards_event_1_state AFTER UPDATE OF state, state_reason ON cards FOR EACH ROW
  WHEN ((NEW.state, NEW.state_reason) IS DISTINCT FROM (OLD.state, OLD.state_reason)) EXECUTE FUNCTION record_card_event('CARD.STATE_CHANGE');
CREATE TRIGGER cards_event_2_funding AFTER UPDATE OF account_id ON cards FOR EACH ROW
  WHEN (NEW.account_id <> OLD.account_id) EXECUTE FUNCTION record_card_event('CARD.FUNDING_SOURCE_CHANGE');

-- With the parts that belong to an action: whose it is, its quote and its payment.
CREATE FUNCTION record_action_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, snapshot)
      SELECT NEW.platform_id, 'AGENT_ACTION.PENDING_APPROVAL', 'AgentAction', NEW.id, NEW.customer_id, NEW.agent_id,
        snapshot_of(to_jsonb(NEW)) || snapshot_of(jsonb_build_object('customer', snapshot_of(to_jsonb(customer)),
          'quote', snapshot_of(to_jsonb(quote)), 'payment', CASE WHEN payment.id IS NOT NULL THEN transaction_snapshot(payment) END))
      FROM customers customer
      LEFT JOIN quotes quote ON quote.platform_id = NEW.platform_id AND quote.id = NEW.quote_id
      LEFT JOIN transactions payment ON payment.platform_id = NEW.platform_id AND payment.id = NEW.transaction_id
      WHERE customer.platform_id = NEW.platform_id AND customer.id = NEW.customer_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER agent_actions_event AFTER INSERT ON agent_actions FOR EACH ROW
  WHEN (NEW.status = 'PENDING_APPROVAL') EXECUTE FUNCTION record_action_event();

CREATE FUNCTION record_customer_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, ('CUSTOMER.' || CASE NEW.customer_type WHEN 'INDIVIDUAL' THEN 'KYC_' ELSE 'KYB_' END || NEW.verification_status::text)::event_type,
        'Customer', NEW.id, NEW.id, snapshot_of(to_jsonb(NEW)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER customers_event AFTER UPDATE OF verification_status ON customers FOR EACH ROW
  WHEN (NEW.verification_status <> OLD.verification_status AND NEW.verification_status IN ('APPROVED', 'REJECTED', 'PENDING'))
  EXECUTE FUNCTION record_customer_event();

CREATE FUNCTION record_account_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, TG_ARGV[0]::event_type, 'InternalAccount', NEW.id, NEW.customer_id, snapshot_of(to_jsonb(NEW)))
      ON CONFLICT (platform_id, object_id, recorded_in) WHERE type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' DO UPDATE SET snapshot = excluded.snapshot;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER internal_accounts_event_1_balance AFTER UPDATE OF balance, total_balance ON internal_accounts FOR EACH ROW
  WHEN (NEW.balance <> OLD.balance OR NEW.total_balance <> OLD.total_balance) EXECUTE FUNCTION record_account_event('INTERNAL_ACCOUNT.BALANCE_UPDATED');
CREATE TRIGGER internal_accounts_event_2_status AFTER UPDATE OF status ON internal_accounts FOR EACH ROW
  WHEN (NEW.status <> OLD.status) EXECUTE FUNCTION record_account_event('INTERNAL_ACCOUNT.STATUS_UPDATED');
