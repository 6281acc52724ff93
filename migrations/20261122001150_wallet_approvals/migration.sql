-- The owner of a wallet has signed the price of one quote, so an action that pays from a wallet waits no longer than its quote.

UPDATE agent_actions action SET approval_expires_at = quote.expires_at
FROM quotes quote
JOIN internal_accounts account ON (account.platform_id, account.id) = (quote.platform_id, quote.source_internal_account_id)
WHERE (quote.platform_id, quote.id) = (action.platform_id, action.quote_id)
  AND action.status = 'PENDING_APPROVAL' AND action.approval_expires_at > quote.expires_at
  AND account.type = 'EMBEDDED_WALLET';
