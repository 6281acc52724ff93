-- What schema.prisma says, and one generated column.

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "environment" AS ENUM ('PRODUCTION', 'SANDBOX');

-- CreateEnum
CREATE TYPE "api_permission" AS ENUM ('VIEW', 'TRANSACT', 'MANAGE');

-- CreateEnum
CREATE TYPE "customer_type" AS ENUM ('INDIVIDUAL', 'BUSINESS');

-- CreateEnum
CREATE TYPE "verification_status" AS ENUM ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED', 'HOLD');

-- CreateEnum
CREATE TYPE "internal_account_type" AS ENUM ('INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET');

-- CreateEnum
CREATE TYPE "internal_account_status" AS ENUM ('PENDING', 'ACTIVE', 'CLOSED', 'FROZEN', 'FAILED');

-- CreateEnum
CREATE TYPE "external_account_status" AS ENUM ('PENDING', 'ACTIVE', 'UNDER_REVIEW', 'INACTIVE');

-- CreateEnum
CREATE TYPE "beneficiary_verification_status" AS ENUM ('MATCHED', 'PARTIAL_MATCH', 'NOT_MATCHED', 'UNSUPPORTED', 'CHECKED_BY_RECEIVING_FI', 'PENDING');

-- CreateEnum
CREATE TYPE "account_type" AS ENUM ('USD_ACCOUNT', 'BRL_ACCOUNT', 'MXN_ACCOUNT', 'DKK_ACCOUNT', 'EUR_ACCOUNT', 'INR_ACCOUNT', 'NGN_ACCOUNT', 'CAD_ACCOUNT', 'GBP_ACCOUNT', 'HKD_ACCOUNT', 'IDR_ACCOUNT', 'MYR_ACCOUNT', 'PHP_ACCOUNT', 'SGD_ACCOUNT', 'THB_ACCOUNT', 'VND_ACCOUNT', 'AED_ACCOUNT', 'KES_ACCOUNT', 'MWK_ACCOUNT', 'RWF_ACCOUNT', 'TZS_ACCOUNT', 'UGX_ACCOUNT', 'XOF_ACCOUNT', 'ZAR_ACCOUNT', 'ZMW_ACCOUNT', 'BWP_ACCOUNT', 'XAF_ACCOUNT', 'BDT_ACCOUNT', 'ARS_ACCOUNT', 'COP_ACCOUNT', 'EGP_ACCOUNT', 'GHS_ACCOUNT', 'GTQ_ACCOUNT', 'HTG_ACCOUNT', 'JMD_ACCOUNT', 'PKR_ACCOUNT', 'SLV_ACCOUNT', 'SWIFT_ACCOUNT', 'CNY_ACCOUNT', 'SPARK_WALLET', 'LIGHTNING', 'SOLANA_WALLET', 'TRON_WALLET', 'POLYGON_WALLET', 'BASE_WALLET', 'ETHEREUM_WALLET', 'EMBEDDED_WALLET');

-- CreateEnum
CREATE TYPE "card_state" AS ENUM ('PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED');

-- CreateEnum
CREATE TYPE "card_state_reason" AS ENUM ('ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_SERVICE');

-- CreateEnum
CREATE TYPE "card_brand" AS ENUM ('VISA', 'MASTERCARD');

-- CreateEnum
CREATE TYPE "card_form" AS ENUM ('VIRTUAL');

-- CreateEnum
CREATE TYPE "quote_status" AS ENUM ('PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "source_type" AS ENUM ('ACCOUNT', 'UMA_ADDRESS', 'REALTIME_FUNDING');

-- CreateEnum
CREATE TYPE "destination_type" AS ENUM ('ACCOUNT', 'UMA_ADDRESS');

-- CreateEnum
CREATE TYPE "blockchain_network" AS ENUM ('BITCOIN', 'ETHEREUM', 'SOLANA', 'BASE', 'POLYGON', 'TRON', 'SPARK');

-- CreateEnum
CREATE TYPE "payment_rail" AS ENUM ('ACH', 'ACH_COLOMBIA', 'BANK_TRANSFER', 'BRE_B', 'CIPS', 'FAST', 'FASTER_PAYMENTS', 'FEDNOW', 'INSTAPAY', 'MOBILE_MONEY', 'NEFT', 'PAYNOW', 'PESONET', 'PIX', 'RTGS', 'RTP', 'SEPA', 'SEPA_INSTANT', 'SPEI', 'SWIFT', 'UNIONPAY', 'UPI', 'WIRE');

-- CreateEnum
CREATE TYPE "sca_factor" AS ENUM ('SMS_OTP', 'TOTP', 'PASSKEY');

-- CreateEnum
CREATE TYPE "sca_purpose" AS ENUM ('CURRENCY_CONVERSION', 'PAYOUT', 'TRANSFER');

-- CreateEnum
CREATE TYPE "agent_permission" AS ENUM ('VIEW_TRANSACTIONS', 'CREATE_TRANSFERS', 'CREATE_QUOTES', 'EXECUTE_QUOTES', 'MANAGE_EXTERNAL_ACCOUNTS');

-- CreateEnum
CREATE TYPE "agent_execution_mode" AS ENUM ('AUTO', 'APPROVAL_REQUIRED');

-- CreateEnum
CREATE TYPE "agent_action_status" AS ENUM ('PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED');

-- CreateEnum
CREATE TYPE "agent_action_type" AS ENUM ('EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN');

-- CreateEnum
CREATE TYPE "transaction_item_type" AS ENUM ('INCOMING', 'OUTGOING', 'CARD');

-- CreateEnum
CREATE TYPE "transaction_direction" AS ENUM ('CREDIT', 'DEBIT');

-- CreateEnum
CREATE TYPE "transaction_lifecycle_status" AS ENUM ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED', 'AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'EXCEPTION');

