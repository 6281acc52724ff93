// Fills each paged list with items at given times, among neighbours that no page may show.
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import type { Item } from './connection.ts'
import { type Create, itemsAt, ofAll } from './list-items.ts'
import { umaProvidersAt } from './uma/rows.ts'
import { createDocument, createOwner, createVerification } from './verification/rows.ts'
import { insertEndpoint } from './webhooks/endpoints.ts'
import {
  cardCredit,
  cardUse,
  createAgent,
  createAgentActions,
  createCard,
  createCustomer,
  createCustomers,
  createExternalAccount,
  createInternalAccount,
  createQuote,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
  paidFrom,
  paidTo,
} from './world.ts'

type Row = ReturnType<typeof incoming>

/** Transactions of every form in turn, one for each time. */
const transactionsAt = async (platform: Platform, times: readonly Date[], forms: readonly Row[]): Promise<Item[]> => {
  const rows = times.map((createdAt, index) => ({ ...forms[index % forms.length], createdAt }))
  return (await createTransactions(platform, rows)).map(({ id, type }, index) => ({
    id: publicId(type === 'CARD' ? 'CardTransaction' : 'Transaction', id),
    createdAt: times[index] ?? new Date(),
    isAdmitted: type === 'INCOMING',
  }))
}

const createOfPlatform: Create = async (platform, times) => {
  const { id } = await createInternalAccount(platform)
  const forms = [incoming(), outgoing(), cardUse({ sourceInternalAccountId: id })]
  return { parent: '', items: await transactionsAt(platform, times, forms) }
}

const createCustomersAt: Create = async (platform, times) => {
  const rows = times.map((createdAt, index) => ({
    createdAt,
    customerType: index % 3 === 0 ? ('BUSINESS' as const) : ('INDIVIDUAL' as const),
  }))
  await createCustomer(platform, { isDeleted: true, createdAt: times[0] ?? new Date() })
  const customers = await createCustomers(platform, rows)
  const items = customers.map(({ id, customerType }, index) => ({
    id: publicId('Customer', id),
    createdAt: times[index] ?? new Date(),
    isAdmitted: customerType === 'BUSINESS',
  }))
  return { parent: '', items }
}

const createOfCustomer: Create = async (platform, times) => {
  const { id, platformCustomerId } = await createCustomer(platform)
  const account = await createInternalAccount(platform, { customerId: id })
  const own = { customerId: id, platformCustomerId }
  const forms = [incoming(own), cardUse({ ...own, sourceInternalAccountId: account.id }), outgoing(own)]
  return { parent: publicId('Customer', id), items: await transactionsAt(platform, times, forms) }
}

/** Money in, money out, money from the account to itself, and both effects of a card. */
const createOfInternalAccount: Create = async (platform, times) => {
  const { id } = await createInternalAccount(platform)
  const parent = publicId('InternalAccount', id)
  const forms = [
    incoming(paidTo(parent)),
    outgoing(paidFrom(parent)),
    outgoing({ ...paidFrom(parent), ...paidTo(parent) }),
    cardUse({ sourceInternalAccountId: id }),
    cardCredit({ destinationInternalAccountId: id }),
    incoming({ ...paidFrom(parent), ...paidTo(parent) }),
  ]
  return { parent, items: await transactionsAt(platform, times, forms) }
}

const createOfExternalAccount: Create = async (platform, times) => {
  const { id } = await createExternalAccount(platform)
  const parent = publicId('ExternalAccount', id)
  const itself = outgoing({ ...paidFrom(parent), ...paidTo(parent) })
  const forms = [incoming(paidFrom(parent)), outgoing(paidTo(parent)), itself]
  return { parent, items: await transactionsAt(platform, times, forms) }
}

const createOfAgent: Create = async (platform, times) => {
  const customer = await createCustomer(platform)
  const { id: agentId } = await createAgent(platform, { customerId: customer.id })
  const items = await transactionsAt(platform, times, [outgoing({ agentId }), incoming({ agentId })])
  return { parent: publicId('Agent', agentId), items }
}

