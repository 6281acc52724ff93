// Measures how many payments per second a process makes with events and without, in interleaved rounds on one database, and how many events it
// delivers to endpoints.
import { randomBytes } from 'node:crypto'
import { withCopy } from './databases.ts'
import { median } from './report.ts'
import { startWorker } from './workers.ts'

const ROUNDS = 7
const PLATFORMS = [1, 8]

export interface Writing {
  /** Payments per second with events, divided by those without: the median of the rounds. */
  readonly ratio: number
  readonly payments: number
  readonly events: number
  /** Events per second that one process delivers, by the number of platforms. */
  readonly deliveries: ReadonlyMap<number, number>
}

interface Round {
  readonly perSecond: number
  readonly events: number
}

/** Runs on a copy of the database: the jobs of these payments stay in the queue, and a gateway would run them beside later measurements. */
export const measureWriting = (databaseUrl: string, seconds: number): Promise<Writing> =>
  withCopy(databaseUrl, (copyUrl) => measure(copyUrl, seconds))

const measure = async (databaseUrl: string, seconds: number): Promise<Writing> => {
  const environment = {
    DATABASE_URL: databaseUrl,
    MASTER_KEY: randomBytes(32).toString('base64'),
    LOG_LEVEL: 'warn',
    DATABASE_WAIT_MS: '30000',
  }
  const [told, silent] = await Promise.all(
    ['true', 'false'].map((withEvents) => startWorker('payments.ts', { ...environment, WITH_EVENTS: withEvents })),
  )
  if (!told || !silent) throw new Error('A worker is missing')
  try {
    const rounds: { told: Round; silent: Round }[] = []
    // The first round warms up compilers and caches.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const results = { told: await told.ask<Round>({ seconds }), silent: await silent.ask<Round>({ seconds }) }
      if (round > 0) rounds.push(results)
    }
    return {
      ratio: median(rounds.map((round) => round.told.perSecond / round.silent.perSecond)),
      payments: median(rounds.map((round) => round.told.perSecond)),
      events: median(rounds.map((round) => round.told.events)),
      deliveries: await measureDeliveries(environment),
    }
  } finally {
    await Promise.all([told, silent].map((worker) => worker.stop()))
  }
}

const measureDeliveries = async (environment: Readonly<Record<string, string>>) => {
  const worker = await startWorker('deliveries.ts', { ...environment, WEBHOOK_ALLOW_PRIVATE: 'true' })
  try {
    const deliveries = new Map<number, number>()
    // The first platform warms up compilers and caches.
    for (const platforms of [1, ...PLATFORMS]) {
      const { perSecond } = await worker.ask<{ perSecond: number }>({ platforms })
      deliveries.set(platforms, perSecond)
    }
    return deliveries
  } finally {
    await worker.stop()
  }
}
