// The operations on payments over both APIs. Answers have the shape of REST in either case.
import { app } from '#app.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

export interface Answer {
  readonly status: number
  readonly body: Json
}

/** The input of each operation is the REST body. */
export interface PaymentFace {
  readonly name: 'GraphQL' | 'REST'
  createQuote(caller: Credentials, input: object): Promise<Answer>
  readQuote(caller: Credentials, id: string): Promise<Answer>
  executeQuote(caller: Credentials, id: string, signature?: string | null): Promise<Answer>
  transferOut(caller: Credentials, input: object): Promise<Answer>
  transferIn(caller: Credentials, input: object): Promise<Answer>
  readTransaction(caller: Credentials, id: string): Promise<Answer>
}

export interface RestReply extends Answer {
  readonly text: string
  readonly headers: Headers
}

const at = encodeURIComponent

/** A string `body` is sent unchanged. */
export const send = async (
  caller: Credentials,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestReply> => {
  const response = await app.fetch(
    new Request(`http://test/2025-10-13${path}`, {
      method,
      headers: {
        authorization: basic(caller),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text), headers: response.headers }
}

const signed = (signature: string | null) => (signature === null ? {} : { 'service-wallet-signature': signature })

const rest: PaymentFace = {
  name: 'REST',
  createQuote: (caller, input) => send(caller, 'POST', '/quotes', input),
  readQuote: (caller, id) => send(caller, 'GET', `/quotes/${at(id)}`),
  executeQuote: (caller, id, signature = null) =>
    send(caller, 'POST', `/quotes/${at(id)}/execute`, undefined, signed(signature)),
  transferOut: (caller, input) => send(caller, 'POST', '/transfer-out', input),
  transferIn: (caller, input) => send(caller, 'POST', '/transfer-in', input),
  readTransaction: (caller, id) => send(caller, 'GET', `/transactions/${at(id)}`),
}

/** The fragments that the document uses, directly or not: unused ones are an error. */
const used = (document: string): string => {
  const names = FRAGMENTS.filter(
    ({ name }) => new RegExp(`\\.\\.\\.${name}\\b`).test(document) && !document.includes(`fragment ${name} `),
  )
  return names.length === 0 ? document : used(document + names.map(({ text }) => text).join(''))
}

const FRAGMENTS = `
fragment Coin on Currency { code name symbol decimals }
fragment Sum on Money { amount currency { ...Coin } }
fragment From on TransactionSource {
  sourceType
  ... on AccountSource { accountId customerId currency }
  ... on RealtimeFundingSource { currency customerId }
  ... on UmaAddressSource { umaAddress }
}
fragment To on TransactionDestination { destinationType ... on AccountDestination { accountId currency paymentRail onChainTransaction { transactionHash network } } }
fragment Instructions on PaymentInstructions {
  accountOrWalletInfo {
    accountType
    fields { key value }
  }
  instructionsNotes isPlatformAccount
}
fragment Failure on ApiError { status code message details { field reason } }
fragment OfQuote on Quote {
  id status createdAt expiresAt source { ...From } destination { ...To }
  sendingCurrency { ...Coin } receivingCurrency { ...Coin } totalSendingAmount totalReceivingAmount
  exchangeRate feesIncluded platformFeesIncluded transactionId paymentInstructions { ...Instructions }
  counterpartyInformation { key value } rateDetails { counterpartyMultiplier }
}
fragment OfPayment on PaymentTransaction {
  id status type direction source { ...From } destination { ...To } customerId platformCustomerId settledAt createdAt updatedAt
  receiptDeliveryConfirmedAt agentId description sentAmount { ...Sum } receivedAmount { ...Sum } exchangeRate quoteId fees
  refund { reference initiatedAt status settledAt reason } counterpartyInformation { key value } failureReason
  reconciliationInstructions { reference transactionHash }
  ... on OutgoingTransaction {
    platformFees paymentInstructions { ...Instructions } rateDetails { counterpartyMultiplier }
    paymentRail railSelectionMode expectedSettlementAt settlementTimelineSeconds
  }
}`
  .split(/^(?=fragment )/m)
  .slice(1)
  .map((text) => ({ name: text.split(' ')[1], text }))

/** The fields that REST sends as null. */
const NULLS = ['paymentRail', 'railSelectionMode', 'expectedSettlementAt', 'settlementTimelineSeconds']

const present = (value: Json, top = true): Json => {
  if (Array.isArray(value)) return value.map((each) => present(each, false))
  if (typeof value !== 'object' || value === null) return value
  const isNull = (name: string) => value[name] === null && !(top && value.type === 'OUTGOING' && NULLS.includes(name))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== '__typename' && !isNull(name))
      .map(([name, part]) => [name, present(part, false)]),
  )
}

const partOf = (text: string) => (text.startsWith('[') ? JSON.parse(text) : text)

const asRest = (node: Json): Json => {
  const body = present(node)
  for (const { accountOrWalletInfo: info } of body.paymentInstructions ?? []) {
    for (const { key, value } of info.fields ?? []) info[key] = partOf(value)
    delete info.fields
  }
  return body
}

export const overGraphQL = async (caller: Credentials, query: string, variables: object, of: string, status = 200) => {
  const { body, status: httpStatus } = await callGraphQL(basic(caller), used(query), variables)
  const error = body.errors?.[0]
  const failed = error ? { message: error.message, ...error.extensions } : body.data.answer
  if (failed === null) return { status: 404, body: { status: 404, code: 'NOT_FOUND' } }
  if (httpStatus !== 200 || failed?.code) {
    const { status: failure, code, message, details } = failed
    return { status: failure, body: { status: failure, code, message, ...(details && { details: present(details) }) } }
  }
  return { status, body: asRest(of === '' ? body.data.answer : body.data.answer[of]) }
}

export const mutation = (name: string, success: string, selection: string) =>
  `mutation ($input: ${name.charAt(0).toUpperCase()}${name.slice(1)}Input!) {
    answer: ${name}(input: $input) { __typename ... on ${success} { ${selection} } ...Failure }
  }`

const sourceInput = ({ sourceType, ...source }: Json) =>
  sourceType === 'ACCOUNT' ? { accountId: source.accountId } : { realtimeFunding: source }

const graphql: PaymentFace = {
  name: 'GraphQL',
  createQuote: (caller, { source, destination: { destinationType: _, ...destination }, ...rest }: Json) =>
    overGraphQL(
      caller,
      mutation('createQuote', 'CreateQuoteSuccess', 'quote { ...OfQuote }'),
      { input: { source: sourceInput(source), destination, ...rest } },
      'quote',
      201,
    ),
  readQuote: (caller, id) =>
    overGraphQL(caller, `query ($id: ID!) { answer: node(id: $id) { ...OfQuote } }`, { id }, ''),
  executeQuote: (caller, id, walletSignature = null) =>
    overGraphQL(
      caller,
      mutation('executeQuote', 'ExecuteQuoteSuccess', 'quote { ...OfQuote }'),
      { input: { id, walletSignature } },
      'quote',
    ),
  transferOut: (caller, { source, destination, ...rest }: Json) =>
    overGraphQL(
      caller,
      mutation('transferOut', 'TransferSuccess', 'transaction { ...OfPayment }'),
      {
        input: {
          sourceAccountId: source.accountId,
          destinationAccountId: destination.accountId,
          ...(destination.paymentRail && { paymentRail: destination.paymentRail }),
          // REST omits the amount for this.
          ...(!('amount' in rest) && { sendAll: true }),
          ...rest,
        },
      },
      'transaction',
      201,
    ),
  transferIn: (caller, { source, destination, ...rest }: Json) =>
    overGraphQL(
      caller,
      mutation('transferIn', 'TransferSuccess', 'transaction { ...OfPayment }'),
      { input: { sourceAccountId: source.accountId, destinationAccountId: destination.accountId, ...rest } },
      'transaction',
      201,
    ),
  readTransaction: (caller, id) =>
    overGraphQL(caller, `query ($id: ID!) { answer: node(id: $id) { ...OfPayment } }`, { id }, ''),
}
export const paymentFaces: readonly PaymentFace[] = [graphql, rest]
