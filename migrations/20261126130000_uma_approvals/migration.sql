-- A quote to a UMA address is not priced again, so an action that pays one waits no longer than its quote.

UPDATE agent_actions action SET approval_expires_at = quote.expires_at
FROM quotes quote
WHERE (quote.platform_id, quote.id) = (action.platform_id, action.quote_id)
  AND action.status = 'PENDING_APPROVAL' AND action.approval_expires_at > quote.expires_at
  AND quote.destination_uma_address IS NOT NULL;
