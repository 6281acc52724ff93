// Words for the values of the schema.

/** `PENDING_APPROVAL` as `Pending approval`. */
export const sentence = (value: string) => {
  const text = value.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A message of the gateway, which has no full stop, as a sentence that others may follow. */
export const stopped = (message: string) => (/[.!?…]$/.test(message) ? message : `${message}.`)

const RAILS: Readonly<Record<string, string>> = {
  ACH: 'ACH',
  ACH_COLOMBIA: 'ACH Colombia',
  BRE_B: 'Bre-B',
  CIPS: 'CIPS',
  FAST: 'FAST',
  FEDNOW: 'FedNow',
  INSTAPAY: 'InstaPay',
  NEFT: 'NEFT',
  PAYNOW: 'PayNow',
  PESONET: 'PESONet',
  PIX: 'PIX',
  RTGS: 'RTGS',
  RTP: 'RTP',
  SEPA: 'SEPA',
  SEPA_INSTANT: 'SEPA Instant',
  SPEI: 'SPEI',
  SWIFT: 'SWIFT',
  UNIONPAY: 'UnionPay',
  UPI: 'UPI',
}

export const railName = (rail: string) => RAILS[rail] ?? sentence(rail)

/** `USD_ACCOUNT` as `USD account`, `SPARK_WALLET` as `Spark wallet`. */
export const accountTypeName = (type: string) =>
  type.endsWith('_ACCOUNT') ? `${type.slice(0, -8)} account` : sentence(type)

export const actionName = (type: string) =>
  ({
    EXECUTE_QUOTE: 'Pay',
    TRANSFER_IN: 'Take in from',
    TRANSFER_OUT: 'Move to',
    CREATE_EXTERNAL_ACCOUNT: 'Add account',
    DELETE_EXTERNAL_ACCOUNT: 'Delete account',
  })[type] ?? sentence(type)

/** `3 payments`, `1 payment`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? noun : plural}`
