-- One gateway at a time numbers events. Commits with a notification wait for each other in the whole server, so a gateway that numbered the
-- events of another platform waited until the first one was on disk.

-- Numbers the events of the platforms after `reached`, at most `most` in all, and leaves out platforms that another call is numbering. While
-- another gateway is in this function, it numbers none. Returns how many it has numbered, whether it may have left out some, and the platform
-- after which the next call continues: null at the end.
CREATE OR REPLACE FUNCTION number_events(most integer, INOUT reached uuid, OUT numbered bigint, OUT is_incomplete boolean)
  LANGUAGE plpgsql AS $$
DECLARE
  given bigint;
BEGIN
  numbered := 0;
  is_incomplete := false;
  -- Held until the commit is on disk.
  IF NOT pg_try_advisory_xact_lock(hashtext('number_events')) THEN
    reached := NULL;
    is_incomplete := true;
    RETURN;
  END IF;
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
