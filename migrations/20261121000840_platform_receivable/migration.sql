-- A refund takes the platform's fee back. What it has spent of it by then does not hold the payer up: the platform owes it.
ALTER TYPE ledger_book ADD VALUE 'RECEIVABLE';
