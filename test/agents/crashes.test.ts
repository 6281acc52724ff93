// A gateway killed at every write and commit while an agent acts or the platform decides: either everything happened, or nothing.
// Own process: stops transactions in its database at their steps.
import { beforeAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import {
  type Acting,
  changeAgent,
  createActing,
  eventually,
  quoteOf,
  transferOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces } from '#test/setup/agents/action-faces.ts'
import { type Answer, agentFaces } from '#test/setup/agents/agent-faces.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import { AT_ONCE, byTurns, FATES, type Fate, isTried, useCrashRuns } from '#test/setup/payments/crash-runs.ts'
import type { Step } from '#test/setup/payments/kill-points.ts'

const WAITS = { defaultExecutionMode: 'APPROVAL_REQUIRED' } as const

interface Deed {
  readonly success: number
  /** The answer to a repetition after the operation succeeded. */
  readonly replay: number
  readonly policy?: typeof WAITS
  readonly prepare: (face: ActionFace, acting: Acting) => Promise<() => Promise<Answer>>
}

const quoted = async (face: ActionFace, acting: Acting) =>
  (await face.createQuote(acting.agent, quoteOf(acting, 1_000))).body.id as string
const waitingQuote = async (face: ActionFace, acting: Acting) =>
  (await face.execute(acting.agent, await quoted(face, acting))).body
const waitingTransfer = async (face: ActionFace, acting: Acting) =>
  (await face.transferOut(acting.agent, transferOf(acting, 1_000))).body

const DEEDS: Readonly<Record<string, Deed>> = {
  'execute at once': {
    success: 200,
    replay: 409,
    prepare: async (face, acting) => {
      const id = await quoted(face, acting)
      return () => face.execute(acting.agent, id)
    },
  },
  'request execution': {
    success: 200,
    replay: 409,
    policy: WAITS,
    prepare: async (face, acting) => {
      const id = await quoted(face, acting)
      return () => face.execute(acting.agent, id)
    },
  },
  'transfer out': {
    success: 201,
    replay: 201,
    prepare: async (face, acting) => () => face.transferOut(acting.agent, transferOf(acting, 1_000)),
  },
  'approve a quote': {
    success: 200,
    replay: 409,
    policy: WAITS,
    prepare: async (face, acting) => {
      const { id } = await waitingQuote(face, acting)
      return () => face.approve(acting.owner, acting.agentId, id)
    },
  },
  'approve a transfer by its transaction': {
    success: 200,
    replay: 409,
    policy: WAITS,
    prepare: async (face, acting) => {
      const { transaction } = await waitingTransfer(face, acting)
      return () => face.approveTransaction(acting.owner, transaction.id)
    },
  },
  'approve an action that is no longer allowed': {
    success: 200,
    replay: 409,
    policy: WAITS,
    prepare: async (face, acting) => {
      const { id } = await waitingQuote(face, acting)
      await changeAgent(acting, { permissions: ['VIEW_TRANSACTIONS'] })
      return () => face.approve(acting.owner, acting.agentId, id)
    },
  },
  reject: {
    success: 200,
    replay: 409,
    policy: WAITS,
    prepare: async (face, acting) => {
      const { id } = await waitingQuote(face, acting)
      return () => face.reject(acting.owner, acting.agentId, id, { reason: 'No' })
    },
  },
  'delete an agent with waiting actions': {
    success: 204,
    replay: 404,
    policy: WAITS,
    prepare: async (face, acting) => {
      await waitingQuote(face, acting)
      await waitingTransfer(face, acting)
      const management = agentFaces.find(({ name }) => name === face.name)
      if (!management) throw new Error('No such face')
      return () => management.remove(acting.platform, acting.agentId)
    },
  },
}

const { start, watch, hold } = useCrashRuns()

beforeAll(async () => {
  // Jobs wait until every result has been checked.
  await db.$executeRaw`
    create function hold_job() returns trigger language plpgsql as $$ begin
      new.run_at := now() + interval '1 day';
      new.locked_at := null;
      new.locked_by := null;
      return new;
    end $$`
  await db.$executeRaw`
    create trigger hold_job before insert on graphile_worker._private_jobs for each row execute function hold_job()`
})

const prepare = async ({ policy, prepare }: Deed, face: ActionFace) => {
  const acting = await createActing({ ...policy })
  return { acting, platformId: acting.platform.id as string, call: await prepare(face, acting) }
}

const faceOf = (index: number) => byTurns(actionFaces, index)

const study = async ([name, deed]: [string, Deed], gateway: GatewayProcess, face: ActionFace) => {
  const { answers, ...watched } = await watch(await prepare(deed, face), gateway)
  expect([name, ...answers.map(({ status }) => status)]).toEqual([name, deed.success, deed.replay])
  return { name, deed, ...watched }
}
type Studied = Awaited<ReturnType<typeof study>>

interface Trial extends Studied {
  readonly face: ActionFace
  readonly step: Step
  readonly fate: Fate
}

const run = async (trials: readonly Trial[], gateway: GatewayProcess, fresh: Promise<GatewayProcess>) => {
  const runs = await Promise.all(
    trials.map(async ({ deed, face, step, fate }) => ({ ...(await prepare(deed, face)), step, fate })),
  )
  const left = await hold(runs, gateway, fresh)
  return trials.flatMap(({ name, deed, all, face, step, fate }, number) => {
    const found = left[number]
    if (!found) return []
    const { changes, changesAfterRetry, answer } = found
    const isNothing = changes.length === 0
    const isHalf = !isNothing && changes.join() !== all.join()
    const isRetried = isNothing
      ? answer.status === deed.success && changesAfterRetry.join() === all.join()
      : answer.status === deed.replay && (answer.status < 400 || changesAfterRetry.join() === changes.join())
    return [{ name, face: face.name, step, fate, isNothing, isHalf, isStuck: !isRetried, changes, body: answer.body }]
  })
}

// On one Postgres only: the triggers write to a table that the other nodes do not have.
it.skipIf(isDistributed)(
  'a crash leaves all or nothing, and another process completes what was started',
  {
    timeout: 400_000,
  },
  async () => {
    let gateway = await start()
    const studied: Studied[] = []
    for (const [index, entry] of Object.entries(DEEDS).entries())
      studied.push(await study(entry, gateway, faceOf(index)))
    const fates = FATES.slice(0, 2)
    const trials = fates.flatMap((fate) =>
      studied.flatMap((study) =>
        study.points
          .map((step, index): Trial => ({ ...study, face: faceOf(index), step, fate }))
          .filter((_trial, index) => isTried(fate, study.points.length - index, fates)),
      ),
    )
    const ended: Awaited<ReturnType<typeof run>> = []
    for (let first = 0; first < trials.length; first += AT_ONCE) {
      const fresh = start()
      ended.push(...(await run(trials.slice(first, first + AT_ONCE), gateway, fresh)))
      gateway = await fresh
    }
    for (const { name } of studied) {
      const own = ended.filter((trial) => trial.name === name)
      const count = (flag: 'isNothing' | 'isHalf' | 'isStuck') => own.filter((trial) => trial[flag]).length
      console.log(
        `${name}: kill points ${own.length}, nothing ${count('isNothing')}, all ${own.length - count('isNothing') - count('isHalf')}, half ${count('isHalf')}, stuck ${count('isStuck')}`,
      )
      expect([name, own.length > 0, count('isNothing') < own.length]).toEqual([name, true, true])
    }
    expect(ended.filter(({ isHalf, isStuck }) => isHalf || isStuck)).toEqual([])

    // The jobs of the killed processes.
    await db.$executeRaw`drop trigger hold_job on graphile_worker._private_jobs`
    const held = await db.$executeRaw`
    update graphile_worker._private_jobs set run_at = now()
    where task_id in (select id from graphile_worker._private_tasks where identifier <> 'expireQuote')`
    const underWay = async () => {
      const [row] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from transactions payment where status = 'PROCESSING' or status = 'PENDING' and exists (
        select from agent_actions where platform_id = payment.platform_id and transaction_id = payment.id and status = 'APPROVED')`
      return row?.count ?? 0
    }
    const begun = await underWay()
    expect(await eventually(underWay, (count) => count === 0), 'payments that nobody finishes').toBe(0)
    const completed = await db.transaction.count({ where: { status: 'COMPLETED' } })
    const paid = await db.agentAction.findMany({
      where: { status: 'APPROVED' },
      select: { transactionId: true, agentId: true },
    })
    console.log(`kill points ${ended.length}; jobs held ${held}, payments under way ${begun}, finished ${completed}`)
    expect(completed).toBe(new Set(paid.map(({ transactionId }) => transactionId)).size)
    // Each agent is charged for each of its payments once.
    const agents = await db.agent.findMany()
    const usage = agents.map(({ id, dailyTransactionCount, dailySpend }) => [id, dailyTransactionCount, dailySpend])
    const actionsOf = (id: string) => paid.filter(({ agentId }) => agentId === id).length
    expect(usage).toEqual(agents.map(({ id }) => [id, actionsOf(id), 1_000n * BigInt(actionsOf(id))]))
    expect(paid.length).toBeGreaterThan(0)
  },
)
