import { ApiError } from '#core/errors.ts'

/** The `WWW-Authenticate` header of every 401 (RFC 9110 §11.6.1, RFC 7617 §2). */
export const WWW_AUTHENTICATE = 'Basic realm="Payments API", charset="UTF-8"'

/** 401 `UNAUTHORIZED` for a request without API credentials. */
export const missingCredentials = () =>
  new ApiError(
    'UNAUTHORIZED',
    "API credentials are missing: send Authorization: Basic with clientId:secret in base64, or Bearer with an agent's access token",
  )
