// The mutations that verify a customer's email address or phone number.
import { CustomerNode } from '#customers/graphql.ts'
import { enumOf } from '#graphql/enums.ts'
import { schemaInput } from '#graphql/input-of.ts'
import { addMutation } from '#graphql/mutation.ts'
import { customerField } from '#sca/graphql-customer.ts'
import {
  CONTACTS,
  confirmContactVerification,
  contactConfirmation,
  contactVerification,
  startContactVerification,
} from './verification.ts'

enumOf('Contact', 'A contact of a customer.', CONTACTS, { EMAIL: 'The email address.', PHONE: 'The phone number.' })

const STATUSES = [400, 403, 404, 409, 410, 429] as const

addMutation('startContactVerification', {
  description:
    'Sends a one-time code to the email address or phone number of a customer in an SCA region, which voids the earlier ones. `ConflictError` outside SCA regions, and if the contact is already verified.',
  input: schemaInput(contactVerification),
  statuses: STATUSES,
  resolve: async ({ customerId, contact }, { caller }) => {
    await startContactVerification(caller, customerId, contact)
    return { customerId }
  },
  success: {
    description: 'A code was sent. REST: 204.',
    fields: (t) => ({ customer: customerField(t) }),
  },
})

addMutation('confirmContactVerification', {
  description:
    'Verifies a contact of a customer with the code that was sent. `BadRequestError` for a wrong code (`WRONG_CODE`) and without a pending one (`CODE_NOT_PENDING`). The third wrong try voids the code. In the sandbox it is `123456`.',
  input: schemaInput(contactConfirmation),
  statuses: STATUSES,
  usesCredential: true,
  resolve: async ({ customerId, contact, ...input }, { caller }) => ({
    customer: await confirmContactVerification(caller, customerId, contact, input),
  }),
  success: {
    description: 'The contact is verified. REST: 200.',
    fields: (t) => ({
      customer: t.expose('customer', { type: CustomerNode, nullable: false, description: 'The customer.' }),
    }),
  },
})
