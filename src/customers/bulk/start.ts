// Receives the files of imports. The import itself is a job.
import { z } from 'zod'
import { type PlatformCaller, requirePermission } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { parse, rawText } from '#core/input.ts'
import { type FileForm, receiveFile } from '#uploads/file.ts'
import { importCustomers } from './import.ts'
import { type BulkJob, MAX_CSV_BYTES, startJob } from './job.ts'

/** The reader decides whether the file is CSV. */
export const CSV_FILE: FileForm = {
  maxBytes: MAX_CSV_BYTES,
  typeOf: (head) => (head.length > 0 ? 'text/csv' : null),
  refusal: () => invalidInput('file', 'file must not be empty'),
}

export const CSV_TEXT =
  'A CSV file smaller than 100 MB, in UTF-8, separated by commas, with a header and at most 100,000 rows. It must have the columns `umaAddress`, `platformCustomerId` and `customerType`; a person also needs `fullName` and `birthDate`, and a business `businessLegalName`. Further columns are `addressLine1`, `addressLine2`, `city`, `state`, `postalCode`, `country`, `email`, `businessRegistrationNumber` and `businessTaxId`. Others are ignored.'

/** Imports a file that was received. `uploadId` is a bare uuid. Needs the permission MANAGE. */
export const importFile = (caller: PlatformCaller, uploadId: string): Promise<BulkJob> => {
  requirePermission(caller, 'MANAGE')
  return startJob(caller, uploadId, importCustomers)
}

const MAX_TEXT = 200_000

export const newImport = z.object({
  csv: rawText
    .min(1, 'must not be empty')
    .max(MAX_TEXT, `must be at most ${MAX_TEXT} characters`)
    .describe(`The text of the file, at most ${MAX_TEXT} characters. REST takes files up to 100 MB.`),
})

/** Imports a short text. Needs the permission MANAGE. */
export const importText = async (caller: PlatformCaller, input: unknown): Promise<BulkJob> => {
  requirePermission(caller, 'MANAGE')
  const { csv } = parse(newImport, input)
  if (!csv.isWellFormed()) throw invalidInput('csv', 'csv must be well-formed Unicode')
  const bytes = (async function* () {
    yield Buffer.from(csv, 'utf8')
  })()
  const { id } = await receiveFile(caller.platformId, (work) => work(), bytes, CSV_FILE)
  return importFile(caller, id)
}
