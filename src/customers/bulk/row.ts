// A row of an import as the request that would create the same customer (docs/domain/customers.md#bulk-import).
import type { z } from 'zod'
import { ApiError } from '#core/errors.ts'
import { textOf } from '#core/input.ts'
import { type NewCustomer, newCustomer, parseNewCustomer } from '#customers/new-customer.ts'
import { businessChanges, businessInfoChanges, individualFields } from '#customers/profile/profile.ts'
import type { Owner } from '#customers/provisioning.ts'
import type { CsvRow } from './csv.ts'

export const REQUIRED_COLUMNS = ['umaAddress', 'platformCustomerId', 'customerType'] as const
/** The REST field of each column. Two columns are ignored. */
const PLACES = {
  umaAddress: 'umaAddress',
  platformCustomerId: 'platformCustomerId',
  customerType: 'customerType',
  email: 'email',
  fullName: 'fullName',
  birthDate: 'birthDate',
  addressLine1: 'address.line1',
  addressLine2: 'address.line2',
  city: 'address.city',
  state: 'address.state',
  postalCode: 'address.postalCode',
  country: 'address.country',
  businessLegalName: 'businessInfo.legalName',
  businessRegistrationNumber: 'businessInfo.registrationNumber',
  businessTaxId: 'businessInfo.taxId',
} as const
export const COLUMNS = Object.keys(PLACES)

const required = {
  platformCustomerId: textOf(255),
  umaAddress: newCustomer.shape.umaAddress.unwrap().unwrap(),
}

/** A row does not need the same fields as a request, because files have no date of incorporation. */
const FORMS = {
  INDIVIDUAL: newCustomer.extend(individualFields.shape).extend({
    ...required,
    fullName: individualFields.shape.fullName.unwrap().unwrap(),
    birthDate: individualFields.shape.birthDate.unwrap().unwrap(),
  }),
  BUSINESS: newCustomer.extend({
    ...businessChanges.shape,
    ...required,
    businessInfo: businessInfoChanges.extend({ legalName: businessInfoChanges.shape.legalName.unwrap() }),
  }),
} as const satisfies Record<string, z.ZodObject>

type Cells = Readonly<Record<string, string>>

const bodyOf = (cells: Cells): object => {
  const body: Record<string, unknown> = cells['customerType'] === 'BUSINESS' ? { businessInfo: {} } : {}
  for (const [column, place] of Object.entries(PLACES)) {
    const value = cells[column]
    if (value === undefined || value === '') continue
    const [name = '', part] = place.split('.')
    if (part === undefined) body[name] = value
    else body[name] = { ...(body[name] as object | undefined), [part]: value }
  }
  return body
}

/** The column of a field. For an object it is the first of its columns that has a value. */
const columnOf = (place: string, cells: Cells): string => {
  const places = Object.entries(PLACES)
  const found =
    places.find(([, candidate]) => candidate === place) ??
    places.find(([column, candidate]) => candidate.startsWith(`${place}.`) && cells[column])
  return found?.[0] ?? place
}

/** Identifies the row to the platform: its platformCustomerId, or else its line in the file. */
export const correlationIdOf = (row: CsvRow): string => {
  const id = 'cells' in row ? row.cells['platformCustomerId'] : undefined
  return id && id.length <= 255 && id.isWellFormed() && !id.includes('\0') ? id : `line ${row.line}`
}

/** Returns the customer, or the error of the row. `details.field` names a column. */
export const customerOfRow = async (owner: Owner, row: CsvRow): Promise<NewCustomer | ApiError> => {
  if ('problem' in row) return new ApiError('INVALID_REQUEST_FORMAT', row.problem)
  try {
    return await parseNewCustomer(owner, bodyOf(row.cells), FORMS)
  } catch (error) {
    if (error instanceof ApiError) return withColumns(error, row.cells)
    throw error
  }
}

/** The error with the names of columns. */
export const withColumns = ({ code, message, details }: ApiError, cells: Cells = {}): ApiError => {
  const { field, errors, ...others } = details ?? {}
  if (field === undefined) return new ApiError(code, message, details)
  const [column, place] = [columnOf(field, cells), field]
  return new ApiError(code, message.replace(place, column), {
    ...others,
    field: column,
    ...(errors && {
      errors: errors.map((error) => ({
        ...error,
        field: columnOf(error.field, cells),
        message: error.message.replace(error.field, columnOf(error.field, cells)),
      })),
    }),
  })
}
