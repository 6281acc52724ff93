-- The names in which processes hold jobs. Each process renews its rows every second.
CREATE TABLE job_holders (
  holder text PRIMARY KEY,
  backend_pid int NOT NULL,
  backend_start timestamptz NOT NULL,
  renewed_at timestamptz NOT NULL
) WITH (fillfactor = 50);
