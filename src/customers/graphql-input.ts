// The inputs that name the fields of customers. GraphQL has those of persons and of businesses each in an input of its own.
import { builder } from '#graphql/builder.ts'
import { type InputOf, inputOf } from '#graphql/input-of.ts'
import './graphql-address.ts'
import './graphql-details.ts'
import './owners/graphql-input.ts'
import { newOwners, ownerEntries } from './owners/list-in-customer.ts'
import { businessInfoChanges, individualFields, newBusinessFields, newBusinessInfo } from './profile/profile.ts'

const address = newBusinessFields.shape.address
const newCompany = newBusinessInfo.extend({ address, beneficialOwners: newOwners })
const companyChanges = businessInfoChanges.extend({ address, beneficialOwners: ownerEntries })

const IndividualDetailsInput = inputOf('IndividualDetailsInput', 'Fields of a person.', individualFields)
const BusinessDetailsInput = inputOf('BusinessDetailsInput', 'Fields of a new business.', newCompany)
const BusinessDetailsChangesInput = inputOf(
  'BusinessDetailsChangesInput',
  'Changes of a business. Omitted fields are kept, and null clears a field.',
  companyChanges,
)

export const CustomerDetailsInput = builder.inputType('CustomerDetailsInput', {
  description: 'A person or a business. Set exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    individual: t.field({ type: IndividualDetailsInput, description: 'A person.' }),
    business: t.field({ type: BusinessDetailsInput, description: 'A business.' }),
  }),
})

export const CustomerDetailsChangesInput = builder.inputType('CustomerDetailsChangesInput', {
  description:
    'Changes of a person or of a business. Set exactly one of the fields, the one for the type of the customer.',
  isOneOf: true,
  fields: (t) => ({
    individual: t.field({
      type: IndividualDetailsInput,
      description: 'Omitted fields are kept, and null clears a field.',
    }),
    business: t.field({
      type: BusinessDetailsChangesInput,
      description: 'Omitted fields are kept, and null clears a field.',
    }),
  }),
})

interface Details {
  readonly individual?: InputOf<typeof individualFields> | null | undefined
  readonly business?: (InputOf<typeof companyChanges> | InputOf<typeof newCompany>) | null | undefined
}

/** The form of REST. */
export const detailsBody = ({ individual, business }: Details): object => {
  if (individual) return { customerType: 'INDIVIDUAL', ...individual }
  if (!business) return {}
  const { address, beneficialOwners, ...businessInfo } = business
  return {
    customerType: 'BUSINESS',
    ...(address !== undefined && { address }),
    ...(beneficialOwners !== undefined && { beneficialOwners }),
    businessInfo,
  }
}

const OUTSIDE = ['platformCustomerId', 'region', 'currencies', 'email', 'phoneNumber', 'umaAddress']

type Named = { readonly [K in keyof Details]?: object | null | undefined }

/** The path of a customer's field in an input with `details`. */
export const placeInDetails = ({ business }: Named, field: string): string => {
  const [name = ''] = field.split('.', 1)
  if (OUTSIDE.includes(name)) return field
  if (name === 'customerType') return 'details'
  if (name === 'businessInfo') return field.replace('businessInfo', 'details.business')
  return `details.${business ? 'business' : 'individual'}.${field}`
}

export const DETAILS_FORMS = [{ details: { individual: {} } }, { details: { business: {} } }] as const
