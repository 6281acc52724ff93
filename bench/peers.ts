// The peers: well-known servers over the same tables. They have their own packages in bench/peers/, including a version
// of Node that runs all of them.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pageBody } from './floor-body.ts'
import { COLUMNS } from './floor-statement.ts'
import type { Target } from './load.ts'
import { QUERY_OF_RECORD } from './query-of-record.ts'
import { startWorker, type Worker } from './workers.ts'

const folder = fileURLToPath(new URL('peers', import.meta.url))

/** Installs the peers and returns the path of their Node. */
export const installPeers = (): string => {
  const [record, lock] = [`${folder}/node_modules/.package-lock.json`, `${folder}/package-lock.json`]
  if (!existsSync(record) || statSync(record).mtimeMs < statSync(lock).mtimeMs) {
    console.log('Installing the peers')
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    execFileSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' })
  }
  const node = readdirSync(`${folder}/node_modules`).find((name) => name.startsWith('node-'))
  if (!node) throw new Error('There is no package with Node for this machine')
  return `${folder}/node_modules/${node}/bin/node`
}

interface Peer {
  readonly target: Target
  readonly server: Worker
  /** Converts its answer to the form of the gateway's. */
  readonly toAnswer: (body: string) => string
}

export const startPeers = async (
  environment: Readonly<Record<string, string>>,
  node: string,
  first: number,
): Promise<Peer[]> => {
  const peers: Peer[] = []
  for (const [name, { file, query, toAnswer }] of Object.entries(PEERS)) {
    const server = await startWorker<{ url: string; platformId: string }>(`peers/${file}`, environment, node)
    const { url, platformId } = server.hello
    const body = JSON.stringify({ query, variables: { first, ...(query === OF_TABLES && { platformId }) } })
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    peers.push({ target: { name, url, method: 'POST', headers, body }, server, toAnswer })
  }
  return peers
}

const camel = (name: string) => name.replace(/_[a-z]/g, ([, letter]) => letter?.toUpperCase() ?? '')
const columns = (...names: string[]) => names.map((name) => `${name}: ${camel(name)}`).join(' ')
const account = (side: string) => `
  ${columns(`${side}_internal_account_id`, `${side}_external_account_id`)}
  ${side}_internal: internalAccountByPlatformIdAnd${camel(`_${side}_internal_account_id`)} { currency type balance }
  ${side}_external: externalAccountByPlatformIdAnd${camel(`_${side}_external_account_id`)} { currency type: accountType }`

const PAYMENT = `
  ${columns('description', 'settled_at', 'fees', 'exchange_rate', 'received_amount', 'received_currency')}
  ${columns('source_type', 'source_uma_address', 'source_currency', 'destination_type', 'destination_uma_address')}
  ${account('source')} ${account('destination')}
  ${columns('failure_reason', 'agent_id')} agent: agentByPlatformIdAndAgentId { name }`

/** The query of record for the schema that PostGraphile makes from the tables. Its names are those of the floor's columns. */
const OF_TABLES = `
  query Page($first: Int!, $platformId: UUID!) {
    allTransactions(first: $first, condition: { platformId: $platformId }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) {
      nodes {
        type: __typename id: rowId ${columns('status', 'direction', 'created_at', 'customer_id')}
        customer: customerByPlatformIdAndCustomerIdAndPlatformCustomerId { name }
        ... on IncomingTransaction {
          ${PAYMENT} ${columns('reconciliation_reference', 'reconciliation_transaction_hash')}
        }
        ... on OutgoingTransaction {
          ${PAYMENT} ${columns('sent_amount', 'sent_currency', 'platform_fees', 'payment_rail', 'expected_settlement_at')}
          ${columns('refund_reference', 'refund_status')}
        }
        ... on CardTransaction {
          ${columns('merchant_descriptor', 'merchant_mcc', 'merchant_country', 'card_currency', 'authorized_amount')}
          ${columns('settled_amount', 'refunded_amount', 'settlement_count', 'settlement_total_amount', 'last_event_at')}
          ${account('source')} ${account('destination')} ${columns('card_id')} card: cardByPlatformIdAndCardId { brand last4 }
        }
      }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`

type Columns = Readonly<Record<string, unknown>>

interface OfTables {
  readonly data: {
    readonly allTransactions: {
      readonly nodes: readonly Columns[]
      readonly pageInfo: { readonly hasNextPage: boolean }
    }
  }
}

const answerOfTables = (body: string): string => {
  const { nodes, pageInfo } = (JSON.parse(body) as OfTables).data.allTransactions
  const rows = nodes.map((node) => ({ ...NONE, ...Object.fromEntries(Object.entries(node).flatMap(columnsOf)) }))
  // The floor selects one row more than the page to know whether there is a next page.
  return JSON.stringify(pageBody(pageInfo.hasNextPage ? [...rows, NONE] : rows, nodes.length))
}

const NONE: Columns = Object.fromEntries(COLUMNS.map((name) => [name, null]))

const columnsOf = ([name, value]: [string, unknown]): [string, unknown][] => {
  if (name === 'type') return [[name, String(value).replace('Transaction', '').toUpperCase()]]
  if (name.endsWith('_at') && typeof value === 'string') return [[name, new Date(value)]]
  if (typeof value !== 'object' || value === null) return [[name, value]]
  return Object.entries(value).map(([part, of]) => [`${name}_${part}`, of])
}

const PEERS = {
  'PostGraphile 5': { file: 'postgraphile.mjs', query: OF_TABLES, toAnswer: answerOfTables },
  'Mercurius 16': { file: 'mercurius.mjs', query: QUERY_OF_RECORD, toAnswer: (body: string) => body },
  'Apollo Server 5': { file: 'apollo.mjs', query: QUERY_OF_RECORD, toAnswer: (body: string) => body },
}
