-- Imports of customers from CSV files (docs/domain/customers.md#bulk-import).

CREATE TYPE bulk_job_status AS ENUM ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED');

CREATE TABLE bulk_jobs (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  status bulk_job_status NOT NULL,
  -- The file, until the import ends.
  upload_id uuid,
  -- Rows. The job goes on after those that are processed.
  total int NOT NULL DEFAULT 0,
  processed int NOT NULL DEFAULT 0,
  successful int NOT NULL DEFAULT 0,
  failed int NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  completed_at timestamptz(3),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, upload_id) REFERENCES uploads (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT bulk_jobs_counts CHECK (successful >= 0 AND failed >= 0 AND successful + failed = processed AND processed <= total),
  CONSTRAINT bulk_jobs_ends CHECK ((status IN ('COMPLETED', 'FAILED')) = (completed_at IS NOT NULL)),
  CONSTRAINT bulk_jobs_file CHECK ((upload_id IS NULL) = (completed_at IS NOT NULL))
);
CREATE INDEX bulk_jobs_of_upload ON bulk_jobs (platform_id, upload_id) WHERE upload_id IS NOT NULL;

CREATE TABLE bulk_job_errors (
  platform_id uuid NOT NULL,
  job_id uuid NOT NULL,
  -- 1 to 1000, in the order of the rows.
  number int NOT NULL CHECK (number BETWEEN 1 AND 1000),
  correlation_id text NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  details jsonb NOT NULL,
  PRIMARY KEY (platform_id, job_id, number),
  FOREIGN KEY (platform_id, job_id) REFERENCES bulk_jobs (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);

ALTER TABLE uploads DROP CONSTRAINT uploads_media_type_check,
  ADD CONSTRAINT uploads_media_type_check CHECK (media_type IN ('application/pdf', 'image/jpeg', 'image/png', 'text/csv'));

CREATE FUNCTION record_bulk_job_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, snapshot)
      VALUES (NEW.platform_id, ('BULK_UPLOAD.' || NEW.status::text)::event_type, 'BulkJob', NEW.id, snapshot_of(to_jsonb(NEW)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER bulk_jobs_event AFTER UPDATE OF status ON bulk_jobs FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status IN ('COMPLETED', 'FAILED')) EXECUTE FUNCTION record_bulk_job_event();
