-- Rows that matter for a day are stored by day, and whole days are dropped instead of deleted (docs/scale.md#retention).

-- Holds the parts of the tables of `public`: <table>_<day>, and <table>_rest for what belongs to no day that has a partition.
CREATE SCHEMA partitions;

-- The smallest UUID of version 7 that begins with this time.
CREATE FUNCTION first_uuid_at(at timestamptz) RETURNS uuid LANGUAGE sql STABLE
  RETURN (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

-- Where a day begins in the key by which a table is divided: a date, or a UUID of version 7, which begins with its time.
CREATE FUNCTION start_of_day(parent regclass, day date) RETURNS text LANGUAGE sql STABLE
  RETURN (SELECT CASE atttypid WHEN 'date'::regtype THEN day::text WHEN 'uuid'::regtype THEN first_uuid_at(day::timestamp AT TIME ZONE 'UTC')::text END
    FROM pg_partitioned_table JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0] WHERE partrelid = parent);

CREATE FUNCTION partition_of_day(parent regclass, day date) RETURNS text LANGUAGE sql STABLE
  RETURN (SELECT format('partitions.%I', relname || to_char(day, '_YYYYMMDD')) FROM pg_class WHERE oid = parent);

-- The partition that begins with this day.
CREATE FUNCTION add_partition(parent regclass, day date, days int DEFAULT 1) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %s PARTITION OF %s FOR VALUES FROM (%L) TO (%L)',
    partition_of_day(parent, day), parent, start_of_day(parent, day), start_of_day(parent, day + days));
END $$;

-- The first day of the partition that holds this day, if each holds so many. Weeks begin on Monday.
CREATE FUNCTION first_day(day date, days int) RETURNS date LANGUAGE sql IMMUTABLE RETURN day - (day - '2001-01-01'::date) % days;

-- Takes one step: adds a partition of `days` days that is needed within three days, or drops one that is over for `kept_days` days, or deletes
-- from the rest what is as old. Returns whether there may be more to do. It gives up after a tenth of a second without its locks, and leaves the step to the
-- next call, so that nobody waits behind it for longer.
CREATE FUNCTION keep_partitions(parent regclass, kept_days int, days int DEFAULT 1) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  rest text := (SELECT format('partitions.%I', relname || '_rest') FROM pg_class WHERE oid = parent);
  key text := (SELECT quote_ident(attname) FROM pg_partitioned_table
    JOIN pg_attribute ON attrelid = partrelid AND attnum = partattrs[0] WHERE partrelid = parent);
  due date;
  old text;
  is_taken boolean;
  deleted bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('keep_partitions')) THEN
    RETURN false;
  END IF;
  FOR due IN SELECT DISTINCT first_day(today + n, days) AS day FROM generate_series(0, 3) n ORDER BY day LOOP
    CONTINUE WHEN to_regclass(partition_of_day(parent, due)) IS NOT NULL;
    -- Rows that came when there was no partition for them stay in the rest. Moving them would lock the table for as long as that takes.
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s >= %L AND %s < %L)',
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
    EXECUTE format('DELETE FROM %s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %s WHERE %s < %L LIMIT 10000))',
      rest, rest, key, start_of_day(parent, first_day(today - kept_days, days)));
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

-- From now on triggers belong to a whole table, and not to its parts.
CREATE OR REPLACE PROCEDURE track_changes() LANGUAGE plpgsql AS $$
DECLARE
  missing record;
BEGIN
  FOR missing IN
    SELECT tracked.oid::regclass AS name, kind.event, kind.side, 'track_' || kind.event AS trigger,
      CASE WHEN EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = tracked.oid AND attname = 'platform_id' AND NOT attisdropped
      ) THEN 'record_platform_changes' WHEN tracked.relname = 'platforms' THEN 'record_changes_of_platforms'
      ELSE 'record_common_changes' END AS record
    FROM pg_class tracked CROSS JOIN (VALUES ('insert', 'new'), ('update', 'new'), ('delete', 'old')) kind (event, side)
    WHERE tracked.relkind IN ('r', 'p') AND NOT tracked.relispartition AND tracked.relnamespace = current_schema()::regnamespace
      AND tracked.relname NOT IN ('platform_changes', 'change_periods', '_prisma_migrations', 'job_holders', 'device_code_redeems', 'spent_nodes')
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = tracked.oid AND tgname = 'track_' || kind.event)
  LOOP
    EXECUTE format(
      'CREATE TRIGGER %I AFTER %s ON %s REFERENCING %s TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION %I()',
      missing.trigger, missing.event, missing.name, missing.side, missing.record);
    COMMIT;
  END LOOP;
  INSERT INTO change_periods DEFAULT VALUES ON CONFLICT DO NOTHING;