const createOfCard: Create = async (platform, times) => {
  const { id: customerId } = await createCustomer(platform)
  const { id: accountId } = await createInternalAccount(platform, { customerId })
  const { id: cardId } = await createCard(platform, { customerId, accountId })
  const forms = [
    cardUse({ cardId, sourceInternalAccountId: accountId }),
    cardCredit({ cardId, destinationInternalAccountId: accountId }),
  ]
  const items = await transactionsAt(platform, times, forms)
  // The first of the forms is authorized, the second is settled.
  return { parent: publicId('Card', cardId), items: items.map((item, at) => ({ ...item, isAdmitted: at % 2 === 0 })) }
}

const internalAccountsAt = (platform: Platform, times: readonly Date[], customerId: string) =>
  itemsAt('InternalAccount', times, (createdAt, isAdmitted) =>
    createInternalAccount(platform, { customerId, createdAt, type: isAdmitted ? 'INTERNAL_CRYPTO' : 'INTERNAL_FIAT' }),
  )

const externalAccountsAt = (platform: Platform, times: readonly Date[], customerId: string | null) =>
  itemsAt('ExternalAccount', times, (createdAt, isAdmitted) =>
    createExternalAccount(platform, { customerId, createdAt, currency: isAdmitted ? 'EUR' : 'USD' }),
  )

const ofCustomer =
  (itemsOf: (platform: Platform, times: readonly Date[], customerId: string) => Promise<Item[]>): Create =>
  async (platform, times) => {
    const { id } = await createCustomer(platform)
    return { parent: publicId('Customer', id), items: await itemsOf(platform, times, id) }
  }

const platformsOwn: Create = async (platform, times) => {
  const { id } = await createCustomer(platform)
  await createExternalAccount(platform, { customerId: id })
  return { parent: '', items: await externalAccountsAt(platform, times, null) }
}

const cardsAt = async (platform: Platform, times: readonly Date[], customerId: string, accountId?: string) => {
  const account = accountId ?? (await createInternalAccount(platform, { customerId })).id
  return itemsAt('Card', times, (createdAt, isAdmitted) =>
    createCard(platform, { customerId, accountId: account, createdAt, state: isAdmitted ? 'FROZEN' : 'ACTIVE' }),
  )
}

const cardsOfAccount: Create = async (platform, times) => {
  const { id: customerId } = await createCustomer(platform)
  const { id } = await createInternalAccount(platform, { customerId })
  return { parent: publicId('InternalAccount', id), items: await cardsAt(platform, times, customerId, id) }
}

const agentsAt = async (platform: Platform, times: readonly Date[], customerId: string) => {
  await createAgent(platform, { customerId, deletedAt: new Date() })
  return itemsAt('Agent', times, (createdAt, isPaused) => createAgent(platform, { customerId, createdAt, isPaused }))
}

const quotesOf =
  (parent: 'Customer' | 'Agent'): Create =>
  async (platform, times) => {
    const { id: customerId } = await createCustomer(platform)
    const { id: agentId } = await createAgent(platform, { customerId })
    const items = await itemsAt('Quote', times, (createdAt, isAdmitted) =>
      createQuote(platform, { customerId, agentId, createdAt, status: isAdmitted ? 'EXPIRED' : 'COMPLETED' }),
    )
    return { parent: publicId(parent, parent === 'Agent' ? agentId : customerId), items }
  }

const OUTCOMES = ['APPROVED', 'REJECTED', 'FAILED'] as const

