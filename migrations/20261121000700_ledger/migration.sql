-- CreateEnum
CREATE TYPE "ledger_movement_kind" AS ENUM ('OPENING', 'FUNDING', 'PAYMENT', 'REFUND');

-- CreateEnum
CREATE TYPE "ledger_book" AS ENUM ('OUTSIDE', 'FEES', 'EXCHANGE');

-- CreateTable
CREATE TABLE "ledger_movements" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "ledger_movement_kind" NOT NULL,
    "transaction_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_movements_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "platform_id" UUID NOT NULL,
    "movement_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "account_id" UUID,
    "book" "ledger_book",
    "currency" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("platform_id","movement_id","position")
);

-- CreateTable
CREATE TABLE "ledger_holds" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "transaction_id" UUID,
    "amount" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "ledger_holds_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "internal_accounts_platform_id_id_currency_key" ON "internal_accounts"("platform_id", "id", "currency");

-- CreateIndex
CREATE INDEX "ledger_movements_platform_id_transaction_id_idx" ON "ledger_movements"("platform_id", "transaction_id");

-- CreateIndex
CREATE INDEX "ledger_entries_platform_id_account_id_idx" ON "ledger_entries"("platform_id", "account_id");

-- CreateIndex
CREATE INDEX "ledger_holds_platform_id_account_id_idx" ON "ledger_holds"("platform_id", "account_id");

-- CreateIndex
CREATE INDEX "ledger_holds_platform_id_transaction_id_idx" ON "ledger_holds"("platform_id", "transaction_id");

