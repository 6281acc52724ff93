// The error codes of the protocol, and how institutions send them to each other.
import { ApiError } from '#core/errors.ts'

/** The HTTP status of each code of the protocol that this gateway sends. */
const WIRE_STATUS = {
  AMOUNT_OUT_OF_RANGE: 400,
  CERT_CHAIN_EXPIRED: 400,
  CERT_CHAIN_INVALID: 400,
  COUNTERPARTY_NOT_ALLOWED: 403,
  COUNTERPARTY_PUBKEY_FETCH_ERROR: 424,
  INTERNAL_ERROR: 500,
  INVALID_CURRENCY: 400,
  INVALID_NONCE: 400,
  INVALID_PUBKEY_FORMAT: 400,
  INVALID_REQUEST_FORMAT: 400,
  INVALID_SIGNATURE: 401,
  INVALID_TIMESTAMP: 400,
  MISSING_MANDATORY_PAYER_DATA: 400,
  MISSING_REQUIRED_UMA_PARAMETERS: 400,
  NON_UMA_LNURL_NOT_SUPPORTED: 403,
  NOT_IMPLEMENTED: 501,
  PARSE_LNURLP_REQUEST_ERROR: 400,
  PARSE_PAYREQ_REQUEST_ERROR: 400,
  PARSE_UTXO_CALLBACK_ERROR: 400,
  QUOTE_EXPIRED: 400,
  RATE_LIMITED: 429,
  REQUEST_NOT_FOUND: 404,
  SENDER_NOT_ACCEPTED: 400,
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: 501,
  UNSUPPORTED_UMA_VERSION: 412,
  USER_NOT_FOUND: 404,
  USER_NOT_READY: 403,
  VELOCITY_LIMIT_EXCEEDED: 403,
} as const

export type UmaErrorCode = keyof typeof WIRE_STATUS

/** A refusal that the other institution gets. Its text is ours and contains no customer data. */
export class UmaProtocolError extends Error {
  readonly code: UmaErrorCode
  /** Further members of the answer. */
  readonly more: object
  constructor(code: UmaErrorCode, reason: string, more: object = {}) {
    super(reason)
    this.code = code
    this.more = more
  }
}

/** The refusal that the other institution gets for an error. Undefined for an unexpected error. */
export const umaProtocolErrorOf = (error: unknown): UmaProtocolError | undefined => {
  if (error instanceof UmaProtocolError) return error
  if (!(error instanceof ApiError)) return undefined
  return error.code in WIRE_STATUS ? new UmaProtocolError(error.code as UmaErrorCode, error.message) : undefined
}

export interface WireAnswer {
  readonly status: number
  readonly body: object
}

export const answerOf = ({ code, message, more }: UmaProtocolError): WireAnswer => ({
  status: WIRE_STATUS[code],
  body: { status: 'ERROR', reason: message, code, ...more },
})

const CODE = /^[A-Z_]{1,64}$/

/** The code in the other institution's answer, if it has the form of a code. Nothing else of the answer is passed on. */
export const counterpartyCode = (text: string): string | undefined => {
  const code: unknown = Object(jsonOf(text)).code
  return typeof code === 'string' && CODE.test(code) ? code : undefined
}

/** Undefined for a text that is not JSON. */
export const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The only version that this gateway speaks. The answers of version 0 cannot be verified. */
export const MAJOR_VERSION = 1
export const VERSION = '1.0'

export const VERSION_FORM = /^(\d{1,3})\.\d{1,3}$/

/** The layer and the asset by which two institutions settle: what they owe each other, in BTC. */
export const SETTLEMENT = { layer: 'ledger', assetIdentifier: 'BTC' } as const

export const MSATS = 1_000
