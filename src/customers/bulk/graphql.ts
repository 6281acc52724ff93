// Imports of customers from CSV files.
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { enumOf } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { costing } from '#graphql/limits/field-cost.ts'
import { load } from '#graphql/load.ts'
import { addMutation } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import {
  BULK_JOB_STATUSES,
  type BulkJob,
  type BulkJobError,
  BulkJobErrorRecord,
  BulkJobRecord,
  errorsOfJobs,
  MAX_ERRORS,
} from './job.ts'
import { importText, newImport } from './start.ts'

const { texts } = BulkJobRecord
const errorTexts = BulkJobErrorRecord.texts

const BulkJobStatusEnum = enumOf('BulkJobStatus', 'State of an import.', BULK_JOB_STATUSES, {
  PENDING: 'The import has not started.',
  PROCESSING: 'Rows are being imported.',
  COMPLETED: 'Every row was processed.',
  FAILED: 'The file cannot be read. Nothing was imported.',
})

const BulkJobErrorType = builder.objectRef<BulkJobError>('BulkJobError').implement({
  description: 'Why a row created no customer.',
  fields: (t) => ({
    correlationId: t.exposeString('correlationId', { nullable: false, description: errorTexts.correlationId }),
    code: t.exposeString('code', { nullable: false, description: errorTexts.code }),
    message: t.exposeString('message', { nullable: false, description: errorTexts.message }),
    details: t.field({ type: 'JSON', description: errorTexts.details, resolve: ({ details }) => details }),
  }),
})

export const BulkJobNode = builder.objectRef<BulkJob>('BulkJob').implement({
  description: 'An import of customers.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('BulkJob', 'id') }),
    jobStatus: t.expose('status', { type: BulkJobStatusEnum, nullable: false, description: texts.status }),
    total: t.exposeInt('total', { nullable: false, description: texts.total }),
    processed: t.exposeInt('processed', { nullable: false, description: texts.processed }),
    successful: t.exposeInt('successful', { nullable: false, description: texts.successful }),
    failed: t.exposeInt('failed', { nullable: false, description: texts.failed }),
    rowErrors: t.field({
      type: [BulkJobErrorType],
      nullable: { list: true, items: false },
      description: `Errors of rows that created no customer, in row order. Only the first ${MAX_ERRORS} are kept.`,
      extensions: costing({ rows: 1, items: () => MAX_ERRORS }),
      resolve: ({ id }, _args, context) => load(context, errorsOfJobs, id),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    completedAt: t.expose('completedAt', { type: 'DateTime', description: texts.completedAt }),
  }),
})

registerRecord(BulkJobRecord, 'BulkJob')

addMutation('importCustomers', {
  description:
    'Imports customers from the text of a CSV file, in the background, each as `createCustomer` would create it. Use `node` to follow the import. REST: `POST /customers/bulk/csv`.',
  input: schemaInput(newImport),
  statuses: [400, 403],
  resolve: async (input, { caller }) => ({ job: await importText(caller, input) }),
  success: {
    description: 'The import is started. REST: 202.',
    fields: (t) => ({
      job: t.expose('job', { type: BulkJobNode, nullable: false, description: 'The import.' }),
    }),
  },
})
