-- Keys never change, so no foreign key follows a change of one. A distributed table could not have such a key (docs/scale.md#citus).
-- New ones are declared here without looking at the rows, and the next migration checks them, so that the tables are locked for a moment only.
DO $$
DECLARE
  key record;
BEGIN
  FOR key IN
    SELECT conname AS name, conrelid::regclass AS of, replace(pg_get_constraintdef(c.oid), ' ON UPDATE CASCADE', '') AS definition,
      -- Those tables hold a few days, and Postgres before 18 must check their keys at once.
      CASE relkind WHEN 'r' THEN ' NOT VALID' ELSE '' END AS validity
    FROM pg_constraint c JOIN pg_class t ON t.oid = conrelid
    WHERE contype = 'f' AND confupdtype = 'c' AND conparentid = 0 AND connamespace = current_schema()::regnamespace
    ORDER BY conrelid, conname
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %2$I %s%s', key.of, key.name, key.definition, key.validity);
  END LOOP;
END $$;
