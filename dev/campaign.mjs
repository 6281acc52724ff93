// `npm run campaign -- <name>`: runs a test at its full size, which takes too long for CI.
import { spawnSync } from 'node:child_process'
import { setup } from './setup.mjs'

/** The variables that set the full size, and the tests to run. */
const CAMPAIGNS = {
  linear: [{ LINEAR: 'full' }, 'house/linear'],
  fuzz: [{ FUZZ_RUNS: '100000' }, 'house/fuzz'],
  queries: [{ RANDOM_QUERIES: '10000' }, 'graphql/limits/query-cost-bound'],
  races: [{ RACES: '300' }, 'agents/actions/races', 'credentials/races'],
  crashes: [{ CRASHES: 'all' }, 'settlement/crashes', 'credentials/crashes', 'agents/crashes'],
  mutants: [
    { MUTANTS: 'all' },
    'credentials/mutated-requests',
    'credentials/oidc/mutated-tokens',
    'credentials/passkey/mutated-passkeys',
  ],
  outages: [{ DATABASE_OUTAGES: '20' }, 'database/outage'],
}

const [name = '', ...options] = process.argv.slice(2)
if (!Object.hasOwn(CAMPAIGNS, name)) {
  console.error(`npm run campaign -- <name> [options of vitest], with one of: ${Object.keys(CAMPAIGNS).join(', ')}`)
  process.exit(1)
}
await setup()
const [size, ...tests] = CAMPAIGNS[name]
const files = tests.map((test) => `test/${test}.test.ts`)
// The environment takes precedence, so that a campaign can be shortened.
const env = { ...size, ...process.env }
const { status } = spawnSync('vitest', ['run', ...files, ...options], { stdio: 'inherit', env })
process.exit(status ?? 1)
