-- Money that was pushed to the service and is on its way back.
ALTER TYPE ledger_book ADD VALUE 'SUSPENSE';

ALTER TABLE transactions
  -- Why the user cancelled the payment. It stands in the timeline once the refund is complete.
  ADD COLUMN cancellation_reason text CONSTRAINT transactions_cancellation_reason_length CHECK (length(cancellation_reason) <= 255),
  -- [{"name": …, "mandatory": …}]: what the sender of an incoming payment asks about the receiver.
  ADD COLUMN requested_receiver_customer_info_fields jsonb
    CONSTRAINT transactions_requested_fields_are_a_list CHECK (jsonb_typeof(requested_receiver_customer_info_fields) = 'array');
