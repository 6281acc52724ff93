// A gateway killed at every write and commit of a mutation: either all of the mutation happened, or none of it.
// Own process: stops transactions in its database at their steps.
import { expect, it } from 'vitest'
import { type Answer, type CredentialFace, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { createStockedWallets } from '#test/setup/credentials/stocked-wallets.ts'
import { WALLET_MUTATIONS, type WalletMutation } from '#test/setup/credentials/wallet-mutations.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import {
  AT_ONCE,
  byTurns,
  FATES,
  type Fate,
  isTried,
  type Left,
  useCrashRuns,
} from '#test/setup/payments/crash-runs.ts'
import type { Step } from '#test/setup/payments/kill-points.ts'
import { createPlatform } from '#test/setup/world.ts'

interface Studied {
  readonly name: string
  readonly mutation: WalletMutation
  /** The rows that it changes. */
  readonly all: readonly string[]
  readonly points: readonly Step[]
}

interface Trial extends Studied {
  readonly face: CredentialFace
  readonly step: Step
  readonly fate: Fate
}

const { start, watch, hold } = useCrashRuns()

const prepare = async ({ types, prepare }: WalletMutation, face: CredentialFace) => {
  const platform = await createPlatform()
  const [wallet] = await createStockedWallets(platform, 1, types)
  if (!wallet) throw new Error('No wallet')
  return { platformId: platform.id as string, call: await prepare(face, wallet) }
}

const faceOf = (index: number) => byTurns(credentialFaces, index)

const study = async ([name, mutation]: [string, WalletMutation], gateway: GatewayProcess, face: CredentialFace) => {
  const { answers, ...watched } = await watch(await prepare(mutation, face), gateway)
  expect([name, ...answers.map(({ status }) => status)]).toEqual([name, mutation.success, mutation.replay])
  return { name, mutation, ...watched }
}

const run = async (trials: readonly Trial[], gateway: GatewayProcess, fresh: Promise<GatewayProcess>) => {
  const runs = await Promise.all(
    trials.map(async ({ mutation, face, step, fate }) => ({ ...(await prepare(mutation, face)), step, fate })),
  )
  const left = await hold(runs, gateway, fresh)
  return trials.flatMap((trial, number) => (left[number] ? [{ ...trial, ...judge(trial, left[number]) }] : []))
}

const judge = (
  { mutation: { success, replay, afterwards }, all }: Trial,
  { changes, changesAfterRetry, answer: { status, body } }: Left<Answer>,
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

// On one Postgres only: the triggers write to a table that the other nodes do not have.
it.skipIf(isDistributed)('a crash leaves all of a mutation or none of it', { timeout: 400_000 }, async () => {
  let gateway = await start()
  const studied: Studied[] = []
  for (const [index, entry] of Object.entries(WALLET_MUTATIONS).entries()) {
    studied.push(await study(entry, gateway, faceOf(index)))
  }
  const trials = FATES.map((fate) =>
    studied.flatMap((study) =>
      study.points
        .map((step, index): Trial => ({ ...study, face: faceOf(index), step, fate }))
        .filter((_trial, index) => isTried(fate, study.points.length - index)),
    ),
  )
  const [killed = [], alsoTerminated = [], hungUp = []] = trials
  const ended: Awaited<ReturnType<typeof run>> = []
  // The clients hang up first, which leaves the gateway unchanged.
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
  // A mutation without kill points was not observed; one that never completes was not tried to its end.
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