END $$;

-- ── The tables. The former release may still write to them. Their names are free once they are in the other schema. ──

LOCK TABLE idempotent_replies, oidc_token_uses, uma_nonces, sent_codes IN ACCESS EXCLUSIVE MODE;
ALTER TABLE idempotent_replies SET SCHEMA partitions;
ALTER TABLE oidc_token_uses SET SCHEMA partitions;
ALTER TABLE uma_nonces SET SCHEMA partitions;
ALTER TABLE sent_codes SET SCHEMA partitions;

CREATE TABLE idempotent_replies (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  scope text NOT NULL,
  -- Of created_at, in UTC. A claim looks into the days beside it, too, while it holds the lock of its scope.
  day date NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  attempt uuid NOT NULL,
  made text,
  status smallint,
  body text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, scope, day),
  CONSTRAINT idempotent_replies_scope_is_sha256 CHECK (scope ~ '^[0-9a-f]{64}$'),
  CONSTRAINT idempotent_replies_whole_answer
    CHECK (CASE WHEN status IS NULL THEN body IS NULL ELSE body IS NOT NULL OR made IS NOT NULL END)
) PARTITION BY RANGE (day);

CREATE TABLE oidc_token_uses (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  token_hash bytea NOT NULL,
  -- When the token was issued, which it says itself: a repeated use has the same day.
  day date NOT NULL,
  PRIMARY KEY (platform_id, token_hash, day)
) PARTITION BY RANGE (day);

CREATE TABLE uma_nonces (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  domain text NOT NULL,
  nonce text NOT NULL,
  -- When the message was signed, which its signature covers: a repeated message has the same day.
  day date NOT NULL,
  PRIMARY KEY (platform_id, domain, nonce, day)
) PARTITION BY RANGE (day);

CREATE TABLE sent_codes (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  address text NOT NULL,
  sent_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (platform_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX sent_codes_by_address ON sent_codes (platform_id, lower(address), sent_at);

CREATE TABLE partitions.idempotent_replies_rest PARTITION OF idempotent_replies DEFAULT;
CREATE TABLE partitions.oidc_token_uses_rest PARTITION OF oidc_token_uses DEFAULT;
CREATE TABLE partitions.uma_nonces_rest PARTITION OF uma_nonces DEFAULT;
CREATE TABLE partitions.sent_codes_rest PARTITION OF sent_codes DEFAULT;
SELECT add_partition(parent, (now() AT TIME ZONE 'UTC')::date + n)
  FROM unnest('{idempotent_replies,oidc_token_uses,uma_nonces,sent_codes}'::regclass[]) parent, generate_series(-1, 3) n;

INSERT INTO idempotent_replies (platform_id, scope, day, fingerprint, attempt, made, status, body, created_at)
  SELECT platform_id, scope, (created_at AT TIME ZONE 'UTC')::date, fingerprint, attempt, made, status, body, created_at
  FROM partitions.idempotent_replies WHERE created_at > now() - interval '24 hours';
-- It was accepted 120 seconds before `expires_at`, at most 66 seconds after it was issued. Near midnight that may be either day.
INSERT INTO oidc_token_uses (platform_id, token_hash, day)
  SELECT DISTINCT platform_id, token_hash, ((expires_at - age) AT TIME ZONE 'UTC')::date
  FROM partitions.oidc_token_uses, unnest('{115 seconds,186 seconds}'::interval[]) age WHERE expires_at > now() - interval '1 day';
-- Accepted 600 seconds before `expires_at`, at most 300 seconds before or after it was signed.
INSERT INTO uma_nonces (platform_id, domain, nonce, day)
  SELECT DISTINCT platform_id, domain, nonce, ((expires_at - age) AT TIME ZONE 'UTC')::date
  FROM partitions.uma_nonces, unnest('{300 seconds,900 seconds}'::interval[]) age WHERE expires_at > now() - interval '1 day';
INSERT INTO sent_codes (platform_id, id, address, sent_at)
  SELECT platform_id, id, address, sent_at FROM partitions.sent_codes WHERE sent_at > now() - interval '1 day';

DROP TABLE partitions.idempotent_replies, partitions.oidc_token_uses, partitions.uma_nonces, partitions.sent_codes;
