-- Creations are no longer stored as steps. This is a migration of its own, because the one before blocks all use of transactions until it ends.
DELETE FROM transaction_state_changes WHERE sequence = 1;
