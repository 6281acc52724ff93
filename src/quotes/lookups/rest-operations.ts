// `/receiver` in the REST contract.
import { z } from 'zod'
import { idOf } from '#core/input.ts'
import { answer, conditionQuery, failures, type Operations } from '#rest/operation.ts'
import { LOOKUP_PARAMETERS, LOOKUP_TEXTS, lookupSender } from './look-up.ts'
import { accountLookupSchema, umaLookupSchema } from './rest-schema.ts'

const tags = ['Quotes']
const query = conditionQuery(lookupSender, LOOKUP_PARAMETERS)

export const receiverOperations: Operations = {
  '/receiver/uma/{receiverUmaAddress}': {
    get: {
      operationId: 'lookUpUmaReceiver',
      'x-graphql': ['Mutation.lookUpUmaAddress'],
      summary: 'Look up a UMA address',
      description:
        'Asks the institution of the address who the receiver is, and what a payment needs. 404 `UMA_NOT_FOUND` if nobody has the address, 403 `COUNTERPARTY_NOT_ALLOWED` if the platform does not deal with the institution.',
      tags,
      requestParams: {
        path: z.object({ receiverUmaAddress: z.string().describe('UMA address, for example `$alice@bank.example`.') }),
        query,
      },
      responses: { 200: answer('The receiver.', umaLookupSchema), ...failures(404, 412, 424, 501) },
    },
  },
  '/receiver/external-account/{accountId}': {
    get: {
      operationId: 'lookUpExternalAccountReceiver',
      'x-graphql': ['Mutation.lookUpExternalAccount'],
      summary: 'Look up an external account',
      description: 'Returns what a payment to the account requires.',
      tags,
      requestParams: { path: z.object({ accountId: idOf('ExternalAccount').describe(LOOKUP_TEXTS.accountId) }), query },
      responses: { 200: answer('The receiver.', accountLookupSchema), ...failures(404, 501) },
    },
  },
}