/** Actions of an agent, for a list of those with these states. */
const actionsOf = async (platform: Platform, times: readonly Date[], isQueue: boolean) => {
  const { id: customerId } = await createCustomer(platform)
  const { id: agentId } = await createAgent(platform, { customerId })
  const { id: internalAccountId } = await createInternalAccount(platform, { customerId })
  const { id: externalAccountId } = await createExternalAccount(platform, { customerId })
  const action = { agentId, customerId, internalAccountId, externalAccountId }
  const rows = times.map((createdAt, index) => ({
    ...action,
    createdAt,
    status: isQueue || index % 3 > 0 ? ('PENDING_APPROVAL' as const) : ('APPROVED' as const),
  }))
  const listed = await createAgentActions(platform, rows)
  // Decided actions, which no queue shows.
  if (isQueue) {
    await createAgentActions(
      platform,
      OUTCOMES.map((status) => ({ ...action, status })),
    )
  }
  const items = listed.map(({ id, status }, index): Item => {
    const createdAt = times[index] ?? new Date()
    return { id: publicId('AgentAction', id), createdAt, isAdmitted: isQueue || status === 'APPROVED' }
  })
  return { agentId: publicId('Agent', agentId), customerId: publicId('Customer', customerId), items }
}

const actionsAt =
  (parent: 'agentId' | 'customerId' | null, isQueue: boolean): Create =>
  async (platform, times) => {
    const made = await actionsOf(platform, times, isQueue)
    return { parent: parent ? made[parent] : '', items: made.items }
  }

/** Written in the order of time, then of id, so that their positions are in it too. */
const deliveriesAt: Create = async (platform, times) => {
  await insertEndpoint(platform)
  const rows = times.map((createdAt, index) => ({ id: uuidv7(), createdAt, isAdmitted: index % 3 === 0 }))
  for (const [index, { id, createdAt, isAdmitted }] of rows.entries()) {
    await db.$executeRaw`
      insert into events (platform_id, id, type, snapshot) values (${platform.id}::uuid, ${id}::uuid, 'TEST', '{}')`
    await db.$executeRaw`
      insert into webhook_deliveries (platform_id, id, event_id, type, position, lane, status, give_up_at, created_at, done_at)
      values (${platform.id}::uuid, ${id}::uuid, ${id}::uuid, 'TEST', ${index}::int, ${id}::uuid,
        ${isAdmitted ? 'FAILED' : 'DELIVERED'}::webhook_delivery_status, now(), ${createdAt}, now())`
  }
  return { parent: '', items: rows.map(({ id, ...row }) => ({ id: publicId('WebhookDelivery', id), ...row })) }
}

const eventsAt: Create = async (platform, times) => {
  const rows = times
    .map((createdAt, index) => ({ id: uuidv7({ msecs: createdAt.getTime() }), createdAt, isAdmitted: index % 3 === 0 }))
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
  for (const { id, createdAt, isAdmitted } of rows)
    await db.$executeRaw`
      insert into events (platform_id, id, type, snapshot, created_at)
      values (${platform.id}::uuid, ${id}::uuid, ${isAdmitted ? 'TEST' : 'INVITATION.CLAIMED'}::event_type, '{}', ${createdAt})`
  await numberEvents()
  return { parent: '', items: rows.map(({ id, ...row }) => ({ id: publicId('Webhook', id), ...row })) }
}

/** The first one is the caller's own, which the list shows too. */
const tokensAt: Create = async ({ id: platformId, clientId }, times) => {
  const items = await itemsAt('Token', times.slice(1), (createdAt, isAdmitted) =>
    db.apiToken.create({
      data: {
        platformId,
        id: randomUUID(),
        name: isAdmitted ? 'Nightly' : 'Hourly',
        clientId: randomUUID(),
        secretHash: new Uint8Array(32),
        permissions: ['VIEW'],
        createdAt,
      },
    }),
  )
  const [createdAt = new Date()] = times
  const own = await db.apiToken.update({ where: { clientId }, data: { createdAt } })
  return { parent: '', items: [{ id: publicId('Token', own.id), createdAt, isAdmitted: false }, ...items] }
}

const allAdmitted = async (items: Promise<Item[]>) => (await items).map((item) => ({ ...item, isAdmitted: true }))
const ownersAt = (platform: Platform, times: readonly Date[], customerId: string) =>
  allAdmitted(itemsAt('BeneficialOwner', times, (createdAt) => createOwner(platform, { customerId, createdAt })))
