import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))

/** Files that change settings, or that need a database or a process without other work, say so in a line that begins like this. */
const ownProcess = files.filter((file) => /^\/\/ Own process: /m.test(readFileSync(file, 'utf8')))
const sharedProcess = files.filter((file) => !ownProcess.includes(file))

/**
 * Packages of many modules, bundled once for all processes, which then load them in half the time. Only packages that share no classes or
 * symbols with others: a bundle has its own copy of what it imports.
 */
const BUNDLED = ['@simplewebauthn/server', '@simplewebauthn/server/helpers', 'jose', 'nodemailer', 'prom-client', 'tldts']

const project = (name: string, include: string[], isolate: boolean): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    isolate,
    setupFiles: [
      'test/setup/database.ts',
      ...(process.env['PRISM'] ? ['test/setup/exchanges-through-prism.ts'] : []),
    ],
    // CI shares its machine, so a test that fails there gets a second try. The report names it.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
  },
})

const { TESTS } = process.env

export default defineConfig({
  test: {
    globalSetup: 'test/setup/global.ts',
    // One more than cores, because many tests wait: for timers, deadlines, browsers and processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Loading the gateway takes longer than most files need for their tests, so files share a process where they can.
    projects: TESTS
      ? [project('chosen', TESTS.split(' '), true)]
      : [project('own process', ownProcess, true), project('shared process', sharedProcess, false)],
  },
})
