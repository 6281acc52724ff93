-- A wallet that its owner keeps must prove that before money goes to it. The labels cannot be used before this is committed.
ALTER TYPE external_account_status ADD VALUE 'PENDING_OWNERSHIP_VERIFICATION';
ALTER TYPE external_account_status ADD VALUE 'UNVERIFIED';
