-- Earlier releases put a Spark address in capitals into the fingerprint as it was. This computes it as src/accounts/external/fingerprint.ts does now.
-- If the owner also has the account in small letters, both stay as they are.

UPDATE external_accounts account
SET fingerprint = sha256(('["SPARK_WALLET","' || currency || '","' || lower(account_info ->> 'address') || '"]')::bytea)
WHERE account_type = 'SPARK_WALLET' AND account_info ->> 'address' <> lower(account_info ->> 'address')
  AND deleted_at IS NULL AND fingerprint IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM external_accounts other
    WHERE other.platform_id = account.platform_id AND other.customer_id IS NOT DISTINCT FROM account.customer_id
      AND other.account_type = 'SPARK_WALLET' AND other.currency = account.currency AND other.deleted_at IS NULL
      AND other.account_info ->> 'address' = lower(account.account_info ->> 'address'));