const documentsAt = (platform: Platform, times: readonly Date[], customerId: string, ownerId: string | null = null) =>
  itemsAt('Document', times, (createdAt, isAdmitted) =>
    createDocument(platform, { customerId, ownerId, createdAt, documentType: isAdmitted ? 'SELFIE' : 'PASSPORT' }),
  )

const documentsOfOwner: Create = async (platform, times) => {
  const { id: customerId } = await createCustomer(platform)
  const { id } = await createOwner(platform, { customerId })
  await createDocument(platform, { customerId })
  return { parent: publicId('BeneficialOwner', id), items: await documentsAt(platform, times, customerId, id) }
}

const verificationsAt = (platform: Platform, times: readonly Date[], customerId: string) =>
  itemsAt('Verification', times, (createdAt, isAdmitted) =>
    createVerification(platform, { customerId, createdAt, status: isAdmitted ? 'APPROVED' : 'REJECTED' }),
  )

export const CONTENTS: Readonly<Record<string, Create>> = {
  'Query.transactions': createOfPlatform,
  'Query.customers': createCustomersAt,
  'Query.internalAccounts': ofAll(ofCustomer(internalAccountsAt)),
  'Query.externalAccounts': ofAll(ofCustomer(externalAccountsAt)),
  'Query.cards': ofAll(ofCustomer(cardsAt)),
  'Query.agents': ofAll(ofCustomer(agentsAt)),
  'Query.quotes': ofAll(quotesOf('Customer')),
  'Customer.quotes': quotesOf('Customer'),
  'Agent.quotes': quotesOf('Agent'),
  'Query.agentActions': actionsAt(null, false),
  'Query.agentApprovals': actionsAt(null, true),
  'Query.events': eventsAt,
  'Query.webhookDeliveries': deliveriesAt,
  'Query.apiTokens': tokensAt,
  'Query.beneficialOwners': ofAll(ofCustomer(ownersAt)),
  'Query.umaProviders': umaProvidersAt,
  'Query.documents': ofAll(ofCustomer(documentsAt)),
  'Query.verifications': ofAll(ofCustomer(verificationsAt)),
  'Customer.beneficialOwners': ofCustomer(ownersAt),
  'Customer.documents': ofCustomer(documentsAt),
  'Customer.verifications': ofCustomer(verificationsAt),
  'BeneficialOwner.documents': documentsOfOwner,
  'Customer.transactions': createOfCustomer,
  'Customer.internalAccounts': ofCustomer(internalAccountsAt),
  'Customer.externalAccounts': ofCustomer(externalAccountsAt),
  'Customer.cards': ofCustomer(cardsAt),
  'Customer.agents': ofCustomer(agentsAt),
  'Customer.agentApprovals': actionsAt('customerId', true),
  'InternalAccount.transactions': createOfInternalAccount,
  'InternalAccount.cards': cardsOfAccount,
  'ExternalAccount.transactions': createOfExternalAccount,
  'Agent.transactions': createOfAgent,
  'Agent.actions': actionsAt('agentId', false),
  'Agent.approvals': actionsAt('agentId', true),
  'Card.transactions': createOfCard,
  'GET /transactions': createOfPlatform,
  'GET /customers': createCustomersAt,
  'GET /customers/internal-accounts': ofAll(ofCustomer(internalAccountsAt)),
  'GET /customers/external-accounts': ofAll(ofCustomer(externalAccountsAt)),
  'GET /platform/external-accounts': platformsOwn,
  'GET /cards': ofAll(ofCustomer(cardsAt)),
  'GET /agents': ofAll(ofCustomer(agentsAt)),
  'GET /agents/approvals': actionsAt(null, true),
  'GET /tokens': tokensAt,
  'GET /beneficial-owners': ofCustomer(ownersAt),
  'GET /documents': ofAll(ofCustomer((...given) => allAdmitted(documentsAt(...given)))),
  'GET /uma-providers': umaProvidersAt,
  'GET /verifications': ofAll(ofCustomer(verificationsAt)),
  'GET /webhooks/events': eventsAt,
  'GET /webhooks/deliveries': deliveriesAt,
  'GET /agents/{agentId}/actions': actionsAt('agentId', false),
}
