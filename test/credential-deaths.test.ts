// A gateway killed in the midst of a mutation, at every point where it can be: all of it has happened, or nothing.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, type CredentialFace, credentialFaces } from './setup/credential-faces.ts'
import { changesBetween, type DeathPoints, openDeathPoints, pointsOf, type Step } from './setup/death-points.ts'
import { type GatewayProcess, startGateway, through } from './setup/gateway-process.ts'
import { createStockedWallets } from './setup/stocked-wallets.ts'
import { WALLET_MUTATIONS, type WalletMutation } from './setup/wallet-mutations.ts'
import { createPlatform } from './setup/world.ts'

/** Who is gone when a run stands at its step. */
const FATES = ['the gateway', 'the gateway and its server process', 'the client'] as const
type Fate = (typeof FATES)[number]

/** Each holds a connection. */
const AT_ONCE = 32

interface Studied {
  readonly name: string
  readonly mutation: WalletMutation
  /** What it changes. */
  readonly all: readonly string[]
  readonly points: readonly Step[]
}

interface Trial extends Studied {
  readonly face: CredentialFace
  readonly step: Step
  readonly fate: Fate
}

let deaths: DeathPoints
const gateways: GatewayProcess[] = []
const start = async () => {
  const gateway = await startGateway({ DATABASE_POOL_SIZE: String(AT_ONCE + 4) })
  gateways.push(gateway)
  return gateway
}
beforeAll(async () => {
  deaths = await openDeathPoints()
})
afterAll(async () => {
  await deaths.close()
  await Promise.all(gateways.map((gateway) => gateway.kill()))
})

const prepare = async ({ types, prepare }: WalletMutation, face: CredentialFace) => {
  const platform = await createPlatform()
  const [wallet] = await createStockedWallets(platform, 1, types)
  if (!wallet) throw new Error('No wallet')
  return { platformId: platform.id as string, call: await prepare(face, wallet) }
}

/** By turns. */
const faceOf = (index: number): CredentialFace => {
  const face = credentialFaces[index % credentialFaces.length]
  if (!face) throw new Error('No face')
  return face
}

const stateOf = async (platformId: string) => (await deaths.statesOf([platformId])).get(platformId) ?? new Map()

/** What it writes, and in which steps, when nothing happens to it. */
const study = async ([name, mutation]: [string, WalletMutation], gateway: GatewayProcess, face: CredentialFace) => {
  const { platformId, call } = await prepare(mutation, face)
  const before = await stateOf(platformId)
  const answers: Answer[] = []
  const steps = await deaths.record(platformId, async () => answers.push(await through(gateway, call)))
  const all = changesBetween(before, await stateOf(platformId))
  answers.push(await through(gateway, call))
  expect([name, ...answers.map(({ status }) => status)]).toEqual([name, mutation.success, mutation.replay])
  return { name, mutation, all, points: pointsOf(steps) }
}

/** One gateway takes them all, each up to its step. Then it dies, or every client does; and a fresh one is asked the same. */
const run = async (trials: readonly Trial[], gateway: GatewayProcess, fresh: Promise<GatewayProcess>) => {
  const ready = await Promise.all(trials.map(({ mutation, face }) => prepare(mutation, face)))
  const platformIds = ready.map(({ platformId }) => platformId)
  const stops = trials.map(({ step }, number) => ({
    number,
    platformId: platformIds[number] ?? '',
    stopAt: step.taken,
  }))
  const before = await deaths.statesOf(platformIds)
  await deaths.arm(stops)
  const client = new AbortController()
  const calls = ready.map(({ call }) => through(gateway, call, client.signal).catch(() => 'no answer'))
  await deaths.allStopped(stops)
  const isAlive = trials.every(({ fate }) => fate === 'the client')
  if (isAlive) client.abort()
  else await gateway.kill()
  await deaths.terminate(stops.filter((_, number) => trials[number]?.fate === FATES[1]).map(({ number }) => number))
  await deaths.letGo()
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['no answer']))
  await deaths.settled(gateway, { isAlive })
  await deaths.disarm()

  const after = await deaths.statesOf(platformIds)
  const next = await fresh
  const again = await Promise.all(ready.map(({ call }) => through(next, call)))
  const last = await deaths.statesOf(platformIds)
  return trials.map((trial, number) => {
    const id = platformIds[number] ?? ''
    const [was, is, then] = [before, after, last].map((states) => states.get(id) ?? new Map())
    const answer = again[number]
    if (!was || !is || !then || !answer) throw new Error('A run is lost')
    return { ...trial, ...judge(trial, changesBetween(was, is), changesBetween(was, then), answer) }
  })
}

