-- A platform may lack a type, a direction of a type, or hardly have it: the list of the platform would be read to its end to find no such rows.
-- With both before the time a page merges one range for each kind that is asked for. What was indexed of this was only what is unusual,
-- and what is usual for most platforms may be what one lacks.

CREATE INDEX transactions_of_kind ON transactions (platform_id, type, direction, created_at DESC, id DESC, status);
DROP INDEX transactions_in_unusual_direction;
