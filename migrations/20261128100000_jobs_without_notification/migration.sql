-- A commit that sent a notification holds a lock of the whole server until it is on disk, so payments would wait for each other. A gateway
-- wakes its own workers after a commit. Those of the others poll.
CREATE OR REPLACE FUNCTION add_job(task text, payload json, run_at timestamptz DEFAULT now(), queue text DEFAULT NULL, key text DEFAULT NULL)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF has_job_outbox() AND payload ->> 'platformId' IS NOT NULL THEN
    INSERT INTO job_outbox (platform_id, task, payload, run_at, queue, key)
      VALUES ((payload ->> 'platformId')::uuid, task, payload, run_at, queue, key);
    RETURN;
  END IF;
  IF queue IS NULL AND key IS NULL THEN
    INSERT INTO graphile_worker._private_jobs (task_id, payload, run_at)
      SELECT known.id, add_job.payload, add_job.run_at FROM graphile_worker._private_tasks known WHERE known.identifier = task;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  PERFORM graphile_worker.add_job(task, payload, queue_name => queue, run_at => run_at, job_key => key);
END $$;
