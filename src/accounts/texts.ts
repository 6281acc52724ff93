// Descriptions of the public fields of accounts and of the parties of payments that are not columns of one record, for both faces.

export const ACCOUNT_TEXTS = {
  customerId: "`Customer:<uuid>` of the owner. Not present for the platform's own accounts.",
  newOwner: "`Customer:<uuid>` of the owner. Without it the account is the platform's own.",
  status: 'State of the account. Only an `ACTIVE` account can send or receive money.',
  privateEnabled: 'Whether the wallet hides its balance and transfers from public view.',
  fundingPaymentInstructions:
    'The ways to pay into the account. Empty for an account that is not `ACTIVE`, and in production.',
  beneficiaryVerifiedData: 'What the bank knows about the account holder. Only if it reported anything.',
} as const

export const EXTERNAL_TEXTS = {
  newAccountInfo: 'The details of the account: the fields of its type.',
  challenge: 'What the owner of the wallet signs.',
  method: 'How the owner proves ownership.',
  messageToSign: 'The message to sign, byte for byte.',
  challengeExpiresAt:
    'When the challenge expires: 15 minutes after it was created. The signature must arrive before then.',
} as const

export const INSTRUCTIONS_TEXTS = {
  accountOrWalletInfo: 'Where to pay.',
  instructionsNotes: 'Human-readable instructions.',
  isPlatformAccount: 'True for an account of the platform, false for an account of the customer.',
} as const

export const PARTY_TEXTS = {
  sourceType: 'Kind of source.',
  destinationType: 'Kind of destination.',
  accountId: '`InternalAccount:<uuid>` or `ExternalAccount:<uuid>`.',
  ownerId: '`Customer:<uuid>` of the owner.',
  payerId: '`Customer:<uuid>` of the payer.',
  currency: 'ISO 4217 code or ticker, for example `USD`.',
  umaAddress: 'For example `$alice@bank.example`.',
  paymentRail: 'The rail that the platform asked for.',
  onChainTransaction: 'The transfer on a blockchain. Only for crypto.',
  transactionHash: 'Hash of the transaction, in the format of its network.',
  network: 'For example `BITCOIN`, `ETHEREUM` or `SOLANA`.',
} as const

/** What the payer's bank says about real-time funding. */
export const FUNDING_TEXTS = {
  accountHolderName: 'Holder of the account that paid.',
  accountIdentifier: "The sender's account, masked.",
  bankName: "Name of the sender's bank.",
  bankIdentifier: "Routing number or BIC of the sender's bank.",
  paymentRail: 'The rail that carried the money.',
  remittanceInformation: "The sender's text.",
  endToEndId: 'End-to-end id of the rail.',
  traceNumber: 'Trace number of the rail.',
} as const

const COUNTRY = 'ISO 3166-1 alpha-2.'

/** What both kinds of beneficiary have. */
const HOLDER_TEXTS = {
  beneficiaryType: 'Person or business.',
  email: 'Email address.',
  phoneNumber: 'E.164, for example `+14155550123`.',
  countryOfResidence: COUNTRY,
  address: 'Postal address.',
} as const

export const PERSON_TEXTS = {
  fullName: 'First and last name.',
  birthDate: '`YYYY-MM-DD`.',
  nationality: COUNTRY,
  documentType: 'Kind of identity document. Only for a `COP_ACCOUNT`.',
  documentNumber: 'Number of the identity document. Only for a `COP_ACCOUNT`.',
  ...HOLDER_TEXTS,
} as const

export const BUSINESS_TEXTS = {
  legalName: 'Registered name.',
  registrationNumber: 'Number in the register of companies.',
  taxId: 'Tax number.',
  ...HOLDER_TEXTS,
} as const
