// The clock of the sandbox: each event of a payment's scenario is a job, which schedules the next one.
import type { PlatformId } from '#core/ids.ts'
import type { Sql } from '#database/db.ts'
import { addingJob, addJob, type Task } from '#database/jobs/jobs.ts'
import { sendIn } from '#database/round-trips.ts'
import { inTransaction, type Tx, timeOf } from '#database/unit-of-work.ts'
import type { ExternalAccount, Transaction } from '#generated/prisma/client.ts'
import { completeRefund, OUTCOMES, unlessMovedOn } from '#settlement/payment-outcomes.ts'
import { payoutOf } from './payout.ts'
import { type Scenario, scenarioFor } from './scenario.ts'

interface Step extends Record<string, string | number> {
  readonly platformId: string
  readonly transactionId: string
  /** Position of the event in the scenario. */
  readonly event: number
}

export const advancePayment: Task<Step> = {
  name: 'advancePayment',
  run: (step, end) =>
    unlessMovedOn(() =>
      inTransaction(async (tx) => {
        await advance(tx, step)
        await end?.(tx)
      }),
    ),
}

const REFUND_SECONDS = 1

interface Refunding extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
}

export const settleRefund: Task<Refunding> = {
  name: 'settleRefund',
  run: ({ platformId, transactionId }) => unlessMovedOn(() => completeRefund(platformId as PlatformId, transactionId)),
}

export const scheduleRefund = (tx: Tx, { platformId, id: transactionId }: Transaction): Promise<void> =>
  addJob(tx, settleRefund, { platformId, transactionId }, { inSeconds: REFUND_SECONDS })

const advance = async (tx: Tx, step: Step) => {
  const platformId = step.platformId as PlatformId
  const where = { platformId_id: { platformId, id: step.transactionId } }
  const payment = await tx.transaction.findUniqueOrThrow({ where })
  const account = await externalAccountOf(tx, payment)
  const scenario = scenarioFor(payment, account && Object(account.accountInfo))
  const event = scenario[step.event]
  if (!event) return
  const { outcome, reason } = event
  await OUTCOMES[outcome](tx, platformId, payment, {
    reason,
    now: await timeOf(tx),
    onChain: payoutOf(payment, account),
  })
  await sendIn(tx, ...schedulingEvent(payment, scenario, step.event + 1))
}

/** The external account among the parties. There is at most one. */
const externalAccountOf = (tx: Tx, payment: Transaction): Promise<ExternalAccount> | null => {
  const { platformId, sourceExternalAccountId, destinationExternalAccountId } = payment
  const id = sourceExternalAccountId ?? destinationExternalAccountId
  return id === null ? null : tx.externalAccount.findUniqueOrThrow({ where: { platformId_id: { platformId, id } } })
}

/** The statement that schedules this event. None after the last one. */
export const schedulingEvent = (
  { platformId, id: transactionId }: Pick<Transaction, 'platformId' | 'id'>,
  scenario: Scenario,
  event: number,
): Sql[] => {
  const next = scenario[event]
  if (!next) return []
  return [addingJob(advancePayment, { platformId, transactionId, event }, { inSeconds: next.afterSeconds })]
}
