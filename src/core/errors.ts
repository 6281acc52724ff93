/** Every error code with its HTTP status. Both faces use this table. */
export const ERROR_STATUS = {
  INVALID_INPUT: 400,
  QUERY_TOO_COMPLEX: 400,
  PERSISTED_QUERY_NOT_FOUND: 400,
  PERSISTED_QUERY_NOT_SUPPORTED: 400,
  MISSING_MANDATORY_USER_INFO: 400,
  INVITATION_ALREADY_CLAIMED: 400,
  INVITATIONS_NOT_CONFIGURED: 400,
  INVALID_UMA_ADDRESS: 400,
  INVITATION_CANCELLED: 400,
  QUOTE_REQUEST_FAILED: 400,
  INVALID_PAYREQ_RESPONSE: 400,
  INVALID_RECEIVER: 400,
  PARSE_PAYREQ_RESPONSE_ERROR: 400,
  CERT_CHAIN_INVALID: 400,
  CERT_CHAIN_EXPIRED: 400,
  INVALID_PUBKEY_FORMAT: 400,
  MISSING_REQUIRED_UMA_PARAMETERS: 400,
  SENDER_NOT_ACCEPTED: 400,
  AMOUNT_OUT_OF_RANGE: 400,
  INVALID_CURRENCY: 400,
  INVALID_TIMESTAMP: 400,
  INVALID_NONCE: 400,
  INVALID_REQUEST_FORMAT: 400,
  INVALID_BANK_ACCOUNT: 400,
  SELF_PAYMENT: 400,
  LOOKUP_REQUEST_FAILED: 400,
  PARSE_LNURLP_RESPONSE_ERROR: 400,
  INVALID_AMOUNT: 400,
  WEBHOOK_ENDPOINT_NOT_SET: 400,
  WEBHOOK_DELIVERY_ERROR: 400,
  LOW_QUALITY: 400,
  DATA_MISMATCH: 400,
  EXPIRED: 400,
  SUSPECTED_FRAUD: 400,
  UNSUITABLE_DOCUMENT: 400,
  INCOMPLETE: 400,
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  SMS_OTP_CREDENTIAL_ALREADY_EXISTS: 400,
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: 400,
  STABLECOIN_PROVIDER_ACCOUNT_INVALID: 400,
  STABLECOIN_PROVIDER_ACCOUNT_REVOKED: 400,
  STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED: 400,
  UNAUTHORIZED: 401,
  INVALID_SIGNATURE: 401,
  WALLET_SIGNATURE_MISSING: 401,
  WALLET_SIGNATURE_MALFORMED: 401,
  WALLET_SIGNATURE_BODY_MISMATCH: 401,
  WALLET_SIGNATURE_INVALID: 401,
  REQUEST_ID_MISSING: 401,
  FORBIDDEN: 403,
  USER_NOT_READY: 403,
  COUNTERPARTY_NOT_ALLOWED: 403,
  VELOCITY_LIMIT_EXCEEDED: 403,
  TRANSACTION_NOT_FOUND: 404,
  INVITATION_NOT_FOUND: 404,
  QUOTE_NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  TOKEN_NOT_FOUND: 404,
  LOOKUP_REQUEST_NOT_FOUND: 404,
  BULK_UPLOAD_JOB_NOT_FOUND: 404,
  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: 404,
  UMA_NOT_FOUND: 404,
  REFERENCE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: 409,
  TRANSACTION_NOT_CANCELLABLE: 409,
  UMA_ADDRESS_EXISTS: 409,
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: 409,
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: 409,
  PASSKEY_ALREADY_ENROLLED: 409,
  CARD_ALREADY_CLOSED: 409,
  INVALID_STATE_TRANSITION: 409,
  CARD_NOT_MUTABLE: 409,
  CUSTOMER_DELETED: 410,
  UNSUPPORTED_UMA_VERSION: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  ACCOUNT_LOCKED: 423,
  PAYREQ_REQUEST_FAILED: 424,
  COUNTERPARTY_PUBKEY_FETCH_ERROR: 424,
  NO_COMPATIBLE_UMA_VERSION: 424,
  LNURLP_REQUEST_FAILED: 424,
  EMAIL_OTP_CREDENTIAL_SYNC_FAILED: 424,
  RATE_LIMITED: 429,
  SERVICE_SWITCH_ERROR: 500,
  INTERNAL_ERROR: 500,
  NOT_IMPLEMENTED: 501,
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: 501,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** Temporary failures: the same request may succeed later. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  'QUOTE_REQUEST_FAILED',
  'LOOKUP_REQUEST_FAILED',
  'PAYREQ_REQUEST_FAILED',
  'COUNTERPARTY_PUBKEY_FETCH_ERROR',
  'LNURLP_REQUEST_FAILED',
  'EMAIL_OTP_CREDENTIAL_SYNC_FAILED',
  'RATE_LIMITED',
  'SERVICE_UNAVAILABLE',
])

export const isRetryable = (code: ErrorCode): boolean => RETRYABLE.has(code)

/** Constraints on a form field, so that platforms can validate before they send. Every constraint that is present applies. */
export interface FieldConstraint {
  format?: string
  pattern?: string
  enum?: readonly string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

export interface FieldError {
  /** Dot-notation path. */
  readonly field: string
  readonly message: string
  readonly constraint?: FieldConstraint
}

/** `field` is the first invalid field, `errors` has one entry per invalid field, and `reason` is a sub-case of the code. */
export interface ErrorDetails {
  field?: string
  errors?: readonly FieldError[]
  constraint?: FieldConstraint
  reason?: string
  [other: string]: unknown
}

const MAX_TEXT = 1_000

/** Texts may contain names and values from the caller, so their length is bounded. */
const shortened = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…`.toWellFormed() : text)

/** An error lists at most this many invalid fields. */
export const MAX_FIELD_ERRORS = 20

/** Bounds the texts, and fills `errors` for an error that names a single invalid field. */
const bounded = (message: string, details: ErrorDetails): ErrorDetails => {
  const { field, constraint } = details
  if (field === undefined) return details
  const errors = details.errors ?? [constraint === undefined ? { field, message } : { field, message, constraint }]
  return {
    ...details,
    field: shortened(field),
    errors: errors
      .slice(0, MAX_FIELD_ERRORS)
      .map((error) => ({ ...error, field: shortened(error.field), message: shortened(error.message) })),
  }
}

/** An error that callers see. Any other error reaches them as `INTERNAL_ERROR`, without its message. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: ErrorDetails | undefined

  constructor(code: ErrorCode, message: string, details?: ErrorDetails) {
    super(shortened(message))
    this.name = 'ApiError'
    this.code = code
    this.status = ERROR_STATUS[code]
    this.details = details && bounded(message, details)
  }

  /** The error body that the specification defines for every path and status. */
  toBody() {
    const { status, code, message, details } = this
    return details === undefined ? { status, code, message } : { status, code, message, details }
  }
}

export const invalidInput = (field: string, message: string, constraint?: FieldConstraint) =>
  new ApiError('INVALID_INPUT', message, constraint === undefined ? { field } : { field, constraint })
