// `/customers/bulk`: imports of customers from CSV files.
import { requirePermission } from '#core/caller.ts'
import { publicId } from '#core/ids.ts'
import type { UploadRoute } from '#http/uploads.ts'
import { FORM_BYTES } from '#rest/multipart.ts'
import { router } from '#rest/router.ts'
import type { BodyOf } from '#rest/schema.ts'
import { receiveForm } from '#uploads/rest-receive.ts'
import { errorsOfJobs, MAX_CSV_BYTES, readJob } from './job.ts'
import { bulkJobBody } from './rest-body.ts'
import type { acceptedImportSchema } from './rest-schema.ts'
import { CSV_FILE, importFile } from './start.ts'

export const bulkRoutes = router()

bulkRoutes.post('/csv', async (context) => {
  const { caller } = context.var
  requirePermission(caller, 'MANAGE')
  const job = await receiveForm(context, (_fields, uploadId) => importFile(caller, uploadId), CSV_FILE)
  return context.json(
    { jobId: publicId('BulkJob', job.id), status: job.status } satisfies BodyOf<typeof acceptedImportSchema>,
    202,
  )
})

bulkRoutes.get('/jobs/:id', async (context) => {
  const { caller } = context.var
  const job = await readJob(caller, context.req.param('id'))
  const [errors = []] = await errorsOfJobs(caller, [job.id])
  return context.json(bulkJobBody(job, errors))
})

export const bulkUpload: UploadRoute = {
  method: 'POST',
  path: '/customers/bulk/csv',
  maxBytes: MAX_CSV_BYTES + FORM_BYTES,
  isForm: true,
}
