// `npm run campaign -- <name>`: runs a test at full size, which takes too long for CI.
import { spawnSync } from 'node:child_process'
import { setup } from './setup.mjs'

/** The variables that set each campaign to full size, and the tests that it runs. */
const CAMPAIGNS = {
  crawl: [{ CRAWL: 'full' }, 'house/crawl', 'agents/callers'],
  paging: [{ PAGING: 'full' }, 'database/paging'],
  plans: [{ PLANS: 'full' }, 'transactions/plans'],
  filters: [{ RANDOM_FILTERS: '2000' }, 'transactions/filters'],
  linear: [{ LINEAR: 'full' }, 'house/linear'],
  neighbours: [{ HOSTILE_REQUESTS: '5000' }, 'house/hostile-neighbours'],
  worst: [{ WORST_MINUTES: '30' }, 'graphql/limits/worst-documents'],
  fuzz: [{ FUZZ_RUNS: '100000' }, 'house/fuzz'],
  queries: [{ RANDOM_QUERIES: '10000' }, 'graphql/limits/query-cost-bound'],
  compiled: [{ RANDOM_DOCUMENTS: '10000' }, 'graphql/compiled'],
  races: [{ RACES: '300' }, 'agents/actions/races', 'credentials/races', 'cards/races'],
  cards: [{ CARD_HISTORIES: '2000' }, 'cards/histories'],
  walks: [{ WALKS: '60' }, 'settlement/random-walk'],
  crashes: [
    { CRASHES: 'all' },
    'settlement/crashes',
    'credentials/crashes',
    'agents/crashes',
    'cards/crashes',
    'uma/killed',
  ],
  mutants: [
    { MUTANTS: 'all' },
    'credentials/mutated-requests',
    'credentials/oidc/mutated-tokens',
    'credentials/passkey/mutated-passkeys',
  ],
  docs: [{ DOCS: 'full' }, 'rest/docs-in-a-browser'],
  events: [{ EVENTS: '100000', HISTORIES: '2000' }, 'events/following', 'events/every-change'],
  statistics: [{ STATISTICS_SNAPSHOTS: '5000' }, 'transactions/statistics-in-snapshots'],
  webhooks: [
    {
      WEBHOOK_KILLS: '50',
      WEBHOOK_DELIVERIES: '10000',
      WEBHOOK_HANGING: '100',
      WEBHOOK_SAMPLES: '50',
      REBINDINGS: '200',
      WEBHOOK_BODIES: '2000',
    },
    'webhooks/crashes',
    'webhooks/slow-receivers',
    'webhooks/addresses',
    'webhooks/signatures',
  ],
  bulk: [{ BULK_ROWS: '100000', BULK_KILLS: '3' }, 'customers/bulk'],
  subscribers: [{ STREAMED_EVENTS: '20000' }, 'events/subscribers'],
  screens: [{ SCREENS: 'full' }, 'dashboard/screens'],
  forms: [{ FORMS: '10000' }, 'accounts/account-forms'],
  corridors: [{ CORRIDORS: '1000' }, 'corridors/exchange-rates'],
  uploads: [{ UPLOADS: '50', UPLOAD_BYTES: '10000000' }, 'verification/uploads'],
  replicas: [{ REPLICA_PAIRS: '10000' }, 'database/replicas'],
  outages: [{ DATABASE_OUTAGES: '20' }, 'database/outage'],
  citus: [{}, 'database/citus'],
}

const [name = '', ...options] = process.argv.slice(2)
if (!Object.hasOwn(CAMPAIGNS, name)) {
  console.error(`npm run campaign -- <name> [vitest options]. Names: ${Object.keys(CAMPAIGNS).join(', ')}`)
  process.exit(1)
}
await setup({ forTests: true })
const [size, ...tests] = CAMPAIGNS[name]
const files = tests.map((test) => `test/${test}.test.ts`)
// Variables of the environment take precedence, so that a campaign can be shortened.
const env = { ...size, ...process.env }
const { status } = spawnSync('vitest', ['run', ...files, ...options], { stdio: 'inherit', env })
process.exit(status ?? 1)
