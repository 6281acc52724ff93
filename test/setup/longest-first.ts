// Starts the longest files first, so that none of them runs alone at the end. Vitest knows durations only after a first run.
import { existsSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first. The order is rough, because only the end of a run depends on it. */
const LONGEST = [
  'house/crawl',
  'cards/crashes',
  'dashboard/screens',
  'uma/killed',
  'http/process-life',
  'database/paging',
  'http/production-start',
  'credentials/crashes',
  'rest/docs-in-a-browser',
  'events/subscribers',
  'agents/crashes',
  'agents/actions/races',
  'credentials/races',
  'transactions/plans',
  'database/jobs',
  'house/linear',
  'webhooks/crashes',
  'webhooks/slow-receivers',
  'webhooks/delivery',
  'house/fuzz',
  'agents/callers',
  'house/hostile-neighbours',
  'http/overload',
  'graphql/compiled',
  'database/outage',
  'events/following',
]

const fileOf = (name: string) => `test/${name}.test.ts`
const missing = LONGEST.filter((name) => !existsSync(fileOf(name)))
if (missing.length > 0)
  throw new Error(`LONGEST in test/setup/longest-first.ts names files that do not exist: ${missing}`)

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/${fileOf(name)}`))
  return rank === -1 ? LONGEST.length : rank
}

export class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(specifications)
    // A process is shared only by files of one project that run in succession.
    const projects = [...new Set(sorted.map(({ project }) => project))]
    return sorted.toSorted(
      (one, other) => projects.indexOf(one.project) - projects.indexOf(other.project) || rankOf(one) - rankOf(other),
    )
  }
}
