// `npm run campaign -- <name>`: a test at its full size, which is longer than anybody waits for in CI.
import { spawnSync } from 'node:child_process'
import { setup } from './setup.mjs'

/** Which tests each one runs, and what sets them to their full size. */
const CAMPAIGNS = {
  linear: [{ LINEAR: 'full' }, 'house/linear'],
  neighbours: [{ HOSTILE_REQUESTS: '5000' }, 'house/hostile-neighbours'],
  worst: [{ WORST_MINUTES: '30' }, 'graphql/limits/worst-documents'],
  fuzz: [{ FUZZ_RUNS: '100000' }, 'house/fuzz'],
  queries: [{ RANDOM_QUERIES: '10000' }, 'graphql/limits/query-cost-bound'],
  races: [{ RACES: '300' }, 'agents/actions/races'],
  deaths: [{ DEATHS: 'all' }, 'settlement/crashes'],
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
// What the environment says counts, so that a campaign can be shortened.
const env = { ...size, ...process.env }
const { status } = spawnSync('vitest', ['run', ...files, ...options], { stdio: 'inherit', env })
process.exit(status ?? 1)
