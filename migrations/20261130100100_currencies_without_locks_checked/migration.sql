-- Looks at the rows that were there before the previous migration. Reads and writes go on meanwhile.
DO $$
DECLARE
  rule record;
BEGIN
  FOR rule IN
    SELECT conname AS name, conrelid::regclass AS of FROM pg_constraint
    WHERE contype = 'c' AND NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY conrelid, conname
  LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', rule.of, rule.name);
  END LOOP;
END $$;

DROP TABLE currencies;
