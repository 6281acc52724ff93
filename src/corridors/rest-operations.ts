// Exchange rates, banks, VASPs and withdrawal fees in the REST contract.
import { z } from 'zod'
import { ADA } from '#rest/examples.ts'
import { answer, body, conditionQuery, failures, type Operations, pageQuery } from '#rest/operation.ts'
import { discoveryQuery } from './discoveries.ts'
import { exchangeRateQuery } from './exchange-rates.ts'
import { discoveryListSchema, exchangeRateListSchema, vaspPageSchema, withdrawalFeeSchema } from './rest-schema.ts'
import { withdrawalRequest } from './withdrawal-fee.ts'

const tags = ['Corridors']

export const corridorOperations: Operations = {
  '/exchange-rates': {
    get: {
      operationId: 'listExchangeRates',
      'x-graphql': ['Query.exchangeRates'],
      summary: 'List exchange rates',
      description:
        'One row for each corridor and rail, with the fees of the platform, priced like a quote. The rates are read again after five minutes.',
      tags,
      requestParams: {
        query: conditionQuery(exchangeRateQuery, ['sourceCurrency', 'destinationCurrency', 'sendingAmount']),
      },
      responses: { 200: answer('The rows.', exchangeRateListSchema), ...failures(501) },
    },
  },
  '/discoveries': {
    get: {
      operationId: 'listDiscoveries',
      'x-graphql': ['Query.discoveries'],
      summary: 'List banks',
      tags,
      requestParams: { query: conditionQuery(discoveryQuery, ['country', 'currency']) },
      responses: { 200: answer('The banks.', discoveryListSchema), ...failures() },
    },
  },
  '/vasps': {
    get: {
      operationId: 'listVasps',
      'x-graphql': ['Query.vasps'],
      summary: 'List VASPs',
      tags,
      requestParams: { query: z.object({ limit: pageQuery.shape.limit, cursor: pageQuery.shape.cursor }) },
      responses: { 200: answer('A page of providers.', vaspPageSchema), ...failures() },
    },
  },
  '/crypto/estimate-withdrawal-fee': {
    post: {
      operationId: 'estimateWithdrawalFee',
      'x-graphql': ['Query.estimateWithdrawalFee'],
      summary: 'Estimate the fee of a withdrawal',
      description: 'No money moves.',
      tags,
      requestBody: body(withdrawalRequest.meta({ id: 'WithdrawalFeeRequest', description: 'The withdrawal.' }), {
        internalAccountId: ADA.wallet,
        currency: 'USDB',
        cryptoNetwork: 'SPARK',
        amount: 5_000_000,
        destinationAddress: 'spark1pgss9xyupdmvk43ew87un0hnrmqxcdtq7vjf6mhfuhvrc4mz2ktwqhm06lpfz2',
      }),
      responses: { 200: answer('The estimate.', withdrawalFeeSchema), ...failures(404, 501) },
    },
  },
}
