-- Answers are given again byte for byte, and a call that dies before it could answer leaves word of what it has done.

DELETE FROM idempotent_replies;
ALTER TABLE idempotent_replies
  ALTER COLUMN body TYPE text USING body::text,
  ADD COLUMN attempt uuid NOT NULL,
  ADD COLUMN made text,
  ADD CONSTRAINT idempotent_replies_scope_is_sha256 CHECK (scope ~ '^[0-9a-f]{64}$'),
  ADD CONSTRAINT idempotent_replies_whole_answer CHECK ((status IS NULL) = (body IS NULL));
