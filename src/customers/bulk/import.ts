// Carries out an import: some rows at a time, each in one transaction with the count of rows that are done. A process
// that dies leaves a whole number of these steps, and the next process continues after them.
import type { Environment } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import type { PlatformId } from '#core/ids.ts'
import { insertCustomers } from '#customers/create.ts'
import type { NewCustomer } from '#customers/new-customer.ts'
import { db } from '#database/db.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { deleteFile, readFile } from '#uploads/file.ts'
import { type CsvRow, readCsv, UnreadableCsv } from './csv.ts'
import { type FoundError, insertErrors, type JobPlace, MAX_ROWS } from './job.ts'
import { COLUMNS, correlationIdOf, customerOfRow, REQUIRED_COLUMNS, withColumns } from './row.ts'

/** Larger batches live long enough to be promoted to the old generation, which lets the heap grow by hundreds of megabytes. */
const AT_ONCE = 100
const RETRY_SECONDS = 2

/** A process carries out one import at a time, so that payments find free workers. */
let isBusy = false

export const importCustomers: Task<JobPlace> = {
  name: 'importCustomers',
  run: async (place) => {
    if (isBusy) return inTransaction((tx) => addJob(tx, importCustomers, place, { inSeconds: RETRY_SECONDS }))
    isBusy = true
    try {
      await carryOut(place)
    } finally {
      isBusy = false
    }
  },
}

interface Job {
  readonly status: string
  readonly processed: number
  readonly failed: number
  readonly uploadId: string | null
  readonly environment: Environment
}

const carryOut = async (place: JobPlace): Promise<void> => {
  const [job] = await db.$queryRaw<Job[]>`
    select j.status::text, processed, failed, upload_id as "uploadId", environment::text
    from bulk_jobs j join platforms p on p.id = j.platform_id where j.platform_id = ${place.platformId}::uuid and j.id = ${place.jobId}::uuid`
  if (!job?.uploadId || !['PENDING', 'PROCESSING'].includes(job.status)) return
  const file = { platformId: place.platformId as PlatformId, id: job.uploadId }
  const rows = () => readCsv(readFile(file), { required: REQUIRED_COLUMNS, known: COLUMNS })
  try {
    if (job.status === 'PENDING') await begin(place, await countRows(rows()))
    const failed = await importRows(place, job, rows())
    // This job must not end before the import does, in case that process is killed.
    if (failed === null) throw new Error('Another process carries out this import')
    await end(place, file, 'COMPLETED')
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error
    await end(place, file, 'FAILED', error)
  }
}

/** Reads the whole file, so that one that cannot be read to its end imports nothing. */
const countRows = async (rows: AsyncIterable<readonly CsvRow[]>): Promise<number> => {
  let count = 0
  for await (const { length } of rows) {
    count += length
    if (count > MAX_ROWS) throw new UnreadableCsv(`The file has more than ${MAX_ROWS} rows`)
  }
  return count
}

const begin = async ({ platformId, jobId }: JobPlace, total: number): Promise<void> => {
  await db.$executeRaw`
    update bulk_jobs set status = 'PROCESSING', total = ${total}::int
    where platform_id = ${platformId}::uuid and id = ${jobId}::uuid and status = 'PENDING'`
}

/** The number of rows that failed, or null if another process carries out the same import. */
const importRows = async (
  place: JobPlace,
  { environment, ...before }: Job,
  rows: AsyncIterable<readonly CsvRow[]>,
): Promise<number | null> => {
  let { processed, failed } = before
  let toSkip = processed
  let batch: CsvRow[] = []
  const flush = async (): Promise<boolean> => {
    if (batch.length === 0) return true
    const added = await inTransaction((tx) => importBatch(tx, place, environment, { processed, failed }, batch))
    if (added === null) return false
    processed += batch.length
    failed += added
    batch = []
    return true
  }
  for await (const some of rows) {
    for (const row of some) {
      if (toSkip > 0) {
        toSkip -= 1
        continue
      }
      batch.push(row)
      if (batch.length === AT_ONCE && !(await flush())) return null
    }
  }
  return (await flush()) ? failed : null
}

/** How many of the rows failed, or null if they are done already. */
const importBatch = async (
  tx: Tx,
  place: JobPlace,
  environment: Environment,
  { processed, failed }: Pick<Job, 'processed' | 'failed'>,
  rows: readonly CsvRow[],
): Promise<number | null> => {
  const { platformId, jobId } = place
  const owner = { platformId: platformId as PlatformId, environment }
  const [mine] = await tx.$queryRaw<unknown[]>`
    select 1 from bulk_jobs where platform_id = ${platformId}::uuid and id = ${jobId}::uuid and status = 'PROCESSING'
      and processed = ${processed}::int for update`
  if (!mine) return null
  const read = await Promise.all(rows.map(async (row) => ({ row, customer: await customerOfRow(owner, row) })))
  const customers = read.flatMap(({ customer }) => (customer instanceof ApiError ? [] : [customer]))
  const conflicts = await insertCustomers(tx, owner, customers)
  const conflictOf = new Map<NewCustomer, ApiError | null>(
    customers.map((customer, index) => [customer, conflicts[index] ?? null]),
  )
  const errors = read.flatMap(({ row, customer }): FoundError[] => {
    const error = customer instanceof ApiError ? customer : conflictOf.get(customer)
    return error ? [{ correlationId: correlationIdOf(row), error: withColumns(error) }] : []
  })
  await insertErrors(tx, place, failed, errors)
  await tx.$executeRaw`
    update bulk_jobs set processed = processed + ${rows.length}::int, failed = failed + ${errors.length}::int,
      successful = successful + ${rows.length - errors.length}::int
    where platform_id = ${platformId}::uuid and id = ${jobId}::uuid`
  return errors.length
}

/** Ends the import and deletes its file. */
const end = (
  place: JobPlace,
  file: { readonly platformId: PlatformId; readonly id: string },
  status: 'COMPLETED' | 'FAILED',
  problem?: UnreadableCsv,
): Promise<void> =>
  inTransaction(async (tx) => {
    const { platformId, jobId } = place
    if (problem) {
      const error = new ApiError('INVALID_REQUEST_FORMAT', problem.message)
      await insertErrors(tx, place, 0, [{ correlationId: 'file', error }])
    }
    await tx.$executeRaw`
      update bulk_jobs set status = ${status}::bulk_job_status, completed_at = now(), upload_id = null
      where platform_id = ${platformId}::uuid and id = ${jobId}::uuid and status in ('PENDING', 'PROCESSING')`
    await deleteFile(tx, file)
  })
