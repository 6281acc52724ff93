import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: process.env['TESTS']?.split(' ') ?? ['test/**/*.test.ts'],
    globalSetup: 'test/setup/global.ts',
    setupFiles: [
      'test/setup/database.ts',
      ...(process.env['PRISM'] ? ['test/setup/exchanges-through-prism.ts'] : []),
    ],
    // The default leaves one core idle, which halves the speed on a machine with two.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
