-- Every customer has a UMA address. Gateways have always given one, so only rows that were written by hand lack it. An address from the id and not
-- a random one, because Citus allows only immutable functions of the row here.
UPDATE customers t SET uma_address = '$' || left(md5(t.id::text), 16) || '@' || coalesce(p.uma_domain, replace(p.id::text, '-', '') || '.uma.example')
  FROM platforms p WHERE p.id = t.platform_id AND t.uma_address IS NULL;

-- The next migration checks the rows, so that the table is locked for a moment only.
ALTER TABLE customers ADD CONSTRAINT customers_uma_address_given CHECK (uma_address IS NOT NULL) NOT VALID;
