// What each route of REST takes: ids, query parameters and a body.
import type { CrawledName } from './crawled-platforms.ts'

export interface Route {
  /** What the parameters of its path identify, in order. */
  readonly path?: readonly CrawledName[]
  /** Its query parameters that are not enums or numbers. */
  readonly query?: readonly string[]
  /** `{Name}` is replaced by one of the caller's own ids. */
  readonly body?: object
  /** Whether the body is sent as a form, with a file. */
  readonly isForm?: boolean
  /** Whether it reads the headers of a signed retry. */
  readonly isSigned?: boolean
}

const PAGE = ['cursor']
const DATES = ['startDate', 'endDate']
const TIMES = ['createdAfter', 'createdBefore', 'updatedAfter', 'updatedBefore']
const PAYMENTS = [
  ...PAGE,
  ...DATES,
  'accountIdentifier',
  'senderAccountIdentifier',
  'receiverAccountIdentifier',
  'reference',
]
const KEY = { clientPublicKey: '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' }
const LIMITS = { currency: 'USD', perTransactionLimit: 1 }
const accountRestrictions = {
  allowedAccountIds: ['{InternalAccount}'],
  accountRules: [{ accountId: '{InternalAccount}' }],
}
const POLICY = { permissions: [], defaultExecutionMode: 'AUTO', spendingLimits: LIMITS, accountRestrictions }
const SIDE = { lockedCurrencySide: 'SENDING', lockedCurrencyAmount: 1 }
const PAYEE = { destinationType: 'ACCOUNT', accountId: '{ExternalAccount}' }
const QUOTE = {
  source: { sourceType: 'ACCOUNT', accountId: '{InternalAccount}', customerId: '{Customer}' },
  destination: PAYEE,
  ...SIDE,
}
const OUT = { source: { accountId: '{InternalAccount}' }, destination: { accountId: '{ExternalAccount}' }, amount: 1 }
const IN = { source: { accountId: '{ExternalAccount}' }, destination: { accountId: '{InternalAccount}' }, amount: 1 }
const MERCHANT = { descriptor: '{reference}' }
const USE = { amount: 1, currency: { code: 'USD' }, merchant: MERCHANT }
const STEP = { cardTransactionId: '{CardTransaction}', amount: 1 }
const PROOF = { code: '{reference}', challengeId: '{ScaChallenge}' }
const WALLET = {
  currency: 'USDC',
  accountInfo: { accountType: 'BASE_WALLET', address: '0x52908400098527886e0f7030069857d2e4169ee7' },
}
const DOCUMENT = { documentType: 'PASSPORT', country: 'DE' }
const OWNER = {
  roles: ['UBO'],
  ownershipPercentage: 50,
  personalInfo: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    birthDate: '1980-01-01',
    nationality: 'DE',
    address: { line1: '1 Main Street', postalCode: '1', country: 'DE' },
    idType: 'SSN',
    identifier: '123456789',
  },
}
const [DOLLARS, TOKENS] = [{ accountId: '{InternalAccount}' }, { accountId: '{ExternalAccount}' }]
const MINT = { amount: '1', source: DOLLARS, destination: TOKENS }
const BURN = { amount: '1', source: TOKENS, destination: DOLLARS }
const WITHDRAWAL = {
  internalAccountId: '{InternalAccount}',
  currency: 'USDC',
  cryptoNetwork: 'BASE',
  amount: 1_000_000,
  destinationAddress: '0x52908400098527886e0f7030069857d2e4169ee7',
}
const REASON = { reason: '{reference}' }

/** `GET /agents/{}`, the same for a route and for its operation of the contract, which has its own names of parameters. */
export const unnamed = (operation: string) => operation.replaceAll(/\{\w+\}|:\w+/g, '{}')