-- AddForeignKey
ALTER TABLE "ledger_movements" ADD CONSTRAINT "ledger_movements_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_movements" ADD CONSTRAINT "ledger_movements_platform_id_transaction_id_fkey" FOREIGN KEY ("platform_id", "transaction_id") REFERENCES "transactions"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_platform_id_movement_id_fkey" FOREIGN KEY ("platform_id", "movement_id") REFERENCES "ledger_movements"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_platform_id_account_id_currency_fkey" FOREIGN KEY ("platform_id", "account_id", "currency") REFERENCES "internal_accounts"("platform_id", "id", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_holds" ADD CONSTRAINT "ledger_holds_platform_id_account_id_fkey" FOREIGN KEY ("platform_id", "account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_holds" ADD CONSTRAINT "ledger_holds_platform_id_transaction_id_fkey" FOREIGN KEY ("platform_id", "transaction_id") REFERENCES "transactions"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ── What a row alone can break ──

ALTER TABLE ledger_entries
  ADD CONSTRAINT ledger_entries_currency_fkey FOREIGN KEY (currency) REFERENCES currencies (code),
  ADD CONSTRAINT ledger_entries_position CHECK (position > 0),
  ADD CONSTRAINT ledger_entries_account_or_book CHECK (num_nonnulls(account_id, book) = 1),
  ADD CONSTRAINT ledger_entries_amount CHECK (amount <> 0 AND abs(amount) <= 9000000000000000);

ALTER TABLE ledger_holds
  ALTER COLUMN amount TYPE amount,
  ADD CONSTRAINT ledger_holds_amount CHECK (amount > 0);

-- ── What accounts held before there was a ledger ──

INSERT INTO ledger_movements (platform_id, id, kind) SELECT platform_id, id, 'OPENING' FROM internal_accounts WHERE total_balance > 0;
INSERT INTO ledger_entries (platform_id, movement_id, position, account_id, book, currency, amount)
  SELECT platform_id, id, position, CASE position WHEN 1 THEN id END, CASE position WHEN 2 THEN 'OUTSIDE' END::ledger_book, currency,
    CASE position WHEN 1 THEN total_balance ELSE -total_balance END
  FROM internal_accounts CROSS JOIN generate_series(1, 2) AS position WHERE total_balance > 0;
INSERT INTO ledger_holds (platform_id, id, account_id, amount)
  SELECT platform_id, gen_random_uuid(), id, total_balance - balance FROM internal_accounts WHERE total_balance > balance;

-- ── Movements and holds make the balances ──

CREATE FUNCTION apply_ledger_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Positions are 1, 2, 3… only in the one statement that writes the movement, so that nothing joins it later.
  IF EXISTS (SELECT FROM added GROUP BY platform_id, movement_id HAVING max(position) <> count(*))
    OR EXISTS (SELECT FROM added GROUP BY platform_id, movement_id, currency HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'A movement is written in one statement, and its entries add up to zero in each currency'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_movements_balanced';
  END IF;
  UPDATE internal_accounts AS account
    SET balance = balance + change, total_balance = total_balance + change, updated_at = greatest(updated_at, at)
    FROM (
      SELECT added.platform_id, account_id, sum(amount)::bigint AS change, max(created_at) AS at
      FROM added JOIN ledger_movements AS movement ON movement.platform_id = added.platform_id AND movement.id = movement_id
      WHERE account_id IS NOT NULL GROUP BY 1, 2
    ) AS changed
    WHERE account.platform_id = changed.platform_id AND account.id = changed.account_id;
  RETURN NULL;
END $$;

CREATE FUNCTION apply_ledger_hold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change bigint := CASE WHEN NEW.released_at IS NULL THEN -NEW.amount ELSE 0 END;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.released_at IS NOT NULL OR NEW.released_at IS NULL OR to_jsonb(OLD) - 'released_at' <> to_jsonb(NEW) - 'released_at' THEN
      RAISE EXCEPTION 'A hold can be released, once, and nothing else' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_holds_released_once';
    END IF;
    change := OLD.amount;
  END IF;
  UPDATE internal_accounts
    SET balance = balance + change, updated_at = greatest(updated_at, NEW.created_at, NEW.released_at)
    WHERE platform_id = NEW.platform_id AND id = NEW.account_id AND change <> 0;
  RETURN NULL;
END $$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;

CREATE TRIGGER ledger_entries_applied AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION apply_ledger_entries();
CREATE TRIGGER ledger_holds_applied AFTER INSERT OR UPDATE ON ledger_holds FOR EACH ROW EXECUTE FUNCTION apply_ledger_hold();

CREATE TRIGGER ledger_movements_stay BEFORE UPDATE OR DELETE ON ledger_movements
  FOR EACH ROW EXECUTE FUNCTION refuse_change('what was moved is moved back by another movement');
CREATE TRIGGER ledger_entries_stay BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change('what was moved is moved back by another movement');
CREATE TRIGGER ledger_holds_stay BEFORE DELETE ON ledger_holds FOR EACH ROW EXECUTE FUNCTION refuse_change('a hold is released');

-- The two functions above write the balances, from within a trigger. Nothing else does.
CREATE TRIGGER internal_accounts_opened_empty BEFORE INSERT ON internal_accounts
  FOR EACH ROW WHEN (NEW.balance <> 0 OR NEW.total_balance <> 0) EXECUTE FUNCTION refuse_change('balances come from the ledger');
CREATE TRIGGER internal_accounts_balance_from_ledger BEFORE UPDATE ON internal_accounts
  FOR EACH ROW WHEN (pg_trigger_depth() = 0 AND (OLD.balance <> NEW.balance OR OLD.total_balance <> NEW.total_balance))
  EXECUTE FUNCTION refuse_change('balances come from the ledger');

-- Empty, always. Tests ask after every file.
CREATE VIEW ledger_violations AS
  SELECT platform_id, movement_id AS id, 'movement does not add up to zero in ' || currency AS violation
    FROM ledger_entries GROUP BY platform_id, movement_id, currency HAVING sum(amount) <> 0
  UNION ALL
  SELECT platform_id, id, 'movement has no entries'
    FROM ledger_movements AS movement
    WHERE NOT EXISTS (SELECT FROM ledger_entries AS entry WHERE entry.platform_id = movement.platform_id AND movement_id = movement.id)
  UNION ALL
  SELECT account.platform_id, account.id, format('account shows %s of %s, its ledger %s of %s', balance, total_balance, entered - held, entered)
    FROM internal_accounts AS account
    LEFT JOIN (SELECT platform_id, account_id, sum(amount) AS sum FROM ledger_entries GROUP BY 1, 2) AS entries
      ON entries.platform_id = account.platform_id AND entries.account_id = account.id
    LEFT JOIN (SELECT platform_id, account_id, sum(amount) AS sum FROM ledger_holds WHERE released_at IS NULL GROUP BY 1, 2) AS holds
      ON holds.platform_id = account.platform_id AND holds.account_id = account.id
    CROSS JOIN LATERAL (SELECT coalesce(entries.sum, 0) AS entered, coalesce(holds.sum, 0) AS held) AS ledger
    WHERE total_balance <> entered OR balance <> entered - held;

-- ── Transactions go from state to state as written, and each step is recorded ──

CREATE TABLE transaction_transitions (
  type transaction_item_type NOT NULL,
  from_status transaction_lifecycle_status NOT NULL,
  to_status transaction_lifecycle_status NOT NULL,
  PRIMARY KEY (type, from_status, to_status)
);
INSERT INTO transaction_transitions (type, from_status, to_status) VALUES
  ('OUTGOING', 'PENDING', 'PROCESSING'),
  ('OUTGOING', 'PENDING', 'PENDING_AUTHORIZATION'),
  ('OUTGOING', 'PENDING', 'EXPIRED'),
  ('OUTGOING', 'PENDING', 'FAILED'),
  ('OUTGOING', 'PENDING_AUTHORIZATION', 'PROCESSING'),
  ('OUTGOING', 'PENDING_AUTHORIZATION', 'PENDING'),
  ('OUTGOING', 'PENDING_AUTHORIZATION', 'FAILED'),
  ('OUTGOING', 'PROCESSING', 'COMPLETED'),
  ('OUTGOING', 'PROCESSING', 'FAILED'),
  ('OUTGOING', 'COMPLETED', 'FAILED'),
  ('INCOMING', 'CREATED', 'PENDING'),
  ('INCOMING', 'CREATED', 'EXPIRED'),
  ('INCOMING', 'CREATED', 'FAILED'),
  ('INCOMING', 'PENDING', 'PROCESSING'),
  ('INCOMING', 'PENDING', 'REJECTED'),
  ('INCOMING', 'PENDING', 'FAILED'),
  ('INCOMING', 'PROCESSING', 'COMPLETED'),
  ('INCOMING', 'PROCESSING', 'FAILED'),
  ('INCOMING', 'COMPLETED', 'REFUNDED'),
  ('CARD', 'AUTHORIZED', 'PARTIALLY_SETTLED'),
  ('CARD', 'PARTIALLY_SETTLED', 'PARTIALLY_SETTLED'),
  ('CARD', 'AUTHORIZED', 'SETTLED'),
  ('CARD', 'PARTIALLY_SETTLED', 'SETTLED'),
  ('CARD', 'AUTHORIZED', 'EXCEPTION'),
  ('CARD', 'PARTIALLY_SETTLED', 'EXCEPTION'),
  ('CARD', 'SETTLED', 'REFUNDED'),
  ('CARD', 'REFUNDED', 'REFUNDED'),
  ('CARD', 'REFUNDED', 'SETTLED');

-- A seed writes whole histories, and before the transactions.
ALTER TABLE transaction_state_changes
  ALTER CONSTRAINT transaction_state_changes_platform_id_transaction_id_fkey DEFERRABLE INITIALLY IMMEDIATE;

CREATE FUNCTION record_first_states() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO transaction_state_changes (platform_id, transaction_id, sequence, to_status, at, reason)
    SELECT platform_id, id, 1, status, created_at, failure_reason FROM added
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE FUNCTION record_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM transaction_transitions WHERE type = NEW.type AND from_status = OLD.status AND to_status = NEW.status) THEN
    RAISE EXCEPTION 'A transaction of the type % does not go from % to %', NEW.type, OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'transaction_transitions';
  END IF;
  INSERT INTO transaction_state_changes (platform_id, transaction_id, sequence, from_status, to_status, at, reason)
    SELECT NEW.platform_id, NEW.id, max(sequence) + 1, OLD.status, NEW.status, greatest(now(), max(at)), NEW.failure_reason
    FROM transaction_state_changes WHERE platform_id = NEW.platform_id AND transaction_id = NEW.id
    RETURNING at INTO NEW.updated_at;
  RETURN NEW;
END $$;

CREATE TRIGGER transactions_first_state AFTER INSERT ON transactions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION record_first_states();
CREATE TRIGGER transactions_transition BEFORE UPDATE OF status ON transactions FOR EACH ROW EXECUTE FUNCTION record_transition();
