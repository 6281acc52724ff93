-- The people who own or control a business (docs/domain/verification.md#beneficial-owners).

CREATE TYPE beneficial_owner_role AS ENUM ('UBO', 'DIRECTOR', 'COMPANY_OFFICER', 'CONTROL_PERSON', 'TRUSTEE', 'GENERAL_PARTNER');

CREATE TABLE beneficial_owners (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  roles beneficial_owner_role[] NOT NULL CHECK (cardinality(roles) BETWEEN 1 AND 6),
  ownership_percentage smallint NOT NULL CHECK (ownership_percentage BETWEEN 0 AND 100),
  -- In the form of REST, without the identifier.
  personal_info jsonb NOT NULL CHECK (jsonb_typeof(personal_info) = 'object' AND NOT personal_info ? 'identifier'),
  identifier_sealed bytea NOT NULL,
  kyc_status verification_status NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  -- Referenced by documents, so that a document belongs to its holder's customer.
  UNIQUE (platform_id, customer_id, id)
);
CREATE INDEX beneficial_owners_list ON beneficial_owners (platform_id, created_at DESC, id DESC);
CREATE INDEX beneficial_owners_of_customer ON beneficial_owners (platform_id, customer_id, created_at DESC, id DESC);
