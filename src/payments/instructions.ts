// How a quote is funded (domain reference 6.2): by a push to an account of the service, or by the signature of a wallet's owner.
import { randomInt } from 'node:crypto'
import { ACCOUNT_TYPES, type AccountType, type PaymentInstructions } from '#accounts/account-info.ts'
import { ApiError } from '#core/errors.ts'
import { canonicalJson } from '#credentials/fingerprint.ts'

const REFERENCE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const REFERENCE_LENGTH = 12

/** What the payer writes with the push, so that it finds its quote. */
export const newReference = (): string =>
  Array.from({ length: REFERENCE_LENGTH }, () => REFERENCE_ALPHABET[randomInt(REFERENCE_ALPHABET.length)]).join('')

/** The service's own accounts in the sandbox, where money can be pushed to. */
const SANDBOX_ACCOUNTS: Readonly<Partial<Record<AccountType, Readonly<Record<string, unknown>>>>> = {
  USD_ACCOUNT: {
    accountNumber: '900000001',
    routingNumber: '021000021',
    bankName: 'Sandbox Bank',
    paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
  },
  EUR_ACCOUNT: { iban: 'DE89370400440532013000', swiftCode: 'COBADEFFXXX', paymentRails: ['SEPA', 'SEPA_INSTANT'] },
  GBP_ACCOUNT: { sortCode: '200000', accountNumber: '55779911', paymentRails: ['FASTER_PAYMENTS'] },
  DKK_ACCOUNT: { iban: 'DK5000400440116243', paymentRails: ['SEPA', 'SEPA_INSTANT'] },
  MXN_ACCOUNT: { clabeNumber: '002010077777777771', paymentRails: ['SPEI'] },
  NGN_ACCOUNT: { bankName: 'Sandbox Bank', accountNumber: '0123456789', paymentRails: ['BANK_TRANSFER'] },
  SGD_ACCOUNT: {
    bankName: 'Sandbox Bank',
    accountNumber: '0720123456',
    swiftCode: 'DBSSSGSGXXX',
    paymentRails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'],
  },
  SOLANA_WALLET: { address: '7EqQdEULxWcraVx3mXKFjc84LhCkMGZCkRuDpvcMwJeK' },
  TRON_WALLET: { address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE' },
  POLYGON_WALLET: { address: '0x52908400098527886E0F7030069857D2E4169EE7' },
  BASE_WALLET: { address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
  ETHEREUM_WALLET: { address: '0xde709f2102306220921060314715629080e2fb77' },
}

/** Where to push the money. 400 `INVALID_CURRENCY` when nothing can take this currency in real time. */
export const fundingInstructions = (
  currency: string,
  network: string | null,
  reference: string,
): PaymentInstructions[] => {
  const name = network === null ? `${currency}_ACCOUNT` : `${network}_WALLET`
  const accountType = ACCOUNT_TYPES.find((type) => type === name)
  const account = accountType && SANDBOX_ACCOUNTS[accountType]
  if (!accountType || !account) {
    throw new ApiError('INVALID_CURRENCY', 'This currency cannot be funded in real time', { field: 'source.currency' })
  }
  const asset = network === null ? {} : { assetType: currency }
  return [
    {
      accountOrWalletInfo: { accountType, ...account, ...asset, reference },
      instructionsNotes: `Include the reference ${reference} with the payment`,
      isPlatformAccount: true,
    },
  ]
}

interface WalletPayment {
  readonly quoteId: string
  readonly accountId: string
  readonly destinationId: string
  readonly totalSendingAmount: bigint
  readonly totalReceivingAmount: bigint
  readonly expiresAt: string
}

/** What the owner's device stamps; the quote is then executed with the stamp alone (domain reference 3.6, last row of the table). */
export const walletInstructions = (payment: WalletPayment): PaymentInstructions[] => {
  const { accountId, totalSendingAmount, totalReceivingAmount, ...rest } = payment
  const transaction = canonicalJson({
    ...rest,
    sourceId: accountId,
    totalSendingAmount: Number(totalSendingAmount),
    totalReceivingAmount: Number(totalReceivingAmount),
  })
  const payloadToSign = canonicalJson({
    organizationId: accountId,
    parameters: {
      signWith: accountId,
      type: 'TRANSACTION_TYPE_SPARK',
      unsignedTransaction: Buffer.from(transaction, 'utf8').toString('hex'),
    },
    requestId: payment.quoteId,
    timestampMs: String(Date.now()),
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
  })
  return [{ accountOrWalletInfo: { accountType: 'EMBEDDED_WALLET', payloadToSign } }]
}
