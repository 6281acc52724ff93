-- Tells whether a gateway has the master key of this database (src/master-key.ts). It encrypts nothing but its name.
CREATE TABLE master_key_mark (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  sealed bytea NOT NULL
);
