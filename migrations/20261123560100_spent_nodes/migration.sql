-- What callers have left of their nodes per minute, for all processes together. Unlogged: losing it costs a minute's exactness.
CREATE UNLOGGED TABLE spent_nodes (
  platform_id uuid NOT NULL,
  -- An API token or an agent.
  caller_id uuid NOT NULL,
  left_nodes float8 NOT NULL,
  -- When that many were left.
  at timestamptz NOT NULL,
  PRIMARY KEY (platform_id, caller_id)
);
CREATE INDEX spent_nodes_age ON spent_nodes (at);
