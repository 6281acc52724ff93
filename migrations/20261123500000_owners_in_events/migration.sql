-- The event of a business also has its owners, as its answer does, without their identifiers.

CREATE OR REPLACE FUNCTION record_customer_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT events_are_off() THEN
    INSERT INTO events (platform_id, type, object_kind, object_id, customer_id, snapshot)
      SELECT NEW.platform_id, ('CUSTOMER.' || CASE NEW.customer_type WHEN 'INDIVIDUAL' THEN 'KYC_' ELSE 'KYB_' END || NEW.verification_status::text)::event_type,
        'Customer', NEW.id, NEW.id, snapshot_of(to_jsonb(NEW)) || (
          SELECT CASE WHEN count(*) = 0 THEN '{}' ELSE jsonb_build_object('owners',
            jsonb_agg(snapshot_of(to_jsonb(owner) - 'identifier_sealed') ORDER BY owner.created_at, owner.id)) END
          FROM beneficial_owners owner WHERE owner.platform_id = NEW.platform_id AND owner.customer_id = NEW.id);
  END IF;
  RETURN NULL;
END $$;
