-- Snapshots are completed by src/events/snapshots.ts.
DROP FUNCTION whole_snapshot(text, jsonb, jsonb);
