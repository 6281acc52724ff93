// `npm run mutate -- <area>`: mutation testing. Stryker changes the source in one place at a time, and lists the changes that no test
// of the area detects. Not part of CI: it takes minutes for a file, and hours for credentials. A second argument names one of its
// folders, with the tests of that folder. `--sample 30` changes only 30 random windows of ten lines.
import { randomBytes, randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadBundled } from './build.mjs'
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
    // A change in code that runs when its module is loaded would need a run of all tests.
    ignoreStatic: true,
  },
}

const WINDOW_LINES = 10

/** Windows of lines of random files of the folder. Longer files get more. */
const windowsOf = (folder, count) => {
  const windows = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const path = join(folder, name)
      const lines = readFileSync(path, 'utf8').split('\n').length
      return Array.from({ length: Math.ceil(lines / WINDOW_LINES) }, (_, at) => {
        const first = at * WINDOW_LINES + 1
        return `${path}:${first}-${Math.min(first + WINDOW_LINES - 1, lines)}`
      })
    })
  return Array.from({ length: Math.min(count, windows.length) }, () => windows.splice(randomInt(windows.length), 1)[0])
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { sample: { type: 'string' } } })
const [area = '', room = ''] = positionals
if (!Object.hasOwn(AREAS, area)) {
  console.error(`npm run mutate -- <area> [folder] [--sample windows], with one of: ${Object.keys(AREAS).join(', ')}`)
  process.exit(1)
}
await setup({ forTests: true })
const { Stryker } = await import('@stryker-mutator/core')
const { source: all, tests: every, ignoreStatic = false } = AREAS[area]
const source = room ? all.replace('**', `${room}/**`) : all
const tests = room ? [`${area}/${room}/**/!(*browser|mutated-*)`, `${area}/*{tables,edge-cases}`] : every
// One server for all: Stryker kills the processes of a mutant that hangs, and a server that they had started would keep running without them.
const { startPostgres } = await loadBundled('postgres')
const folder = join(tmpdir(), `paygraph_mutate_${randomBytes(4).toString('hex')}`)
const server = await startPostgres(folder, { throwAway: true })
process.env.TEST_DATABASE_URL = server.url
process.env.TESTS = tests.map((test) => `test/${test}.test.ts`).join(' ')
const stryker = new Stryker({
  mutate: values.sample
    ? windowsOf(join('src', source.replace(/\/\*.*/, '')), Number(values.sample))
    : [`src/${source}.ts`],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic,
  // Stryker would rewrite relative paths in tsconfig.json with an API that TypeScript 7 lacks. Ours has none that need it.
  tsconfigFile: 'none',
  ignorePatterns: ['.data', '.bundle-*', 'dist'],
  tempDirName: '.data/mutate',
  concurrency: 1,
  timeoutMS: 60_000,
  dryRunTimeoutMinutes: 30,
  reporters: ['clear-text', 'progress'],
})
try {
  await stryker.runMutationTest()
} finally {
  await server.stop()
}
