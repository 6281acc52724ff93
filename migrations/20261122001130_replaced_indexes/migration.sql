-- Dropping an index locks out readers too, so it waits until the index in its place is built and committed.

DROP INDEX transactions_description_prefix;
DROP INDEX transactions_merchant_prefix;
DROP INDEX transactions_counterparty_prefix;
DROP INDEX customers_name_prefix;
DROP INDEX customers_email_prefix;
DROP INDEX customers_platform_customer_id_prefix;
