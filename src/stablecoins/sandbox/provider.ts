// The sandbox of stablecoins: simulated credentials and operations, whose outcomes depend on magic values (docs/domain/sandbox.md#stablecoin-scenarios).
import { createHash } from 'node:crypto'
import { suffixOf } from '#accounts/external/suffix.ts'
import { db } from '#database/db.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { OperationStatus } from '#stablecoins/operation.ts'
import { FUNDED_WITHIN_SECONDS, moveOperation, type OperationKey } from '#stablecoins/outcomes.ts'
import type { StablecoinProvider } from '#stablecoins/provider.ts'

const REFUSED = '002'
const REVOKED_LATER = '003'
const NOT_ISSUED = '002'

const endingOf = (value: string) => value.slice(-3)

const accountOf = (apiClientId: string) => `acct_${createHash('sha256').update(apiClientId).digest('hex').slice(0, 24)}`

const FAILING = ['002', '004']
const FAILING_LATE = '005'
/** The tokens or the dollars never reach the provider. */
const UNFUNDED = '003'

const STEP_SECONDS = 0.4
const LATE_SECONDS = 30

/** How long a state lasts, by the suffix of the wallet. */
const secondsOf = (status: OperationStatus, suffix: string): number => {
  if (status === 'PENDING_FUNDING' && suffix === UNFUNDED) return FUNDED_WITHIN_SECONDS
  return status === 'PROCESSING' && suffix === FAILING_LATE ? LATE_SECONDS : STEP_SECONDS
}

/** What follows a state, by the suffix of the wallet. Undefined if nothing follows. */
const nextOf = (status: OperationStatus, suffix: string): OperationStatus | undefined => {
  switch (status) {
    case 'CREATED':
      return 'PENDING_FUNDING'
    case 'PENDING_FUNDING':
      return suffix === UNFUNDED ? 'EXPIRED' : 'PENDING_PROVIDER'
    case 'PENDING_PROVIDER':
      return 'PROCESSING'
    case 'PROCESSING':
      return FAILING.includes(suffix) || suffix === FAILING_LATE ? 'FAILED' : 'COMPLETED'
    default:
      return undefined
  }
}

const suffixOfWallet = async ({ platformId, id }: OperationKey): Promise<string> => {
  const [row] = await db.$queryRaw<{ info: object }[]>`
    select wallet.account_info as info from stablecoin_operations operation
    join external_accounts wallet on wallet.platform_id = operation.platform_id and wallet.id = operation.external_account_id
    where operation.platform_id = ${platformId}::uuid and operation.id = ${id}::uuid`
  return suffixOf(row?.info ?? {})
}

/** Moves the operation by one state if its state and the suffix of its wallet allow it, and schedules the next step. */
const advance = async (
  key: OperationKey,
  isDue: (status: OperationStatus, suffix: string) => boolean,
): Promise<void> => {
  const suffix = await suffixOfWallet(key)
  await moveOperation(
    key,
    (status) => (isDue(status, suffix) ? nextOf(status, suffix) : undefined),
    (tx, status) => schedule(tx, key, status, suffix),
  )
}

const schedule = async (tx: Tx, key: OperationKey, status: OperationStatus, suffix: string): Promise<void> => {
  if (nextOf(status, suffix) === undefined) return
  const step = { platformId: key.platformId, id: key.id, from: status }
  await addJob(tx, advanceStablecoin, step, { inSeconds: secondsOf(status, suffix) })
}

type Step = { readonly platformId: string; readonly id: string; readonly from: string }

/** `from` is the state that the job was scheduled in: a job that runs twice finds another one, and does nothing. */
export const advanceStablecoin: Task<Step> = {
  name: 'advanceStablecoin',
  run: ({ platformId, id, from }) => advance({ platformId, id }, (status) => status === from),
}

export const sandboxProvider: StablecoinProvider = {
  verify: async ({ apiClientId }, { providerAccountId, wasVerified }) => {
    if (endingOf(apiClientId) === REFUSED) return { status: 'INVALID' }
    if (endingOf(apiClientId) === REVOKED_LATER && wasVerified) return { status: 'REVOKED' }
    return { status: 'ACTIVE', providerAccountId: providerAccountId ?? accountOf(apiClientId) }
  },
  issues: async (_credentials, _account, { providerTokenIdentifier }) =>
    endingOf(providerTokenIdentifier) !== NOT_ISSUED,
  carry: (tx, key) =>
    addJob(
      tx,
      advanceStablecoin,
      { platformId: key.platformId, id: key.id, from: 'CREATED' },
      { inSeconds: STEP_SECONDS },
    ),
  // What waits for funds has not lost its job.
  resume: (key) => advance(key, (status, suffix) => secondsOf(status, suffix) < FUNDED_WITHIN_SECONDS),
}
