// Settings that a test file changes in its process, and that later files of the same process find as they were.
import { afterAll, beforeAll } from 'vitest'
import { config } from '#core/config.ts'

/** Call it before other hooks. Only for settings that the gateway reads each time that it needs them. */
export const useSettings = (settings: Partial<typeof config>) => {
  const before = { ...config }
  beforeAll(() => void Object.assign(config, settings))
  afterAll(() => void Object.assign(config, before))
}

/** The limits that are not given stay. */
export const useGraphQLLimits = (limits: (typeof config)['graphqlLimits']) =>
  useSettings({ graphqlLimits: { ...config.graphqlLimits, ...limits } })

const SIZES = ['maxTokens', 'maxDepth', 'maxFields', 'maxRepeats', 'maxAliases', 'maxNesting', 'maxNodes'] as const

/** For queries as large as the schema, and any number of them. */
export const useHugeQueries = () =>
  useGraphQLLimits(Object.fromEntries([...SIZES, 'nodesPerMinute'].map((name) => [name, 1_000_000_000])))
