-- CreateEnum
CREATE TYPE "auth_method_type" AS ENUM ('PASSKEY', 'OAUTH', 'EMAIL_OTP', 'SMS_OTP');

-- CreateEnum
CREATE TYPE "signed_operation" AS ENUM ('ADD_CREDENTIAL', 'REVOKE_CREDENTIAL', 'VERIFY_OTP', 'ASSERT_PASSKEY', 'REFRESH_SESSION', 'REVOKE_SESSION', 'EXPORT_WALLET', 'UPDATE_WALLET_PRIVACY', 'UPDATE_CUSTOMER');

-- AlterTable
ALTER TABLE "platforms" ADD COLUMN     "otp_alphanumeric" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "otp_expiration_seconds" INTEGER NOT NULL DEFAULT 300,
ADD COLUMN     "otp_length" SMALLINT NOT NULL DEFAULT 6,
ADD COLUMN     "passkey_origins" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "passkey_require_user_verification" BOOLEAN NOT NULL DEFAULT true;

-- CreateTable
CREATE TABLE "auth_methods" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "type" "auth_method_type" NOT NULL,
    "nickname" TEXT NOT NULL,
    "oidc_issuer" TEXT,
    "oidc_audience" TEXT,
    "oidc_subject" TEXT,
    "credential_id" TEXT,
    "public_key" BYTEA,
    "counter" BIGINT,
    "transports" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "origin" TEXT,
    "rp_id" TEXT,
    "rp_id_hash" BYTEA,
    "challenge_times" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
    "failure_times" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "auth_methods_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "otp_challenges" (
    "platform_id" UUID NOT NULL,
    "auth_method_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "code_mac" BYTEA NOT NULL,
    "target_key_sealed" BYTEA NOT NULL,
    "tries" SMALLINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "otp_challenges_pkey" PRIMARY KEY ("platform_id","auth_method_id")
);

-- CreateTable
CREATE TABLE "wallet_sessions" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "auth_method_id" UUID NOT NULL,
    "public_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "wallet_sessions_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "signed_requests" (
    "platform_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "operation" "signed_operation" NOT NULL,
    "target" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "sealed" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "consumed_at" TIMESTAMPTZ(3),

    CONSTRAINT "signed_requests_pkey" PRIMARY KEY ("platform_id","id")
);

-- CreateTable
CREATE TABLE "wallet_keys" (
    "platform_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "mnemonic_sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "wallet_keys_pkey" PRIMARY KEY ("platform_id","account_id")
);