-- CreateEnum
CREATE TYPE "transaction_failure_reason" AS ENUM ('LNURLP_FAILED', 'PAY_REQUEST_FAILED', 'PAYMENT_APPROVAL_WEBHOOK_ERROR', 'PAYMENT_APPROVAL_TIMED_OUT', 'OFFRAMP_FAILED', 'MISSING_MANDATORY_PAYEE_DATA', 'QUOTE_EXPIRED', 'QUOTE_EXECUTION_FAILED', 'LIGHTNING_PAYMENT_FAILED', 'FUNDING_AMOUNT_MISMATCH', 'COUNTERPARTY_POST_TX_FAILED');

-- CreateEnum
CREATE TYPE "refund_status" AS ENUM ('PENDING', 'COMPLETED', 'FAILED');

-- CreateEnum
CREATE TYPE "refund_reason" AS ENUM ('TRANSACTION_FAILED', 'USER_CANCELLATION', 'TIMEOUT');

-- CreateEnum
CREATE TYPE "rail_selection_mode" AS ENUM ('AUTO', 'MANUAL');

-- CreateTable
CREATE TABLE "platforms" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "environment" "environment" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platforms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "permissions" "api_permission"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "currencies" (
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "decimals" SMALLINT NOT NULL,

    CONSTRAINT "currencies_pkey" PRIMARY KEY ("code")
);

