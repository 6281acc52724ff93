-- Open payments by platform: where no provider settles them they stay open for long, and the job that continues stale payments skips them.
CREATE INDEX transactions_open ON transactions (platform_id, updated_at, id)
  WHERE status IN ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') OR refund_status = 'PENDING';
DROP INDEX transactions_open_idx;

-- Quotes whose window is over without having expired, on every platform.
CREATE INDEX quotes_pending_until ON quotes (expires_at, id) WHERE status = 'PENDING';
