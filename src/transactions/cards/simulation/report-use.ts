// The job that reports a simulated use of a card, as its issuer would.

import { requireIssuer } from '#cards/issuers.ts'
import { purchaseAt } from '#cards/sandbox/scenario.ts'
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import type { Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { authorize } from '#transactions/cards/authorize.ts'
import type { CardEventKind } from '#transactions/cards/history.ts'
import { applyReport } from '#transactions/cards/report.ts'

/** For an authorization, all fields except the transaction. For a later step, the transaction and the amount. */
export interface Use extends Record<string, string | number | boolean | null> {
  readonly platformId: string
  readonly cardId: string
  readonly step: CardEventKind
  readonly transactionId: string | null
  readonly direction: 'DEBIT' | 'CREDIT'
  readonly isFinancial: boolean
  /** In the smallest unit of the card's currency. */
  readonly amount: number
  readonly currency: string | null
  readonly descriptor: string | null
  readonly mcc: string | null
  readonly country: string | null
  /** For an authorization the token of the transaction, otherwise the token of the report. */
  readonly token: string
}

const SANDBOX: { readonly environment: Environment } = { environment: 'SANDBOX' }

export const reportCardUse: Task<Use> = {
  name: 'reportCardUse',
  run: async (use) => {
    try {
      await inTransaction((tx) =>
        use.transactionId === null ? requestAuthorization(tx, use) : reportStep(tx, use, use.transactionId),
      )
    } catch (error) {
      // The step was allowed when it was simulated, but no longer is.
      if (!(error instanceof ApiError && error.status < 500)) throw error
    }
  },
}

/** A declined use leaves no trace. */
const requestAuthorization = async (tx: Tx, use: Use): Promise<void> => {
  const descriptor = use.descriptor ?? ''
  if (purchaseAt(descriptor).isDeclined) return
  await authorize(tx, use.platformId as PlatformId, requireIssuer(SANDBOX), {
    cardId: use.cardId,
    direction: use.direction,
    isFinancial: use.isFinancial,
    amount: BigInt(use.amount),
    currency: use.currency ?? '',
    merchant: { descriptor, mcc: use.mcc, country: use.country },
    issuerTransactionToken: use.token,
  })
}

const reportStep = async (tx: Tx, use: Use, transactionId: string): Promise<void> => {
  if (use.step === 'AUTHORIZATION') return
  const { step, amount, token } = use
  await applyReport(tx, use.platformId as PlatformId, requireIssuer(SANDBOX), {
    transactionId,
    step,
    amount: BigInt(amount),
    token,
  })
}
