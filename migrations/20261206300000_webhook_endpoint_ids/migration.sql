-- The id of an endpoint that is set. The row of a removed one keeps its keys, but no client can find it.
ALTER TABLE webhook_endpoints ADD COLUMN id uuid GENERATED ALWAYS AS (CASE WHEN url IS NOT NULL THEN platform_id END) STORED;
