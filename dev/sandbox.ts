// A realistic world on a sandbox platform: customers who are paid, who pay and use cards, and whose agents ask for approval, at a steady rate and
// only over REST.
import { setTimeout as wait } from 'node:timers/promises'
import { ACTIVITIES } from './sandbox/activities.ts'
import type { Activity } from './sandbox/activity.ts'
import { type Call, createClient } from './sandbox/client.ts'
import { createResident, pick, type Resident } from './sandbox/resident.ts'

interface World {
  readonly from: string
  /** `<client id>:<secret>` */
  readonly token: string
  readonly paymentsPerSecond: number
  readonly seconds: number
  readonly customers: number
}

const REPORT_EVERY_MS = 10_000
/** A slow gateway gets fewer payments instead of a queue. */
const MOST_AT_ONCE = 10
/** An address may redeem ten device codes a minute. */
const MOST_AGENTS = 5

/** Returns how many payments were started and how many calls failed. */
export const live = async ({ from, token, paymentsPerSecond, seconds, customers }: World) => {
  const call = createClient(from, `Basic ${Buffer.from(token).toString('base64')}`)
  const clientOf = (accessToken: string) => createClient(from, `Bearer ${accessToken}`)
  const residents = await Promise.all(
    Array.from({ length: customers }, (_, index) => createResident(call, index < MOST_AGENTS ? clientOf : undefined)),
  )
  console.log(`${customers} customers live at ${from}.`)
  const draw = createDeck(residents)
  const done = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let failed = 0
  const began = performance.now()
  const report = () => {
    const total = [...done.values()].reduce((sum, count) => sum + count, 0)
    const each = [...done].map(([name, count]) => `${name} ${count}`).join(', ')
    console.log(`${total} payments in ${Math.round((performance.now() - began) / 1_000)} s: ${each}; ${failed} failed`)
    return total
  }
  const reporting = setInterval(report, REPORT_EVERY_MS)
  for (let turn = 0; turn < paymentsPerSecond * seconds; turn += 1) {
    await wait(Math.max(0, (turn / paymentsPerSecond) * 1_000 - (performance.now() - began)))
    while (underWay.size >= MOST_AT_ONCE) await Promise.race(underWay)
    const activity = draw()
    const { name } = activity
    const started = begin(call, residents, activity).then(
      () => void done.set(name, (done.get(name) ?? 0) + 1),
      (error) => {
        failed += 1
        console.error(`${name}: ${error instanceof Error ? error.message : error}`)
      },
    )
    const tracked = started.finally(() => underWay.delete(tracked))
    underWay.add(tracked)
  }
  await Promise.all(underWay)
  clearInterval(reporting)
  return { payments: report(), failed }
}

const everybody = () => true

const begin = async (
  call: Call,
  residents: readonly Resident[],
  { act, isFor = everybody }: Activity,
): Promise<void> => {
  const able = residents.filter(isFor)
  if (able.length > 0) await act(call, pick(able))
}

/** Deals out each activity as often as its weight says, in a different order each time. */
const createDeck = (residents: readonly Resident[]) => {
  const possible = ACTIVITIES.filter(({ isFor = everybody }) => residents.some(isFor))
  let deck: Activity[] = []
  return () => {
    if (deck.length === 0) {
      deck = possible
        .flatMap((activity) => Array.from({ length: activity.weight }, () => activity))
        .map((activity) => ({ activity, place: Math.random() }))
        .toSorted((one, other) => one.place - other.place)
        .map(({ activity }) => activity)
    }
    return deck.pop() ?? ACTIVITIES[0]
  }
}
