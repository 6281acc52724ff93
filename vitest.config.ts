import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { COMPILED, compiledModules } from './test/setup/compiled-source.ts'
import { LongestFirst } from './test/setup/longest-first.ts'

/** Comments count as one line each, however they are wrapped. */
const contains = (file: string, text: RegExp) => text.test(readFileSync(file, 'utf8').replaceAll('\n// ', ' '))

/** Files that cannot run on a database that is distributed with Citus say why in a comment. */
const NOT_DISTRIBUTED = /^\/\/.* Not distributed: /m

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))
  .filter((file) => !process.env['DISTRIBUTED'] || !contains(file, NOT_DISTRIBUTED))

/** Files that set what the gateway reads only when it is loaded, or that need a database or a process without other work, say so in a comment. */
const ownProcess = files.filter((file) => contains(file, /^\/\/.* Own process: /m))
const sharedProcess = files.filter((file) => !ownProcess.includes(file))

/**
 * Packages of many modules, bundled once for all processes, which then load them in half the time. Only packages that share no classes or
 * symbols with others: a bundle has its own copy of what it imports.
 */
const BUNDLED = ['@simplewebauthn/server', '@simplewebauthn/server/helpers', 'jose', 'nodemailer', 'prom-client', 'tldts']

/** Mutation testing chooses files, and changes the source while they run. Otherwise they load the compiled gateway, in a fraction of the time. */
const chosen = process.env['TESTS']?.split(' ')

const project = (name: string, isolate: boolean, own: string[], others: string[]): TestProjectInlineConfiguration => ({
  ...(!chosen && { resolve: { alias: [compiledModules] } }),
  test: {
    name,
    isolate,
    include: chosen ?? own,
    exclude: others,
    setupFiles: [
      'test/setup/database.ts',
      'test/setup/listed-statuses.ts',
      ...(process.env['PRISM'] ? ['test/setup/exchanges-through-prism.ts'] : []),
    ],
    // CI shares its machine, so a test that fails there gets a second try. The report names it.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
    server: { deps: { external: [COMPILED] } },
    ...(chosen && { deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } } }),
  },
})

export default defineConfig({
  test: {
    globalSetup: 'test/setup/global.ts',
    // One more than cores, because many tests wait: for timers, deadlines, browsers and processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // The gateway is compiled once, before the first test.
    watch: false,
    // Loading the gateway takes longer than most files need for their tests, so files share a process where they can.
    projects: [
      project('own process', true, ownProcess, sharedProcess),
      project('shared process', false, sharedProcess, ownProcess),
    ],
  },
})
