// Writes transfers. Those that wait for the same account are written in one transaction, and each is decided by itself.
import { insufficientBalance } from '#accounts/ledger.ts'
import { lockingAccounts, readLocked } from '#accounts/lock.ts'
import type { Caller } from '#core/caller.ts'
import type { ApiError } from '#core/errors.ts'
import { newUuid, type PlatformId } from '#core/ids.ts'
import { currentRequest } from '#core/request-context.ts'
import { insertingRows } from '#database/columns.ts'
import { type Sql, sql } from '#database/db.ts'
import { createGroups } from '#database/groups.ts'
import { addingJobs } from '#database/jobs/jobs.ts'
import { inRoundTrips } from '#database/round-trips.ts'
import { type Claim, lockingClaims, type RecordResult, recordingResults, stillRuns } from '#idempotency/idempotency.ts'
import { type Transaction, TransactionRecord } from '#transactions/transaction.ts'
import { startTransfer } from './start.ts'
import type { Transfer } from './transfer.ts'

interface Wanted {
  readonly platformId: PlatformId
  readonly transfer: Transfer
  readonly claim: Claim | undefined
  readonly traceId: string | undefined
}

/** Writes the transfer. An outgoing amount is held until it leaves. 400 `INVALID_AMOUNT` when the balance is too low. */
export const writeTransfer = ({ platformId }: Caller, transfer: Transfer, record: RecordResult): Promise<Transaction> =>
  write(`${platformId} ${transfer.account.id}`, {
    platformId,
    transfer,
    claim: record.claim,
    traceId: currentRequest()?.traceId,
  })

const writeTogether = (wanted: readonly Wanted[]): Promise<readonly (Transaction | Error)[]> =>
  inRoundTrips(async ({ send, commitWith }) => {
    const [first] = wanted
    if (!first) return []
    const { platformId, transfer } = first
    const claims = wanted.flatMap(({ claim }) => claim ?? [])
    const [[account], attempts] = await send(
      lockingAccounts(platformId, [transfer.account.id]),
      lockingClaims(platformId, claims),
    )
    const ours = new Set(attempts.map(([attempt]) => attempt))
    const refusals = refusalsOf(wanted, account ? readLocked(account).balance : 0n, ours)
    const accepted = wanted.filter((_, index) => refusals[index] === undefined)
    if (accepted.length === 0) return refusals as ApiError[]
    const holds = holdsOf(accepted)
    const [rows] = await commitWith(
      insertingTransactions(accepted),
      ...(holds.length > 0 ? [insertingRows('ledger_holds', holds)] : []),
      addingJobs(
        startTransfer,
        accepted.map(({ transfer: { data }, traceId }) => ({
          platformId,
          transactionId: data.id,
          ...(traceId !== undefined && { traceId }),
        })),
      ),
      recordingResults(
        platformId,
        accepted.flatMap(({ claim, transfer: { data } }) => (claim ? { claim, id: data.id } : [])),
      ),
    )
    const written = new Map(rows.map((row) => TransactionRecord.read(row)).map((made) => [made.id, made]))
    return wanted.map(({ transfer: { data } }, index) => refusals[index] ?? written.get(data.id) ?? missing(data.id))
  })

/** Transfers are decided in the order of arrival, each after the amounts of the earlier ones. */
const refusalsOf = (wanted: readonly Wanted[], balance: bigint, attempts: ReadonlySet<unknown>) => {
  let spendable = balance
  return wanted.map(({ claim, transfer: { type, amount } }): ApiError | undefined => {
    if (claim && !attempts.has(claim.attemptId)) return stillRuns()
    if (type === 'INCOMING') return undefined
    if (amount > spendable) return insufficientBalance()
    spendable -= amount
    return undefined
  })
}

const missing = (id: string) => new Error(`The new row ${id} cannot be read back`)

const write = createGroups(writeTogether)

const insertingTransactions = (wanted: readonly Wanted[]): Sql => {
  const rows = wanted.map(({ transfer: { data } }) => data)
  return sql`${insertingRows('transactions', rows)} returning ${TransactionRecord.columns}`
}

const holdsOf = (wanted: readonly Wanted[]) =>
  wanted.flatMap(({ platformId, transfer: { type, amount, account, data } }) =>
    type === 'OUTGOING' ? { platformId, id: newUuid(), accountId: account.id, amount, transactionId: data.id } : [],
  )
