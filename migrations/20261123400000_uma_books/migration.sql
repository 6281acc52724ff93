-- What UMA counterparties and the service owe each other.
ALTER TYPE ledger_book ADD VALUE 'SETTLEMENT';

