-- All sessions, over or not: what was issued a moment ago is told, even if it has been revoked since.
CREATE VIEW issued_sessions AS
  SELECT session.platform_id, session.id, session.account_id, session.auth_method_id, method.type, method.nickname, method.credential_id,
    session.public_key, session.created_at, session.updated_at, session.expires_at, session.revoked_at
  FROM wallet_sessions session
  JOIN auth_methods method ON method.platform_id = session.platform_id AND method.id = session.auth_method_id;

CREATE OR REPLACE VIEW active_sessions AS
  SELECT platform_id, id, account_id, auth_method_id, type, nickname, credential_id, public_key, created_at, updated_at, expires_at
  FROM issued_sessions WHERE revoked_at IS NULL AND expires_at > now();
