-- The list of the API tokens of a platform, in its order (docs/domain/api-credentials.md#api-tokens).

CREATE INDEX api_tokens_list ON api_tokens (platform_id, created_at DESC, id DESC, name);
