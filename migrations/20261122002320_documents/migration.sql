-- Documents that prove what customers and their owners say (docs/domain/verification.md#documents).

CREATE TYPE document_type AS ENUM (
  'PASSPORT', 'DRIVERS_LICENSE', 'NATIONAL_ID', 'PROOF_OF_ADDRESS', 'BANK_STATEMENT', 'TAX_RETURN', 'CERTIFICATE_OF_INCORPORATION',
  'ARTICLES_OF_INCORPORATION', 'ARTICLES_OF_ASSOCIATION', 'STATE_REGISTRY_EXCERPT', 'GOOD_STANDING_CERTIFICATE', 'INFORMATION_STATEMENT',
  'INCUMBENCY_CERTIFICATE', 'BUSINESS_LICENSE', 'SHAREHOLDER_REGISTER', 'POWER_OF_ATTORNEY', 'UTILITY_BILL', 'ELECTRICITY_BILL',
  'RENT_OR_LEASE_AGREEMENT', 'DIRECTOR_REGISTRY', 'TRUST_AGREEMENT', 'STATE_COMPANY_REGISTRY', 'PARTNERSHIP_CONTROL_AGREEMENT',
  'PARTNERSHIP_AGREEMENT', 'SELFIE', 'OTHER');
CREATE TYPE document_side AS ENUM ('FRONT', 'BACK');

CREATE TABLE documents (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  -- The holder, or the business of the holder.
  customer_id uuid NOT NULL,
  -- The holder, if it is an owner of the business.
  beneficial_owner_id uuid,
  document_type document_type NOT NULL,
  country char(2) NOT NULL,
  side document_side,
  document_number_sealed bytea,
  issuing_authority text CHECK (length(issuing_authority) <= 255),
  upload_id uuid NOT NULL,
  -- Of its file.
  media_type text NOT NULL,
  size int NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  UNIQUE (platform_id, upload_id),
  FOREIGN KEY (platform_id, upload_id) REFERENCES uploads (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  FOREIGN KEY (platform_id, customer_id, beneficial_owner_id)
    REFERENCES beneficial_owners (platform_id, customer_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX documents_list ON documents (platform_id, created_at DESC, id DESC, document_type);
CREATE INDEX documents_of_customer ON documents (platform_id, customer_id, created_at DESC, id DESC, document_type);
CREATE INDEX documents_of_owner ON documents (platform_id, beneficial_owner_id, created_at DESC, id DESC, document_type)
  WHERE beneficial_owner_id IS NOT NULL;
