// Imports of customers from CSV files (docs/domain/customers.md#bulk-import).
import type { Caller, PlatformCaller } from '#core/caller.ts'
import { ApiError, type ErrorCode, type ErrorDetails } from '#core/errors.ts'
import { newUuid } from '#core/ids.ts'
import { query, sql } from '#database/db.ts'
import { addJob, type Task } from '#database/jobs/jobs.ts'
import {
  findById,
  integer,
  json,
  nullable,
  oneOf,
  type RecordOf,
  record,
  selectWritten,
  text,
  time,
} from '#database/record.ts'
import { inTransaction, type Tx } from '#database/unit-of-work.ts'
import { keepFile } from '#uploads/file.ts'

export const BULK_JOB_STATUSES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'] as const

/** A file is smaller than 100 MB. */
export const MAX_CSV_BYTES = 99_999_999
export const MAX_ROWS = 100_000
/** Further errors are counted only. */
export const MAX_ERRORS = 1_000

export const BulkJobRecord = record(
  'bulk_jobs',
  {
    id: text.describe('`BulkJob:<uuid>`.'),
    status: oneOf(BULK_JOB_STATUSES).describe('State of the import. `FAILED` means that the file cannot be read.'),
    total: integer.describe('Number of rows in the file. 0 until they are counted.'),
    processed: integer.describe('Number of rows that are done.'),
    successful: integer.describe('Number of rows that created a customer.'),
    failed: integer.describe('Number of rows that created no customer.'),
    createdAt: time.describe('When the file was received.'),
    completedAt: nullable(time).describe('When the import ended. Only after its end.'),
  },
  'REFUSED',
)
export type BulkJob = RecordOf<typeof BulkJobRecord>

export const BulkJobErrorRecord = record(
  'bulk_job_errors',
  {
    jobId: text,
    correlationId: text.describe(
      'The `platformCustomerId` of the row, or else `line <n>`, the line on which the row begins. `file` for the file as a whole.',
    ),
    code: oneOf<ErrorCode>([]).describe('Error code, as `createCustomer` would return it.'),
    message: text.describe('Message for developers. It may change.'),
    details: json<ErrorDetails>().describe('Details of the error. `field` is the name of the column.'),
  },
  'REFUSED',
)
export type BulkJobError = RecordOf<typeof BulkJobErrorRecord>

/** In the order of the rows. Needs the permission VIEW. */
export const errorsOfJobs = (caller: Caller, jobIds: readonly string[]): Promise<BulkJobError[][]> => {
  BulkJobErrorRecord.requireView(caller)
  return selectErrors(caller, jobIds, MAX_ERRORS)
}

/** The errors of each job in the order of the rows, at most `most` per job. Checks no permission. */
export const selectErrors = async (
  { platformId }: Pick<Caller, 'platformId'>,
  jobIds: readonly string[],
  most: number,
): Promise<BulkJobError[][]> => {
  const rows = await query(sql`
    select ${BulkJobErrorRecord.columns} from ${BulkJobErrorRecord.table} t
    where t.platform_id = ${platformId}::uuid and t.job_id = any(${jobIds}::uuid[]) and t.number <= ${most}::int order by t.job_id, t.number`)
  const errors = rows.map((row) => BulkJobErrorRecord.read(row))
  return jobIds.map((id) => errors.filter(({ jobId }) => jobId === id))
}

/** 404 `BULK_UPLOAD_JOB_NOT_FOUND` for an unknown or malformed id. Needs the permission VIEW. */
export const readJob = (caller: Caller, id: string): Promise<BulkJob> =>
  findById(
    caller,
    BulkJobRecord,
    'BulkJob',
    id,
    () => new ApiError('BULK_UPLOAD_JOB_NOT_FOUND', 'There is no such import'),
  )

/** The job that a task is about. */
export interface JobPlace {
  readonly [name: string]: string
  readonly platformId: string
  readonly jobId: string
}

/** Starts the import of a file that was received. `task` carries it out. */
export const startJob = async (caller: PlatformCaller, uploadId: string, task: Task<JobPlace>): Promise<BulkJob> => {
  const { platformId } = caller
  const jobId = newUuid()
  await inTransaction(async (tx) => {
    await keepFile(tx, { platformId, id: uploadId })
    await tx.$executeRaw`
      insert into bulk_jobs (platform_id, id, status, upload_id) values (${platformId}::uuid, ${jobId}::uuid, 'PENDING', ${uploadId}::uuid)`
    await addJob(tx, task, { platformId, jobId })
  })
  return selectWritten(caller, BulkJobRecord, jobId)
}

export interface FoundError {
  readonly correlationId: string
  readonly error: ApiError
}

/** Keeps the errors that still fit, after `before` errors of earlier rows. */
export const insertErrors = async (
  tx: Tx,
  { platformId, jobId }: JobPlace,
  before: number,
  errors: readonly FoundError[],
): Promise<void> => {
  const kept = errors.slice(0, Math.max(0, MAX_ERRORS - before)).map(({ correlationId, error }, index) => ({
    number: before + index + 1,
    correlation_id: correlationId,
    code: error.code,
    message: error.message,
    details: error.details ?? {},
  }))
  if (kept.length === 0) return
  await tx.$executeRaw`
    insert into bulk_job_errors (platform_id, job_id, number, correlation_id, code, message, details)
    select ${platformId}::uuid, ${jobId}::uuid, number, correlation_id, code, message, details
    from jsonb_populate_recordset(null::bulk_job_errors, ${JSON.stringify(kept)}::jsonb)`
}
