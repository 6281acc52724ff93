-- Money that stablecoins are minted from and redeemed for (docs/domain/stablecoins.md#money).

ALTER TYPE ledger_movement_kind ADD VALUE 'MINT';
ALTER TYPE ledger_movement_kind ADD VALUE 'BURN';
