-- The payments that are not at their end, by when they last changed: those that nothing drives any more are found among them.

CREATE INDEX transactions_open_idx ON transactions (updated_at)
  WHERE status IN ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING') OR refund_status = 'PENDING';
