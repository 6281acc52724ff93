// Hands a payment that has left to its settlement: another institution over UMA, or the provider of its environment.
import type { Environment } from '#core/caller.ts'
import { db } from '#database/db.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { Transaction } from '#generated/prisma/client.ts'
import { providerOf } from './providers.ts'
import { carryUma } from './uma/pay.ts'

type Payment = Pick<Transaction, 'platformId' | 'id'>

/** A payment between two institutions has a demand. Payments with addresses of the sandbox have none. */
const demandOf = (on: Tx | typeof db, { platformId, id: transactionId }: Payment) =>
  on.umaDemand.findUnique({
    where: { platformId_transactionId: { platformId, transactionId } },
    select: { role: true },
  })

/** For a payment that has just become `PROCESSING`. An incoming payment of another institution waits for that institution. */
export const carry = async (tx: Tx, environment: Environment, payment: Transaction): Promise<void> => {
  const demand = await demandOf(tx, payment)
  if (demand === null) return providerOf(environment)?.carry(tx, payment)
  if (demand.role === 'PAYER') await carryUma(tx, payment)
}

/** Whether a demand settles the payment. `resumeUma` continues it then. */
export const isSettledByDemand = async (payment: Payment, on: Tx | typeof db = db): Promise<boolean> =>
  (await demandOf(on, payment)) !== null
