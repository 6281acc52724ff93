-- Statements on the rows of one platform each, which a distributed database can send to the one node that has them (docs/scale.md#citus).
-- A statement that reads a transition table must not touch another table there, so these triggers go through their rows.

CREATE OR REPLACE FUNCTION append_transaction_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR changed IN
      SELECT platform_id, customer_id, utc_day(created_at) AS day, type, direction, status, headline_currency, count(*) AS n, sum(headline_amount) AS amount
      FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.day, changed.type, changed.direction, changed.status, changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR changed IN
      SELECT platform_id, customer_id, utc_day(created_at) AS day, type, direction, status, headline_currency, -count(*) AS n, -sum(headline_amount) AS amount
      FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.day, changed.type, changed.direction, changed.status, changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  ELSE
    FOR changed IN
      SELECT platform_id, customer_id, utc_day(created_at) AS day, type, direction, status, headline_currency, sum(sign) AS n, sum(sign * headline_amount) AS amount FROM (
        SELECT platform_id, customer_id, created_at, type, direction, status, headline_currency, headline_amount, 1 AS sign FROM added
        UNION ALL SELECT platform_id, customer_id, created_at, type, direction, status, headline_currency, headline_amount, -1 FROM removed
      ) both_sides GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(sign) <> 0 OR sum(sign * headline_amount) <> 0
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.day, changed.type, changed.direction, changed.status, changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION record_first_states() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  payment record;
BEGIN
  FOR payment IN SELECT platform_id, id, status, created_at, failure_reason FROM added LOOP
    INSERT INTO transaction_state_changes (platform_id, transaction_id, sequence, to_status, at, reason)
      VALUES (payment.platform_id, payment.id, 1, payment.status, payment.created_at, payment.failure_reason)
      ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION apply_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  -- Positions are 1, 2, 3… only in the one statement that writes the movement, so that nothing joins it later.
  IF EXISTS (SELECT FROM added GROUP BY platform_id, movement_id HAVING max(position) <> count(*))
    OR EXISTS (SELECT FROM added GROUP BY platform_id, movement_id, currency HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'A movement is written in one statement, and its entries add up to zero in each currency'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_movements_balanced';
  END IF;
  FOR changed IN
    SELECT platform_id, account_id, sum(amount)::bigint AS change, array_agg(DISTINCT movement_id) AS movements
    FROM added WHERE account_id IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    UPDATE internal_accounts
      SET balance = balance + changed.change, total_balance = total_balance + changed.change, updated_at = greatest(updated_at, (
        SELECT max(created_at) FROM ledger_movements WHERE platform_id = changed.platform_id AND id = ANY (changed.movements)))
      WHERE platform_id = changed.platform_id AND id = changed.account_id;
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION place_ledger_holds() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  placed record;
BEGIN
  FOR placed IN
    SELECT platform_id, account_id, sum(amount)::bigint AS held, max(created_at) AS at
    FROM added WHERE released_at IS NULL GROUP BY 1, 2 ORDER BY 1, 2
  LOOP
    UPDATE internal_accounts SET balance = balance - placed.held, updated_at = greatest(updated_at, placed.at)
      WHERE platform_id = placed.platform_id AND id = placed.account_id;
  END LOOP;
  RETURN NULL;
END $$;

-- Folds all changes, or up to `most`, then of at most a thousand platforms. Returns how many it has folded: 0 when nothing is left, or another
-- call is folding.
CREATE OR REPLACE FUNCTION fold_transaction_counts(most bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint := 0;
  moved bigint;
  platform uuid;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('fold_transaction_counts')) THEN
    RETURN 0;
  END IF;
  FOR platform IN SELECT DISTINCT platform_id FROM (SELECT platform_id FROM transaction_count_changes LIMIT most) waiting
    LIMIT CASE WHEN most IS NULL THEN NULL ELSE 1000 END
  LOOP
    WITH gone AS (
      DELETE FROM transaction_count_changes WHERE platform_id = platform AND ctid = ANY (
        ARRAY(SELECT ctid FROM transaction_count_changes WHERE platform_id = platform LIMIT most - folded)) RETURNING *
    ), of_platform AS (
      INSERT INTO platform_transaction_counts AS counts
        SELECT platform_id, month, type, direction, status, sum(change) FROM gone GROUP BY 1, 2, 3, 4, 5
        ON CONFLICT (platform_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_customer AS (
      INSERT INTO customer_transaction_counts AS counts
        SELECT platform_id, customer_id, month, type, direction, status, sum(change) FROM gone WHERE customer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (platform_id, customer_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_day AS (
      INSERT INTO platform_transaction_days AS days
        SELECT platform_id, day, type, direction, status, currency, sum(change), sum(amount) FROM gone GROUP BY 1, 2, 3, 4, 5, 6
        ON CONFLICT (platform_id, day, type, direction, status, currency)
        DO UPDATE SET count = days.count + excluded.count, amount = days.amount + excluded.amount
    )
    SELECT count(*) INTO moved FROM gone;
    folded := folded + moved;
    EXIT WHEN folded >= most;
  END LOOP;
  RETURN folded;
END $$;

-- Gives committed events their positions, up to `most` of each of 100 platforms. Returns how many have got one.
CREATE OR REPLACE FUNCTION number_events(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  platform uuid;
  previous uuid := '00000000-0000-0000-0000-000000000000';
  given bigint;
  numbered bigint := 0;
BEGIN
  -- A position that a crash takes back would be given twice.
  PERFORM set_config('synchronous_commit', 'on', true);
  FOR n IN 1..100 LOOP
    -- One look into the index for each platform.
    SELECT platform_id INTO platform FROM events WHERE position IS NULL AND platform_id > previous ORDER BY platform_id, recorded LIMIT 1;
    EXIT WHEN NOT FOUND;
    previous := platform;
    -- FOR UPDATE would wait for every open transaction that refers to the row. This excludes other calls only. The next statement sees all that
    -- was committed before the lock was had.
    PERFORM FROM event_streams WHERE platform_id = platform FOR NO KEY UPDATE;
    WITH pending AS MATERIALIZED (
      SELECT id, row_number() OVER (ORDER BY recorded) AS n FROM events
      WHERE platform_id = platform AND position IS NULL ORDER BY recorded LIMIT most
    ), stream AS (
      UPDATE event_streams SET last_position = last_position + c.n FROM (SELECT count(*) AS n FROM pending) c
      WHERE platform_id = platform RETURNING last_position - c.n AS base
    ), done AS (
      UPDATE events e SET position = base + pending.n FROM pending CROSS JOIN stream
      WHERE e.platform_id = platform AND e.id = pending.id RETURNING e.id
    ) SELECT count(*) INTO given FROM done;
    CONTINUE WHEN given = 0;
    numbered := numbered + given;
    PERFORM pg_notify('events', platform::text);
  END LOOP;
  RETURN numbered;
END $$;

-- Takes one step: adds a partition of `days` days that is needed within three days, or drops one that is over for `kept_days` days, or deletes
-- from the rest what is as old, of one platform. Returns whether there may be more to do. It gives up after a tenth of a second without its locks,
-- and leaves the step to the next call, so that nobody waits behind it for longer.
CREATE OR REPLACE FUNCTION keep_partitions(parent regclass, kept_days int, days int DEFAULT 1) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  rest text := (SELECT format('partitions.%I', relname || '_rest') FROM pg_class WHERE oid = parent);
  key text := (SELECT quote_ident(attname) FROM pg_partitioned_table
    JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0] WHERE partrelid = parent);
  due date;
  old text;
  is_taken boolean;
  platform uuid;
  deleted bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('keep_partitions')) THEN
    RETURN false;
  END IF;
  FOR due IN SELECT DISTINCT first_day(today + n, days) AS day FROM generate_series(0, 3) n ORDER BY day LOOP
    CONTINUE WHEN to_regclass(partition_of_day(parent, due)) IS NOT NULL;
    -- Rows that came when there was no partition for them stay in the rest. Moving them would lock the table for as long as that takes.
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM %s WHERE %s >= %L AND %s < %L)',
      rest, key, start_of_day(parent, due), key, start_of_day(parent, due + days)) INTO is_taken;
    IF NOT is_taken THEN
      PERFORM add_partition(parent, due, days);
      RETURN true;
    END IF;
  END LOOP;
  SELECT inhrelid::regclass::text INTO old FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = parent AND relname ~ '_\d{8}$' AND to_date(right(relname, 8), 'YYYYMMDD') + days <= today - kept_days ORDER BY relname LIMIT 1;
  IF old IS NOT NULL THEN
    EXECUTE format('DROP TABLE %s', old);
    deleted := 1;
  ELSE
    due := first_day(today - kept_days, days);
    EXECUTE format('SELECT platform_id FROM %s WHERE %s < %L LIMIT 1', rest, key, start_of_day(parent, due)) INTO platform;
    EXECUTE format('DELETE FROM %s WHERE platform_id = %L AND ctid = ANY (ARRAY(SELECT ctid FROM %1$s WHERE platform_id = %2$L AND %s < %L LIMIT 10000))',
      rest, platform, key, start_of_day(parent, due));
    GET DIAGNOSTICS deleted = ROW_COUNT;
  END IF;
  IF deleted > 0 THEN
    -- No trigger sees it, and reads at replicas depend on it.
    INSERT INTO platform_changes (platform_id, change)
      SELECT '00000000-0000-0000-0000-000000000000', pg_current_xact_id() FROM change_periods ON CONFLICT DO NOTHING;
  END IF;
  RETURN deleted > 0;
EXCEPTION WHEN lock_not_available OR check_violation THEN
  -- A violation: such a row has just come into the rest.
  RETURN false;
END $$;

-- A migration calls it for a new table with `platform_id`, before it gives the table foreign keys: in a distributed database the table must be
-- distributed before. In any other database it does nothing.
CREATE FUNCTION belongs_to_platforms(new_table regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  is_distributed boolean := false;
BEGIN
  IF to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL THEN
    EXECUTE 'SELECT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = ''customers''::regclass)' INTO is_distributed;
  END IF;
  IF is_distributed THEN
    EXECUTE 'SELECT create_distributed_table($1, ''platform_id'', colocate_with => ''customers'')' USING new_table;
  END IF;
END $$;

-- As before, but without a function that takes a row: the rows of a part of a distributed table have a type of their own.
CREATE OR REPLACE FUNCTION record_transaction_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  what text := CASE TG_ARGV[0]
    WHEN 'refund' THEN NEW.type::text || '_PAYMENT.REFUND_' || NEW.refund_status::text
    ELSE payment_event(NEW.type, NEW.status) END;
  kind text := CASE WHEN NEW.type = 'CARD' THEN 'CardTransaction' ELSE 'Transaction' END;
  step_of smallint;
  snapshot jsonb;
BEGIN
  IF what IS NULL OR events_are_off() THEN
    RETURN NULL;
  END IF;
  IF TG_ARGV[0] = 'new' THEN
    step_of := 1;
  ELSIF TG_ARGV[0] = 'status' THEN
    SELECT max(sequence) INTO step_of FROM transaction_state_changes WHERE platform_id = NEW.platform_id AND transaction_id = NEW.id;
  END IF;
  snapshot := jsonb_strip_nulls(to_jsonb(NEW))
    - '{source_party,destination_party,headline_amount,headline_currency,counterparty_name,receiver_customer_info}'::text[];
  IF num_nonnulls(NEW.source_funding, NEW.requested_receiver_customer_info_fields, NEW.counterparty_information, NEW.payment_instructions,
    NEW.rate_details) > 0 THEN
    snapshot := snapshot || coalesce(snapshot_of(jsonb_build_object('source_funding', NEW.source_funding,
      'requested_receiver_customer_info_fields', NEW.requested_receiver_customer_info_fields,
      'counterparty_information', NEW.counterparty_information, 'payment_instructions', NEW.payment_instructions,
      'rate_details', NEW.rate_details)), '{}'::jsonb);
  END IF;
  INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, agent_id, step, snapshot)
    VALUES (NEW.platform_id, what::event_type, kind, NEW.id,
      NEW.customer_id, NEW.agent_id, step_of, snapshot);
  RETURN NULL;
END $$;

-- As before, but the queue of jobs is named only if there is a job for it: a node of a distributed database may have none.
CREATE OR REPLACE FUNCTION recheck_verification() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
  verification uuid;
BEGIN
  FOR verification IN
    SELECT id FROM verifications
    WHERE platform_id = (changed ->> 'platform_id')::uuid AND customer_id = (changed ->> TG_ARGV[0])::uuid
      AND verification_status IN ('RESOLVE_ERRORS', 'READY_FOR_VERIFICATION')
  LOOP
    PERFORM graphile_worker.add_job('recheckVerification',
      json_build_object('platformId', changed ->> 'platform_id', 'verificationId', verification),
      job_key => 'recheck ' || (changed ->> 'platform_id') || ' ' || verification);
  END LOOP;
  RETURN NULL;
END $$;
