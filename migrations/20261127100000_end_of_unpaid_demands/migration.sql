-- The demand of a payment that was never made ends with the payment. Before, it stayed open for ever.

UPDATE uma_demands demand SET status = 'REFUSED', refusal = 'QUOTE_EXPIRED'
FROM transactions payment
WHERE (payment.platform_id, payment.id) = (demand.platform_id, demand.transaction_id)
  AND demand.status = 'OPEN' AND demand.role = 'PAYER' AND payment.status IN ('EXPIRED', 'FAILED');
