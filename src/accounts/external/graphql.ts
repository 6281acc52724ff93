// The mutations on accounts outside the service.
import { ExternalAccountNode } from '#accounts/graphql.ts'
import { EXTERNAL_TEXTS } from '#accounts/texts.ts'
import { BENEFICIARY_TEXT } from '#accounts/types/account-input.ts'
import { publicId } from '#core/ids.ts'
import { builder } from '#graphql/builder.ts'
import { type InputFieldBuilder, inputOf } from '#graphql/input-of.ts'
import { addMutation, withoutNulls } from '#graphql/mutation.ts'
import { createExternalAccount, newExternalAccount } from './create.ts'
import { deleteExternalAccount } from './delete.ts'
import {
  AccountInfoInput,
  accountInfoBody,
  accountInputForms,
  BeneficiaryInput,
  placeOfAccountField,
} from './graphql-inputs.ts'

const details = (t: InputFieldBuilder) => ({
  accountInfo: t.field({ type: AccountInfoInput, required: true, description: EXTERNAL_TEXTS.newAccountInfo }),
  beneficiary: t.field({
    type: BeneficiaryInput,
    description: `${BENEFICIARY_TEXT} Required for bank and mobile money accounts, and ignored for wallets.`,
  }),
})

/** Agents add accounts for their customer, and leave its default to the platform. */
export const AgentCreateExternalAccountInput = inputOf(
  'AgentCreateExternalAccountInput',
  'Input of `agentCreateExternalAccount`.',
  newExternalAccount.omit({ accountInfo: true, customerId: true, defaultUmaDepositAccount: true }),
  details,
)

const CreateExternalAccountInput = inputOf(
  'CreateExternalAccountInput',
  'Input of `createExternalAccount`.',
  newExternalAccount.omit({ accountInfo: true }),
  details,
)

type AccountInput = typeof CreateExternalAccountInput.$inferInput

/** Converts the input to the shape of the REST body. */
export const newAccountBody = ({ accountInfo, beneficiary, ...input }: Partial<AccountInput>) =>
  withoutNulls({ ...input, accountInfo: accountInfoBody(accountInfo, beneficiary) })

/** The position in the GraphQL input of the domain's `field`. */
export const placeInInput = ({ accountInfo, beneficiary }: Partial<AccountInput>, field: string) =>
  `input.${accountInfo === undefined ? field : placeOfAccountField(accountInfo, beneficiary, field)}`

addMutation('createExternalAccount', {
  description:
    'Adds an account outside the service, of a customer or of the platform itself. Errors: `INVALID_BANK_ACCOUNT` for invalid details, `INVALID_CURRENCY`, `USER_NOT_FOUND`, `CONFLICT` with the reason `ACCOUNT_EXISTS` and, in `details.other`, the `externalAccountId` that the owner has. REST: `POST /customers/external-accounts` and `POST /platform/external-accounts`.',
  input: CreateExternalAccountInput,
  check: accountInputForms(),
  statuses: [400, 403, 404, 409],
  placeOf: placeInInput,
  resolve: async (input, { caller }) => ({
    externalAccount: await createExternalAccount(
      caller,
      input.customerId ? 'CUSTOMER' : 'PLATFORM',
      newAccountBody(input),
    ),
  }),
  success: {
    description: 'The account is added. REST: 201.',
    fields: (t) => ({
      externalAccount: t.expose('externalAccount', {
        type: ExternalAccountNode,
        nullable: false,
        description: 'The new account.',
      }),
    }),
  },
})

export const DeleteExternalAccountInput = builder.inputType('DeleteExternalAccountInput', {
  description: 'Input of `deleteExternalAccount`.',
  fields: (t) => ({ id: t.id({ required: true, description: '`ExternalAccount:<uuid>`.' }) }),
})

addMutation('deleteExternalAccount', {
  description:
    'Deletes an account outside the service. Lists no longer include it, and it can no longer be paid. Payments still show it. Error: `REFERENCE_NOT_FOUND`.',
  input: DeleteExternalAccountInput,
  statuses: [403, 404],
  resolve: async ({ id }, { caller }) => ({ id: await deleteExternalAccount(caller, id) }),
  success: {
    description: 'The account is deleted. REST: 204.',
    fields: (t) => ({
      deletedExternalAccountId: t.id({
        nullable: false,
        description: '`ExternalAccount:<uuid>`.',
        resolve: ({ id }) => publicId('ExternalAccount', id),
      }),
    }),
  },
})
