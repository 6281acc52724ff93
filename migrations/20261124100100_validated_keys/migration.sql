-- Looks at the rows of the foreign keys of the migration before. Reads and writes go on meanwhile.
DO $$
DECLARE
  key record;
BEGIN
  FOR key IN
    SELECT conname AS name, conrelid::regclass AS of FROM pg_constraint
    WHERE contype = 'f' AND NOT convalidated AND connamespace = current_schema()::regnamespace ORDER BY conrelid, conname
  LOOP
    EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT %I', key.of, key.name);
  END LOOP;
END $$;
