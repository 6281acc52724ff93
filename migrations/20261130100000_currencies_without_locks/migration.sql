-- A foreign key locks the row that it refers to until the transaction ends. So payments in dollars, on all platforms, locked the same row, and Postgres
-- stored for each of them the list of all others that did. Currencies are constants of the source, so they need no table.
-- The next migration checks the rows, so that the tables are locked for a moment only.
CREATE FUNCTION is_currency(code text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT code IN (
    'USD', 'EUR', 'GBP', 'MXN', 'BRL', 'INR', 'PHP', 'NGN', 'KES', 'COP', 'CNY', 'JPY', 'CAD', 'DKK', 'HKD', 'IDR', 'MYR', 'SGD', 'THB', 'VND', 'AED',
    'MWK', 'RWF', 'TZS', 'UGX', 'XOF', 'XAF', 'ZAR', 'ZMW', 'BWP', 'BDT', 'ARS', 'EGP', 'GHS', 'GTQ', 'HTG', 'JMD', 'PKR', 'BTC', 'USDC', 'USDT', 'USDB')
$$;

DO $$
DECLARE
  key record;
BEGIN
  FOR key IN
    SELECT conname AS name, conrelid::regclass AS of, attname AS column
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE contype = 'f' AND confrelid = 'currencies'::regclass ORDER BY conrelid, conname
  LOOP
    -- Citus adds a constraint only by a command of its own.
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', key.of, key.name);
    EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (is_currency(%I)) NOT VALID', key.of, replace(key.name, '_fkey', '_is_known'), key.column);
  END LOOP;
END $$;
