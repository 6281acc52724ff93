// The issuer of the sandbox: it decides by the last characters of values (docs/domain/sandbox.md#magic-values).
import { randomBytes } from 'node:crypto'
import { activateCard, refuseCard } from '#cards/issuance.ts'
import type { CardIssuer } from '#cards/issuer.ts'
import { type PlatformId, publicId } from '#core/ids.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import type { Card as CardRow } from '#generated/prisma/client.ts'
import { lastDigitsOf } from './number.ts'
import { createNumberPage } from './number-page.ts'
import { issuanceOf, mayFund, purchaseAt } from './scenario.ts'

const YEARS_TO_EXPIRY = 4

/** Makes or refuses an ordered card. */
export const issueCard: Task<{ readonly platformId: string; readonly cardId: string; readonly state: string }> = {
  name: 'issueCard',
  run: ({ platformId: platform, cardId, state }) =>
    inTransaction(async (tx) => {
      const platformId = platform as PlatformId
      if (state === 'CLOSED') return refuseCard(tx, platformId, cardId)
      const now = new Date()
      await activateCard(tx, platformId, cardId, {
        brand: 'VISA',
        last4: lastDigitsOf({ platformId, id: cardId }),
        expMonth: now.getUTCMonth() + 1,
        expYear: now.getUTCFullYear() + YEARS_TO_EXPIRY,
        processorRef: `proc_${randomBytes(12).toString('hex')}`,
        issuerRef: `card_${randomBytes(12).toString('hex')}`,
      })
    }),
}

export const sandboxIssuer: CardIssuer = {
  order: async (tx, { platformId, id: cardId, platformCardId, customerId }: CardRow) => {
    const { state, afterSeconds } = issuanceOf(platformCardId ?? publicId('Customer', customerId))
    if (state === undefined) return
    await addJob(tx, issueCard, { platformId, cardId, state }, { inSeconds: afterSeconds })
  },
  admits: mayFund,
  numberPage: createNumberPage,
  pullOutcome: (descriptor) => {
    const { isPullConfirmed: isConfirmed, afterSeconds } = purchaseAt(descriptor)
    return { isConfirmed, afterSeconds }
  },
}
