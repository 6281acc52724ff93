// Platforms create and delete customers. A change is in credentials/wallet/graphql.ts, because a session may have to sign it.
import { builder } from '#graphql/builder.ts'
import { fieldsInput, schemaInput } from '#graphql/input-of.ts'
import { addMutation, withoutNulls } from '#graphql/mutation.ts'
import { createCustomer } from './create.ts'
import { CustomerRecord } from './customer.ts'
import { deleteCustomer } from './deletion.ts'
import { type EndUserTerms, readEndUserTerms, TERMS_TEXTS } from './end-user-terms.ts'
import { CustomerNode } from './graphql.ts'
import { CustomerDetailsInput, DETAILS_FORMS, detailsBody, placeInDetails } from './graphql-input.ts'
import { newCustomer, newCustomerRequest } from './new-customer.ts'

addMutation('createCustomer', {
  description:
    'Creates a customer. An approved one gets an account in each of its currencies and a wallet. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`, `MISSING_MANDATORY_USER_INFO`, `UMA_ADDRESS_EXISTS`, `CONFLICT`.',
  input: schemaInput(newCustomer, (t) => ({
    details: t.field({ type: CustomerDetailsInput, required: true, description: 'Details of the customer.' }),
  })),
  check: newCustomerRequest,
  forms: DETAILS_FORMS,
  statuses: [400, 403, 409],
  placeOf: ({ details }, field) => `input.${placeInDetails(details, field)}`,
  resolve: async ({ details, ...common }, { caller }) => ({
    customer: await createCustomer(caller, withoutNulls({ ...common, ...detailsBody(details) })),
  }),
  success: {
    description: 'The customer is created. REST: 201.',
    fields: (t) => ({
      customer: t.expose('customer', { type: CustomerNode, nullable: false, description: 'The new customer.' }),
    }),
  },
})

const EndUserTermsType = builder.objectRef<EndUserTerms>('EndUserTerms').implement({
  description: 'The terms that customers accept.',
  fields: (t) => ({
    version: t.exposeString('version', { nullable: false, description: TERMS_TEXTS.version }),
    url: t.exposeString('url', { nullable: false, description: TERMS_TEXTS.url }),
  }),
})

builder.queryField('endUserTerms', (t) =>
  t.field({
    type: EndUserTermsType,
    description:
      'The terms that customers accept. Errors: `FORBIDDEN` for an agent, `NOT_IMPLEMENTED` if the operator of the gateway has set none.',
    resolve: (_root, _args, { caller }) => readEndUserTerms(caller),
  }),
)

addMutation('deleteCustomer', {
  description:
    'Deletes a customer, closes its accounts and cards, revokes its credentials, deletes its second factors and agents, and rejects its open verification. Everything else that belonged to it stays readable. Errors: `USER_NOT_FOUND`, `CUSTOMER_DELETED`, and `CONFLICT` with the reason `ACCOUNT_NOT_EMPTY` or `PAYMENT_OPEN`.',
  input: fieldsInput((t) => ({ id: t.id({ required: true, description: CustomerRecord.texts.id }) })),
  statuses: [403, 404, 409, 410],
  resolve: async ({ id }, { caller }) => ({ customer: await deleteCustomer(caller, id) }),
  success: {
    description: 'The customer is deleted. REST: 200.',
    fields: (t) => ({
      customer: t.expose('customer', { type: CustomerNode, nullable: false, description: 'The deleted customer.' }),
    }),
  },
})
