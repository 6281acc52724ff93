// What a session signs beyond credentials: `/internal-accounts` and `/customers`.
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
      summary: 'Export the seed of a wallet',
      description: 'Signed by any session of the wallet.',
      tags: ['Wallets'],
      requestParams: { path: pathId('InternalAccount'), header: retryHeaders },
      requestBody: recipientBody,
      responses: { 200: answer('The seed, sealed.', walletExportSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/internal-accounts/{id}': {
    patch: {
      operationId: 'updateWalletPrivacy',
      summary: 'Hide a wallet from others, or show it',
      description: 'Signed by any session of the wallet.',
      tags: ['Wallets'],
      requestParams: { path: pathId('InternalAccount'), header: retryHeaders },
      requestBody: body(
        walletPrivacy.meta({ id: 'WalletPrivacyRequest', description: 'Whether it is hidden from others.' }),
        { privateEnabled: true },
      ),
      responses: { 200: answer('The wallet.', internalAccountSchema), 202: toBeSigned, ...failures(404) },
    },
  },
  '/customers/{id}': {
    patch: {
      operationId: 'updateCustomer',
      summary: 'Change the e-mail address or phone number of a customer',
      description:
        'One of the two at a time. Signed by a session of a wallet whose credential is tied to it; done at once where none is.',
      tags: ['Customers'],
      requestParams: { path: pathId('Customer'), header: retryHeaders },
      requestBody: body(
        customerChanges
          .extend({ customerType: customerChanges.shape.customerType.unwrap().unwrap() })
          .meta({ id: 'CustomerRequest', description: 'What is left out stays.' }),
        { customerType: 'INDIVIDUAL', email: 'ada@mail.example' },
      ),
      responses: { 200: answer('The customer.', customerSchema), 202: toBeSigned, ...failures(404, 409) },
    },
  },
}
