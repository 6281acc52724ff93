-- The configuration of a platform (docs/domain/platform.md#configuration).

ALTER TABLE platforms
  ADD COLUMN uma_domain text CONSTRAINT platforms_uma_domain CHECK (length(uma_domain) <= 253),
  -- The operator says so.
  ADD COLUMN is_regulated_financial_institution boolean NOT NULL DEFAULT false,
  -- What one-time codes and the messages with them look like. Null: the default.
  ADD COLUMN app_name text CONSTRAINT platforms_app_name CHECK (length(app_name) <= 255),
  ADD COLUMN send_from_email_address text CONSTRAINT platforms_send_from_email_address CHECK (length(send_from_email_address) <= 254),
  ADD COLUMN send_from_email_sender_name text CONSTRAINT platforms_send_from_email_sender_name CHECK (length(send_from_email_sender_name) <= 255),
  ADD COLUMN reply_to_email_address text CONSTRAINT platforms_reply_to_email_address CHECK (length(reply_to_email_address) <= 254),
  ADD COLUMN logo_url text CONSTRAINT platforms_logo_url CHECK (length(logo_url) <= 512),
  ADD COLUMN card_tokenization jsonb NOT NULL DEFAULT '{}' CONSTRAINT platforms_card_tokenization CHECK (jsonb_typeof(card_tokenization) = 'object');

-- A platform without rows supports every currency.
CREATE TABLE platform_currencies (
  platform_id uuid NOT NULL REFERENCES platforms (id) ON DELETE CASCADE ON UPDATE CASCADE,
  currency text NOT NULL REFERENCES currencies (code),
  -- The order that the platform gave them in.
  place smallint NOT NULL,
  min_amount bigint NOT NULL,
  max_amount bigint NOT NULL,
  enabled_transaction_types text[] NOT NULL,
  required_counterparty_fields jsonb NOT NULL,
  PRIMARY KEY (platform_id, currency),
  CONSTRAINT platform_currencies_range CHECK (min_amount BETWEEN 0 AND max_amount AND max_amount <= 9000000000000000),
  CONSTRAINT platform_currencies_types CHECK (enabled_transaction_types <@ ARRAY['INCOMING', 'OUTGOING']),
  CONSTRAINT platform_currencies_fields CHECK (jsonb_typeof(required_counterparty_fields) = 'array')
);
