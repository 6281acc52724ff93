// The platform's approval queues as paged lists.
import { publicId } from '#core/ids.ts'
import { graphql } from '#test/gql/index.ts'
import { answerOf, argumentsOf, type Item, type PagedList } from '#test/setup/connection.ts'
import { ask } from '#test/setup/faces.ts'
import {
  createAgent,
  createAgentActions,
  createCustomer,
  createExternalAccount,
  createInternalAccount,
  type Platform,
} from '#test/setup/world.ts'

graphql(/* GraphQL */ `
  fragment ApprovalPage on AgentActionConnection {
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes { id }
    edges { cursor node { id } }
  }
`)

const ApprovalPages = graphql(/* GraphQL */ `
  query ApprovalPages($filter: AgentApprovalFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
    agentApprovals(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) {
      ...ApprovalPage
    }
  }
`)

const ApprovalPagesOfParents = graphql(/* GraphQL */ `
  query ApprovalPagesOfParents($parents: [ID!]!, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
    nodes(ids: $parents) {
      ... on Agent {
        approvals(first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ...ApprovalPage }
      }
      ... on Customer {
        agentApprovals(first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) { ...ApprovalPage }
      }
    }
  }
`)

const readOfPlatform: PagedList['read'] = async (caller, _parents, window) => {
  const asked = { document: ApprovalPages, variables: argumentsOf(window), backward: window.backward }
  const answer = await ask(caller, ApprovalPages, asked.variables)
  return [answerOf(asked, answer, ['agentApprovals'], answer.data?.agentApprovals)]
}

const readOfParents: PagedList['read'] = async (caller, parents, window) => {
  const variables = { parents: [...parents], ...argumentsOf(window) }
  const asked = { document: ApprovalPagesOfParents, variables, backward: window.backward }
  const answer = await ask(caller, ApprovalPagesOfParents, variables)
  return parents.map((id, index) => {
    const parent = answer.data?.nodes?.[index]
    const field = id.startsWith('Agent:') ? 'approvals' : 'agentApprovals'
    const connection =
      parent && ('approvals' in parent ? parent.approvals : 'agentApprovals' in parent ? parent.agentApprovals : null)
    return answerOf(asked, answer, ['nodes', index, field], connection)
  })
}

const LATE = new Date('2100-01-01T00:00:00Z')

/** Waiting actions created at these times, among decided ones that no queue shows. */
const queueOf = async (platform: Platform, times: readonly Date[]) => {
  const { id: customerId } = await createCustomer(platform)
  const { id: agentId } = await createAgent(platform, { customerId })
  const { id: internalAccountId } = await createInternalAccount(platform, { customerId })
  const { id: externalAccountId } = await createExternalAccount(platform, { customerId })
  const action = { agentId, customerId, internalAccountId, externalAccountId }
  const waiting = await createAgentActions(
    platform,
    times.map((createdAt) => ({ ...action, createdAt })),
  )
  await createAgentActions(
    platform,
    (['APPROVED', 'REJECTED', 'FAILED'] as const).map((status) => ({ ...action, status })),
  )
  const items: Item[] = waiting.map(({ id }, index) => {
    const createdAt = times[index] ?? LATE
    return { id: publicId('AgentAction', id), createdAt, isAdmitted: true }
  })
  return { customerId, agentId, items }
}

const byDate: PagedList['filters'] = {
  one: { endDate: LATE.toISOString() },
  others: [null, { startDate: LATE.toISOString() }],
  same: [{ endDate: LATE.toISOString(), startDate: null, agentId: null }],
}

export const approvalLists: readonly PagedList[] = [
  {
    name: 'Query.agentApprovals',
    face: 'GraphQL',
    isNested: false,
    filters: byDate,
    read: readOfPlatform,
    create: async (platform, times) => ({ parent: '', items: (await queueOf(platform, times)).items }),
  },
  {
    name: 'Agent.approvals',
    face: 'GraphQL',
    isNested: true,
    filters: null,
    read: readOfParents,
    create: async (platform, times) => {
      const { agentId, items } = await queueOf(platform, times)
      return { parent: publicId('Agent', agentId), items }
    },
  },
  {
    name: 'Customer.agentApprovals',
    face: 'GraphQL',
    isNested: true,
    filters: null,
    read: readOfParents,
    create: async (platform, times) => {
      const { customerId, items } = await queueOf(platform, times)
      return { parent: publicId('Customer', customerId), items }
    },
  },
]
