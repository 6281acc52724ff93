// GraphiQL: in the demo with credentials and example queries, elsewhere bare.
import { renderGraphiQL } from '@graphql-yoga/render-graphiql'
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

// GraphiQL animates its tabs, keeps offsets of a layout long gone, and applies them to the tab that is pressed: it leaps
// away from under the pointer, and the press is lost. Where the tabs stand is the style sheet's business alone.
const STILL_TABS = '<style>.graphiql-tab { transform: none !important }</style>'

/** The page of GraphiQL, whole: it loads nothing else. */
export const graphiqlPage: typeof renderGraphiQL = (options) =>
  renderGraphiQL(options).replace('</head>', `${STILL_TABS}</head>`)
