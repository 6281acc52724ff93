// The tabs that GraphiQL opens with in the demo. A test runs them all.
interface Example {
  readonly query: string
  readonly variables?: Record<string, unknown>
}

export const EXAMPLES: readonly Example[] = [
  {
    query: `# A table page: what every transaction has, and the amounts as a person reads them.
query TablePage {
  transactions(first: 10) {
    totalCount
    pageInfo { hasNextPage endCursor }
    nodes {
      ... on TransactionNode {
        id
        type
        status
        direction
        createdAt
        amount { formatted }
        customer { name }
      }
    }
  }
}
`,
  },
]
