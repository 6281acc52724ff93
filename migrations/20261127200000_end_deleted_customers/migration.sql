-- Earlier releases deleted customers without ending what acts for them. This ends it as src/customers/deletion.ts does now.

DELETE FROM otp_challenges t USING auth_methods m, internal_accounts a, customers c
  WHERE m.platform_id = t.platform_id AND m.id = t.auth_method_id AND a.platform_id = m.platform_id AND a.id = m.account_id
    AND c.platform_id = a.platform_id AND c.id = a.customer_id AND c.is_deleted;
UPDATE auth_methods t SET revoked_at = now(), updated_at = now() FROM internal_accounts a, customers c
  WHERE a.platform_id = t.platform_id AND a.id = t.account_id AND c.platform_id = a.platform_id AND c.id = a.customer_id AND c.is_deleted
    AND t.revoked_at IS NULL;
UPDATE wallet_sessions t SET revoked_at = now(), updated_at = now() FROM internal_accounts a, customers c
  WHERE a.platform_id = t.platform_id AND a.id = t.account_id AND c.platform_id = a.platform_id AND c.id = a.customer_id AND c.is_deleted
    AND t.revoked_at IS NULL AND t.expires_at > now();
DELETE FROM signed_requests t USING internal_accounts a, customers c
  WHERE a.platform_id = t.platform_id AND a.id = t.account_id AND c.platform_id = a.platform_id AND c.id = a.customer_id AND c.is_deleted
    AND t.consumed_at IS NULL;
UPDATE delegated_keys t SET status = 'REVOKED', updated_at = now() FROM internal_accounts a, customers c
  WHERE a.platform_id = t.platform_id AND a.id = t.account_id AND c.platform_id = a.platform_id AND c.id = a.customer_id AND c.is_deleted
    AND t.status <> 'REVOKED';
UPDATE cards t SET state = 'CLOSED', state_reason = 'CLOSED_BY_PLATFORM', updated_at = now() FROM customers c
  WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted AND t.state <> 'CLOSED';
-- Citus allows only immutable functions of the row here, so the JSON is text first.
UPDATE verifications t SET verification_status = 'REJECTED', updated_at = now(),
    errors = ('[{"resourceId": "Customer:' || t.customer_id::text || '", "type": "APPLICANT_REJECTED", "reason": "The customer is deleted."}]')::jsonb
  FROM customers c WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted
    AND t.verification_status NOT IN ('APPROVED', 'REJECTED');

DELETE FROM sca_factors t USING customers c WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted;
DELETE FROM sca_recovery_codes t USING customers c WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted;
DELETE FROM sca_enrolments t USING customers c WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted;
UPDATE sca_customers t SET authenticated_until = NULL FROM customers c
  WHERE c.platform_id = t.platform_id AND c.id = t.id AND c.is_deleted AND t.authenticated_until IS NOT NULL;
DELETE FROM trusted_accounts t USING external_accounts e, customers c
  WHERE e.platform_id = t.platform_id AND e.id = t.external_account_id AND c.platform_id = e.platform_id AND c.id = e.customer_id AND c.is_deleted;

UPDATE agent_device_codes t SET voided_at = now() FROM agents a, customers c
  WHERE a.platform_id = t.platform_id AND a.id = t.agent_id AND c.platform_id = a.platform_id AND c.id = a.customer_id AND c.is_deleted
    AND t.redeemed_at IS NULL AND t.voided_at IS NULL;
UPDATE agents t SET deleted_at = now(), updated_at = now(), access_token_hash = NULL FROM customers c
  WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted AND t.deleted_at IS NULL;
UPDATE external_accounts t SET deleted_at = now(), updated_at = now(), status = 'INACTIVE' FROM agent_actions x, customers c
  WHERE x.platform_id = t.platform_id AND x.external_account_id = t.id AND x.type = 'CREATE_EXTERNAL_ACCOUNT' AND x.status = 'PENDING_APPROVAL'
    AND c.platform_id = x.platform_id AND c.id = x.customer_id AND c.is_deleted AND t.deleted_at IS NULL;
UPDATE agent_actions t SET status = 'REJECTED', rejection_reason = 'customer deleted', updated_at = now() FROM customers c
  WHERE c.platform_id = t.platform_id AND c.id = t.customer_id AND c.is_deleted AND t.status = 'PENDING_APPROVAL';
