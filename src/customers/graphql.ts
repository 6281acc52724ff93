import { publicId } from '#core/ids.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { column, from, guarded, idOf, type Read } from '#graphql/compiled/field.ts'
import { nodeBy } from '#graphql/compiled/nodes.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { listField, listType } from '#graphql/list-field.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { CUSTOMER_TYPES, type Customer, CustomerRecord, requireDetails, VERIFICATION_STATUSES } from './customer.ts'
import { BusinessDetailsType, IndividualDetailsType } from './graphql-details.ts'
import { CustomerFilterInput, customerList, findCustomerId } from './list.ts'
import {
  CONTACT_VERIFICATION_STATUSES,
  CONTACT_VERIFICATION_TEXTS,
  type ContactVerification,
  contactVerificationOf,
} from './profile/sca-region.ts'

const { texts } = CustomerRecord

const CustomerTypeEnum = enumOf('CustomerType', 'Type of customer.', CUSTOMER_TYPES, {
  INDIVIDUAL: 'A person.',
  BUSINESS: 'A company or other organization.',
})

export const VerificationStatusEnum = enumOf(
  'VerificationStatus',
  'Status of an identity (KYC) or business (KYB) verification.',
  VERIFICATION_STATUSES,
  {
    UNVERIFIED: 'Not started.',
    PENDING: 'In progress.',
    APPROVED: 'Passed. Accounts and cards may be opened.',
    REJECTED: 'Failed.',
    HOLD: 'On hold until a person reviews it.',
  },
)

const ContactVerificationStatusEnum = enumOf(
  'ContactVerificationStatus',
  'Whether a contact is verified.',
  CONTACT_VERIFICATION_STATUSES,
  { PENDING: 'Not verified.', VERIFIED: 'The customer returned a code that was sent to it.' },
)

const ContactVerificationType = builder.objectRef<ContactVerification>('ContactVerification').implement({
  description: 'Which contacts of a customer are verified.',
  fields: (t) => ({
    email: t.expose('email', { type: ContactVerificationStatusEnum, description: CONTACT_VERIFICATION_TEXTS.email }),
    phone: t.expose('phone', { type: ContactVerificationStatusEnum, description: CONTACT_VERIFICATION_TEXTS.phone }),
  }),
})

const detail = <C extends keyof Customer>(name: C) =>
  guarded(requireDetails, column(name) as Read<Customer, NonNullable<Customer[C]>>)

export const CustomerNode = builder.objectRef<Customer>('Customer').implement({
  description:
    'A customer of the platform. An agent without `VIEW_TRANSACTIONS` can read only `id`, `platformCustomerId`, `customerName` and `isDeleted`; the other fields are `FORBIDDEN`.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('Customer', 'id') }),
    platformCustomerId: t.exposeString('platformCustomerId', {
      nullable: false,
      description: texts.platformCustomerId,
    }),
    customerType: t.field({
      type: CustomerTypeEnum,
      nullable: false,
      description: texts.customerType,
      ...detail('customerType'),
    }),
    customerName: t.exposeString('name', { description: texts.name }),
    name: t.exposeString('name', { description: texts.name, deprecationReason: renamedTo('customerName') }),
    region: t.string({ description: texts.region, ...detail('region') }),
    currencies: t.stringList({ nullable: false, description: texts.currencies, ...detail('currencies') }),
    individual: t.field({
      type: IndividualDetailsType,
      description: 'Details of a person. Null for a business.',
      ...guarded(
        requireDetails,
        from<Customer>()(['customerType', 'name', 'profile'], ({ customerType, name, profile }) =>
          customerType === 'INDIVIDUAL' ? { ...profile, fullName: name } : null,
        ),
      ),
    }),
    business: t.field({
      type: BusinessDetailsType,
      description: 'Details of a business. Null for a person.',
      ...guarded(
        requireDetails,
        from<Customer>()(['customerType', 'name', 'profile'], ({ customerType, name, profile }) =>
          customerType === 'BUSINESS' ? { ...profile?.businessInfo, address: profile?.address, legalName: name } : null,
        ),
      ),
    }),
    isDeleted: t.exposeBoolean('isDeleted', { nullable: false, description: texts.isDeleted }),
    email: t.string({ description: texts.email, ...detail('email') }),
    phoneNumber: t.string({ description: texts.phoneNumber, ...detail('phoneNumber') }),
    umaAddress: t.string({ nullable: false, description: texts.umaAddress, ...detail('umaAddress') }),
    contactVerification: t.field({
      type: ContactVerificationType,
      description: CONTACT_VERIFICATION_TEXTS.contactVerification,
      ...guarded(
        requireDetails,
        from<Customer>()(
          ['region', 'email', 'phoneNumber', 'verifiedEmail', 'verifiedPhoneNumber'],
          contactVerificationOf,
        ),
      ),
    }),
    verificationStatus: t.field({
      type: VerificationStatusEnum,
      nullable: false,
      description: texts.verificationStatus,
      ...detail('verificationStatus'),
    }),
    createdAt: t.field({ type: 'DateTime', nullable: false, description: texts.createdAt, ...detail('createdAt') }),
    updatedAt: t.field({ type: 'DateTime', nullable: false, description: texts.updatedAt, ...detail('updatedAt') }),
  }),
})

registerRecord(CustomerRecord, 'Customer')

const CustomerLookup = builder.inputType('CustomerLookup', {
  description: 'Set exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: '`Customer:<uuid>`.' }),
    platformCustomerId: t.string({
      description: "The customer's ID in the platform's own system. Finds only a customer that is not deleted.",
    }),
  }),
})

const customers = listType('Customer', CustomerNode, 'customers', customerList, CustomerFilterInput)

builder.queryFields((t) => ({
  customer: t.field({
    type: CustomerNode,
    description: 'The customer with this ID, or null.',
    args: { by: t.arg({ type: CustomerLookup, required: true, description: 'The ID of the customer.' }) },
    ...nodeBy<Customer>()(
      () => ['Customer'],
      async ({ by }: { readonly by: unknown }, caller) => {
        const uuid = await findCustomerId(caller, by)
        return uuid && publicId('Customer', uuid)
      },
    ),
  }),
  customers: listField(
    t,
    customers,
    'Customers of the platform, without deleted ones unless the filter includes them.',
  ),
}))
