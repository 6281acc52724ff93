-- Counts of the transactions of each account, UMA address, agent and card, of all time. A transaction counts for each of these that it has.

-- Nobody changes transactions while they are counted. Changes of counts that wait to be folded name no parent, because these rows count them.
LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE;

-- No index has the count, so that a fold changes rows in place.
CREATE TABLE parent_transaction_counts (
  platform_id uuid NOT NULL,
  parent_id uuid NOT NULL,
  type transaction_item_type NOT NULL,
  direction transaction_direction NOT NULL,
  status transaction_lifecycle_status NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (platform_id, parent_id, type, direction, status)
);

-- Parties, agents and cards by one value each. The id of an agent is not that of a card or an account.
CREATE FUNCTION agent_as_parent(agent_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN md5('agent ' || agent_id::text)::uuid;
CREATE FUNCTION card_as_parent(card_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN md5('card ' || card_id::text)::uuid;
CREATE FUNCTION parents_of(source_party uuid, destination_party uuid, agent_id uuid, card_id uuid) RETURNS uuid[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN array_remove(ARRAY[source_party, nullif(destination_party, source_party), agent_as_parent(agent_id), card_as_parent(card_id)], NULL);

INSERT INTO parent_transaction_counts
  SELECT platform_id, parent_id, type, direction, status, count(*)
  FROM transactions CROSS JOIN LATERAL unnest(parents_of(source_party, destination_party, agent_id, card_id)) parent_id
  GROUP BY 1, 2, 3, 4, 5;

ALTER TABLE transaction_count_changes ADD COLUMN parent_ids uuid[] NOT NULL DEFAULT '{}';

CREATE OR REPLACE VIEW transaction_count_deltas AS
  SELECT platform_id, customer_id, day, month, type, direction, status, currency, change, amount, parent_ids FROM transaction_count_changes
  UNION ALL
  SELECT platform_id, customer_id, day, month, type, direction, left_status, currency, -change, -amount, parent_ids FROM transaction_count_changes
    WHERE left_status IS NOT NULL;

-- As before, with the parents.
CREATE OR REPLACE FUNCTION append_transaction_count_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR changed IN
      SELECT platform_id, customer_id, parents_of(source_party, destination_party, agent_id, card_id) AS parent_ids,
        utc_day(created_at) AS day, type, direction, status, headline_currency, count(*) AS n, sum(headline_amount) AS amount
      FROM added GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, parent_ids, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.parent_ids, changed.day, changed.type, changed.direction, changed.status,
          changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR changed IN
      SELECT platform_id, customer_id, parents_of(source_party, destination_party, agent_id, card_id) AS parent_ids,
        utc_day(created_at) AS day, type, direction, status, headline_currency, -count(*) AS n, -sum(headline_amount) AS amount
      FROM removed GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, parent_ids, day, type, direction, status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.parent_ids, changed.day, changed.type, changed.direction, changed.status,
          changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  ELSE
    FOR changed IN
      SELECT a.platform_id, a.customer_id, parents_of(a.source_party, a.destination_party, a.agent_id, a.card_id) AS parent_ids,
        utc_day(a.created_at) AS day, a.type, a.direction, a.status, r.status AS left_status, a.headline_currency,
        count(*) AS n, sum(a.headline_amount) AS amount
      FROM added a JOIN removed r ON r.platform_id = a.platform_id AND r.id = a.id
      WHERE r.status <> a.status
        AND (a.customer_id, a.source_party, a.destination_party, a.agent_id, a.card_id, utc_day(a.created_at), a.type, a.direction,
          a.headline_currency, a.headline_amount)
        IS NOT DISTINCT FROM (r.customer_id, r.source_party, r.destination_party, r.agent_id, r.card_id, utc_day(r.created_at), r.type, r.direction,
          r.headline_currency, r.headline_amount)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
      UNION ALL
      -- Another change than one of the status.
      SELECT platform_id, customer_id, parents_of(source_party, destination_party, agent_id, card_id), utc_day(created_at), type, direction, status, NULL,
        headline_currency, sum(sign), sum(sign * headline_amount)
      FROM (
        SELECT side.*
        FROM added a JOIN removed r ON r.platform_id = a.platform_id AND r.id = a.id
        CROSS JOIN LATERAL (VALUES
          (a.platform_id, a.customer_id, a.source_party, a.destination_party, a.agent_id, a.card_id, a.created_at, a.type, a.direction, a.status,
            a.headline_currency, a.headline_amount, 1),
          (r.platform_id, r.customer_id, r.source_party, r.destination_party, r.agent_id, r.card_id, r.created_at, r.type, r.direction, r.status,
            r.headline_currency, r.headline_amount, -1)
        ) side (platform_id, customer_id, source_party, destination_party, agent_id, card_id, created_at, type, direction, status, headline_currency,
          headline_amount, sign)
        WHERE (a.customer_id, a.source_party, a.destination_party, a.agent_id, a.card_id, utc_day(a.created_at), a.type, a.direction,
            a.headline_currency, a.headline_amount)
          IS DISTINCT FROM (r.customer_id, r.source_party, r.destination_party, r.agent_id, r.card_id, utc_day(r.created_at), r.type, r.direction,
            r.headline_currency, r.headline_amount)
      ) both_sides GROUP BY 1, 2, 3, 4, 5, 6, 7, 9 HAVING sum(sign) <> 0 OR sum(sign * headline_amount) <> 0
    LOOP
      INSERT INTO transaction_count_changes (platform_id, customer_id, parent_ids, day, type, direction, status, left_status, currency, change, amount)
        VALUES (changed.platform_id, changed.customer_id, changed.parent_ids, changed.day, changed.type, changed.direction, changed.status,
          changed.left_status, changed.headline_currency, changed.n, changed.amount);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;

-- As before, with the parents. A status that a payment has left again by now adds no row.
CREATE OR REPLACE FUNCTION fold_transaction_counts(most bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  folded bigint := 0;
  moved bigint;
  platform uuid;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('fold_transaction_counts')) THEN
    RETURN 0;
  END IF;
  FOR platform IN SELECT DISTINCT platform_id FROM (SELECT platform_id FROM transaction_count_changes LIMIT most) waiting
    LIMIT CASE WHEN most IS NULL THEN NULL ELSE 1000 END
  LOOP
    WITH gone AS (
      DELETE FROM transaction_count_changes WHERE platform_id = platform AND ctid = ANY (
        ARRAY(SELECT ctid FROM transaction_count_changes WHERE platform_id = platform LIMIT most - folded)) RETURNING *
    ), deltas AS (
      SELECT platform_id, customer_id, day, month, type, direction, status, currency, change, amount, parent_ids FROM gone
      UNION ALL
      SELECT platform_id, customer_id, day, month, type, direction, left_status, currency, -change, -amount, parent_ids FROM gone WHERE left_status IS NOT NULL
    ), of_platform AS (
      INSERT INTO platform_transaction_counts AS counts
        SELECT platform_id, month, type, direction, status, sum(change) FROM deltas GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
        ON CONFLICT (platform_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_customer AS (
      INSERT INTO customer_transaction_counts AS counts
        SELECT platform_id, customer_id, month, type, direction, status, sum(change) FROM deltas WHERE customer_id IS NOT NULL
        GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0
        ON CONFLICT (platform_id, customer_id, month, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_parent AS (
      INSERT INTO parent_transaction_counts AS counts
        SELECT platform_id, parent_id, type, direction, status, sum(change) FROM deltas CROSS JOIN LATERAL unnest(parent_ids) parent_id
        GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
        ON CONFLICT (platform_id, parent_id, type, direction, status) DO UPDATE SET count = counts.count + excluded.count
    ), of_day AS (
      INSERT INTO platform_transaction_days AS days
        SELECT platform_id, day, type, direction, status, currency, sum(change), sum(amount) FROM deltas
        GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0 OR sum(amount) <> 0
        ON CONFLICT (platform_id, day, type, direction, status, currency)
        DO UPDATE SET count = days.count + excluded.count, amount = days.amount + excluded.amount
    )
    SELECT count(*) INTO moved FROM gone;
    folded := folded + moved;
    EXIT WHEN folded >= most;
  END LOOP;
  RETURN folded;
END $$;
