-- Verification of a customer's e-mail address and phone number (docs/domain/verification.md#contact-verification).

-- The address that a code has verified. A contact counts as verified while it equals the customer's address.
ALTER TABLE customers ADD COLUMN verified_email text, ADD COLUMN verified_phone_number text;

-- What is counted for a customer in an SCA region.
CREATE TABLE sca_customers (
  platform_id uuid NOT NULL,
  id uuid NOT NULL,
  -- Wrong codes in a row of contact verification.
  contact_failure_times timestamptz(3)[] NOT NULL DEFAULT '{}',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, id),
  FOREIGN KEY (platform_id, id) REFERENCES customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TYPE contact AS ENUM ('EMAIL', 'PHONE');

-- The open code of a contact. A new code replaces it.
CREATE TABLE contact_codes (
  platform_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  contact contact NOT NULL,
  id uuid NOT NULL,
  address text NOT NULL,
  -- HMAC of the code. The code itself is not stored.
  code_mac bytea NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (platform_id, customer_id, contact),
  FOREIGN KEY (platform_id, customer_id) REFERENCES sca_customers (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT contact_codes_mac_is_sha256 CHECK (length(code_mac) = 32),
  CONSTRAINT contact_codes_three_tries CHECK (tries BETWEEN 0 AND 3)
);

-- The codes sent to an address outside of wallets, for a day.
CREATE TABLE sent_codes (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE CASCADE ON UPDATE CASCADE,
  id uuid NOT NULL,
  address text NOT NULL,
  sent_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (platform_id, id)
);
CREATE INDEX sent_codes_by_address ON sent_codes (platform_id, lower(address), sent_at);
CREATE INDEX sent_codes_by_time ON sent_codes (sent_at);
