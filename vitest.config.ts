import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))

/** Files that change settings, or that need a database or a process without other work, say so in a line that begins like this. */
const ownProcess = files.filter((file) => /^\/\/ Own process: /m.test(readFileSync(file, 'utf8')))
const sharedProcess = files.filter((file) => !ownProcess.includes(file))

const project = (name: string, include: string[], isolate: boolean): TestProjectInlineConfiguration => ({
  test: {
    name,
    include,
    isolate,
    setupFiles: [
      'test/setup/database.ts',
      ...(process.env['PRISM'] ? ['test/setup/exchanges-through-prism.ts'] : []),
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})

const { TESTS } = process.env

export default defineConfig({
  test: {
    globalSetup: 'test/setup/global.ts',
    // The default leaves one core idle, which halves the speed on a machine with two.
    maxWorkers: '100%',
    // Loading the gateway takes longer than most files need for their tests, so files share a process where they can.
    projects: TESTS
      ? [project('chosen', TESTS.split(' '), true)]
      : [project('own process', ownProcess, true), project('shared process', sharedProcess, false)],
  },
})
