import { publicId } from '#core/ids.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { connectionType } from '#graphql/connection.ts'
import { CHANGED_FROM, CHANGED_UNTIL, CREATED_FROM, CREATED_UNTIL } from '#graphql/dates.ts'
import { renamedTo } from '#graphql/deprecation.ts'
import { enumOf } from '#graphql/enums.ts'
import { listField } from '#graphql/list-field.ts'
import { load } from '#graphql/load.ts'
import { registerNode } from '#graphql/node-types.ts'
import { CUSTOMER_TYPES, type Customer, CustomerRecord, customersByIds, VERIFICATION_STATUSES } from './customer.ts'
import { customerList, findCustomerId } from './list.ts'

const CustomerTypeEnum = enumOf('CustomerType', 'Kind of customer.', CUSTOMER_TYPES, {
  INDIVIDUAL: 'A person.',
  BUSINESS: 'A company or other organization.',
})

const VerificationStatusEnum = enumOf(
  'VerificationStatus',
  'State of an identity (KYC) or business (KYB) verification.',
  VERIFICATION_STATUSES,
  {
    UNVERIFIED: 'Not started.',
    PENDING: 'Under way.',
    APPROVED: 'Passed: accounts and cards may be opened.',
    REJECTED: 'Refused.',
    HOLD: 'Stopped until a person has looked at it.',
  },
)

const CUSTOMER_NAME = 'Full name of a person, legal name of a business.'

export const CustomerNode = builder.objectRef<Customer>('Customer').implement({
  description: 'A customer of the platform.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: '`Customer:<uuid>`.', resolve: ({ id }) => publicId('Customer', id) }),
    platformCustomerId: t.exposeString('platformCustomerId', {
      nullable: false,
      description: "Id in the platform's own system.",
    }),
    customerType: t.expose('customerType', {
      type: CustomerTypeEnum,
      nullable: false,
      description: 'Person or business.',
    }),
    customerName: t.exposeString('name', { description: CUSTOMER_NAME }),
    name: t.exposeString('name', { description: CUSTOMER_NAME, deprecationReason: renamedTo('customerName') }),
    region: t.exposeString('region', { description: 'ISO 3166-1 alpha-2.' }),
    isDeleted: t.exposeBoolean('isDeleted', {
      nullable: false,
      description: 'True once the customer was deleted. A deleted customer is in no list.',
    }),
    email: t.exposeString('email', { description: 'E-mail address; one-time codes go there.' }),
    phoneNumber: t.exposeString('phoneNumber', { description: 'E.164, for example `+14155550123`.' }),
    umaAddress: t.exposeString('umaAddress', { description: 'For example `$alice@bank.example`.' }),
    verificationStatus: t.expose('verificationStatus', {
      type: VerificationStatusEnum,
      nullable: false,
      description: 'State of the KYC or KYB verification.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the customer was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the customer was last changed.',
    }),
  }),
})

registerNode({
  kinds: { Customer: customersByIds },
  typeName: (value) => (CustomerRecord.is(value) ? 'Customer' : undefined),
})

const CustomerFilterType = builder.inputType('CustomerFilter', {
  description: 'All given conditions must hold.',
  fields: (t) => ({
    customerType: t.field({ type: CustomerTypeEnum, description: 'Persons or businesses only.' }),
    verificationStatuses: t.field({
      type: [VerificationStatusEnum],
      description: 'In any of these states of the verification. An empty list is as none.',
    }),
    platformCustomerId: t.string({ description: "Id in the platform's own system, exact." }),
    umaAddress: t.string({ description: 'Exact, ignoring case.' }),
    region: t.string({ description: 'ISO 3166-1 alpha-2, exact.' }),
    currency: t.string({ description: 'Code of a currency that the customer has an account in.' }),
    search: t.string({ description: 'Matches the start of the name, email or platform customer id, ignoring case.' }),
    createdAfter: t.field({ type: 'DateTime', description: CREATED_FROM }),
    createdBefore: t.field({ type: 'DateTime', description: CREATED_UNTIL }),
    updatedAfter: t.field({ type: 'DateTime', description: CHANGED_FROM }),
    updatedBefore: t.field({ type: 'DateTime', description: CHANGED_UNTIL }),
    isIncludingDeleted: t.boolean({ description: 'Whether deleted customers are listed too. Not unless it is true.' }),
  }),
})

const CustomerLookup = builder.inputType('CustomerLookup', {
  description: 'Exactly one of the fields.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: '`Customer:<uuid>`.' }),
    platformCustomerId: t.string({
      description: "Id in the platform's own system, of a customer that is not deleted.",
    }),
  }),
})

const customers = {
  list: customerList,
  connection: connectionType<Customer>('Customer', CustomerNode, 'customers'),
  filter: CustomerFilterType,
}

builder.queryFields((t) => ({
  customer: t.field({
    type: CustomerNode,
    description: 'One customer. Null when unknown.',
    args: { by: t.arg({ type: CustomerLookup, required: true, description: 'Which one.' }) },
    resolve: async (_root, { by }, context) => {
      const id = await findCustomerId(context.caller, by)
      return id === null ? null : load(context, customersByIds, id)
    },
  }),
  customers: listField(t, customers, 'Customers that are not deleted, unless the filter says otherwise.'),
}))
