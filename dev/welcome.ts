// The text that `npm start` prints when the gateway is ready.
import type { Database } from './database.ts'
import { AGENT_TOKEN } from './demo/agents.ts'

const QUERY = '{"query":"{ transactions(first: 2) { totalCount nodes { id amount { formatted } } } }"}'

export const welcome = (url: string, { folder, own }: Database, demo: boolean) => {
  const who = demo ? 'demo:demo-secret' : '<client id>:<secret>'
  const agent = demo ? `\n  Agent        Bearer ${AGENT_TOKEN}, whose actions wait for approval` : ''
  const dashboard = demo ? `\n  Dashboard    ${url}/, once it is built` : ''
  return `
Paygraph is ready.
${dashboard}
  GraphiQL     ${url}/graphql
  REST         ${url}/docs, contract at ${url}/openapi.json
  Credentials  ${demo ? `${who}, and other:other-secret for a second tenant` : 'your own; npm run seed adds the demo'}${agent}
  Data         ${own ? `${folder} (remove it to start over)` : 'in the database at DATABASE_URL'}

  curl -u ${who} '${url}/2025-10-13/transactions?limit=2'
  curl -u ${who} ${url}/graphql -H 'content-type: application/json' -d '${QUERY}'
`
}
