import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode, VerificationStatusEnum } from '#customers/graphql.ts'
import { PostalAddressType } from '#customers/graphql-address.ts'
import { builder, NodeInterface } from '#graphql/builder.ts'
import { idOf } from '#graphql/compiled/field.ts'
import { rowOf } from '#graphql/compiled/parts.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { linkedListField, listField, listType } from '#graphql/list-field.ts'
import { addMutation, type Success, withoutNulls } from '#graphql/mutation.ts'
import { registerRecord } from '#graphql/node-types.ts'
import { createOwner, updateOwner } from './change.ts'
import { IdTypeEnum, OwnerRoleEnum } from './graphql-input.ts'
import { newOwner, type Owner, OwnerFilterInput, OwnerRecord, ownerChanges, ownerList } from './owner.ts'
import { newPersonalInfo, type PersonalInfo } from './personal-info.ts'

const { texts } = OwnerRecord

const fields = newPersonalInfo.shape
const textOfField = (name: keyof typeof fields) => String(fields[name].description)

const PersonalInfoType = builder.objectRef<PersonalInfo>('OwnerPersonalInfo').implement({
  description: 'Data of a person who owns or controls a business.',
  fields: (t) => ({
    firstName: t.exposeString('firstName', { nullable: false, description: textOfField('firstName') }),
    middleName: t.exposeString('middleName', { description: textOfField('middleName') }),
    lastName: t.exposeString('lastName', { nullable: false, description: textOfField('lastName') }),
    birthDate: t.exposeString('birthDate', { nullable: false, description: textOfField('birthDate') }),
    nationality: t.exposeString('nationality', { nullable: false, description: textOfField('nationality') }),
    email: t.exposeString('email', { description: textOfField('email') }),
    phoneNumber: t.exposeString('phoneNumber', { description: textOfField('phoneNumber') }),
    address: t.expose('address', { type: PostalAddressType, nullable: false, description: textOfField('address') }),
    idType: t.expose('idType', { type: IdTypeEnum, nullable: false, description: textOfField('idType') }),
    countryOfIssuance: t.exposeString('countryOfIssuance', { description: textOfField('countryOfIssuance') }),
  }),
})

export const OwnerNode = builder.objectRef<Owner>('BeneficialOwner').implement({
  description: 'A person who owns or controls a business.',
  interfaces: [NodeInterface],
  fields: (t) => ({
    id: t.id({ nullable: false, description: texts.id, ...idOf('BeneficialOwner', 'id') }),
    customerId: t.id({ nullable: false, description: texts.customerId, ...idOf('Customer', 'customerId') }),
    customer: t.field({ type: CustomerNode, description: 'The business.', ...rowOf(CustomerRecord, 'customerId') }),
    roles: t.expose('roles', {
      type: [OwnerRoleEnum],
      nullable: { list: false, items: false },
      description: texts.roles,
    }),
    ownershipPercentage: t.exposeInt('ownershipPercentage', {
      nullable: false,
      description: texts.ownershipPercentage,
    }),
    personalInfo: t.expose('personalInfo', {
      type: PersonalInfoType,
      nullable: false,
      description: texts.personalInfo,
    }),
    kycStatus: t.expose('kycStatus', { type: VerificationStatusEnum, nullable: false, description: texts.kycStatus }),
    createdAt: t.expose('createdAt', { type: 'DateTime', nullable: false, description: texts.createdAt }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', nullable: false, description: texts.updatedAt }),
  }),
})

registerRecord(OwnerRecord, 'BeneficialOwner')

const owners = listType('BeneficialOwner', OwnerNode, 'beneficial owners', ownerList, OwnerFilterInput)

builder.queryField('beneficialOwners', (t) => listField(t, owners, 'People who own or control businesses.'))
builder.objectField(CustomerNode, 'beneficialOwners', (t) =>
  linkedListField(t, owners, 'Customer', 'People who own or control the business. None for a person.'),
)

interface Changed {
  readonly owner: Owner
}

const successOf = (description: string): Success<Changed> => ({
  description,
  fields: (t) => ({
    beneficialOwner: t.expose('owner', { type: OwnerNode, nullable: false, description: 'The owner.' }),
  }),
})

addMutation('createBeneficialOwner', {
  description:
    'Adds an owner of a business. Errors: `INVALID_INPUT`, `USER_NOT_FOUND`, `CUSTOMER_DELETED`. REST: `POST /beneficial-owners`.',
  input: schemaInput(newOwner),
  statuses: [400, 403, 404, 410],
  resolve: async (input, { caller }) => ({ owner: await createOwner(caller, withoutNulls(input)) }),
  success: successOf('The owner is added. REST: 201.'),
})

addMutation('updateBeneficialOwner', {
  description:
    'Changes an owner. Omitted fields are kept, and null clears a field. The person is verified again if the personal data changes. Errors: `INVALID_INPUT`, `REFERENCE_NOT_FOUND`, `CUSTOMER_DELETED`, `CONFLICT` with the reason `UNDER_REVIEW`. REST: `PATCH /beneficial-owners/{beneficialOwnerId}`.',
  input: schemaInput(ownerChanges, (t) => ({
    id: t.id({ required: true, description: texts.id }),
  })),
  statuses: [400, 403, 404, 409, 410],
  resolve: async ({ id, ...changes }, { caller }) => ({ owner: await updateOwner(caller, id, changes) }),
  success: successOf('The owner is changed.'),
})