-- CreateTable
CREATE TABLE "customers" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "platform_customer_id" TEXT NOT NULL,
    "customer_type" "customer_type" NOT NULL,
    "name" TEXT,
    "email" TEXT,
    "phone_number" TEXT,
    "uma_address" TEXT,
    "region" CHAR(2),
    "verification_status" "verification_status" NOT NULL,
    "is_deleted" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "internal_accounts" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID,
    "type" "internal_account_type" NOT NULL,
    "status" "internal_account_status" NOT NULL,
    "currency" TEXT NOT NULL,
    "balance" BIGINT NOT NULL DEFAULT 0,
    "total_balance" BIGINT NOT NULL DEFAULT 0,
    "private_enabled" BOOLEAN,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "internal_accounts_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "external_accounts" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID,
    "status" "external_account_status" NOT NULL,
    "currency" TEXT NOT NULL,
    "account_type" "account_type" NOT NULL,
    "account_info" JSONB NOT NULL,
    "platform_account_id" TEXT,
    "default_uma_deposit_account" BOOLEAN NOT NULL DEFAULT false,
    "beneficiary_verification_status" "beneficiary_verification_status",
    "beneficiary_verified_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "external_accounts_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "cards" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "platform_card_id" TEXT,
    "state" "card_state" NOT NULL,
    "state_reason" "card_state_reason",
    "brand" "card_brand",
    "form" "card_form" NOT NULL DEFAULT 'VIRTUAL',
    "last4" CHAR(4),
    "exp_month" SMALLINT,
    "exp_year" SMALLINT,
    "processor_ref" TEXT,
    "issuer_ref" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cards_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "quotes" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID,
    "status" "quote_status" NOT NULL,
    "source_type" "source_type" NOT NULL,
    "source_internal_account_id" UUID,
    "source_external_account_id" UUID,
    "source_uma_address" TEXT,
    "destination_type" "destination_type" NOT NULL,
    "destination_internal_account_id" UUID,
    "destination_external_account_id" UUID,
    "destination_uma_address" TEXT,
    "destination_payment_rail" "payment_rail",
    "sending_currency" TEXT NOT NULL,
    "receiving_currency" TEXT NOT NULL,
    "total_sending_amount" BIGINT NOT NULL,
    "total_receiving_amount" BIGINT NOT NULL,
    "exchange_rate" DECIMAL(38,18) NOT NULL,
    "fees_included" BIGINT NOT NULL,
    "platform_fees_included" BIGINT,
    "payment_instructions" JSONB,
    "counterparty_information" JSONB,
    "rate_details" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quotes_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "sca_challenges" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "quote_id" UUID NOT NULL,
    "factor" "sca_factor" NOT NULL,
    "available_factors" "sca_factor"[],
    "purpose" "sca_purpose" NOT NULL,
    "passkey_assertion_options" JSONB,
    "passkey_allowed_origins" TEXT[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sca_challenges_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "agents" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_paused" BOOLEAN NOT NULL DEFAULT false,
    "is_connected" BOOLEAN NOT NULL DEFAULT false,
    "permissions" "agent_permission"[],
    "default_execution_mode" "agent_execution_mode" NOT NULL,
    "limit_currency" TEXT NOT NULL,
    "per_transaction_limit" BIGINT NOT NULL,
    "daily_limit" BIGINT,
    "daily_transaction_limit" INTEGER,
    "monthly_limit" BIGINT,
    "allowed_account_ids" JSONB,
    "account_rules" JSONB NOT NULL DEFAULT '[]',
    "approval_threshold_currency" TEXT,
    "approval_threshold_amount" BIGINT,
    "daily_transaction_count" INTEGER NOT NULL DEFAULT 0,
    "daily_spend" BIGINT NOT NULL DEFAULT 0,
    "monthly_spend" BIGINT NOT NULL DEFAULT 0,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "agent_actions" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "type" "agent_action_type" NOT NULL,
    "status" "agent_action_status" NOT NULL,
    "quote_id" UUID,
    "transaction_id" UUID,
    "amount" BIGINT,
    "currency" TEXT,
    "internal_account_id" UUID,
    "external_account_id" UUID,
    "rejection_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_actions_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "transactions" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" "transaction_item_type" NOT NULL,
    "direction" "transaction_direction" NOT NULL,
    "status" "transaction_lifecycle_status" NOT NULL,
    "customer_id" UUID,
    "platform_customer_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "source_type" "source_type",
    "source_internal_account_id" UUID,
    "source_external_account_id" UUID,
    "source_uma_address" TEXT,
    "source_currency" TEXT,
    "source_customer_id" UUID,
    "source_funding" JSONB,
    "source_transaction_hash" TEXT,
    "source_network" "blockchain_network",
    "destination_type" "destination_type",
    "destination_internal_account_id" UUID,
    "destination_external_account_id" UUID,
    "destination_uma_address" TEXT,
    "destination_currency" TEXT,
    "destination_payment_rail" "payment_rail",
    "destination_transaction_hash" TEXT,
    "destination_network" "blockchain_network",
    "sent_amount" BIGINT,
    "sent_currency" TEXT,
    "received_amount" BIGINT,
    "received_currency" TEXT,
    "fees" BIGINT,
    "platform_fees" BIGINT,
    "exchange_rate" DECIMAL(38,18),
    "settled_at" TIMESTAMPTZ(3),
    "receipt_delivery_confirmed_at" TIMESTAMPTZ(3),
    "agent_id" UUID,
    "description" TEXT,
    "quote_id" UUID,
    "counterparty_information" JSONB,
    "reconciliation_reference" TEXT,
    "reconciliation_transaction_hash" TEXT,
    "failure_reason" "transaction_failure_reason",
    "refund_reference" TEXT,
    "refund_initiated_at" TIMESTAMPTZ(3),
    "refund_status" "refund_status",
    "refund_settled_at" TIMESTAMPTZ(3),
    "refund_reason" "refund_reason",
    "payment_instructions" JSONB,
    "instructions_reference" TEXT GENERATED ALWAYS AS (jsonb_path_query_first("payment_instructions", '$[*].accountOrWalletInfo.reference') #>> '{}') STORED,
    "rate_details" JSONB,
    "payment_rail" "payment_rail",
    "rail_selection_mode" "rail_selection_mode",
    "expected_settlement_at" TIMESTAMPTZ(3),
    "settlement_timeline_seconds" INTEGER,
    "card_id" UUID,
    "issuer_transaction_token" TEXT,
    "merchant_descriptor" TEXT,
    "merchant_mcc" CHAR(4),
    "merchant_country" CHAR(2),
    "card_currency" TEXT,
    "authorized_amount" BIGINT,
    "settled_amount" BIGINT,
    "refunded_amount" BIGINT,
    "pull_count" INTEGER,
    "pull_total_amount" BIGINT,
    "pull_pending_count" INTEGER,
    "refund_count" INTEGER,
    "refund_total_amount" BIGINT,
    "settlement_count" INTEGER,
    "settlement_total_amount" BIGINT,
    "last_event_at" TIMESTAMPTZ(3),

    CONSTRAINT "transactions_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "transaction_state_changes" (
    "platform_id" UUID NOT NULL,
    "transaction_id" UUID NOT NULL,
    "sequence" SMALLINT NOT NULL,
    "from_status" "transaction_lifecycle_status",
    "to_status" "transaction_lifecycle_status" NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "reason" TEXT,

    CONSTRAINT "transaction_state_changes_pkey" PRIMARY KEY ("platform_id","transaction_id","sequence")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_client_id_key" ON "api_tokens"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_platform_id_id_platform_customer_id_key" ON "customers"("platform_id", "id", "platform_customer_id");

-- CreateIndex
CREATE INDEX "internal_accounts_platform_id_customer_id_idx" ON "internal_accounts"("platform_id", "customer_id");

-- CreateIndex
CREATE INDEX "external_accounts_platform_id_customer_id_idx" ON "external_accounts"("platform_id", "customer_id");

-- CreateIndex
CREATE INDEX "cards_platform_id_customer_id_idx" ON "cards"("platform_id", "customer_id");

-- CreateIndex
CREATE INDEX "cards_platform_id_account_id_idx" ON "cards"("platform_id", "account_id");

-- CreateIndex
CREATE UNIQUE INDEX "sca_challenges_platform_id_quote_id_key" ON "sca_challenges"("platform_id", "quote_id");

-- CreateIndex
CREATE INDEX "agents_platform_id_customer_id_idx" ON "agents"("platform_id", "customer_id");

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "internal_accounts" ADD CONSTRAINT "internal_accounts_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "internal_accounts" ADD CONSTRAINT "internal_accounts_platform_id_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_accounts" ADD CONSTRAINT "external_accounts_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "external_accounts" ADD CONSTRAINT "external_accounts_platform_id_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_platform_id_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cards" ADD CONSTRAINT "cards_platform_id_account_id_fkey" FOREIGN KEY ("platform_id", "account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_platform_id_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_platform_id_source_internal_account_id_fkey" FOREIGN KEY ("platform_id", "source_internal_account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_platform_id_source_external_account_id_fkey" FOREIGN KEY ("platform_id", "source_external_account_id") REFERENCES "external_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_platform_id_destination_internal_account_id_fkey" FOREIGN KEY ("platform_id", "destination_internal_account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_platform_id_destination_external_account_id_fkey" FOREIGN KEY ("platform_id", "destination_external_account_id") REFERENCES "external_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sca_challenges" ADD CONSTRAINT "sca_challenges_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sca_challenges" ADD CONSTRAINT "sca_challenges_platform_id_quote_id_fkey" FOREIGN KEY ("platform_id", "quote_id") REFERENCES "quotes"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_platform_id_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_agent_id_fkey" FOREIGN KEY ("platform_id", "agent_id") REFERENCES "agents"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_quote_id_fkey" FOREIGN KEY ("platform_id", "quote_id") REFERENCES "quotes"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_transaction_id_fkey" FOREIGN KEY ("platform_id", "transaction_id") REFERENCES "transactions"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_internal_account_id_fkey" FOREIGN KEY ("platform_id", "internal_account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_actions" ADD CONSTRAINT "agent_actions_platform_id_external_account_id_fkey" FOREIGN KEY ("platform_id", "external_account_id") REFERENCES "external_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_source_customer_id_fkey" FOREIGN KEY ("platform_id", "source_customer_id") REFERENCES "customers"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_customer_id_platform_customer_id_fkey" FOREIGN KEY ("platform_id", "customer_id", "platform_customer_id") REFERENCES "customers"("platform_id", "id", "platform_customer_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_source_internal_account_id_fkey" FOREIGN KEY ("platform_id", "source_internal_account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_source_external_account_id_fkey" FOREIGN KEY ("platform_id", "source_external_account_id") REFERENCES "external_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_destination_internal_account_id_fkey" FOREIGN KEY ("platform_id", "destination_internal_account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_destination_external_account_id_fkey" FOREIGN KEY ("platform_id", "destination_external_account_id") REFERENCES "external_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_agent_id_fkey" FOREIGN KEY ("platform_id", "agent_id") REFERENCES "agents"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_quote_id_fkey" FOREIGN KEY ("platform_id", "quote_id") REFERENCES "quotes"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_platform_id_card_id_fkey" FOREIGN KEY ("platform_id", "card_id") REFERENCES "cards"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "transaction_state_changes" ADD CONSTRAINT "transaction_state_changes_platform_id_transaction_id_fkey" FOREIGN KEY ("platform_id", "transaction_id") REFERENCES "transactions"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
