// GraphQL shows what REST shows: every field of a REST resource is on the GraphQL type of the same name, possibly under another name.
import { readFileSync } from 'node:fs'
import { buildSchema, isInterfaceType, isObjectType } from 'graphql'
import { expect, it } from 'vitest'

const schema = buildSchema(readFileSync('src/graphql/schema.graphql', 'utf8'))
const { components } = JSON.parse(readFileSync('src/rest/openapi.json', 'utf8')) as {
  components: { schemas: Record<string, { properties?: Record<string, unknown>; allOf?: object[] }> }
}

/** REST resource: the GraphQL type that shows it, or a type and a part of it that show it together. */
const TYPES: Readonly<Record<string, string | readonly string[]>> = {
  ApiToken: 'ApiToken',
  Agent: 'Agent',
  AgentAction: 'AgentAction',
  AgentPolicy: 'AgentPolicy',
  AgentUsage: 'AgentUsage',
  AuthMethod: 'AuthMethod',
  BulkJob: 'BulkJob',
  BulkJobError: 'BulkJobError',
  BulkJobProgress: 'BulkJob',
  BusinessCustomer: ['Customer', 'BusinessDetails'],
  BusinessInfo: 'BusinessDetails',
  CardTokenization2faConfig: 'CardTokenization2faConfig',
  CardTokenizationEmail: 'CardTokenizationEmail',
  CardTokenizationSms: 'CardTokenizationSms',
  CounterpartyField: 'CounterpartyField',
  EmbeddedWalletConfig: 'EmbeddedWalletConfig',
  FeeConfig: 'FeeConfig',
  PlatformConfig: 'PlatformConfig',
  SupportedCurrency: 'SupportedCurrency',
  BeneficialOwner: 'BeneficialOwner',
  Card: 'Card',
  Document: 'Document',
  KycLink: 'KycLink',
  OwnerPersonalInfo: 'OwnerPersonalInfo',
  LookedUpCurrency: 'LookedUpCurrency',
  UmaLookup: 'ReceiverLookup',
  ExternalAccountLookup: 'ReceiverLookup',
  UmaProvider: 'UmaProvider',
  Verification: 'Verification',
  VerificationError: 'VerificationError',
  CardTransaction: 'CardTransaction',
  TestEvent: 'Event',
  WebhookAttempt: 'WebhookAttempt',
  WebhookDelivery: 'WebhookDelivery',
  ExternalAccount: 'ExternalAccount',
  IncomingTransaction: 'IncomingTransaction',
  IndividualCustomer: ['Customer', 'IndividualDetails'],
  InternalAccount: 'InternalAccount',
  OutgoingTransaction: 'OutgoingTransaction',
  PaymentInstructions: 'PaymentInstructions',
  Quote: 'Quote',
  Refund: 'Refund',
  Session: 'Session',
  Discovery: 'Discovery',
  ExchangeRate: 'ExchangeRate',
  ExchangeRateFees: 'ExchangeRateFees',
  Stablecoin: 'Stablecoin',
  StablecoinOperation: 'StablecoinOperation',
  StablecoinProviderAccount: 'StablecoinProviderAccount',
  StablecoinQuote: 'StablecoinQuote',
  UmaInvitation: 'Invitation',
  Vasp: 'Vasp',
  WithdrawalFee: 'WithdrawalFee',
}

/** Fields that GraphQL has under a name of its own. */
const NAMES: Readonly<Record<string, string>> = {
  'BulkJob.errors': 'rowErrors',
  'BulkJob.progress': 'processed',
  'BulkJob.status': 'jobStatus',
  'BusinessCustomer.businessInfo': 'business',
  'BusinessCustomer.kybStatus': 'verificationStatus',
  'Card.cardholderId': 'customerId',
  'Card.currency': 'account',
  'TestEvent.timestamp': 'createdAt',
  'TestEvent.type': 'eventType',
  'Verification.verificationStatus': 'verificationState',
  'WebhookDelivery.status': 'deliveryStatus',
  'WebhookDelivery.type': 'eventType',
  'IndividualCustomer.kycStatus': 'verificationStatus',
  'PlatformConfig.webhookNextSigningPublicKey': 'webhookEndpoint',
  'PlatformConfig.webhookSigningPublicKey': 'webhookEndpoint',
  'Session.credentialId': 'authMethod',
  'Stablecoin.network': 'tokenNetwork',
  'StablecoinOperation.amount': 'tokenAmount',
  'StablecoinOperation.destination': 'externalAccount',
  'StablecoinOperation.quoteId': 'stablecoinQuoteId',
  'StablecoinOperation.source': 'internalAccount',
  'StablecoinOperation.status': 'operationStatus',
  'StablecoinProviderAccount.provider': 'stablecoinProvider',
  'StablecoinProviderAccount.status': 'linkStatus',
  'StablecoinQuote.amount': 'tokenAmount',
  'StablecoinQuote.destination': 'externalAccount',
  'StablecoinQuote.source': 'internalAccount',
  'StablecoinQuote.status': 'stablecoinQuoteStatus',
  'UmaInvitation.expiresAt': 'claimableUntil',
  'UmaInvitation.status': 'invitationStatus',
  'UmaProvider.allowListStatus': 'isAllowed',
}

it('every field of REST is in GraphQL', () => {
  const absent = Object.entries(TYPES).flatMap(([resource, name]) => {
    const properties = Object.keys(components.schemas[resource]?.properties ?? {})
    const types = [name].flat().map((each) => schema.getType(each))
    const fields = Object.assign(
      {},
      ...types.map((type) => (isObjectType(type) || isInterfaceType(type) ? type.getFields() : {})),
    )
    if (properties.length === 0) return [`${resource} has no properties`]
    return properties
      .filter((property) => !fields[NAMES[`${resource}.${property}`] ?? property])
      .map((property) => `${resource}.${property}`)
  })
  expect(absent).toEqual([])
})
