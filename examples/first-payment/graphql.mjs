// From an empty sandbox platform to a first payment over GraphQL: node graphql.mjs URL CLIENT_ID SECRET
import { readFileSync } from 'node:fs'

const [url, clientId, secret] = process.argv.slice(2)
const document = readFileSync(new URL('first-payment.graphql', import.meta.url), 'utf8')

/** A request holds at most five operations, so each is sent alone. */
const operations = new Map(
  document.split(/^(?=mutation|query)/m).map((text) => [/^\w+ (\w+)/.exec(text)?.[1], text]),
)

/** Sends an operation and returns its only field. */
const clientOf = (credentials) => async (name, variables) => {
  const response = await fetch(new URL('/graphql', url), {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(credentials)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: operations.get(name), variables }),
  })
  const { data, errors } = await response.json()
  const [answer] = Object.values(data ?? {})
  if (errors || answer?.code) throw new Error(`${name}: ${JSON.stringify(errors ?? answer)}`)
  console.log(name, answer?.status ?? '')
  return answer
}

/** Payments complete within seconds. */
const untilCompleted = async (call, { id }) => {
  for (let tries = 0; tries < 60; tries++) {
    const { status } = await call('Status', { id })
    if (status === 'COMPLETED') return
    if (status === 'FAILED') break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('The payment did not complete')
}

const manage = clientOf(`${clientId}:${secret}`)
await manage('SupportCurrencies')
const { apiToken, clientSecret } = await manage('CreateToken')
const { customer } = await manage('CreateCustomer')
const { externalAccount: supplier } = await manage('AddSupplier', { customer: customer.id })
const [account] = customer.internalAccounts.nodes

const pay = clientOf(`${apiToken.clientId}:${clientSecret}`)
await pay('Fund', { account: account.id })
const { quote } = await pay('Quote', { account: account.id, supplier: supplier.id })
const { quote: executed } = await pay('Pay', { quote: quote.id })
await untilCompleted(pay, executed.transaction)
