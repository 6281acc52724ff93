-- A quote has one payment, and the reference that its money comes with finds it. Payments without a quote may share what they name.
DROP INDEX transactions_of_quote;
CREATE UNIQUE INDEX transactions_of_quote ON transactions (platform_id, quote_id) WHERE quote_id IS NOT NULL;
CREATE UNIQUE INDEX transactions_quote_reference ON transactions (platform_id, reconciliation_reference)
  WHERE quote_id IS NOT NULL AND reconciliation_reference IS NOT NULL;
