// GraphiQL: in the demo with credentials and example queries, elsewhere bare.
import type { GraphiQLOptions } from 'graphql-yoga'
import { config } from '#core/config.ts'
import { EXAMPLES } from './examples.ts'

const headers = JSON.stringify({ Authorization: `Basic ${btoa('demo:demo-secret')}` }, null, 2)

const demo: GraphiQLOptions = {
  defaultHeaders: headers,
  headers,
  shouldPersistHeaders: true,
  defaultTabs: EXAMPLES.map(({ query, variables }) => ({
    query,
    headers,
    variables: JSON.stringify(variables ?? {}, null, 2),
  })),
}

export const graphiql: GraphiQLOptions = {
  title: 'Paygraph',
  defaultEditorToolsVisibility: true,
  ...(config.demo && demo),
}
