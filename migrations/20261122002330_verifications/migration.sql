-- Verifications of customers (docs/domain/verification.md#verifications), and links that lead a customer to the provider.

CREATE TYPE verification_state AS ENUM ('RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'IN_PROGRESS', 'APPROVED', 'REJECTED', 'READY_FOR_VERIFICATION');

CREATE TABLE verifications (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  verification_status verification_state NOT NULL,
  -- What is missing or wrong, in the form of REST.
  errors jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(errors) = 'array'),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT verifications_errors CHECK (CASE verification_status
    WHEN 'RESOLVE_ERRORS' THEN errors <> '[]' WHEN 'REJECTED' THEN true ELSE errors = '[]' END)
);
-- A customer has at most one that is not decided.
CREATE UNIQUE INDEX verifications_one_open ON verifications (platform_id, customer_id) WHERE verification_status NOT IN ('APPROVED', 'REJECTED');
CREATE INDEX verifications_list ON verifications (platform_id, created_at DESC, id DESC, verification_status);
CREATE INDEX verifications_of_customer ON verifications (platform_id, customer_id, created_at DESC, id DESC, verification_status);

CREATE FUNCTION record_verification_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      VALUES (NEW.platform_id, ('VERIFICATION.' || NEW.verification_status::text)::event_type, 'Verification', NEW.id, NEW.customer_id,
        snapshot_of(to_jsonb(NEW)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER verifications_event_1_new AFTER INSERT ON verifications FOR EACH ROW EXECUTE FUNCTION record_verification_event();
CREATE TRIGGER verifications_event_2_status AFTER UPDATE OF verification_status ON verifications FOR EACH ROW
  WHEN (NEW.verification_status <> OLD.verification_status) EXECUTE FUNCTION record_verification_event();

-- The link and its token, sealed, so that a repeated call with the same idempotency key returns them again.
CREATE TABLE kyc_links (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  link_sealed bytea NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX kyc_links_expired ON kyc_links (expires_at);

-- A verification that waits for corrections is checked again when something it judges has changed. Changes made together are one job.
CREATE FUNCTION recheck_verification() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
BEGIN
  PERFORM graphile_worker.add_job('recheckVerification', json_build_object('platformId', v.platform_id, 'verificationId', v.id),
      job_key => 'recheck ' || v.platform_id || ' ' || v.id)
    FROM verifications v
    WHERE v.platform_id = (changed ->> 'platform_id')::uuid AND v.customer_id = (changed ->> TG_ARGV[0])::uuid
      AND v.verification_status IN ('RESOLVE_ERRORS', 'READY_FOR_VERIFICATION');
  RETURN NULL;
END $$;
CREATE TRIGGER documents_recheck AFTER INSERT OR UPDATE OR DELETE ON documents FOR EACH ROW EXECUTE FUNCTION recheck_verification('customer_id');
CREATE TRIGGER beneficial_owners_recheck AFTER INSERT OR UPDATE ON beneficial_owners FOR EACH ROW EXECUTE FUNCTION recheck_verification('customer_id');
CREATE TRIGGER customers_recheck AFTER UPDATE OF name, profile ON customers FOR EACH ROW
  WHEN ((NEW.name, NEW.profile) IS DISTINCT FROM (OLD.name, OLD.profile)) EXECUTE FUNCTION recheck_verification('id');
