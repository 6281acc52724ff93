ALTER TABLE "auth_methods" ADD COLUMN     "challenge_hash" BYTEA;

ALTER TABLE auth_methods
  ADD CONSTRAINT auth_methods_challenge_hash_is_sha256 CHECK (type = 'PASSKEY' AND length(challenge_hash) = 32 OR challenge_hash IS NULL);

-- A registration challenge is good for one registration, also after that credential has been revoked.
CREATE UNIQUE INDEX auth_methods_challenge_hash_key ON auth_methods (platform_id, challenge_hash) WHERE challenge_hash IS NOT NULL;

-- Google writes its issuer in two ways. From now on it is stored in one; an account that has the identity in both keeps the older row as it is.
UPDATE auth_methods method SET oidc_issuer = 'https://accounts.google.com'
WHERE oidc_issuer = 'accounts.google.com' AND NOT EXISTS (
  SELECT FROM auth_methods other
  WHERE other.platform_id = method.platform_id AND other.account_id = method.account_id
    AND other.oidc_issuer = 'https://accounts.google.com' AND other.oidc_audience = method.oidc_audience
    AND other.oidc_subject = method.oidc_subject AND other.revoked_at IS NULL);

-- Which customer of the platform has this identity.
CREATE INDEX auth_methods_identity ON auth_methods (platform_id, oidc_subject) WHERE type = 'OAUTH' AND revoked_at IS NULL;
