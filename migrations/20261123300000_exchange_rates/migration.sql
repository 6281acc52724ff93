-- The exchange rates in use, the same for every process (docs/domain/corridors.md#sources-of-rates).

CREATE TABLE exchange_rate_tables (
  -- SANDBOX, or PRODUCTION.
  environment environment PRIMARY KEY,
  -- How much of each currency one unit of the base is, in hundred-millionths, as decimal texts by currency code.
  rates jsonb NOT NULL CHECK (jsonb_typeof(rates) = 'object'),
  -- When the source published them.
  published_at timestamptz(3) NOT NULL,
  -- When they were read from the source.
  read_at timestamptz(3) NOT NULL DEFAULT now()
);
