-- The twenty requests that an account may have pending are found in the same time, however many it has used.
DROP INDEX signed_requests_platform_id_account_id_created_at_idx;
CREATE INDEX signed_requests_pending ON signed_requests (platform_id, account_id, created_at, id) WHERE consumed_at IS NULL;