/** The inputs of each route. A new route needs a line here. */
export const ROUTES: Readonly<Record<string, Route>> = {
  'POST /agents/device-codes/:code/redeem': { path: ['reference'] },
  'PUT /uploads/:token': { path: ['reference'] },
  'GET /webhooks/events': { query: [...PAGE, ...DATES, 'subjectId', 'customerId', 'agentId'] },
  'GET /webhooks/events/:id': { path: ['Webhook'] },
  'GET /webhooks/deliveries': { query: [...PAGE, 'subjectId'] },
  'POST /webhooks/events/:id/redeliver': { path: ['Webhook'] },
  'POST /webhooks/events/:id/skip': { path: ['Webhook'] },
  'POST /webhooks/redeliver': { body: { since: '2100-01-01' } },
  'POST /webhooks/key/rotate': {},
  'POST /sandbox/webhooks/test': {},
  'POST /sandbox/internal-accounts/:id/fund': { path: ['InternalAccount'], body: { amount: 1 } },
  'POST /sandbox/send': { body: { quoteId: '{Quote}', currencyCode: 'USD' } },
  'POST /sandbox/uma/receive': {
    body: {
      senderUmaAddress: '$sam@bank.example',
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 1,
      customerId: '{Customer}',
    },
  },
  'POST /sandbox/advance-time': { body: { seconds: 0 } },
  'POST /tokens': { body: { name: 'Crawler', permissions: ['VIEW'] } },
  'GET /tokens': { query: [...PAGE, ...TIMES, 'name'] },
  'GET /tokens/:id': { path: ['Token'] },
  'DELETE /tokens/:id': { path: ['Token'] },
  'GET /uma-providers': { query: PAGE },
  'GET /receiver/uma/:receiverUmaAddress': { path: ['reference'], query: ['customerId'] },
  'GET /receiver/external-account/:accountId': { path: ['ExternalAccount'], query: ['customerId'] },
  'POST /verifications': { body: { customerId: '{Customer}' } },
  'GET /verifications': { query: [...PAGE, 'customerId'] },
  'GET /verifications/:id': { path: ['Verification'] },
  'POST /customers/:id/kyc-link': { path: ['Customer'], body: {} },
  'POST /beneficial-owners': { body: { ...OWNER, customerId: '{Customer}' } },
  'GET /beneficial-owners': { query: [...PAGE, 'customerId'] },
  'GET /beneficial-owners/:id': { path: ['BeneficialOwner'] },
  'PATCH /beneficial-owners/:id': { path: ['BeneficialOwner'], body: { ownershipPercentage: 7 } },
  'POST /documents': { isForm: true, body: { ...DOCUMENT, documentHolder: '{Customer}' } },
  'GET /documents': { query: [...PAGE, 'documentHolder'] },
  'GET /documents/:id': { path: ['Document'] },
  'PUT /documents/:id': { isForm: true, path: ['Document'], body: DOCUMENT },
  'DELETE /documents/:id': { path: ['Document'] },
  'GET /exchange-rates': { query: ['sourceCurrency', 'destinationCurrency'] },
  'GET /discoveries': { query: ['country', 'currency'] },
  'GET /vasps': { query: PAGE },
  'POST /crypto/estimate-withdrawal-fee': { body: WITHDRAWAL },
  'POST /invitations': { body: { inviterUma: '{umaAddress}', firstName: '{reference}' } },
  'GET /invitations/:code': { path: ['reference'] },
  'POST /invitations/:code/claim': { path: ['reference'], body: { inviteeUma: '{umaAddress}' } },
  'POST /invitations/:code/cancel': { path: ['reference'] },
  'POST /stablecoin-provider-accounts': {
    body: { provider: 'BRALE', apiClientId: '{reference}', apiClientSecret: '{reference}' },
  },
  'GET /stablecoin-provider-accounts': { query: PAGE },
  'GET /stablecoin-provider-accounts/:id': { path: ['StablecoinProviderAccount'] },
  'POST /stablecoins': {
    body: {
      providerTokenIdentifier: '{reference}',
      networkTokenIdentifier: '{reference}',
      network: 'SPARK',
      stablecoinProviderAccountId: '{StablecoinProviderAccount}',
    },
  },
  'GET /stablecoins': { query: PAGE },
  'GET /stablecoins/:id': { path: ['Stablecoin'] },
  'GET /stablecoins/:id/operations': { path: ['Stablecoin'], query: PAGE },
  'POST /stablecoins/:id/mint-quotes': { path: ['Stablecoin'], body: MINT },
  'POST /stablecoins/:id/burn-quotes': { path: ['Stablecoin'], body: BURN },
  'POST /stablecoin-quotes/:id/execute': { path: ['StablecoinQuote'] },
  'GET /stablecoin-operations/:id': { path: ['StablecoinOperation'] },
  'GET /config': {},
  'PATCH /config': { body: { webhookEndpoint: '{reference}' } },
  'GET /agents/me': {},
  'GET /agents/me/actions': { query: PAGE },
  'GET /agents/me/actions/:id': { path: ['AgentAction'] },
  'GET /agents/me/transactions': { query: PAYMENTS },
  'GET /agents/me/transactions/:id': { path: ['Transaction'] },
  'GET /agents/me/internal-accounts': { query: [...PAGE, 'currency'] },
  'GET /agents/me/external-accounts': { query: [...PAGE, 'currency'] },
  'GET /agents/me/external-accounts/:id': { path: ['ExternalAccount'] },
  'POST /agents/me/external-accounts': {},
  'DELETE /agents/me/external-accounts/:id': { path: ['ExternalAccount'] },
  'POST /agents/me/quotes': { body: QUOTE },
  'GET /agents/me/quotes/:id': { path: ['Quote'] },
  'POST /agents/me/quotes/:id/execute': { path: ['Quote'] },
  'POST /agents/me/transfer-out': { body: OUT },
  'POST /agents/me/transfer-in': { body: IN },
  'GET /transactions': { query: [...PAYMENTS, 'customerId', 'platformCustomerId'] },
  'GET /transactions/:id': { path: ['Transaction'] },
  'POST /transactions/:id/approve': { path: ['Transaction'] },
  'POST /transactions/:id/reject': { path: ['Transaction'], body: REASON },
  'POST /transactions/:id/cancel': { path: ['Transaction'], body: REASON },
  'POST /transactions/:id/confirm': { path: ['Transaction'] },
  'POST /auth/credentials': { isSigned: true, body: { type: 'EMAIL_OTP', accountId: '{Wallet}' } },
  'GET /auth/credentials': { query: ['accountId'] },
  'DELETE /auth/credentials/:id': { isSigned: true, path: ['AuthMethod'] },
  'POST /auth/credentials/:id/challenge': { path: ['AuthMethod'], body: KEY },
  'POST /auth/credentials/:id/verify': {
    isSigned: true,
    path: ['AuthMethod'],
    body: { type: 'EMAIL_OTP', encryptedOtpBundle: '{reference}' },
  },
  'GET /auth/sessions': { query: ['accountId'] },
  'POST /auth/sessions/:id/refresh': { isSigned: true, path: ['Session'], body: KEY },
  'DELETE /auth/sessions/:id': { isSigned: true, path: ['Session'] },
  'POST /internal-accounts/:id/export': { isSigned: true, path: ['Wallet'], body: KEY },
  'PATCH /internal-accounts/:id': { isSigned: true, path: ['Wallet'], body: { privateEnabled: true } },
  'PATCH /customers/:id': {
    isSigned: true,
    path: ['Customer'],
    body: { customerType: 'INDIVIDUAL', email: '{reference}' },
  },
  'GET /customers': {
    query: [...PAGE, ...TIMES, 'platformCustomerId', 'region', 'currency', 'umaAddress'],
  },
  'POST /customers': {
    body: {
      customerType: 'INDIVIDUAL',
      fullName: '{reference} 003',
      platformCustomerId: '{platformCustomerId}',
      umaAddress: '{umaAddress}',
      phoneNumber: '{reference}',
    },
  },
  'GET /customers/:id': { path: ['Customer'] },
  'DELETE /customers/:id': { path: ['Customer'] },
  'GET /customers/end-user-terms': {},
  'POST /customers/:id/verify-email': { path: ['Customer'] },
  'POST /customers/:id/verify-email/confirm': { path: ['Customer'], body: { code: '{reference}' } },
  'POST /customers/:id/verify-phone': { path: ['Customer'] },
  'POST /customers/:id/verify-phone/confirm': { path: ['Customer'], body: { code: '{reference}' } },
  'POST /customers/external-accounts/:id/trust': { path: ['ExternalAccount'] },
  'POST /customers/external-accounts/:id/trust/confirm': { path: ['ExternalAccount'], body: PROOF },
  'POST /customers/external-accounts/:id/untrust': { path: ['ExternalAccount'] },
  'POST /customers/external-accounts/:id/untrust/confirm': { path: ['ExternalAccount'], body: PROOF },
  'GET /sca/factors': { query: ['customerId'] },
  'POST /sca/factors': { body: { customerId: '{Customer}', type: 'TOTP' } },
  'POST /sca/factors/confirm': { body: { customerId: '{Customer}', secret: '{reference}', code: '{reference}' } },
  'DELETE /sca/factors/:credentialId': { path: ['ScaFactor'], query: ['customerId'] },
  'POST /sca/login/start': { body: { customerId: '{Customer}', factor: 'SMS_OTP' } },
  'POST /sca/login/complete': { body: { customerId: '{Customer}', factor: 'SMS_OTP', ...PROOF } },
  'POST /sca/record-event': { body: { customerId: '{Customer}', eventType: 'RESET_PASSWORD_COMPLETED' } },
  'POST /sca/factors/reset': { body: { customerId: '{Customer}', factor: 'TOTP' } },
  'GET /sca/factors/reset/:resetId': { path: ['TwoFactorReset'], query: ['customerId'] },
  'POST /sca/factors/reset/:resetId/complete': { path: ['TwoFactorReset'], body: { customerId: '{Customer}' } },
  'POST /quotes/:id/authorize': { path: ['Quote'], body: { code: '{reference}' } },
  'POST /quotes/:id/authorize/resend': { path: ['Quote'] },
  'POST /auth/delegated-keys': {
    isSigned: true,
    body: { cardId: '{Card}', internalAccountId: '{Wallet}', nickname: '{reference}' },
  },
  'GET /auth/delegated-keys': { query: ['accountId', 'fundingSourceId'] },
  'GET /auth/delegated-keys/:id': { path: ['DelegatedKey'] },
  'DELETE /auth/delegated-keys/:id': { path: ['DelegatedKey'] },
  'POST /customers/bulk/csv': { isForm: true, body: {} },
  'GET /customers/bulk/jobs/:id': { path: ['BulkJob'] },
  'GET /customers/internal-accounts': { query: [...PAGE, 'customerId', 'currency'] },
  'GET /customers/external-accounts': { query: [...PAGE, 'customerId', 'currency'] },
  'GET /customers/external-accounts/:id': { path: ['ExternalAccount'] },
  'POST /customers/external-accounts': { body: { ...WALLET, customerId: '{Customer}' } },
  'DELETE /customers/external-accounts/:id': { path: ['ExternalAccount'] },
  'POST /customers/external-accounts/:id/challenge': {
    path: ['ExternalAccount'],
    body: { method: 'WALLET_SIGNATURE' },
  },
  'POST /customers/external-accounts/:id/verify': { path: ['ExternalAccount'], body: { signature: '0x00' } },
  'POST /platform/external-accounts': {},
  'DELETE /platform/external-accounts/:id': { path: ['PlatformAccount'] },
  'POST /platform/external-accounts/:id/challenge': { path: ['PlatformAccount'], body: { method: 'WALLET_SIGNATURE' } },
  'POST /platform/external-accounts/:id/verify': { path: ['PlatformAccount'], body: { signature: '0x00' } },
  'GET /platform/internal-accounts': { query: ['currency'] },
  'GET /platform/external-accounts': { query: [...PAGE, 'currency'] },
  'GET /platform/external-accounts/:id': { path: ['PlatformAccount'] },
  'GET /cards': { query: [...PAGE, 'cardholderId', 'accountId', 'platformCardId'] },
  'GET /cards/:id': { path: ['Card'] },
  'POST /cards': {
    body: {
      cardholderId: '{Customer}',
      form: 'VIRTUAL',
      fundingSources: ['{InternalAccount}'],
      platformCardId: '{reference}',
    },
  },
  'PATCH /cards/:id': { path: ['Card'], body: { fundingSources: ['{InternalAccount}'] } },
  'POST /cards/:id/reveal': { path: ['Card'] },
  'POST /sandbox/cards/:id/simulate/authorization': { path: ['Card'], body: USE },
  'POST /sandbox/cards/:id/simulate/credit_authorization': { path: ['Card'], body: USE },
  'POST /sandbox/cards/:id/simulate/financial_authorization': { path: ['Card'], body: USE },
  'POST /sandbox/cards/:id/simulate/financial_credit_authorization': { path: ['Card'], body: USE },
  'POST /sandbox/cards/:id/simulate/credit_authorization_advice': { path: ['Card'], body: USE },
  'POST /sandbox/cards/:id/simulate/balance_inquiry': { path: ['Card'], body: { merchant: MERCHANT } },
  'POST /sandbox/cards/:id/simulate/authorization_advice': { path: ['Card'], body: STEP },
  'POST /sandbox/cards/:id/simulate/clearing': { path: ['Card'], body: STEP },
  'POST /sandbox/cards/:id/simulate/return': { path: ['Card'], body: STEP },
  'POST /sandbox/cards/:id/simulate/return_reversal': {
    path: ['Card'],
    body: { cardTransactionId: '{CardTransaction}' },
  },
  'GET /agents/:id/actions': { path: ['Agent'], query: [...PAGE, ...DATES, 'customerId'] },
  'POST /quotes': { body: QUOTE },
  'GET /quotes/:id': { path: ['Quote'] },
  'POST /quotes/:id/execute': { path: ['Quote'] },
  'POST /transfer-out': { body: OUT },
  'POST /transfer-in': { body: IN },
  'POST /agents': { body: { name: '{reference}', customerId: '{Customer}', policy: POLICY } },
  'GET /agents': { query: [...PAGE, ...TIMES, 'customerId'] },
  'GET /agents/approvals': { query: [...PAGE, ...DATES, 'agentId', 'customerId'] },
  'GET /agents/device-codes/:code/status': { path: ['deviceCode'] },
  'GET /agents/:id': { path: ['Agent'] },
  'PATCH /agents/:id': { path: ['Agent'], body: { name: '{reference}' } },
  'DELETE /agents/:id': { path: ['Agent'] },
  'PATCH /agents/:id/policy': { path: ['Agent'], body: { accountRestrictions } },
  'POST /agents/:id/device-codes': { path: ['Agent'] },
  'POST /agents/:id/actions/:actionId/approve': { path: ['Agent', 'AgentAction'] },
  'POST /agents/:id/actions/:actionId/reject': { path: ['Agent', 'AgentAction'], body: REASON },
}
