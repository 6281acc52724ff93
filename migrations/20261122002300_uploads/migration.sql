-- Files that clients send (docs/domain/verification.md#files).

CREATE TYPE upload_state AS ENUM ('EXPECTED', 'RECEIVING', 'READY', 'KEPT');

CREATE TABLE uploads (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  -- EXPECTED: its address was given out. KEPT: something refers to it.
  state upload_state NOT NULL,
  -- Of a staged upload.
  expected_size int CHECK (expected_size > 0),
  -- The key of its chunks.
  sealed_key bytea,
  size int CHECK (size > 0),
  sha256 bytea CHECK (length(sha256) = 32),
  -- By its bytes.
  media_type text CHECK (media_type IN ('application/pdf', 'image/jpeg', 'image/png')),
  -- It is deleted then, unless it is KEPT.
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  CONSTRAINT uploads_key CHECK ((state = 'EXPECTED') = (sealed_key IS NULL)),
  CONSTRAINT uploads_expected CHECK (state <> 'EXPECTED' OR expected_size IS NOT NULL),
  CONSTRAINT uploads_received CHECK (num_nonnulls(size, sha256, media_type) = CASE WHEN state IN ('READY', 'KEPT') THEN 3 ELSE 0 END)
);
CREATE INDEX uploads_unused ON uploads (expires_at) WHERE state <> 'KEPT';

CREATE TABLE upload_chunks (
  platform_id uuid NOT NULL,
  upload_id uuid NOT NULL,
  number int NOT NULL CHECK (number >= 0),
  -- Up to 256 KiB, sealed, with a tag of 16 bytes.
  body bytea NOT NULL CHECK (length(body) BETWEEN 16 AND 262160),
  PRIMARY KEY (platform_id, upload_id, number),
  FOREIGN KEY (platform_id, upload_id) REFERENCES uploads (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
-- What is sealed cannot be compressed.
ALTER TABLE upload_chunks ALTER COLUMN body SET STORAGE EXTERNAL;
