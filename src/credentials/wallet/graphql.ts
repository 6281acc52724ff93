// What a session signs beyond credentials: wallet export, privacy, and the contact that codes go to.
import { InternalAccountNode } from '#accounts/graphql.ts'
import { type InternalAccount, internalAccountsByIds } from '#accounts/internal-account.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import { addSignedMutation, SignedRetryChallengeType, SignedRetryInput } from '#credentials/signed-retry/graphql.ts'
import type { Customer } from '#customers/customer.ts'
import { CustomerNode } from '#customers/graphql.ts'
import { builder } from '#graphql/builder.ts'
import { load } from '#graphql/load.ts'
import { payloadOf } from '#graphql/mutation.ts'
import { customerChanges, updateCustomer } from './contact.ts'
import { type ExportedWallet, exportWallet, updateWalletPrivacy, walletPrivacy } from './wallet.ts'

const BY_ANY_SESSION = 'Signed by any active session of the wallet.'

const ExportWalletInput = builder.inputType('ExportWalletInput', {
  description: 'Input of `exportWallet`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`InternalAccount:<uuid>` of an embedded wallet.' }),
    clientPublicKey: t.field({
      type: 'Hex',
      required: true,
      description: 'Hex P-256 public key; the export is sealed to it.',
    }),
    signedRetry: t.field({ type: SignedRetryInput, description: BY_ANY_SESSION }),
  }),
})

const ExportWalletSuccess = builder.objectRef<ExportedWallet>('ExportWalletSuccess').implement({
  description: 'The mnemonic of the wallet, sealed to the client.',
  fields: (t) => ({
    encryptedWalletCredentials: t.exposeString('encryptedWalletCredentials', {
      nullable: false,
      description: 'JSON text to be used byte for byte.',
    }),
    account: t.field({
      type: InternalAccountNode,
      description: 'The wallet.',
      resolve: ({ id }, _args, context) => load(context, internalAccountsByIds, id),
    }),
  }),
})

addSignedMutation('exportWallet', {
  description: 'Hands the mnemonic of an embedded wallet to its owner, sealed to a key of theirs.',
  input: ExportWalletInput,
  check: recipient,
  payload: payloadOf(
    'ExportWalletPayload',
    'Result of `exportWallet`.',
    [ExportWalletSuccess, SignedRetryChallengeType],
    [400, 401, 403, 404],
  ),
  resolve: ({ id, clientPublicKey }, { caller }, proof) => exportWallet(caller, id, { clientPublicKey }, proof),
  done: (exported) => ({ __typename: 'ExportWalletSuccess', ...exported }),
})

const UpdateWalletPrivacyInput = builder.inputType('UpdateWalletPrivacyInput', {
  description: 'Input of `updateWalletPrivacy`.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`InternalAccount:<uuid>` of an embedded wallet.' }),
    privateEnabled: t.boolean({ required: true, description: 'What `InternalAccount.privateEnabled` shall be.' }),
    signedRetry: t.field({ type: SignedRetryInput, description: BY_ANY_SESSION }),
  }),
})

const UpdateWalletPrivacySuccess = builder
  .objectRef<{ readonly account: InternalAccount }>('UpdateWalletPrivacySuccess')
  .implement({
    description: 'The privacy of the wallet is changed.',
    fields: (t) => ({
      account: t.expose('account', { type: InternalAccountNode, nullable: false, description: 'The wallet.' }),
    }),
  })

addSignedMutation('updateWalletPrivacy', {
  description: 'Changes whether an embedded wallet is private.',
  input: UpdateWalletPrivacyInput,
  check: walletPrivacy,
  payload: payloadOf(
    'UpdateWalletPrivacyPayload',
    'Result of `updateWalletPrivacy`.',
    [UpdateWalletPrivacySuccess, SignedRetryChallengeType],
    [400, 401, 403, 404],
  ),
  resolve: ({ id, privateEnabled }, { caller }, proof) => updateWalletPrivacy(caller, id, { privateEnabled }, proof),
  done: (account) => ({ __typename: 'UpdateWalletPrivacySuccess', account }),
})

const UpdateCustomerInput = builder.inputType('UpdateCustomerInput', {
  description:
    'Input of `updateCustomer`. Email and phone number are changed one at a time where credentials are tied to them.',
  fields: (t) => ({
    id: t.id({ required: true, description: '`Customer:<uuid>`.' }),
    email: t.string({ description: 'At most 254 characters. Not null: it cannot be cleared.' }),
    phoneNumber: t.string({ description: 'E.164. Not null: it cannot be cleared.' }),
    signedRetry: t.field({
      type: SignedRetryInput,
      description:
        "Needed when EMAIL_OTP credentials are tied to the email, or SMS_OTP credentials to the phone number. Signed by any active session of the customer's wallets that they belong to.",
    }),
  }),
})

const UpdateCustomerSuccess = builder.objectRef<{ readonly customer: Customer }>('UpdateCustomerSuccess').implement({
  description: 'The changed customer.',
  fields: (t) => ({
    customer: t.expose('customer', { type: CustomerNode, nullable: false, description: 'As it is now.' }),
  }),
})

addSignedMutation('updateCustomer', {
  description:
    'Changes a customer. A changed email also changes the tied EMAIL_OTP credentials, a changed phone number the tied SMS_OTP credentials, after a signed retry. Errors: `INVALID_INPUT`, `USER_NOT_FOUND`, `EMAIL_OTP_EMAIL_ALREADY_EXISTS`, `EMAIL_OTP_CREDENTIAL_SET_CHANGED`, and those of a signed retry.',
  input: UpdateCustomerInput,
  check: customerChanges,
  payload: payloadOf(
    'UpdateCustomerPayload',
    'Result of `updateCustomer`.',
    [UpdateCustomerSuccess, SignedRetryChallengeType],
    [400, 401, 403, 404, 409],
  ),
  resolve: ({ id, email, phoneNumber }, { caller }, proof) => updateCustomer(caller, id, { email, phoneNumber }, proof),
  done: (customer) => ({ __typename: 'UpdateCustomerSuccess', customer }),
})
