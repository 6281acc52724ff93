// `npm run bench -- --lists`: compares 500 random combinations of filters, parents, orders and cursors, and their counts, between sizes.
import { randomBytes } from 'node:crypto'
import type { Combined } from './combined.ts'
import { databaseOf, type Server } from './databases.ts'
import { atMost, type Line, median } from './report.ts'
import { startWorker, type Worker } from './workers.ts'

const COMBINATIONS = 500
const MOST_BUFFERS = 400
const WORST = 10

/** One combination at every size, the smallest first. */
type Sizes = readonly Combined[]

export const measureCombinations = async (server: Server, sizes: readonly number[]): Promise<Line[]> => {
  const all = await measuredAt(server, sizes)
  const [counts, pages] = [all.filter(([first]) => first?.isCount), all.filter(([first]) => !first?.isCount)]
  return [
    ...linesOf('pages', pages, 1.3),
    // A page with more rows takes longer, whatever the size of the database.
    ...ratiosOf('pages with as many rows', pages.filter(isAsLong), 1.3),
    atMostOf(
      `pages over ${MOST_BUFFERS} buffers`,
      pages.filter((each) => each.some(isLong)),
    ),
    ...worstOf(pages),
    ...linesOf('counts', counts, 2),
    ...worstOf(counts),
    { measure: `Each of these: buffers · milliseconds, at ${sizes.join(', ')} rows`, value: '' },
  ]
}

/** Each combination is measured at every size before the next one, so that other work on the machine slows down all sizes alike. */
const measuredAt = async (server: Server, sizes: readonly number[]): Promise<Sizes[]> => {
  const workers: Worker[] = []
  try {
    for (const rows of sizes) {
      const environment = {
        MASTER_KEY: randomBytes(32).toString('base64'),
        DATABASE_URL: await databaseOf(server, rows),
      }
      workers.push(await startWorker('combined.ts', environment))
    }
    const all: Sizes[] = []
    while (all.length < COMBINATIONS) {
      const each: Combined[] = []
      for (const worker of workers) each.push(await worker.ask<Combined>('next'))
      all.push(each)
    }
    return all
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

const isAsLong = (each: Sizes) => each[0]?.rows === each.at(-1)?.rows

const isLong = ({ buffers, lists }: Combined) => buffers !== undefined && buffers / lists > MOST_BUFFERS

const atMostOf = (measure: string, found: readonly unknown[]): Line => ({
  ...atMost(measure, found.length, 0),
  value: String(found.length),
  budget: '= 0',
})

const linesOf = (name: string, all: readonly Sizes[], most: number): Line[] => [
  ...ratiosOf(name, all, most),
  atMostOf(
    `${name} that ran into the time limit`,
    all.filter((each) => each.some(({ milliseconds }) => milliseconds === undefined)),
  ),
]

const ratiosOf = (name: string, all: readonly Sizes[], most: number): Line[] => {
  const ratios = all.flatMap((each) => {
    const [small, large] = [each[0]?.milliseconds, each.at(-1)?.milliseconds]
    return small !== undefined && large !== undefined ? [large / small] : []
  })
  return [
    atMost(`${all.length} ${name}, time at the largest : smallest size, median`, median(ratios), most),
    atMostOf(
      `${name} above this ratio`,
      ratios.filter((ratio) => ratio > most),
    ),
  ]
}

const most = (each: Sizes) => Math.max(...each.map(({ buffers }) => buffers ?? Number.POSITIVE_INFINITY))

const shown = (each: Sizes, figure: 'buffers' | 'milliseconds', digits: number) =>
  each.map(({ [figure]: value }) => value?.toFixed(digits) ?? 'time limit').join(', ')

const worstOf = (all: readonly Sizes[]): Line[] =>
  all
    .toSorted((a, b) => most(b) - most(a))
    .slice(0, WORST)
    .map((each) => ({
      measure: each[0]?.name ?? '',
      value: `${shown(each, 'buffers', 0)} · ${shown(each, 'milliseconds', 1)}`,
    }))