-- CreateTable
CREATE TABLE "oidc_token_uses" (
    "platform_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oidc_token_uses_pkey" PRIMARY KEY ("platform_id","token_hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "auth_methods_platform_id_account_id_id_key" ON "auth_methods"("platform_id", "account_id", "id");

-- CreateIndex
CREATE INDEX "wallet_sessions_platform_id_account_id_public_key_idx" ON "wallet_sessions"("platform_id", "account_id", "public_key");

-- CreateIndex
CREATE INDEX "wallet_sessions_platform_id_auth_method_id_idx" ON "wallet_sessions"("platform_id", "auth_method_id");

-- CreateIndex
CREATE INDEX "signed_requests_platform_id_account_id_created_at_idx" ON "signed_requests"("platform_id", "account_id", "created_at");

-- CreateIndex
CREATE INDEX "signed_requests_expires_at_idx" ON "signed_requests"("expires_at");

-- CreateIndex
CREATE INDEX "oidc_token_uses_expires_at_idx" ON "oidc_token_uses"("expires_at");

-- AddForeignKey
ALTER TABLE "auth_methods" ADD CONSTRAINT "auth_methods_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth_methods" ADD CONSTRAINT "auth_methods_platform_id_account_id_fkey" FOREIGN KEY ("platform_id", "account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "otp_challenges" ADD CONSTRAINT "otp_challenges_platform_id_auth_method_id_fkey" FOREIGN KEY ("platform_id", "auth_method_id") REFERENCES "auth_methods"("platform_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_sessions" ADD CONSTRAINT "wallet_sessions_platform_id_account_id_auth_method_id_fkey" FOREIGN KEY ("platform_id", "account_id", "auth_method_id") REFERENCES "auth_methods"("platform_id", "account_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "signed_requests" ADD CONSTRAINT "signed_requests_platform_id_account_id_fkey" FOREIGN KEY ("platform_id", "account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallet_keys" ADD CONSTRAINT "wallet_keys_platform_id_account_id_fkey" FOREIGN KEY ("platform_id", "account_id") REFERENCES "internal_accounts"("platform_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oidc_token_uses" ADD CONSTRAINT "oidc_token_uses_platform_id_fkey" FOREIGN KEY ("platform_id") REFERENCES "platforms"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- ── What a row alone can break ──

ALTER TABLE platforms
  ADD CONSTRAINT platforms_otp_length CHECK (otp_length BETWEEN 4 AND 12),
  ADD CONSTRAINT platforms_otp_expiration CHECK (otp_expiration_seconds BETWEEN 1 AND 86400);

ALTER TABLE auth_methods
  ADD CONSTRAINT auth_methods_passkey CHECK (CASE type
    WHEN 'PASSKEY' THEN num_nonnulls(credential_id, public_key, counter, origin, rp_id_hash) = 5
    ELSE num_nonnulls(credential_id, public_key, counter, origin, rp_id, rp_id_hash) = 0 END),
  ADD CONSTRAINT auth_methods_oauth CHECK (num_nonnulls(oidc_issuer, oidc_audience, oidc_subject) = CASE type WHEN 'OAUTH' THEN 3 ELSE 0 END);

-- One code of each kind per account, a passkey once per platform, an identity once per account. A revoked credential is in nobody's way.
CREATE UNIQUE INDEX auth_methods_email_otp_key ON auth_methods (platform_id, account_id) WHERE type = 'EMAIL_OTP' AND revoked_at IS NULL;
CREATE UNIQUE INDEX auth_methods_sms_otp_key ON auth_methods (platform_id, account_id) WHERE type = 'SMS_OTP' AND revoked_at IS NULL;
CREATE UNIQUE INDEX auth_methods_passkey_key ON auth_methods (platform_id, credential_id) WHERE type = 'PASSKEY' AND revoked_at IS NULL;
CREATE UNIQUE INDEX auth_methods_identity_key ON auth_methods (platform_id, account_id, oidc_issuer, oidc_audience, oidc_subject)
  WHERE type = 'OAUTH' AND revoked_at IS NULL;
-- Who else has this e-mail address or phone number.
CREATE INDEX auth_methods_contact ON auth_methods (platform_id, type, lower(nickname)) WHERE type IN ('EMAIL_OTP', 'SMS_OTP') AND revoked_at IS NULL;

ALTER TABLE otp_challenges
  ADD CONSTRAINT otp_challenges_mac_is_sha256 CHECK (length(code_mac) = 32),
  ADD CONSTRAINT otp_challenges_three_tries CHECK (tries BETWEEN 0 AND 3);

ALTER TABLE wallet_sessions
  ADD CONSTRAINT wallet_sessions_key_is_compressed CHECK (length(public_key) = 33 AND get_byte(public_key, 0) IN (2, 3));

ALTER TABLE signed_requests
  ADD CONSTRAINT signed_requests_fingerprint_is_sha256 CHECK (length(fingerprint) = 32),
  -- What was to be signed and done is kept until it is done, and no longer.
  ADD CONSTRAINT signed_requests_sealed_until_consumed CHECK ((sealed IS NULL) = (consumed_at IS NOT NULL));

-- ── What is alive ──

CREATE VIEW live_auth_methods AS
  SELECT platform_id, id, account_id, type, nickname, credential_id, created_at, updated_at
  FROM auth_methods WHERE revoked_at IS NULL;

CREATE VIEW active_sessions AS
  SELECT session.platform_id, session.id, session.account_id, session.auth_method_id, method.type, method.nickname, method.credential_id,
    session.public_key, session.created_at, session.updated_at, session.expires_at
  FROM wallet_sessions session
  JOIN auth_methods method ON method.platform_id = session.platform_id AND method.id = session.auth_method_id
  WHERE session.revoked_at IS NULL AND session.expires_at > now();
