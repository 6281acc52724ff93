// The job that ends a pull unless a clearing has ended it before.
import { issuerOf } from '#cards/issuers.ts'
import type { PlatformId } from '#core/ids.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { endPull } from './pulls.ts'
import { type CardTransaction, lockCardTransaction, writeSummary } from './stored.ts'

/** Whether the pull succeeds, as its issuer says. Without an issuer it succeeds, because its money is held. */
export const isConfirmed = async (tx: Tx, { platformId, row }: CardTransaction): Promise<boolean> => {
  const { environment } = await tx.platform.findUniqueOrThrow({
    where: { id: platformId },
    select: { environment: true },
  })
  return issuerOf(environment)?.pullOutcome(row.merchantDescriptor ?? '').isConfirmed ?? true
}

interface End extends Record<string, string> {
  readonly platformId: string
  readonly transactionId: string
  readonly pullId: string
}

export const endCardPull: Task<End> = {
  name: 'endCardPull',
  run: ({ platformId, transactionId, pullId }) =>
    inTransaction(async (tx) => {
      const transaction = await lockCardTransaction(tx, platformId as PlatformId, transactionId)
      const pull = transaction?.pulls.find(({ id }) => id === pullId)
      if (!transaction || pull?.status !== 'PENDING') return
      const ended = await endPull(tx, transaction, pull, await isConfirmed(tx, transaction))
      await writeSummary(tx, ended, 'PULL_ENDED')
    }),
}

/** Schedules the end of the latest pull. */
export const scheduleEnd = async (
  tx: Tx,
  { platformId, row, pulls }: CardTransaction,
  inSeconds: number,
): Promise<void> => {
  const pullId = pulls.at(-1)?.id
  if (pullId !== undefined) {
    await addJob(tx, endCardPull, { platformId, transactionId: row.id, pullId }, { inSeconds })
  }
}
