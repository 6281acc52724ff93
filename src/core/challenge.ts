/** `WWW-Authenticate` of every 401 that is about API credentials (RFC 9110 §11.6.1, RFC 7617 §2). */
export const CHALLENGE = 'Basic realm="Payments API", charset="UTF-8"'
