-- Cards are issued, changed and used (docs/domain/cards.md#card-operations).

-- ── States ──

CREATE TABLE card_transitions (
  from_state card_state NOT NULL,
  to_state card_state NOT NULL,
  PRIMARY KEY (from_state, to_state)
);
-- src/cards/state.ts holds the same rows.
INSERT INTO card_transitions (from_state, to_state) VALUES
  ('PROCESSING', 'ACTIVE'),
  ('PROCESSING', 'CLOSED'),
  ('ACTIVE', 'FROZEN'),
  ('ACTIVE', 'CLOSED'),
  ('FROZEN', 'ACTIVE'),
  ('FROZEN', 'CLOSED');

CREATE FUNCTION check_card_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM card_transitions WHERE from_state = OLD.state AND to_state = NEW.state) THEN
    RAISE EXCEPTION 'A card does not go from % to %', OLD.state, NEW.state USING ERRCODE = 'check_violation', CONSTRAINT = 'card_transitions';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER cards_transition BEFORE UPDATE ON cards FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION check_card_transition();

-- ── Funding sources: the accounts in order of priority. The first one is pulled, and `account_id` repeats it ──

ALTER TABLE cards ADD COLUMN funding_sources uuid[];
UPDATE cards SET funding_sources = ARRAY[account_id];
ALTER TABLE cards
  ALTER COLUMN funding_sources SET NOT NULL,
  ADD CONSTRAINT cards_funding_sources CHECK (cardinality(funding_sources) BETWEEN 1 AND 10 AND array_ndims(funding_sources) = 1
    AND array_position(funding_sources, NULL) IS NULL AND funding_sources[1] = account_id);

CREATE TABLE card_funding_sources (
  platform_id uuid NOT NULL,
  card_id uuid NOT NULL,
  priority smallint NOT NULL CHECK (priority > 0),
  account_id uuid NOT NULL,
  PRIMARY KEY (platform_id, card_id, priority),
  CONSTRAINT card_funding_sources_once UNIQUE (platform_id, card_id, account_id),
  FOREIGN KEY (platform_id, card_id) REFERENCES cards (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, account_id) REFERENCES internal_accounts (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX card_funding_sources_of_account ON card_funding_sources (platform_id, account_id, card_id);
INSERT INTO card_funding_sources (platform_id, card_id, priority, account_id) SELECT platform_id, id, 1, account_id FROM cards;

-- Whoever writes only one of the two columns means both.
CREATE FUNCTION complete_funding_sources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' AND coalesce(cardinality(NEW.funding_sources), 0) = 0
    OR TG_OP = 'UPDATE' AND NEW.funding_sources = OLD.funding_sources AND NEW.account_id <> OLD.account_id THEN
    NEW.funding_sources := ARRAY[NEW.account_id];
  END IF;
  NEW.account_id := coalesce(NEW.funding_sources[1], NEW.account_id);
  RETURN NEW;
END $$;
CREATE TRIGGER cards_funding BEFORE INSERT OR UPDATE OF account_id, funding_sources ON cards
  FOR EACH ROW EXECUTE FUNCTION complete_funding_sources();

CREATE FUNCTION store_funding_sources() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM card_funding_sources WHERE platform_id = NEW.platform_id AND card_id = NEW.id;
  INSERT INTO card_funding_sources (platform_id, card_id, priority, account_id)
    SELECT NEW.platform_id, NEW.id, priority, account_id FROM unnest(NEW.funding_sources) WITH ORDINALITY AS source (account_id, priority);
  RETURN NULL;
END $$;
CREATE TRIGGER cards_funding_new AFTER INSERT ON cards FOR EACH ROW EXECUTE FUNCTION store_funding_sources();
CREATE TRIGGER cards_funding_changed AFTER UPDATE ON cards FOR EACH ROW
  WHEN (NEW.funding_sources <> OLD.funding_sources) EXECUTE FUNCTION store_funding_sources();

-- Also when only a later source changes.
DROP TRIGGER cards_event_2_funding ON cards;
CREATE TRIGGER cards_event_2_funding AFTER UPDATE ON cards FOR EACH ROW
  WHEN (NEW.funding_sources <> OLD.funding_sources) EXECUTE FUNCTION record_card_event('CARD.FUNDING_SOURCE_CHANGE');

-- ── The history of a card transaction, from which its summaries are computed ──

CREATE TYPE card_event_kind AS ENUM ('AUTHORIZATION', 'AUTHORIZATION_ADVICE', 'CLEARING', 'RETURN', 'RETURN_REVERSAL');

-- What the issuer reported. The token makes a report that arrives twice count once.
CREATE TABLE card_events (
  platform_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  sequence smallint NOT NULL CHECK (sequence > 0),
  kind card_event_kind NOT NULL,
  -- In the smallest unit of the card's currency. Of an advice, the new total; of a reversal, the return that it undoes.
  amount amount NOT NULL,
  issuer_event_token text NOT NULL CHECK (length(issuer_event_token) BETWEEN 1 AND 255),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, transaction_id, sequence),
  CONSTRAINT card_events_token UNIQUE (platform_id, issuer_event_token),
  FOREIGN KEY (platform_id, transaction_id) REFERENCES transactions (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT card_events_amount CHECK (amount > 0 OR kind = 'CLEARING'),
  CONSTRAINT card_events_first CHECK ((sequence = 1) = (kind = 'AUTHORIZATION'))
);
CREATE TRIGGER card_events_stay BEFORE UPDATE OR DELETE ON card_events
  FOR EACH ROW EXECUTE FUNCTION refuse_change('what the issuer reported has happened');

CREATE TYPE card_pull_status AS ENUM ('PENDING', 'CONFIRMED', 'FAILED');
CREATE TYPE card_pull_kind AS ENUM ('AUTHORIZATION', 'POST_HOC');

-- A pull takes money from the funding account. While it is pending, a hold keeps the money.
CREATE TABLE card_pulls (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  sequence smallint NOT NULL CHECK (sequence > 0),
  kind card_pull_kind NOT NULL,
  status card_pull_status NOT NULL,
  amount amount NOT NULL CHECK (amount > 0),
  -- The part that was not needed.
  given_back amount NOT NULL DEFAULT 0,
  hold_id uuid,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  CONSTRAINT card_pulls_sequence UNIQUE (platform_id, transaction_id, sequence),
  FOREIGN KEY (platform_id, transaction_id) REFERENCES transactions (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, hold_id) REFERENCES ledger_holds (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT card_pulls_given_back CHECK (given_back <= amount),
  CONSTRAINT card_pulls_hold CHECK (status = 'PENDING' OR hold_id IS NULL)
);

CREATE FUNCTION check_card_pull() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'PENDING' AND NEW.status <> OLD.status OR NEW.given_back < OLD.given_back
    OR (NEW.platform_id, NEW.id, NEW.transaction_id, NEW.sequence, NEW.kind, NEW.amount)
      <> (OLD.platform_id, OLD.id, OLD.transaction_id, OLD.sequence, OLD.kind, OLD.amount) THEN
    RAISE EXCEPTION 'A pull ends once, and keeps its amount' USING ERRCODE = 'check_violation', CONSTRAINT = 'card_pulls_end_once';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER card_pulls_end_once BEFORE UPDATE ON card_pulls FOR EACH ROW EXECUTE FUNCTION check_card_pull();
CREATE TRIGGER card_pulls_stay BEFORE DELETE ON card_pulls FOR EACH ROW EXECUTE FUNCTION refuse_change('a pull ends');
