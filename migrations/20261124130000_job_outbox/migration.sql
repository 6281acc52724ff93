-- In a distributed database, jobs wait in an outbox beside the rows of their platform, so that money and its job are one commit on one node.
-- From there a gateway takes them to the queue at the coordinator (docs/scale.md#jobs-on-citus). Elsewhere they go to the queue at once.
CREATE TABLE job_outbox (
  platform_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  task text NOT NULL,
  payload json NOT NULL,
  run_at timestamptz NOT NULL,
  queue text,
  key text,
  PRIMARY KEY (platform_id, id)
);
SELECT belongs_to_platforms('job_outbox');

-- Jobs that have been taken to the queue, and may still be in the outbox. It is beside the queue.
CREATE TABLE taken_jobs (
  id uuid PRIMARY KEY
);

-- A distribution replaces it by one that returns true.
CREATE FUNCTION has_job_outbox() RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT false';

-- Adds a job, which becomes visible when the transaction commits. It can be called on the node of the platform.
CREATE FUNCTION add_job(task text, payload json, run_at timestamptz DEFAULT now(), queue text DEFAULT NULL, key text DEFAULT NULL)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF has_job_outbox() AND payload ->> 'platformId' IS NOT NULL THEN
    INSERT INTO job_outbox (platform_id, task, payload, run_at, queue, key)
      VALUES ((payload ->> 'platformId')::uuid, task, payload, run_at, queue, key);
  ELSE
    PERFORM graphile_worker.add_job(task, payload, queue_name => queue, run_at => run_at, job_key => key);
  END IF;
END $$;

-- Takes up to `most` jobs from the outbox to the queue. Returns the ids of those that may be deleted from the outbox after the commit. A job that
-- was not deleted, because of a crash, is returned again, but not added again.
CREATE FUNCTION take_jobs(most integer) RETURNS TABLE (of_platform uuid, job uuid) LANGUAGE plpgsql AS $$
DECLARE
  taken uuid[];
  present uuid[];
  waiting record;
BEGIN
  -- If a crash took a job back from the queue, it would be nowhere.
  PERFORM set_config('synchronous_commit', 'on', true);
  -- Nobody forgets a taken job between our look into the outbox and our look at the taken ones.
  PERFORM pg_advisory_xact_lock(hashtext('job_outbox'));
  taken := ARRAY(SELECT id FROM taken_jobs);
  IF taken <> '{}' THEN
    present := ARRAY(SELECT id FROM job_outbox WHERE id = ANY (taken));
    DELETE FROM taken_jobs WHERE id = ANY (taken) AND id <> ALL (present);
  END IF;
  FOR waiting IN SELECT * FROM job_outbox ORDER BY run_at, id LIMIT most LOOP
    INSERT INTO taken_jobs (id) VALUES (waiting.id) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      PERFORM graphile_worker.add_job(waiting.task, waiting.payload, queue_name => waiting.queue, run_at => waiting.run_at, job_key => waiting.key);
    END IF;
    of_platform := waiting.platform_id;
    job := waiting.id;
    RETURN NEXT;
  END LOOP;
END $$;

-- As before, but the job may wait in the outbox.
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
    PERFORM add_job('recheckVerification', json_build_object('platformId', changed ->> 'platform_id', 'verificationId', verification),
      key => 'recheck ' || (changed ->> 'platform_id') || ' ' || verification);
  END LOOP;
  RETURN NULL;
END $$;