const judge = (
  { mutation: { success, replay, afterwards }, all }: Trial,
  changes: readonly string[],
  changesAfterRetry: readonly string[],
  { status, body }: Answer,
) => {
  const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join()
  const isNothing = changes.length === 0
  const isAll =
    isSame(changes, all) ||
    isSame(
      changes,
      all.filter((change) => change !== afterwards),
    )
  const isRetried = isNothing
    ? status === success && isSame(changesAfterRetry, all)
    : status === replay && (status < 400 || isSame(changesAfterRetry, changes))
  return { changes, changesAfterRetry, isNothing, isHalf: !isNothing && !isAll, isStuck: !isRetried, status, body }
}

it('a death leaves all or nothing', { timeout: 240_000 }, async () => {
  let gateway = await start()
  const studied: Studied[] = []
  for (const [index, entry] of Object.entries(WALLET_MUTATIONS).entries()) {
    studied.push(await study(entry, gateway, faceOf(index)))
  }
  const trials = FATES.map((fate) =>
    studied.flatMap((study) =>
      study.points.map((step, index): Trial => ({ ...study, face: faceOf(index), step, fate })),
    ),
  )
  const [killed = [], alsoTerminated = [], hungUp = []] = trials
  const ended: Awaited<ReturnType<typeof run>> = []
  // The clients hang up first: that leaves the gateway as it was.
  for (const wave of wavesOf(hungUp)) ended.push(...(await run(wave, gateway, Promise.resolve(gateway))))
  for (const wave of wavesOf([...killed, ...alsoTerminated])) {
    const fresh = start()
    ended.push(...(await run(wave, gateway, fresh)))
    gateway = await fresh
  }

  for (const fate of FATES) {
    const here = ended.filter((trial) => trial.fate === fate)
    const count = (flag: 'isNothing' | 'isHalf' | 'isStuck') => here.filter((trial) => trial[flag]).length
    console.log(
      `without ${fate}: mutations ${studied.length}, kill points ${here.length}, nothing ${count('isNothing')}, all ${here.length - count('isNothing') - count('isHalf')}, half ${count('isHalf')}, stuck ${count('isStuck')}`,
    )
  }
  const broken = ended.filter(({ isHalf, isStuck }) => isHalf || isStuck)
  console.log(
    `mutations ${studied.length}, kill points ${ended.length}, half ${broken.filter(({ isHalf }) => isHalf).length}, stuck ${broken.filter(({ isStuck }) => isStuck).length}`,
  )
  expect(broken.map(({ mutation: _, points: __, face, ...rest }) => ({ face: face.name, ...rest }))).toEqual([])
  // A mutation without a point was not watched, and one that is never through was not tried to its end.
  for (const { name } of studied) {
    const own = ended.filter((trial) => trial.name === name)
    expect({ name, points: own.length > 0, everDone: own.some(({ isNothing }) => !isNothing) }).toEqual({
      name,
      points: true,
      everDone: true,
    })
  }
})

const wavesOf = (trials: readonly Trial[]): Trial[][] =>
  Array.from({ length: Math.ceil(trials.length / AT_ONCE) }, (_, index) =>
    trials.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
