-- Each movement locked the row of its platform. Its transaction and the accounts of its entries belong to the same platform already.
ALTER TABLE ledger_movements DROP CONSTRAINT ledger_movements_platform_id_fkey;
