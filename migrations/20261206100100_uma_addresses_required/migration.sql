-- Looks at the rows while reads and writes go on. Postgres then knows that no row lacks an address, and does not look again to require it.
ALTER TABLE customers VALIDATE CONSTRAINT customers_uma_address_given;
ALTER TABLE customers ALTER COLUMN uma_address SET NOT NULL;
ALTER TABLE customers DROP CONSTRAINT customers_uma_address_given;
