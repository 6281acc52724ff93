// Rows to fill a list with while it is read. Ids and times are known before they are written.
import { randomUUID } from 'node:crypto'
import { type Kind, type PublicId, publicId } from '#core/ids.ts'
import {
  cardUse,
  createAgent,
  createAgentActions,
  createCard,
  createCustomer,
  createCustomers,
  createExternalAccount,
  createInternalAccount,
  createTransactions,
  incoming,
  outgoing,
  type Platform,
} from './world.ts'

export interface Row {
  readonly id: string
  readonly createdAt: Date
}

/** Rows that fill one list and all belong to it. */
interface Source {
  readonly parents: Readonly<Record<string, PublicId>>
  readonly kind: Kind
  insert(rows: readonly Row[]): Promise<unknown>
}

export const rowsAt = (times: readonly Date[]): Row[] => times.map((createdAt) => ({ id: randomUUID(), createdAt }))

const customersOf = async (platform: Platform): Promise<Source> => ({
  parents: {},
  kind: 'Customer',
  insert: (rows) => createCustomers(platform, rows),
})

const agentsOf = async (platform: Platform): Promise<Source> => {
  const { id: customerId } = await createCustomer(platform)
  return {
    parents: {},
    kind: 'Agent',
    insert: (rows) => Promise.all(rows.map((row) => createAgent(platform, { customerId, ...row }))),
  }
}

/** One customer with an agent and a pair of accounts. */
const createParties = async (platform: Platform) => {
  const { id: customerId, platformCustomerId } = await createCustomer(platform)
  const { id: internal } = await createInternalAccount(platform, { customerId })
  const { id: external } = await createExternalAccount(platform, { customerId })
  const { id: agentId } = await createAgent(platform, { customerId })
  return { customerId, platformCustomerId, internal, external, agentId }
}

const approvalsOf = async (platform: Platform): Promise<Source> => {
  const { customerId, internal, external, agentId } = await createParties(platform)
  const action = { customerId, agentId, internalAccountId: internal, externalAccountId: external }
  return {
    parents: {
      'Agent.approvals': publicId('Agent', agentId),
      'Customer.agentApprovals': publicId('Customer', customerId),
    },
    kind: 'AgentAction',
    insert: (rows) =>
      createAgentActions(
        platform,
        rows.map((row) => ({ ...action, ...row })),
      ),
  }
}

const cardUsesOf = async (platform: Platform): Promise<Source> => {
  const { customerId, platformCustomerId, internal } = await createParties(platform)
  const { id: cardId } = await createCard(platform, { customerId, accountId: internal })
  const use = cardUse({ customerId, platformCustomerId, cardId, sourceInternalAccountId: internal })
  return {
    parents: { 'Card.transactions': publicId('Card', cardId) },
    kind: 'CardTransaction',
    insert: (rows) =>
      createTransactions(
        platform,
        rows.map((row) => ({ ...use, ...row })),
      ),
  }
}

/** All of one customer, agent and pair of accounts, so that every list has the same rows. */
export const paymentsOf = async (platform: Platform): Promise<Source> => {
  const { customerId, platformCustomerId, internal, external, agentId } = await createParties(platform)
  const shared = { customerId, platformCustomerId, agentId, sourceUmaAddress: null, destinationUmaAddress: null }
  const accounts = { sourceType: 'ACCOUNT', destinationType: 'ACCOUNT' } as const
  const paidIn = { sourceExternalAccountId: external, destinationInternalAccountId: internal }
  const paidOut = { sourceInternalAccountId: internal, destinationExternalAccountId: external }
  return {
    parents: {
      'Customer.transactions': publicId('Customer', customerId),
      'InternalAccount.transactions': publicId('InternalAccount', internal),
      'ExternalAccount.transactions': publicId('ExternalAccount', external),
      'Agent.transactions': publicId('Agent', agentId),
    },
    kind: 'Transaction',
    insert: (rows) =>
      createTransactions(
        platform,
        rows.map((row, index) =>
          index % 2 === 0
            ? incoming({ ...shared, ...accounts, ...paidIn, ...row })
            : outgoing({ ...shared, ...accounts, ...paidOut, ...row }),
        ),
      ),
  }
}

/** By name of the list. */
export const SOURCES: Readonly<Record<string, typeof paymentsOf>> = {
  'Query.transactions': paymentsOf,
  'Customer.transactions': paymentsOf,
  'InternalAccount.transactions': paymentsOf,
  'ExternalAccount.transactions': paymentsOf,
  'Agent.transactions': paymentsOf,
  'GET /transactions': paymentsOf,
  'Query.customers': customersOf,
  'Card.transactions': cardUsesOf,
  'Query.agentApprovals': approvalsOf,
  'Query.agents': agentsOf,
  'Agent.approvals': approvalsOf,
  'Customer.agentApprovals': approvalsOf,
}
