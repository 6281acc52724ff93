// The operations on wallets and customers that a session signs: `/internal-accounts` and `/customers`.

import { internalAccountSchema } from '#accounts/rest-schema.ts'
import { recipientBody, toBeSigned } from '#credentials/rest-operations.ts'
import { walletExportSchema } from '#credentials/rest-schema.ts'
import { customerSchema } from '#customers/rest-schema.ts'
import { answer, body, failures, type Operations, pathId, retryHeaders } from '#rest/operation.ts'
import { customerChanges } from './contact.ts'
import { walletPrivacy } from './wallet.ts'

export const walletOperations: Operations = {
  '/internal-accounts/{id}/export': {
    post: {
      operationId: 'exportWallet',
      'x-graphql': ['Mutation.exportWallet'],
      summary: 'Export the seed phrase of a wallet',
      description: 'Signed by any active session of the wallet.',
      tags: ['Wallets'],
      requestParams: { path: pathId('id', 'InternalAccount'), header: retryHeaders },
      requestBody: recipientBody,
      responses: { 200: answer('The encrypted seed phrase.', walletExportSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/internal-accounts/{id}': {
    patch: {
      operationId: 'updateWalletPrivacy',
      'x-graphql': ['Mutation.updateWalletPrivacy'],
      summary: 'Change the privacy of a wallet',
      description: 'Signed by any active session of the wallet.',
      tags: ['Wallets'],
      requestParams: { path: pathId('id', 'InternalAccount'), header: retryHeaders },
      requestBody: body(
        walletPrivacy.meta({ id: 'WalletPrivacyRequest', description: 'The new privacy of the wallet.' }),
        { privateEnabled: true },
      ),
      responses: { 200: answer('The wallet.', internalAccountSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/customers/{customerId}': {
    patch: {
      operationId: 'updateCustomer',
      'x-graphql': ['Mutation.updateCustomer'],
      summary: 'Change a customer',
      description:
        'Omitted fields are kept, and null clears a field. `businessInfo` is merged by field, `address` is replaced, and `beneficialOwners` are merged by ID. Only one of `email` and `phoneNumber` can change at a time. If one-time code credentials are tied to it, a session of one of their wallets must sign. An approved customer gets an account in each new currency.',
      tags: ['Customers'],
      requestParams: { path: pathId('customerId', 'Customer'), header: retryHeaders },
      requestBody: body(customerChanges, { customerType: 'INDIVIDUAL', email: 'ada@mail.example' }),
      responses: { 200: answer('The customer.', customerSchema), 202: toBeSigned, ...failures(404, 409, 410) },
    },
  },
}
