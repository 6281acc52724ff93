// A gateway killed at every write and commit of a payment, in the call and in its jobs: either all of a step happened, or nothing.
// A gateway that starts afterwards, with a client that retries, completes the payment exactly once.
// Own process: stops transactions in its database at their steps.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { type GatewayProcess, startGateway, through } from '#test/setup/gateway-process.ts'
import { waitingOf } from '#test/setup/payments/due-jobs.ts'
import { type KillPoints, openKillPoints, pointsOf, type Step } from '#test/setup/payments/kill-points.ts'
import {
  createFundedWallet,
  createPayer,
  type Payer,
  payloadOf,
  quoteInput,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type Answer, type PaymentFace, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'

const [graphql, rest] = paymentFaces as readonly [PaymentFace, PaymentFace]

type Call = () => Promise<Answer & { readonly text?: string }>
interface Payment {
  readonly prepare: (payer: Payer) => Promise<Call>
  /** The available balance before and after, of the account that pays or is paid. The wallet's is in millionths. */
  readonly before: bigint
  readonly after: bigint
  readonly movements: number
}

const keyed = () => ({ 'idempotency-key': randomUUID() as string })
const quoteOf = async ({ platform, dollars, iban }: Payer) =>
  (await rest.createQuote(platform, quoteInput(dollars, iban))).body

const OUT = { before: 100_000n, after: 90_000n, movements: 2 }
const PAYMENTS: Readonly<Record<string, Payment>> = {
  'execute with an idempotency key': {
    ...OUT,
    prepare: async (payer) => {
      const [{ id }, headers] = [await quoteOf(payer), keyed()]
      return () => send(payer.platform, 'POST', `/quotes/${id}/execute`, undefined, headers)
    },
  },
  'execute over GraphQL': {
    ...OUT,
    prepare: async (payer) => {
      const { id } = await quoteOf(payer)
      return () => graphql.executeQuote(payer.platform, id)
    },
  },
  'create with immediatelyExecute': {
    ...OUT,
    prepare: async ({ platform, dollars, iban }) => {
      const [input, headers] = [quoteInput(dollars, iban, 10_000, { immediatelyExecute: true }), keyed()]
      return () => send(platform, 'POST', '/quotes', input, headers)
    },
  },
  'execute from a wallet': {
    before: 100_000_000n,
    after: 95_000_000n,
    movements: 2,
    prepare: async ({ platform, outside }) => {
      const wallet = await createFundedWallet(platform)
      const { body } = await rest.createQuote(platform, quoteInput(wallet.accountId, outside, 5_000_000))
      const headers = { ...keyed(), 'service-wallet-signature': await wallet.device.stamp(payloadOf(body)) }
      return () => send(platform, 'POST', `/quotes/${body.id}/execute`, undefined, headers)
    },
  },
  'transfer out': {
    ...OUT,
    prepare: async ({ platform, dollars, outside }) => {
      const headers = keyed()
      return () => send(platform, 'POST', '/transfer-out', transferInput(dollars, outside, 10_000), headers)
    },
  },
  'transfer in': {
    before: 100_000n,
    after: 110_000n,
    movements: 1,
    prepare: async ({ platform, dollars, outside }) => {
      const headers = keyed()
      return () => send(platform, 'POST', '/transfer-in', transferInput(outside, dollars, 10_000), headers)
    },
  },
}

/** The number of concurrent runs. Each holds a connection, and Postgres ends one that is idle for more than five seconds. */
const AT_ONCE = 3
/** The number of kill points for each payment, evenly spread. The full campaign sets CRASHES=all. */
const POINTS = 8

interface Trial extends Payment {
  readonly name: string
  readonly step: Step
}

let killPoints: KillPoints
const gateways: GatewayProcess[] = []
const start = async () => {
  const gateway = await startGateway({ DATABASE_POOL_SIZE: String(AT_ONCE + 8) })
  gateways.push(gateway)
  return gateway
}
beforeAll(async () => {
  killPoints = await openKillPoints()
})
afterAll(async () => {
  await killPoints.close()
  await Promise.all(gateways.map((gateway) => gateway.kill()))
})

const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const end = performance.now() + 60_000
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error(`Timed out waiting until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Everything that shows whether a payment is consistent. */
const stateOf = async (platformId: string, wallet: boolean) => {
  const [payments, steps, account, movements, holds, jobs] = await Promise.all([
    db.transaction.findMany({ where: { platformId }, include: { quote: true } }),
    db.$queryRaw<{ to: string }[]>`
      select to_status as "to" from transaction_timelines where platform_id = ${platformId}::uuid order by sequence`,
    db.internalAccount.findFirstOrThrow({
      where: { platformId, currency: wallet ? 'USDB' : 'USD', type: wallet ? 'EMBEDDED_WALLET' : 'INTERNAL_FIAT' },
    }),
    db.ledgerMovement.count({ where: { platformId, transactionId: { not: null } } }),
    db.ledgerHold.count({ where: { platformId, releasedAt: null } }),
    waitingOf(platformId),
  ])
  const [payment] = payments
  return {
    payments: payments.length,
    status: payment?.status ?? null,
    quote: payment?.quote?.status ?? payment?.status ?? null,
    steps: steps.map(({ to }) => to).join(),
    spendable: account.balance,
    total: account.totalBalance,
    movements,
    holds,
    jobs: jobs.filter(({ name }) => name !== 'expireQuote').length,
  }
}
type State = Awaited<ReturnType<typeof stateOf>>

/** The state between two steps, if any. */
const nameOf = (state: State, { before, after, movements }: Payment) => {
  const { status, quote, spendable, total, holds, jobs } = state
  const isPull = after > before
  const isOne = quote === status && state.payments <= 1
  if (!isOne) return 'HALF'
  const isBefore = spendable === before && total === before && state.movements === 0 && holds === 0
  if (status === null) return isBefore && jobs === 0 ? 'nothing' : 'HALF'
  if (status === 'PENDING' && isBefore) return jobs === 0 || isPull ? (jobs === 0 ? 'nothing' : 'waiting') : 'HALF'
  if (status === 'PENDING') {
    return spendable === after && total === before && holds === 1 && jobs > 0 && state.movements === 0
      ? 'waiting'
      : 'HALF'
  }
  const [funds, moved] =
    status === 'PROCESSING' && isPull ? [before, 0] : [after, status === 'PROCESSING' ? 1 : movements]
  const isMoved = spendable === funds && total === funds && state.movements === moved && holds === 0
  if (status === 'PROCESSING') return isMoved && jobs > 0 ? 'under way' : 'HALF'
  return status === 'COMPLETED' && isMoved ? 'done' : 'HALF'
}

const arrived = async (platformId: string, wallet: boolean) => {
  await until('the payment arrives', async () => {
    const { status, jobs } = await stateOf(platformId, wallet)
    return status === 'COMPLETED' && jobs === 0 ? true : undefined
  })
  // Read again, because parts of the state may have been read before the last step was committed.
  return stateOf(platformId, wallet)
}

const isWallet = (name: string) => name.endsWith('wallet')

/** The writes in the call and its jobs when nothing fails. */
const study = async ([name, payment]: [string, Payment], gateway: GatewayProcess): Promise<Trial[]> => {
  const payer = await createPayer()
  const platformId = payer.platform.id as string
  const call = await payment.prepare(payer)
  const steps = await killPoints.record(platformId, async () => {
    const answer = await through(gateway, call)
    expect([name, answer.status < 300, answer.body]).toEqual([name, true, answer.body])
    expect(nameOf(await arrived(platformId, isWallet(name)), payment)).toBe('done')
  })
  return pointsOf(steps).map((step) => ({ ...payment, name, step }))
}

const sliceOf = (trials: readonly Trial[]): Trial[] =>
  process.env['CRASHES'] === 'all'
    ? [...trials]
    : Array.from(
        { length: POINTS },
        (_, place) => trials[Math.round((place * (trials.length - 1)) / (POINTS - 1))],
      ).filter((trial) => trial !== undefined)

/** Retries like a client without an answer, also while the first call seems to be running. */
const persist = (gateway: GatewayProcess, call: Call) =>
  until('there is an answer', async () => {
    const answer = await through(gateway, call).catch(() => undefined)
    const isBusy = answer?.status === 503 || /still running/.test(answer?.body.message ?? '')
    return isBusy ? undefined : answer
  })

const run = async (trials: readonly Trial[], gateway: GatewayProcess, fresh: Promise<GatewayProcess>) => {
  const ready = await Promise.all(
    trials.map(async ({ prepare }) => {
      const payer = await createPayer()
      return { platformId: payer.platform.id as string, call: await prepare(payer) }
    }),
  )
  const stops = trials.map(({ step }, number) => ({
    number,
    platformId: ready[number]?.platformId ?? '',
    stopAt: step.taken,
  }))
  await killPoints.arm(stops)
  const calls = ready.map(({ call }) => through(gateway, call).catch(() => undefined))
  await killPoints.allStopped(stops)
  await gateway.kill()
  await killPoints.letGo()
  const heard = await Promise.all(calls)
  await killPoints.settled(gateway)
  await killPoints.disarm()
  const states = await Promise.all(
    trials.map(({ name }, number) => stateOf(ready[number]?.platformId ?? '', isWallet(name))),
  )
  const next = await fresh
  return Promise.all(
    trials.map(async (trial, number) => {
      const [own, was, first] = [ready[number], states[number], heard[number]]
      if (!own || !was) throw new Error('A run has no result')
      const again = await persist(next, own.call)
      const isDone = again.status < 300 || again.body.details?.reason === 'QUOTE_ALREADY_EXECUTED'
      const end = await arrived(own.platformId, isWallet(trial.name))
      return {
        name: trial.name,
        step: `${trial.step.moment} ${trial.step.operation} ${trial.step.relation}`,
        found: nameOf(was, trial),
        isHeardTwice: first === undefined || first.text === undefined || first.text === again.text,
        isEnded: isDone && nameOf(end, trial) === 'done' && end.steps === 'PENDING,PROCESSING,COMPLETED',
        was: JSON.stringify(was, (_key, value) => (typeof value === 'bigint' ? Number(value) : value)),
      }
    }),
  )
}

// Runs on request only: it takes three minutes, because a key is taken over from a dead call only after ten seconds.
it.runIf(process.env['CRASHES'])(
  'a crash leaves all or nothing, and the payment continues',
  { timeout: 600_000 },
  async () => {
    let gateway = await start()
    const studied: Trial[][] = []
    for (const entry of Object.entries(PAYMENTS)) studied.push(sliceOf(await study(entry, gateway)))
    // Runs that are killed early die together, so that nothing waits long for the others.
    const trials = studied.flat().toSorted((one, other) => one.step.taken - other.step.taken)
    const ended: Awaited<ReturnType<typeof run>> = []
    for (let from = 0; from < trials.length; from += AT_ONCE) {
      const fresh = start()
      ended.push(...(await run(trials.slice(from, from + AT_ONCE), gateway, fresh)))
      gateway = await fresh
    }
    const count = (found: string) => ended.filter((trial) => trial.found === found).length
    console.log(
      `payments ${studied.length}, kill points ${ended.length}: nothing ${count('nothing')}, waiting ${count('waiting')}, under way ${count('under way')}, done ${count('done')}, half ${count('HALF')}; not brought to their end ${ended.filter(({ isEnded }) => !isEnded).length}`,
    )
    expect(ended.filter(({ found, isHeardTwice, isEnded }) => found === 'HALF' || !isHeardTwice || !isEnded)).toEqual(
      [],
    )
    for (const found of ['nothing', 'waiting', 'under way', 'done']) expect(count(found), found).toBeGreaterThan(0)
  },
)
