// The clock of the sandbox: each event of a payment's scenario is a job, which schedules the next one.
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { addJob, type Task } from '#database/jobs.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { OUTCOMES } from '#settlement/payment-outcomes.ts'
import { type Scenario, scenarioOf } from './scenario.ts'

interface Step extends Record<string, string | number> {
  readonly platformId: string
  readonly transactionId: string
  /** Position of the event in the scenario. */
  readonly event: number
}

export const advancePayment: Task<Step> = {
  name: 'advancePayment',
  run: async (step) => {
    try {
      await inTransaction((tx) => advance(tx, step))
    } catch (error) {
      // A job may run twice. The second run finds that the payment has moved on.
      if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error
    }
  },
}

/** Schedules the first event of a payment that has just left. */
export const scheduleEvents = async (tx: Tx, payment: Transaction): Promise<void> =>
  schedule(tx, payment, await scenarioOf(tx, payment), 0)

const advance = async (tx: Tx, step: Step) => {
  const platformId = step.platformId as PlatformId
  const where = { platformId_id: { platformId, id: step.transactionId } }
  const payment = await tx.transaction.findUniqueOrThrow({ where })
  const scenario = await scenarioOf(tx, payment)
  const event = scenario[step.event]
  if (!event) return
  await OUTCOMES[event.outcome](tx, platformId, payment, { reason: event.reason, now: await timeOf(tx) })
  await schedule(tx, payment, scenario, step.event + 1)
}

const schedule = async (tx: Tx, { platformId, id: transactionId }: Transaction, scenario: Scenario, event: number) => {
  const next = scenario[event]
  if (next) await addJob(tx, advancePayment, { platformId, transactionId, event }, { inSeconds: next.afterSeconds })
}
