// Measures how the time of a page and of a count grows from a small table to a large one.
import { randomBytes } from 'node:crypto'
import type { Answer, Question } from './pages.ts'
import { median } from './report.ts'
import { startWorker, type Worker } from './workers.ts'

const PAGE_SIZE = 50
const BATCHES = 8
const BATCH = 5
const SUSPICIOUS = 1.15

export interface Growth {
  /** The ratio of large to small, by case. */
  readonly pages: ReadonlyMap<string, number>
  readonly count: number
}

export const measureGrowth = async (smallUrl: string, largeUrl: string): Promise<Growth> => {
  const environment = { MASTER_KEY: randomBytes(32).toString('base64') }
  const small = await startWorker<string[]>('pages.ts', { ...environment, DATABASE_URL: smallUrl })
  const large = await startWorker<string[]>('pages.ts', { ...environment, DATABASE_URL: largeUrl })
  try {
    const pages = new Map<string, number>()
    for (const [place, name] of small.hello.entries()) {
      const ratio = await ratioOf(small, large, place, BATCHES)
      // Slow cases are measured again for longer, because most are noise.
      pages.set(name, ratio > SUSPICIOUS && ratio < 3 ? await ratioOf(small, large, place, BATCHES * 4) : ratio)
    }
    return { pages, count: await ratioOf(small, large, 'count', BATCHES * 4) }
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
}

/** If the small table does not fill the page, the large one is compared with an unfiltered page of as many rows as it found. */
export const ratioOf = async (small: Worker, large: Worker, ask: Question['ask'], batches: number) => {
  const [ofSmall, ofLarge] = await interleave(small, large, { ask, size: PAGE_SIZE, samples: BATCH }, batches)
  const usual = ofLarge.milliseconds / ofSmall.milliseconds
  if (ask === 'count' || ofSmall.found >= ofLarge.found) return usual
  const plain: Question = { ask: 0, size: ofLarge.found, samples: BATCH }
  const [ofPlain] = await interleave(small, small, plain, batches)
  return Math.min(usual, ofLarge.milliseconds / ofPlain.milliseconds)
}

const interleave = async (first: Worker, second: Worker, question: Question, batches: number) => {
  const sides = [first, second].map((worker) => ({ worker, milliseconds: [] as number[], found: 0 }))
  for (let batch = 0; batch <= batches; batch += 1) {
    for (const side of sides) {
      const answer = await side.worker.ask<Answer>(question)
      side.found = answer.found
      if (batch > 0) side.milliseconds.push(...answer.milliseconds)
    }
  }
  const [ofFirst, ofSecond] = sides.map(({ milliseconds, found }) => ({ milliseconds: median(milliseconds), found }))
  if (!ofFirst || !ofSecond) throw new Error('Nothing was measured')
  return [ofFirst, ofSecond] as const
}
