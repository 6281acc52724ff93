// Exchange rates over both APIs, in the shape of REST.
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'

export interface RateQuery {
  readonly sourceCurrency?: string
  readonly destinationCurrencies?: readonly string[]
  readonly sendingAmount?: number
}

export interface RateFace {
  readonly name: 'REST' | 'GraphQL'
  list(caller: Credentials, query: RateQuery): Promise<Answer>
}

const REST: RateFace = {
  name: 'REST',
  list: (caller, { sourceCurrency, destinationCurrencies = [], sendingAmount }) => {
    const query = new URLSearchParams(destinationCurrencies.map((code) => ['destinationCurrency', code]))
    if (sourceCurrency !== undefined) query.set('sourceCurrency', sourceCurrency)
    if (sendingAmount !== undefined) query.set('sendingAmount', String(sendingAmount))
    return send(caller, 'GET', `/exchange-rates?${query}`)
  },
}

const QUERY = `query ($sourceCurrency: String, $destinationCurrencies: [String!], $sendingAmount: Int64) {
  exchangeRates(sourceCurrency: $sourceCurrency, destinationCurrencies: $destinationCurrencies, sendingAmount: $sendingAmount) {
    sourceCurrency { code } destinationCurrency { code } destinationPaymentRail destinationNetwork
    sendingAmount minSendingAmount maxSendingAmount receivingAmount exchangeRate fees { fixed total } updatedAt
  }
}`

interface Row {
  readonly sourceCurrency: { readonly code: string }
  readonly destinationCurrency: { readonly code: string }
  readonly destinationPaymentRail: string | null
  readonly destinationNetwork: string | null
}

const GRAPHQL: RateFace = {
  name: 'GraphQL',
  list: async (caller, query) => {
    const { status, body } = await callGraphQL(basic(caller), QUERY, query)
    if (body.errors) return { status: body.errors[0].extensions.status, body: body.errors[0].extensions }
    const data = body.data.exchangeRates.map(({ destinationNetwork, ...row }: Row) => ({
      ...row,
      sourceCurrency: row.sourceCurrency.code,
      destinationCurrency: row.destinationCurrency.code,
      destinationPaymentRail: row.destinationPaymentRail ?? destinationNetwork,
    }))
    return { status, body: { data } }
  },
}

export const rateFaces: readonly RateFace[] = [REST, GRAPHQL]
