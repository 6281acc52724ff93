// Runs that are stopped at their steps while a process or client dies, and what they leave behind, for any request to a gateway.
import { afterAll, beforeAll, expect } from 'vitest'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { changesBetween, type KillPoints, openKillPoints, pointsOf, type Step } from './kill-points.ts'

/** Which process dies when a run stops at its step. */
export const FATES = ['the gateway', 'the gateway and its server process', 'the client'] as const
export type Fate = (typeof FATES)[number]

/** In CI every fate meets a run at its last step, and one of them at half of the earlier steps. The full campaign sets CRASHES=all. */
export const isTried = (fate: Fate, stepsLeft: number, fates: readonly Fate[] = FATES): boolean =>
  process.env['CRASHES'] === 'all' || stepsLeft === 1 || stepsLeft % (2 * fates.length) === fates.indexOf(fate)

/** The number of concurrent runs. The first one waits at its step for the last, and must not wait as long as the statement timeout. */
export const AT_ONCE = 12

/** A call that changes something on a platform. */
interface Run<A> {
  readonly platformId: string
  readonly call: () => Promise<A>
}

export interface Held<A> extends Run<A> {
  readonly step: Step
  readonly fate: Fate
}

/** The changes left by the crash, those after the same call was repeated, and the answer to the repetition. */
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

/** Gateways and kill points for a test file, removed with it. Each run holds a database connection of its gateway. */
export const useCrashRuns = () => {
  const gateways: GatewayProcess[] = []
  let killPoints: KillPoints
  beforeAll(async () => {
    killPoints = await openKillPoints()
  })
  afterAll(async () => {
    await killPoints.close()
    await Promise.all(gateways.map((gateway) => gateway.kill()))
  })

  const start = async (): Promise<GatewayProcess> => {
    const gateway = await startGateway({ DATABASE_POOL_SIZE: String(AT_ONCE + 4) })
    gateways.push(gateway)
    return gateway
  }

  const stateOf = async (platformId: string) => (await killPoints.statesOf([platformId])).get(platformId) ?? new Map()

  /** What an undisturbed run changes, in which steps, and the answers to it and to a repetition. */
  const watch = async <A>({ platformId, call }: Run<A>, gateway: GatewayProcess) => {
    const before = await stateOf(platformId)
    const answers: A[] = []
    const steps = await killPoints.record(platformId, async () => answers.push(await through(gateway, call)))
    const all = changesBetween(before, await stateOf(platformId))
    answers.push(await through(gateway, call))
    return { all, points: pointsOf(steps), answers }
  }

  /** One gateway takes each run up to its step. Then the gateway or every client dies, and a new gateway gets the same calls. */
  const hold = async <A>(
    runs: readonly Held<A>[],
    gateway: GatewayProcess,
    fresh: Promise<GatewayProcess>,
  ): Promise<Left<A>[]> => {
    const platformIds = runs.map(({ platformId }) => platformId)
    const stops = runs.map(({ platformId, step }, number) => ({ number, platformId, stopAt: step.taken }))
    const before = await killPoints.statesOf(platformIds)
    await killPoints.arm(stops)
    const client = new AbortController()
    const early = new Map<number, unknown>()
    const calls = runs.map(({ call }, number) =>
      through(gateway, call, client.signal).then(
        (answer) => early.set(number, answer) && answer,
        () => 'no answer',
      ),
    )
    try {
      await killPoints.allStopped(stops, early)
    } catch (error) {
      // Nothing may be left that disturbs a second attempt of the test.
      await gateway.kill()
      await killPoints.letGo()
      await killPoints.disarm()
      throw error
    }
    if (runs.every(({ fate }) => fate === 'the client')) client.abort()
    else await gateway.kill()
    await killPoints.terminate(stops.filter((_, number) => runs[number]?.fate === FATES[1]).map(({ number }) => number))
    await killPoints.letGo()
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['no answer']))
    await killPoints.settled(gateway)
    await killPoints.disarm()

    const after = await killPoints.statesOf(platformIds)
    const next = await fresh
    const answers = await Promise.all(runs.map(({ call }) => through(next, call)))
    const last = await killPoints.statesOf(platformIds)
    return answers.map((answer, number) => {
      const id = platformIds[number] ?? ''
      const [was, is, then] = [before, after, last].map((states) => states.get(id))
      if (!was || !is || !then) throw new Error('A run has no result')
      return { changes: changesBetween(was, is), changesAfterRetry: changesBetween(was, then), answer }
    })
  }

  return { start, watch, hold }
}
