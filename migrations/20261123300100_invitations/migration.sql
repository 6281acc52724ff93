-- Invitations of customers to people elsewhere (docs/domain/invitations.md#operations).

CREATE TYPE invitation_status AS ENUM ('PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED');

CREATE TABLE invitations (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  id uuid NOT NULL,
  -- Whoever has it may read and claim the invitation.
  code text NOT NULL,
  url text NOT NULL,
  inviter_id uuid NOT NULL,
  inviter_uma text NOT NULL,
  invitee_uma text,
  first_name text,
  -- In the smallest unit of the currency.
  amount_to_send amount,
  currency text REFERENCES currencies (code),
  -- EXPIRED is never stored: the view below tells it by the clock.
  status invitation_status NOT NULL DEFAULT 'PENDING',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  claimed_at timestamptz(3),
  expires_at timestamptz(3),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, inviter_id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT invitations_code CHECK (code ~ '^[0-9a-f]{8}$'),
  CONSTRAINT invitations_amount CHECK ((amount_to_send IS NULL) = (currency IS NULL) AND amount_to_send > 0),
  CONSTRAINT invitations_status CHECK (status <> 'EXPIRED'),
  CONSTRAINT invitations_claimed CHECK ((status = 'CLAIMED') = (claimed_at IS NOT NULL) AND (claimed_at IS NULL) = (invitee_uma IS NULL))
);
CREATE UNIQUE INDEX invitations_by_code ON invitations (code);
CREATE INDEX invitations_of_inviter ON invitations (platform_id, inviter_id);

CREATE VIEW current_invitations AS
  SELECT platform_id, id, code, url, inviter_id, inviter_uma, invitee_uma, first_name, amount_to_send, currency,
    CASE WHEN status = 'PENDING' AND expires_at <= now() THEN 'EXPIRED' ELSE status END AS status, created_at, claimed_at, expires_at
  FROM invitations;

-- Codes that nobody has, counted for each platform that tries them.
CREATE TABLE invitation_guesses (
  platform_id uuid PRIMARY KEY REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  times timestamptz(3)[] NOT NULL
);

CREATE FUNCTION record_invitation_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, 'INVITATION.CLAIMED', 'Invitation', NEW.id, NEW.inviter_id, snapshot_of(to_jsonb(NEW)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER invitations_event AFTER UPDATE OF status ON invitations FOR EACH ROW
  WHEN (NEW.status = 'CLAIMED' AND OLD.status <> 'CLAIMED') EXECUTE FUNCTION record_invitation_event();
