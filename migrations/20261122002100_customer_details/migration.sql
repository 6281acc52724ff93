-- What a platform tells about its customers. `profile` holds the fields of docs/domain/customers.md#customer-fields that have no column of
-- their own, in the form in which REST writes them. Constant defaults rewrite no table.

ALTER TABLE customers
  ADD COLUMN currencies text[] NOT NULL DEFAULT '{}',
  ADD COLUMN profile jsonb NOT NULL DEFAULT '{}',
  ADD CONSTRAINT customers_profile_is_object CHECK (jsonb_typeof(profile) = 'object'),
  ADD CONSTRAINT customers_currencies_bounded CHECK (cardinality(currencies) <= 50 AND array_position(currencies, NULL) IS NULL);

-- The fields of customers that are never returned, sealed. Apart from the row, so that no event and no list ever holds them.
CREATE TABLE customer_secrets (
  platform_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  tax_identifier_sealed bytea NOT NULL,
  PRIMARY KEY (platform_id, customer_id),
  FOREIGN KEY (platform_id, customer_id) REFERENCES customers (platform_id, id) ON DELETE CASCADE ON UPDATE CASCADE
);
