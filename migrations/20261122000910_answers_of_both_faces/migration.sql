-- A call over GraphQL keeps its status and the id of what it made: its answer is told anew, over either face.

ALTER TABLE idempotent_replies
  DROP CONSTRAINT idempotent_replies_whole_answer,
  ADD CONSTRAINT idempotent_replies_whole_answer
    CHECK (CASE WHEN status IS NULL THEN body IS NULL ELSE body IS NOT NULL OR made IS NOT NULL END);
