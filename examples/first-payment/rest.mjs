// From an empty sandbox platform to a first payment over REST: node rest.mjs URL CLIENT_ID SECRET
const [url, clientId, secret] = process.argv.slice(2)

const clientOf = (credentials) => async (method, path, body) => {
  const response = await fetch(new URL(`/2025-10-13${path}`, url), {
    method,
    headers: { authorization: `Basic ${btoa(credentials)}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  console.log(`${method} ${path}: ${answer.id ?? ''} ${answer.status ?? answer.kycStatus ?? ''}`)
  return answer
}

/** Payments complete within seconds. */
const untilCompleted = async (call, { id }) => {
  for (let tries = 0; tries < 60; tries++) {
    const { status } = await call('GET', `/transactions/${id}`)
    if (status === 'COMPLETED') return
    if (status === 'FAILED') break
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('The payment did not complete')
}

const manage = clientOf(`${clientId}:${secret}`)
const limits = { minAmount: 100, maxAmount: 1_000_000 }
const payments = { enabledTransactionTypes: ['INCOMING', 'OUTGOING'], requiredCounterpartyFields: [] }
await manage('PATCH', '/config', {
  supportedCurrencies: ['USD', 'EUR'].map((currencyCode) => ({ currencyCode, ...limits, ...payments })),
})
const token = await manage('POST', '/tokens', { name: 'Payments', permissions: ['VIEW', 'TRANSACT'] })

const ada = await manage('POST', '/customers', {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'US',
  taxIdType: 'SSN',
  taxIdCountryOfIssuance: 'US',
  taxIdentifier: '078051120',
  currencies: ['USD'],
  address: { line1: '1 Market Street', city: 'San Francisco', state: 'CA', postalCode: '94105', country: 'US' },
})
const supplier = await manage('POST', '/customers/external-accounts', {
  customerId: ada.id,
  currency: 'EUR',
  accountInfo: {
    accountType: 'EUR_ACCOUNT',
    iban: 'DE89370400440532013000',
    beneficiary: { beneficiaryType: 'BUSINESS', legalName: 'Analytical Engines GmbH' },
  },
})

const pay = clientOf(`${token.clientId}:${token.clientSecret}`)
const {
  data: [account],
} = await pay('GET', `/customers/internal-accounts?customerId=${ada.id}&currency=USD`)
await pay('POST', `/sandbox/internal-accounts/${account.id}/fund`, { amount: 10_000 })
const quote = await pay('POST', '/quotes', {
  source: { sourceType: 'ACCOUNT', accountId: account.id },
  destination: { destinationType: 'ACCOUNT', accountId: supplier.id, paymentRail: 'SEPA_INSTANT' },
  lockedCurrencySide: 'RECEIVING',
  lockedCurrencyAmount: 2_500,
})
await pay('POST', `/quotes/${quote.id}/execute`)
await untilCompleted(pay, { id: quote.transactionId })
