-- Events of balances have the smaller index of the last migration.
DROP INDEX events_one_balance;

-- No statement reads the ledger by account: movements are read by their transaction, and a balance is in the row of the account.
DROP INDEX ledger_entries_platform_id_account_id_idx;
DROP INDEX ledger_holds_platform_id_account_id_idx;
