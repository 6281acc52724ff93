// `npm run mutate -- <area>`: mutation testing. Stryker changes the source in one place at a time, and lists the changes that no test
// of the area detects. Not part of CI: it takes minutes for a file, and hours for credentials.
import { Stryker } from '@stryker-mutator/core'
import { setup } from './setup.mjs'

/** The files to change, and the tests that should detect the changes. */
const AREAS = {
  price: { source: 'quotes/price', tests: ['quotes/arithmetic'] },
  ledger: { source: 'accounts/ledger', tests: ['accounts/ledger'] },
  idempotency: { source: 'idempotency/*', tests: ['idempotency/*'] },
  // Without the tests that kill gateways, race for minutes, try thousands of mutated inputs, or need a browser.
  credentials: {
    source: 'credentials/**/*',
    tests: ['credentials/*{tables,limits,identity,edge-cases,secrets,story}', 'credentials/*/**/!(*browser|mutated-*)'],
  },
}

const [area = ''] = process.argv.slice(2)
if (!Object.hasOwn(AREAS, area)) {
  console.error(`npm run mutate -- <area>, with one of: ${Object.keys(AREAS).join(', ')}`)
  process.exit(1)
}
await setup()
const { source, tests } = AREAS[area]
process.env.TESTS = tests.map((test) => `test/${test}.test.ts`).join(' ')
const stryker = new Stryker({
  mutate: [`src/${source}.ts`],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Stryker would rewrite relative paths in tsconfig.json with an API that TypeScript 7 lacks. Ours has none that need it.
  tsconfigFile: 'none',
  ignorePatterns: ['.data', 'dist'],
  tempDirName: '.data/mutate',
  concurrency: 1,
  reporters: ['clear-text', 'progress'],
})
await stryker.runMutationTest()
