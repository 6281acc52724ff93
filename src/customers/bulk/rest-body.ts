import { publicId } from '#core/ids.ts'
import type { BodyOf } from '#rest/schema.ts'
import type { BulkJob, BulkJobError } from './job.ts'
import type { bulkJobSchema } from './rest-schema.ts'

export const bulkJobBody = (job: BulkJob, errors: readonly BulkJobError[]): BodyOf<typeof bulkJobSchema> => ({
  id: publicId('BulkJob', job.id),
  status: job.status,
  progress: { total: job.total, processed: job.processed, successful: job.successful, failed: job.failed },
  errors: errors.map(({ correlationId, code, message, details }) => ({ correlationId, code, message, details })),
  completedAt: job.completedAt ?? undefined,
})
