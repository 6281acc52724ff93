// Settings that a test file changes in its process, and that later files of the same process find as they were.
import { afterAll, beforeAll } from 'vitest'
import { config } from '#core/config.ts'

/** Call it before other hooks. Only for limits, which the gateway reads at each request. The limits that are not given stay. */
export const useGraphQLLimits = (limits: (typeof config)['graphqlLimits']) => {
  const before = config.graphqlLimits
  beforeAll(() => {
    config.graphqlLimits = { ...before, ...limits }
  })
  afterAll(() => {
    config.graphqlLimits = before
  })
}
