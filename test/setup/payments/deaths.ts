// Runs that are held at their steps while what serves them dies, and what is left of them: for whatever is asked of a gateway.
import { afterAll, beforeAll, expect } from 'vitest'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { changesBetween, type DeathPoints, openDeathPoints, pointsOf, type Step } from './death-points.ts'

/** Who is gone when a run stands at its step. */
export const FATES = ['the gateway', 'the gateway and its server process', 'the client'] as const
export type Fate = (typeof FATES)[number]

/** A call that changes something of a platform. */
interface Run<A> {
  readonly platformId: string
  readonly call: () => Promise<A>
}

export interface Held<A> extends Run<A> {
  readonly step: Step
  readonly fate: Fate
}

/** The changes that the death left, those that were there after the same was asked again, and what was answered then. */
export interface Left<A> {
  readonly changes: readonly string[]
  readonly changesAfterRetry: readonly string[]
  readonly answer: A
}

export const byTurns = <F>(faces: readonly F[], index: number): F => {
  const face = faces[index % faces.length]
  if (!face) throw new Error('No face')
  return face
}

/** Gateways and death points of a test file, gone with it. Each gateway has so many connections to the database. */
export const useDeaths = (connections: number) => {
  const gateways: GatewayProcess[] = []
  let deaths: DeathPoints
  beforeAll(async () => {
    deaths = await openDeathPoints()
  })
  afterAll(async () => {
    await deaths.close()
    await Promise.all(gateways.map((gateway) => gateway.kill()))
  })

  const start = async (): Promise<GatewayProcess> => {
    const gateway = await startGateway({ DATABASE_POOL_SIZE: String(connections) })
    gateways.push(gateway)
    return gateway
  }

  const stateOf = async (platformId: string) => (await deaths.statesOf([platformId])).get(platformId) ?? new Map()

  /** What a run changes, in which steps, and the answers to it and to the same once more, when nothing happens to it. */
  const watch = async <A>({ platformId, call }: Run<A>, gateway: GatewayProcess) => {
    const before = await stateOf(platformId)
    const answers: A[] = []
    const steps = await deaths.record(platformId, async () => answers.push(await through(gateway, call)))
    const all = changesBetween(before, await stateOf(platformId))
    answers.push(await through(gateway, call))
    return { all, points: pointsOf(steps), answers }
  }

  /** One gateway takes all runs, each up to its step. Then it dies, or every client does; and a fresh one is asked the same. */
  const hold = async <A>(
    runs: readonly Held<A>[],
    gateway: GatewayProcess,
    fresh: Promise<GatewayProcess>,
  ): Promise<Left<A>[]> => {
    const platformIds = runs.map(({ platformId }) => platformId)
    const stops = runs.map(({ platformId, step }, number) => ({ number, platformId, stopAt: step.taken }))
    const before = await deaths.statesOf(platformIds)
    await deaths.arm(stops)
    const client = new AbortController()
    const calls = runs.map(({ call }) => through(gateway, call, client.signal).catch(() => 'no answer'))
    await deaths.allStopped(stops)
    const isAlive = runs.every(({ fate }) => fate === 'the client')
    if (isAlive) client.abort()
    else await gateway.kill()
    await deaths.terminate(stops.filter((_, number) => runs[number]?.fate === FATES[1]).map(({ number }) => number))
    await deaths.letGo()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['no answer']))
    await deaths.settled(gateway, { isAlive })
    await deaths.disarm()

    const after = await deaths.statesOf(platformIds)
    const next = await fresh
    const answers = await Promise.all(runs.map(({ call }) => through(next, call)))
    const last = await deaths.statesOf(platformIds)
    return answers.map((answer, number) => {
      const id = platformIds[number] ?? ''
      const [was, is, then] = [before, after, last].map((states) => states.get(id))
      if (!was || !is || !then) throw new Error('A run is lost')
      return { changes: changesBetween(was, is), changesAfterRetry: changesBetween(was, then), answer }
    })
  }

  return { start, watch, hold }
}
