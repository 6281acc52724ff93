import { z } from 'zod'
import { ERROR_STATUS, type ErrorCode } from '#core/errors.ts'
import { idOf } from '#core/input.ts'
import { errorDetailsSchema, timeSchema } from '#rest/schema.ts'
import { BULK_JOB_STATUSES, BulkJobErrorRecord, BulkJobRecord, MAX_ERRORS } from './job.ts'
import { CSV_TEXT } from './start.ts'

const { texts } = BulkJobRecord
const errorTexts = BulkJobErrorRecord.texts

export const importFormSchema = z
  .object({ file: z.string().meta({ format: 'binary', description: CSV_TEXT }) })
  .meta({ id: 'CustomerImportForm', description: 'The file to import.' })

export const acceptedImportSchema = z
  .object({
    jobId: idOf('BulkJob').describe(texts.id),
    status: z.enum(BULK_JOB_STATUSES).describe(texts.status),
  })
  .meta({ id: 'AcceptedImport', description: 'The import that was started.' })

const count = (meaning: string) => z.int().min(0).describe(meaning)

export const bulkJobSchema = z
  .object({
    id: idOf('BulkJob').describe(texts.id),
    status: z.enum(BULK_JOB_STATUSES).describe(texts.status),
    progress: z
      .object({
        total: count(texts.total),
        processed: count(texts.processed),
        successful: count(texts.successful),
        failed: count(texts.failed),
      })
      .meta({ id: 'BulkJobProgress', description: 'How many rows are done.' }),
    errors: z
      .array(
        z
          .object({
            correlationId: z.string().describe(errorTexts.correlationId),
            code: z.enum(Object.keys(ERROR_STATUS) as ErrorCode[]).describe(errorTexts.code),
            message: z.string().describe(errorTexts.message),
            details: errorDetailsSchema.describe(errorTexts.details),
          })
          .meta({ id: 'BulkJobError', description: 'Why a row created no customer.' }),
      )
      .describe(`Why rows created no customer, in row order. Only the first ${MAX_ERRORS} are kept.`),
    completedAt: timeSchema(texts.completedAt).optional(),
  })
  .meta({ id: 'BulkJob', description: 'An import of customers.' })
