// Commands of migrations that a distributed database refuses. `npm run campaign -- citus` shows that it does.

interface Refused {
  /** From the message of Citus 13.2.2. */
  readonly error: string
  readonly example: string
  readonly shape: RegExp
}

export const REFUSED: readonly Refused[] = [
  {
    error: 'cannot drop multiple distributed objects in a single command',
    example: 'DROP INDEX transactions_list, cards_list',
    shape: /^DROP INDEX .*,/i,
  },
  {
    error: 'cannot execute ADD CONSTRAINT command with other subcommands',
    example: 'ALTER TABLE customers ADD COLUMN one int, ADD CONSTRAINT positive CHECK (one > 0)',
    shape: /^ALTER TABLE (?=.*,).*\bADD (CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY|EXCLUDE)\b/i,
  },
  {
    error: 'cannot execute ADD COLUMN command with PRIMARY KEY, UNIQUE, FOREIGN and CHECK constraints',
    example: 'ALTER TABLE customers ADD COLUMN one int CHECK (one > 0)',
    shape: /^ALTER TABLE .*\bADD COLUMN .*\b(CHECK|UNIQUE|PRIMARY|REFERENCES)\b/i,
  },
  {
    error: 'cannot execute ADD COLUMN commands involving identity columns',
    example: 'ALTER TABLE customers ADD COLUMN one bigint GENERATED ALWAYS AS IDENTITY',
    shape: /^ALTER TABLE .*\bADD COLUMN .*\b(IDENTITY|\w*SERIAL)\b/i,
  },
  {
    error: 'foreign keys from reference tables and local tables to distributed tables are not supported',
    example: `CREATE TABLE one (platform_id uuid REFERENCES platforms (id), id uuid,
      FOREIGN KEY (platform_id, id) REFERENCES customers (platform_id, id))`,
    shape: /^CREATE TABLE .*\bREFERENCES\b/i,
  },
  {
    error: 'renaming constraints belonging to distributed tables is currently unsupported',
    example: 'ALTER TABLE customers RENAME CONSTRAINT customers_pkey TO one',
    shape: /^ALTER TABLE .*\bRENAME CONSTRAINT\b/i,
  },
  {
    error: 'functions used in UPDATE queries on distributed tables must not be VOLATILE',
    example: 'UPDATE customers SET updated_at = clock_timestamp()',
    shape: /^(UPDATE|DELETE) .*\b(clock_timestamp|gen_random_uuid|time_ordered_uuid|random)\(/i,
  },
  {
    error: 'STABLE functions used in UPDATE queries cannot be called with column references',
    example: "UPDATE customers SET updated_at = updated_at + interval '1 second'",
    shape: /^(UPDATE|DELETE) .*(\w [+-] interval\b|\b(date_trunc|to_jsonb?|jsonb?_build_\w+|concat|format)\()/i,
  },
  {
    error: 'non-IMMUTABLE functions are not allowed in CASE or COALESCE statements',
    example: 'UPDATE customers SET updated_at = coalesce(updated_at, now())',
    shape: /^UPDATE .*(\bcoalesce\([^()]*|\b(THEN|ELSE) )now\(/i,
  },
]

export const isRefused = (command: string): boolean => REFUSED.some(({ shape }) => shape.test(essence(command)))

/** On one line, without comments. A change of a table is also without what is in brackets, where commas mean something else. */
const essence = (command: string): string => {
  const line = command.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()
  return /^ALTER TABLE/i.test(line) ? withoutBrackets(line) : line
}

const withoutBrackets = (text: string): string => {
  const shorter = text.replaceAll(/\([^()]*\)/g, '')
  return shorter === text ? text : withoutBrackets(shorter)
}
