// Error messages say what the field requires in words that fit both APIs, and never repeat the value that was sent.
import { describe, expect, it } from 'vitest'
import { ask, rest } from '#test/setup/faces.ts'
import { createPlatform } from '#test/setup/world.ts'

const platform = await createPlatform()
const uuid = '00000000-0000-7000-8000-000000000000'
const GERMAN = { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000' }
const INDIAN = { beneficiaryType: 'INDIVIDUAL', fullName: 'Asha Rao' }

const graphql = async (query: string, variables: object) => {
  const { errors } = await ask(platform, query, variables)
  return errors?.map(({ message, extensions: { details } }) => [details?.field, message])
}

const overRest = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await rest<{ message: string; details?: { field?: string } }>(platform, path, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return [answer.body.details?.field, answer.body.message]
}

describe('the message for a variable', () => {
  const TRANSFER = 'mutation ($input: TransferInInput!) { transferIn(input: $input) { __typename } }'
  const LIST =
    'query ($filter: TransactionFilter, $first: Int) { transactions(filter: $filter, first: $first) { totalCount } }'
  const ends = {
    sourceAccountId: `ExternalAccount:${uuid}`,
    destinationAccountId: `InternalAccount:${uuid}`,
    amount: 1,
  }

  it.each<[string, string, object, string, string]>([
    ['that is required', TRANSFER, {}, 'input', 'input is required'],
    [
      'of a directive',
      'query ($show: Boolean!) { transactions(first: 1) { totalCount @include(if: $show) } }',
      {},
      'show',
      'show is required',
    ],
    ['that is null', TRANSFER, { input: null }, 'input', 'input must not be null'],
    [
      'with a missing field',
      TRANSFER,
      { input: { destinationAccountId: 'x', amount: 1 } },
      'input.sourceAccountId',
      'input.sourceAccountId is required',
    ],
    [
      'with a null field',
      TRANSFER,
      { input: { ...ends, sourceAccountId: null } },
      'input.sourceAccountId',
      'input.sourceAccountId must not be null',
    ],
    ['that is no object', TRANSFER, { input: 'secret' }, 'input', 'input must be an object'],
    [
      'with a string for a number',
      TRANSFER,
      { input: { ...ends, amount: 'secret' } },
      'input.amount',
      'input.amount must be an integer within ±9007199254740991',
    ],
    [
      'with a number for a string',
      TRANSFER,
      { input: { ...ends, idempotencyKey: 123456 } },
      'input.idempotencyKey',
      'input.idempotencyKey must be a string',
    ],
    [
      'with a number for a time',
      LIST,
      { filter: { startDate: 5 } },
      'filter.startDate',
      'filter.startDate must be a string',
    ],
    [
      'with an unknown enum value',
      LIST,
      { filter: { direction: 'secret' } },
      'filter.direction',
      'filter.direction must be one of CREDIT, DEBIT',
    ],
    [
      'with an unknown enum value in a list',
      LIST,
      { filter: { itemTypes: ['secret'] } },
      'filter.itemTypes.0',
      'filter.itemTypes.0 must be one of INCOMING, OUTGOING, CARD',
    ],
    [
      'with an unknown enum value in place of a list',
      LIST,
      { filter: { itemTypes: 'secret' } },
      'filter.itemTypes',
      'filter.itemTypes must be one of INCOMING, OUTGOING, CARD',
    ],
    ['with text for a size', LIST, { first: 'secret' }, 'first', 'first must be an integer of at most 32 bits'],
    [
      'with an unknown field',
      LIST,
      { filter: { statu: 'secret' } },
      'filter',
      'filter is not valid: Field "statu" is not defined by type "TransactionFilter". Did you mean "status" or "statuses"?',
    ],
  ])('%s', async (_name, query, variables, field, message) => {
    expect(await graphql(query, variables)).toEqual([[field, message]])
  })
})

describe('the message for a document', () => {
  it.each([
    ['with several operations', 'query A { __typename } query B { __typename }'],
    ['without an operation', 'fragment F on Query { __typename }'],
  ])('%s asks for operationName', async (_name, query) => {
    expect(await graphql(query, {})).toEqual([
      ['operationName', 'operationName must name an operation of the document'],
    ])
  })

  it('whose fragment spreads itself says so', async () => {
    const { errors } = await ask(platform, '{ ...F } fragment F on Query { ...F }')
    expect(errors?.map(({ message }) => message)).toEqual(['A fragment contains itself'])
  })
})

describe('the message for a literal', () => {
  const LITERALS: readonly [string, string][] = [
    ['first: "secret"', 'Int cannot represent non-integer value'],
    ['first: 99999999999', 'Int cannot represent non 32-bit signed integer value'],
    ['after: 123456', 'String cannot represent a non string value'],
    ['after: ["secret"]', 'String cannot represent a non string value'],
    ['filter: "secret"', 'Expected value of type "TransactionFilter".'],
    ['filter: { customerId: { a: "secret" } }', 'ID cannot represent a non-string and non-integer value'],
    ['filter: { direction: "DEBI" }', 'Did you mean the enum value "DEBIT"?'],
  ]

  it.each(LITERALS)('%s does not contain it', async (args, message) => {
    // The generator of types reads what is written in the call itself.
    const query = `{ transactions(${args}) { totalCount } }`
    const [[, found] = []] = (await graphql(query, {})) ?? []
    expect(found).toContain(message)
    expect(found).not.toMatch(/secret|123456|99999999999|"DEBI"/)
  })
})

describe('the message for a body', () => {
  it.each<[string, string, object, string, string]>([
    ['with a missing string', '/agents', {}, 'name', 'name is required'],
    ['with a missing object', '/agents', { name: 'A', customerId: `Customer:${uuid}` }, 'policy', 'policy is required'],
    [
      'with a string for an object',
      '/agents',
      { name: 'A', customerId: `Customer:${uuid}`, policy: 'x' },
      'policy',
      'policy must be an object',
    ],
    ['with a number for a string', '/agents', { name: 5 }, 'name', 'name must be a string'],
    ['with null for a string', '/agents', { name: null }, 'name', 'name must not be null'],
    ['without the kind of a source', '/quotes', { source: {} }, 'source.sourceType', 'source.sourceType is required'],
    [
      'with an unknown type of source',
      '/quotes',
      { source: { sourceType: 'x' } },
      'source.sourceType',
      'source.sourceType must be one of ACCOUNT, REALTIME_FUNDING',
    ],
    ['with a number for a source', '/quotes', { source: 5 }, 'source', 'source must be an object'],
    ...['Germany', 'D', 'de', 'UK'].map((nationality): [string, string, object, string, string] => [
      `with ${nationality} for a country`,
      '/customers',
      { customerType: 'INDIVIDUAL', nationality },
      'nationality',
      'nationality must be a country as ISO 3166-1 alpha-2, for example DE',
    ]),
    [
      'with an unknown country of a beneficiary',
      '/platform/external-accounts',
      { currency: 'EUR', accountInfo: { ...GERMAN, beneficiary: { ...INDIAN, countryOfResidence: 'UK' } } },
      'accountInfo.beneficiary.countryOfResidence',
      'accountInfo.beneficiary.countryOfResidence must be a country as ISO 3166-1 alpha-2, for example DE',
    ],
    [
      'with an IBAN in groups of four',
      '/platform/external-accounts',
      { currency: 'EUR', accountInfo: { ...GERMAN, iban: 'DE89 3704 0044 0532 0130 00', beneficiary: INDIAN } },
      'accountInfo.iban',
      'accountInfo.iban must not contain spaces',
    ],
    [
      'with an IBAN that is too long because of its spaces',
      '/platform/external-accounts',
      {
        currency: 'DKK',
        accountInfo: { accountType: 'DKK_ACCOUNT', iban: 'DK50 0040 0440 1162 43', beneficiary: INDIAN },
      },
      'accountInfo.iban',
      'accountInfo.iban must not contain spaces',
    ],
    [
      'with none of several fields',
      '/platform/external-accounts',
      { currency: 'BTC', accountInfo: { accountType: 'LIGHTNING' } },
      'accountInfo.invoice',
      'accountInfo.invoice or bolt12 or lightningAddress is required',
    ],
    [
      'with half of an alternative',
      '/platform/external-accounts',
      { currency: 'INR', accountInfo: { accountType: 'INR_ACCOUNT', accountNumber: '123456789', beneficiary: INDIAN } },
      'accountInfo.ifsc',
      'accountInfo.ifsc is needed with accountNumber',
    ],
  ])('%s', async (_name, path, body, field, message) => {
    expect(await overRest(path, body)).toEqual([field, message])
  })
})

describe('the message for a signed retry or a repeated call', () => {
  it('mentions no header', async () => {
    const query = `mutation ($input: RevokeSessionInput!) {
      revokeSession(input: $input) { __typename ... on UnauthorizedError { message } }
    }`
    const retry = async (signedRetry: object) =>
      JSON.stringify(await ask(platform, query, { input: { id: `Session:${uuid}`, signedRetry } }))
    expect(await retry({ requestId: `Request:${uuid}` })).toContain(
      'needs the wallet signature together with the request id',
    )
    expect(await retry({ walletSignature: 'x' })).toContain('needs the request id together with the wallet signature')
  })
})

it('the message for a time in a query string says how to write the plus sign of its offset', async () => {
  const { body } = await rest<{ message: string }>(platform, '/transactions?startDate=2026-01-01T00:00:00+02:00')
  expect(body.message).toBe('startDate must have a + before its offset, which is written %2B in a query string')
})
