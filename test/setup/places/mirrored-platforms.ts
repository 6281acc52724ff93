// Platforms whose rows mirror each other, and the names that could identify another platform's data.
import { randomBytes, randomUUID } from 'node:crypto'
import { type Kind, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { createInvitation } from '#test/setup/invitations.ts'
import { createDelegatedKey, createFactorReset, createTotp } from '#test/setup/sca/rows.ts'
import {
  createOperation,
  createProviderAccount,
  createStablecoin,
  createStablecoinQuote,
} from '#test/setup/stablecoins.ts'
import { createUmaProvider } from '#test/setup/uma/rows.ts'
import { createDocument, createOwner, createVerification } from '#test/setup/verification/rows.ts'
import { insertEndpoint } from '#test/setup/webhooks/endpoints.ts'
import {
  cardUse,
  createAgent,
  createAgentActions,
  createAuthMethod,
  createBulkJob,
  createCard,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  createQuote,
  createScaChallenge,
  createTransactions,
  createWalletSession,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

/** The number of groups per platform. */
export const GROUPS = 17

export const nameOf = (prefix: string, index: number) => `${prefix}-${index}`
export const umaAddressOf = (name: string) => `$${name}@bank.example`

/** Kinds of objects, each of them a node. */
export const NODES = [
  'Transaction',
  'CardTransaction',
  'Customer',
  'InternalAccount',
  'ExternalAccount',
  'Card',
  'Quote',
  'ScaChallenge',
  'Agent',
  'AgentAction',
  'AuthMethod',
  'Session',
  'TwoFactorReset',
  'DelegatedKey',
  'Webhook',
  'WebhookDelivery',
  'Token',
  'BeneficialOwner',
  'Document',
  'Verification',
  'BulkJob',
  'StablecoinProviderAccount',
  'Stablecoin',
  'StablecoinQuote',
  'StablecoinOperation',
  'Invitation',
  'UmaProvider',
] as const satisfies Kind[]

/** The strings that identify something on a platform. */
type Node = (typeof NODES)[number]
export type Name = Node | 'ScaFactor' | 'PlatformConfig' | 'platformCustomerId' | 'umaAddress' | 'reference' | 'cursor'
export type Names = Record<Name, string[]>

export const unknownId = (kind: Kind) => () => publicId(kind, randomUUID())
const unknownWord = () => randomBytes(8).toString('hex')

export const UNKNOWN: Record<Name, () => string> = {
  ...(Object.fromEntries(NODES.map((kind) => [kind, unknownId(kind)])) as Record<Node, () => string>),
  PlatformConfig: unknownId('PlatformConfig'),
  ScaFactor: unknownId('ScaFactor'),
  platformCustomerId: unknownWord,
  umaAddress: () => `$${unknownWord()}@bank.example`,
  reference: unknownWord,
  cursor: () => randomBytes(40).toString('base64url'),
}

/** Creates groups of a customer and everything around it. Rows take their UUIDs from `ids`, and new ones where it has none. */
export const populate = async (platform: Platform, prefix: string, ids = new Map<string, string>()): Promise<Names> => {
  await insertEndpoint(platform)
  const groups = await Promise.all(
    Array.from({ length: GROUPS }, (_, index) => {
      const idOf = (row: string) => {
        const key = `${row} ${index}`
        const id = ids.get(key) ?? randomUUID()
        ids.set(key, id)
        return id
      }
      return createGroup(platform, prefix, index, idOf)
    }),
  )
  await createTransactions(platform, [incoming({ createdAt: new Date(Date.UTC(2026, 0, 1)) })])
  await numberEvents()
  const all = (name: Name) => groups.flatMap((group) => group[name])
  return {
    ...(Object.fromEntries(Object.keys(UNKNOWN).map((name) => [name, all(name as Name)])) as Names),
    PlatformConfig: [publicId('PlatformConfig', platform.id)],
  }
}

const createGroup = async (
  platform: Platform,
  prefix: string,
  index: number,
  idOf: (row: string) => string,
): Promise<Names> => {
  const name = nameOf(prefix, index)
  const umaAddress = umaAddressOf(name)
  const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, index))
  const row = (what: string) => ({ id: idOf(what), createdAt })
  // Rows with the same UUID on two platforms differ in their contents.
  const figure = BigInt(prefix.length)
  const customer = await createCustomer(platform, { ...row('customer'), platformCustomerId: name, umaAddress, name })
  const owned = (what: string) => ({ ...row(what), customerId: customer.id })
  const account = await createInternalAccount(platform, { ...owned('account'), balance: figure, totalBalance: figure })
  const bank = await createExternalAccount(platform, {
    ...owned('bank'),
    accountInfo: { bankName: name, accountNumber: '123456789', routingNumber: '021000021', paymentRails: ['ACH'] },
  })
  const card = await createCard(platform, { ...owned('card'), accountId: account.id, last4: `10${prefix.length + 10}` })
  const agent = await createAgent(platform, { ...owned('agent'), name })
  const terms = { status: 'PENDING_AUTHORIZATION', totalSendingAmount: figure, feesIncluded: 0n } as const
  const quote = await createQuote(platform, { ...owned('quote'), ...terms })
  const expiresAt = new Date(Date.UTC(2030, 0, prefix.length))
  const challenge = await createScaChallenge(platform, { ...row('challenge'), quoteId: quote.id, expiresAt })
  const [action] = await createAgentActions(platform, [
    {
      ...owned('action'),
      agentId: agent.id,
      internalAccountId: account.id,
      externalAccountId: bank.id,
      amount: figure,
    },
  ])
  const credential = await createAuthMethod(platform, { ...row('credential'), accountId: account.id, nickname: name })
  const session = await createWalletSession(platform, { ...row('session'), credential, expiresAt })
  const place = { platformId: platform.id, customerId: customer.id, createdAt }
  const reset = await createFactorReset({ ...place, id: idOf('reset') })
  const factor = await createTotp({ ...place, id: idOf('factor') })
  const key = await createDelegatedKey({
    ...place,
    id: idOf('key'),
    cardId: card.id,
    accountId: account.id,
    nickname: name,
  })
  const common = { platformCustomerId: name, agentId: agent.id, reconciliationReference: name, description: name }
  const accounts = {
    sourceType: 'ACCOUNT',
    sourceUmaAddress: null,
    destinationType: 'ACCOUNT',
    destinationUmaAddress: null,
  } as const
  const [internal, external] = [account.id, bank.id]
  const sent = { ...accounts, sourceInternalAccountId: internal, destinationExternalAccountId: external }
  const got = { ...accounts, sourceExternalAccountId: external, destinationInternalAccountId: internal }
  const toItself = { sourceUmaAddress: umaAddress, destinationUmaAddress: umaAddress }
  const job = await createBulkJob(platform, { ...row('job'), correlationId: name })
  const payments = await createTransactions(platform, [
    outgoing({ ...owned('sent'), ...common, ...sent, quoteId: quote.id }),
    incoming({ ...owned('got'), ...common, ...got }),
    incoming({ ...owned('to itself'), ...common, ...toItself }),
  ])
  const [used] = await createTransactions(platform, [
    cardUse({ ...owned('used'), platformCustomerId: name, cardId: card.id, sourceInternalAccountId: internal }),
  ])
  const transactionId = idOf('sent')
  const step = { sequence: 2, fromStatus: 'PROCESSING', toStatus: 'COMPLETED', at: createdAt, reason: name } as const
  await db.transactionStateChange.create({ data: { platformId: platform.id, transactionId, ...step } })
  const [event] = await db.$queryRaw<{ id: string }[]>`
    select id from events where platform_id = ${platform.id}::uuid and object_id = ${transactionId}::uuid`
  const deliveryId = idOf('delivery')
  await db.$executeRaw`
    insert into webhook_deliveries (platform_id, id, event_id, type, position, lane, give_up_at, created_at)
    select platform_id, ${deliveryId}::uuid, id, type, ${index}::int, object_id, now() + interval '7 days', ${createdAt} from events
    where platform_id = ${platform.id}::uuid and id = ${event?.id ?? ''}::uuid`
  await db.$executeRaw`
    insert into webhook_attempts (platform_id, delivery_id, number, trigger, at, milliseconds, response_status, response_body, failure)
    values (${platform.id}::uuid, ${deliveryId}::uuid, 1, 'SCHEDULE', ${createdAt}, 5, 500, ${name}, 'STATUS')`
  const token = await db.apiToken.create({
    data: {
      ...row('token'),
      platformId: platform.id,
      name,
      clientId: randomUUID(),
      secretHash: randomBytes(32),
      permissions: ['VIEW'],
    },
  })
  const owner = await createOwner(platform, { ...owned('owner'), lastName: name })
  const held = { issuingAuthority: name, customerId: customer.id }
  const documents = [
    await createDocument(platform, { ...row('document'), ...held }),
    await createDocument(platform, { ...row('document of the owner'), ...held, ownerId: owner.id }),
  ]
  const provider = await createUmaProvider(platform, { ...row('provider'), domain: `${name}.example`, name })
  const verification = await createVerification(platform, { ...owned('verification'), reason: name })
  const link = await createProviderAccount(platform, row('link'))
  const coin = await createStablecoin(platform, { ...row('coin'), linkId: link.id })
  const placed = { coinId: coin.id, accountId: account.id, walletId: bank.id }
  const minted = await createStablecoinQuote(platform, { ...row('coin quote'), ...placed })
  const operation = await createOperation(platform, { ...row('operation'), ...placed, quoteId: minted.id })
  const invitation = await createInvitation(platform, { ...row('invitation'), inviterId: customer.id, umaAddress })
  return {
    StablecoinProviderAccount: [publicId('StablecoinProviderAccount', link.id)],
    Stablecoin: [publicId('Stablecoin', coin.id)],
    StablecoinQuote: [publicId('StablecoinQuote', minted.id)],
    StablecoinOperation: [publicId('StablecoinOperation', operation.id)],
    Invitation: [publicId('Invitation', invitation.id)],
    BeneficialOwner: [publicId('BeneficialOwner', owner.id)],
    Document: documents.map(({ id }) => publicId('Document', id)),
    Verification: [publicId('Verification', verification.id)],
    UmaProvider: [publicId('UmaProvider', provider.id)],
    Transaction: payments.map(({ id }) => publicId('Transaction', id)),
    CardTransaction: [publicId('CardTransaction', used?.id ?? '')],
    Customer: [publicId('Customer', customer.id)],
    InternalAccount: [publicId('InternalAccount', account.id)],
    ExternalAccount: [publicId('ExternalAccount', bank.id)],
    Card: [publicId('Card', card.id)],
    Quote: [publicId('Quote', quote.id)],
    ScaChallenge: [publicId('ScaChallenge', challenge.id)],
    Agent: [publicId('Agent', agent.id)],
    AgentAction: [publicId('AgentAction', action?.id ?? '')],
    AuthMethod: [publicId('AuthMethod', credential.id)],
    Session: [publicId('Session', session.id)],
    TwoFactorReset: [reset],
    ScaFactor: [factor],
    DelegatedKey: [key],
    Webhook: [publicId('Webhook', event?.id ?? '')],
    WebhookDelivery: [publicId('WebhookDelivery', deliveryId)],
    Token: [publicId('Token', token.id)],
    BulkJob: [publicId('BulkJob', job)],
    PlatformConfig: [],
    platformCustomerId: [name],
    umaAddress: [umaAddress],
    reference: [name],
    cursor: [],
  }
}
