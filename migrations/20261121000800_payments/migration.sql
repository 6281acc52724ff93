-- Quotes that agents make, what a platform takes for itself, and answers that are given again.

ALTER TABLE quotes
  ADD COLUMN agent_id uuid,
  ADD COLUMN remittance_information text,
  ADD COLUMN purpose_of_payment text,
  ADD CONSTRAINT quotes_remittance_information_length CHECK (length(remittance_information) <= 80),
  ADD CONSTRAINT quotes_purpose_of_payment CHECK (purpose_of_payment IN ('GIFT', 'SELF', 'GOODS_OR_SERVICES', 'EDUCATION', 'HEALTH_OR_MEDICAL',
    'REAL_ESTATE_PURCHASE', 'TAX_PAYMENT', 'LOAN_PAYMENT', 'UTILITY_BILL', 'DONATION', 'TRAVEL', 'FAMILY_SUPPORT', 'SALARY_PAYMENT', 'OTHER')),
  ADD CONSTRAINT quotes_platform_id_agent_id_fkey FOREIGN KEY (platform_id, agent_id) REFERENCES agents (platform_id, id) ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE TABLE platform_fees (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  sending_currency text NOT NULL REFERENCES currencies (code),
  fixed bigint NOT NULL DEFAULT 0 CHECK (fixed BETWEEN 0 AND 9000000000000000),
  rate integer NOT NULL DEFAULT 0 CHECK (rate BETWEEN 0 AND 1000000),
  PRIMARY KEY (platform_id, sending_currency)
);

CREATE TABLE idempotent_replies (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE RESTRICT ON UPDATE CASCADE,
  scope text NOT NULL,
  fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
  status smallint,
  body jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (platform_id, scope)
);
CREATE INDEX idempotent_replies_created_at_idx ON idempotent_replies (created_at);
