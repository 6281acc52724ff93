-- Which transactions have changed something for which platform, so that a read knows how far a replica must be (docs/scale.md#replicas).
-- Nothing is recorded until `track_changes` creates the triggers.
--
-- Both tables are unlogged: after a crash of the server and after a failover they are empty, and no gateway relies on what it read before.
CREATE UNLOGGED TABLE platform_changes (
  -- Zero if the change concerns every platform.
  platform_id uuid NOT NULL,
  change xid8 NOT NULL,
  PRIMARY KEY (platform_id, change)
);

-- One row while changes are recorded. Records are complete within a period. When its id differs from before, some may be missing.
CREATE UNLOGGED TABLE change_periods (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  begun_at timestamptz(3) NOT NULL DEFAULT now()
);

CREATE FUNCTION record_platform_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO platform_changes (platform_id, change)
  SELECT DISTINCT coalesce(platform_id, '00000000-0000-0000-0000-000000000000'), pg_current_xact_id() FROM changed
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION record_changes_of_platforms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO platform_changes (platform_id, change)
  SELECT id, pg_current_xact_id() FROM changed
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION record_common_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO platform_changes (platform_id, change)
  SELECT '00000000-0000-0000-0000-000000000000', pg_current_xact_id() FROM changed LIMIT 1
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

-- Records the changes of every table from now on, except those that no caller reads. Each trigger waits for the transactions that are writing
-- to its table, so only one table is locked at a time.
CREATE PROCEDURE track_changes() LANGUAGE plpgsql AS $$
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
    WHERE tracked.relkind = 'r' AND tracked.relnamespace = current_schema()::regnamespace
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

-- For databases that no longer have replicas. Gateways with replicas track changes again when they start.
CREATE PROCEDURE untrack_changes() LANGUAGE plpgsql AS $$
DECLARE
  present record;
BEGIN
  DELETE FROM change_periods;
  COMMIT;
  FOR present IN
    SELECT tgname AS name, tgrelid::regclass AS of FROM pg_trigger
    WHERE tgfoid IN ('record_platform_changes'::regproc, 'record_changes_of_platforms'::regproc, 'record_common_changes'::regproc)
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', present.name, present.of);
    COMMIT;
  END LOOP;
  DELETE FROM platform_changes;
END $$;
