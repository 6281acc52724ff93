// The agents of a platform as a paged list.
import { publicId } from '#core/ids.ts'
import { graphql } from '#test/gql/index.ts'
import { answerOf, argumentsOf, type PagedList } from '#test/setup/connection.ts'
import { ask } from '#test/setup/faces.ts'
import { createAgent, createCustomer } from '#test/setup/world.ts'

const AgentPages = graphql(/* GraphQL */ `
  query AgentPages($filter: AgentFilter, $first: Int, $after: String, $last: Int, $before: String, $sortOrder: SortOrder) {
    agents(filter: $filter, first: $first, after: $after, last: $last, before: $before, sortOrder: $sortOrder) {
      totalCount
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      nodes { id }
      edges { cursor node { id } }
    }
  }
`)

const LATE = new Date('2100-01-01T00:00:00Z').toISOString()

export const agentList: PagedList = {
  name: 'Query.agents',
  face: 'GraphQL',
  isNested: false,
  filters: {
    one: { createdBefore: LATE },
    others: [null, { createdAfter: LATE }],
    same: [{ createdBefore: LATE, createdAfter: null, customerId: null }],
  },
  read: async (caller, _parents, window) => {
    const asked = { document: AgentPages, variables: argumentsOf(window), backward: window.backward }
    const answer = await ask(caller, AgentPages, asked.variables)
    return [answerOf(asked, answer, ['agents'], answer.data?.agents)]
  },
  create: async (platform, times) => {
    const { id: customerId } = await createCustomer(platform)
    await createAgent(platform, { customerId, deletedAt: new Date() })
    const agents = await Promise.all(times.map((createdAt) => createAgent(platform, { customerId, createdAt })))
    const items = agents.map(({ id, createdAt }) => ({ id: publicId('Agent', id), createdAt, isAdmitted: true }))
    return { parent: '', items }
  },
}
