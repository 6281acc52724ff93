-- Gateways number events without waiting for each other, and find the platforms with new events for webhooks without comparing all endpoints.

-- The positions up to which events may lack their deliveries, for platforms with an endpoint. Numbering adds them, and planning deletes them.
CREATE TABLE events_to_plan (
  platform_id uuid NOT NULL,
  position bigint NOT NULL,
  PRIMARY KEY (platform_id, position)
);
SELECT belongs_to_platforms('events_to_plan');

-- Gives the committed events of a platform their positions, at most `most`. Returns how many have got one. While another call numbers the
-- same platform, it waits or returns null. Needs READ COMMITTED.
CREATE FUNCTION number_events_of(platform uuid, most integer, waits boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  given bigint;
BEGIN
  -- A position that a crash takes back would be given twice.
  PERFORM set_config('synchronous_commit', 'on', true);
  -- The next statement sees all that was committed before the lock was had.
  IF waits THEN
    PERFORM FROM event_streams WHERE platform_id = platform FOR NO KEY UPDATE;
  ELSE
    PERFORM FROM event_streams WHERE platform_id = platform FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
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
  IF given > 0 THEN
    INSERT INTO events_to_plan (platform_id, position)
      SELECT s.platform_id, s.last_position FROM event_streams s JOIN webhook_endpoints e ON e.platform_id = s.platform_id
      WHERE s.platform_id = platform AND e.status <> 'DISABLED';
    PERFORM pg_notify('events', platform::text);
  END IF;
  RETURN given;
END $$;

-- Numbers the events of the platforms after `reached`, at most `most` in all, and leaves out platforms that another call is numbering. Returns
-- how many it has numbered, whether it has left out platforms, and the platform after which the next call continues: null at the end.
CREATE FUNCTION number_events(most integer, INOUT reached uuid, OUT numbered bigint, OUT is_incomplete boolean) LANGUAGE plpgsql AS $$
DECLARE
  given bigint;
BEGIN
  numbered := 0;
  is_incomplete := false;
  WHILE numbered < most LOOP
    -- One look into the index for each platform.
    SELECT platform_id INTO reached FROM events WHERE position IS NULL AND platform_id > reached ORDER BY platform_id, recorded LIMIT 1;
    EXIT WHEN NOT FOUND;
    given := number_events_of(reached, (most - numbered)::int, false);
    IF given IS NULL THEN
      is_incomplete := true;
    ELSE
      numbered := numbered + given;
    END IF;
  END LOOP;
END $$;

-- For gateways of the release before.
CREATE OR REPLACE FUNCTION number_events(most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  platform uuid;
  previous uuid := '00000000-0000-0000-0000-000000000000';
  numbered bigint := 0;
BEGIN
  FOR n IN 1..100 LOOP
    SELECT platform_id INTO platform FROM events WHERE position IS NULL AND platform_id > previous ORDER BY platform_id, recorded LIMIT 1;
    EXIT WHEN NOT FOUND;
    previous := platform;
    numbered := numbered + number_events_of(platform, most, true);
  END LOOP;
  RETURN numbered;
END $$;

INSERT INTO events_to_plan (platform_id, position)
  SELECT s.platform_id, s.last_position FROM event_streams s JOIN webhook_endpoints e ON e.platform_id = s.platform_id
  WHERE e.status <> 'DISABLED' AND s.last_position > e.position;
