// The mutations on wallets and customers that a session signs.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { InternalAccountRecord } from '#accounts/internal-account.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { addSignedMutation, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import { commonChanges } from '#customers/change.ts'
import { CustomerRecord } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { CustomerDetailsChangesInput, DETAILS_FORMS, detailsBody, placeInDetails } from '#customers/graphql-input.ts'
import { inputOf, schemaInput } from '#graphql/input-of.ts'
import { load } from '#graphql/load.ts'
import { contactChanges, customerChanges, updateCustomer } from './contact.ts'
import { ENCRYPTED_WALLET_TEXT, exportWallet, updateWalletPrivacy, walletPrivacy } from './wallet.ts'

const BY_ANY_SESSION = 'Signed by any active session of the wallet.'

addSignedMutation('exportWallet', {
  description: 'Exports the seed phrase of an embedded wallet, encrypted to a key of its owner.',
  input: schemaInput(recipient, (t) => ({
    id: t.id({ required: true, description: '`InternalAccount:<uuid>` of an embedded wallet.' }),
    signedRetry: t.field({ type: SignedRetryInput, description: BY_ANY_SESSION }),
  })),
  statuses: [400, 401, 403, 404],
  resolve: ({ id, clientPublicKey }, { caller }, proof) => exportWallet(caller, id, { clientPublicKey }, proof),
  done: (exported) => exported,
  success: {
    description: 'The encrypted seed phrase of the wallet. REST: 200.',
    fields: (t) => ({
      encryptedWalletCredentials: t.exposeString('encryptedWalletCredentials', {
        nullable: false,
        description: ENCRYPTED_WALLET_TEXT,
      }),
      account: t.field({
        type: InternalAccountNode,
        description: 'The wallet.',
        resolve: ({ id }, _args, context) => load(context, InternalAccountRecord.byIds, id),
      }),
    }),
  },
})

addSignedMutation('updateWalletPrivacy', {
  description: 'Changes whether an embedded wallet is private.',
  input: schemaInput(walletPrivacy, (t) => ({
    id: t.id({ required: true, description: '`InternalAccount:<uuid>` of an embedded wallet.' }),
    signedRetry: t.field({ type: SignedRetryInput, description: BY_ANY_SESSION }),
  })),
  statuses: [400, 401, 403, 404],
  resolve: ({ id, privateEnabled }, { caller }, proof) => updateWalletPrivacy(caller, id, { privateEnabled }, proof),
  done: (account) => ({ account }),
  success: {
    description: 'The privacy of the wallet is changed. REST: 200.',
    fields: (t) => ({
      account: t.expose('account', { type: InternalAccountNode, nullable: false, description: 'The wallet.' }),
    }),
  },
})

const UpdateCustomerInput = inputOf(
  'UpdateCustomerInput',
  'Input of `updateCustomer`. `email` and `phoneNumber` cannot be changed in the same call. Omitted fields are kept.',
  contactChanges.extend(commonChanges.shape),
  (t) => ({
    id: t.id({ required: true, description: CustomerRecord.texts.id }),
    details: t.field({
      type: CustomerDetailsChangesInput,
      description: 'Changes of the fields that only persons or only businesses have.',
    }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description:
        'Needed when one-time code credentials are tied to the changed value. Signed by any active session of one of their wallets.',
    }),
  }),
)

addSignedMutation('updateCustomer', {
  description:
    'Changes a customer. A new email address or phone number also changes the credentials tied to it. An approved customer gets an account in each new currency. Errors: `INVALID_INPUT`, `INVALID_CURRENCY`, `MISSING_MANDATORY_USER_INFO`, `USER_NOT_FOUND`, `UMA_ADDRESS_EXISTS`, `CUSTOMER_DELETED`, `EMAIL_OTP_EMAIL_ALREADY_EXISTS`, `EMAIL_OTP_CREDENTIAL_SET_CHANGED`, and those of a signed retry.',
  input: UpdateCustomerInput,
  check: customerChanges,
  forms: DETAILS_FORMS,
  statuses: [400, 401, 403, 404, 409, 410],
  placeOf: ({ details }, field) => `input.${placeInDetails(details ?? {}, field)}`,
  resolve: ({ id, details, signedRetry: _, ...common }, { caller }, proof) =>
    updateCustomer(caller, id, { ...common, ...detailsBody(details ?? {}) }, proof),
  done: (customer) => ({ customer }),
  success: {
    description: 'The customer is changed. REST: 200.',
    fields: (t) => ({
      customer: t.expose('customer', {
        type: CustomerNode,
        nullable: false,
        description: 'The customer after the change.',
      }),
    }),
  },
})
