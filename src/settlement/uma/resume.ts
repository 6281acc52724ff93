// Continues demands that no job drives any more, in every environment.
import { db } from '#database/db.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { logTaskFailure } from '#database/outage.ts'
import { forgetLookups } from '#uma/lookup.ts'
import { notifyPayee } from './pay.ts'
import { expireDemand } from './receive.ts'

const AT_ONCE = 50

interface Late {
  readonly platformId: string
  readonly id: string
  readonly transactionId: string
  readonly role: 'PAYER' | 'PAYEE'
}

/**
 * Continues those that were started and are open long after their time. Providers take turns, and the next demand of
 * each provider is chosen at random, so that silent ones do not keep the others waiting. A failure does not stop the
 * others.
 */
export const resumeUma: Task = {
  name: 'resumeUma',
  cron: '* * * * *',
  run: async () => {
    const late = await db.$queryRaw<Late[]>`
      select demand.platform_id as "platformId", demand.id, demand.transaction_id as "transactionId", demand.role::text
      from uma_demands demand
      join transactions payment on (payment.platform_id, payment.id) = (demand.platform_id, demand.transaction_id)
      where demand.status = 'OPEN' and demand.expires_at < now() - interval '10 minutes'
        and (demand.role = 'PAYEE' or payment.status = 'PROCESSING')
      order by row_number() over (partition by demand.platform_id, demand.provider_id order by random()) limit ${AT_ONCE}`
    await Promise.all(
      late.map(async ({ platformId, id, transactionId, role }) => {
        try {
          if (role === 'PAYER') await notifyPayee({ platformId, transactionId })
          else await expireDemand.run({ platformId, demandId: id })
        } catch (error) {
          logTaskFailure(`resumeUma ${id}`, error)
        }
      }),
    )
  },
}

/** Deletes expired look-ups. */
export const forgetUma: Task = {
  name: 'forgetUma',
  cron: '*/10 * * * *',
  run: async () => {
    await forgetLookups()
  },
}
