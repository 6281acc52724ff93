-- A position makes a new version of the row, with an entry in each index. So each index costs a payment five to ten entries.

-- The ids of events begin with their times, so the primary key finds a range of time (src/events/list.ts).
DROP INDEX events_by_time;

-- Only the trigger that records a step can write its event twice, in the transaction of the step. So the index needs no events that have their
-- position. The primary key of transaction_state_changes keeps the steps themselves apart.
CREATE UNIQUE INDEX events_one_per_pending_step ON events (platform_id, object_id, type, step) WHERE step IS NOT NULL AND position IS NULL;
DROP INDEX events_one_per_step;
