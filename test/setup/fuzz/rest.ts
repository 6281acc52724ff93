// REST requests: every route with hostile paths, query strings, bodies and headers.

import { ROUTES } from '#test/setup/places/rest-routes.ts'
import type { FuzzedRequest } from './requests.ts'
import { below, type Choose, garble, hostileText, isChosen, mutate, oneOf } from './values.ts'

const SEGMENTS = [
  '%00',
  '%',
  '%zz',
  '%2e%2e',
  '..',
  '.',
  '%2f',
  '%5c',
  '%ED%A0%80',
  '%FF',
  '',
  '*',
  ';',
  '%25%30%30',
  '__proto__',
  'me',
  'approvals',
  'x'.repeat(5_000),
]
const NUMBERS = [
  'limit=1',
  'limit=0',
  'limit=101',
  'limit=1e9',
  'limit=99999999999999999999',
  'limit=',
  'limit=1&limit=2',
  'limit=%D9%A5',
]
const WORDS = [
  'sortOrder=asc',
  'sortOrder=DESC',
  'status=COMPLETED',
  'status=x',
  'type=CARD',
  'isPaused=true',
  'isPaused=1',
  'cursor=',
  '&&',
  '=',
  'a=%',
  '%zz=1',
  '__proto__=1',
  'status[not]=x',
  'currency=USD',
]
const TYPES = [
  'application/json; charset=utf-8',
  'text/plain',
  'application/json; charset=latin1',
  'application/x-www-form-urlencoded',
  'x',
]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']
const GARBAGE = [
  '',
  'null',
  '[]',
  '{',
  '1',
  '"x"',
  '\ufeff{}',
  '{"a":1e999}',
  '{"a":9007199254740993}',
  '{"amount":1,"amount":2}',
  `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
]

const SIDE = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 100 }
const FROM = { sourceType: 'ACCOUNT', accountId: '{InternalAccount}' }
const FUNDED = { sourceType: 'REALTIME_FUNDING', currency: 'USDC', cryptoNetwork: 'SOLANA', customerId: '{Customer}' }
const UMA = { destinationType: 'UMA_ADDRESS', umaAddress: '{umaAddress}' }
const lookupId = 'LookupRequest:018f3a7e-0000-7000-8000-000000000000'

/** More bodies, which reach further than the one in the table. */
const VARIANTS: Readonly<Record<string, readonly object[]>> = {
  'POST /quotes': [
    { source: FROM, destination: { destinationType: 'ACCOUNT', accountId: '{InternalAccount}' }, ...SIDE },
    { source: FROM, destination: UMA, ...SIDE },
    { source: FROM, destination: UMA, lookupId, ...SIDE },
    { source: FUNDED, destination: { destinationType: 'ACCOUNT', accountId: '{ExternalAccount}' }, ...SIDE },
    {
      source: { ...FROM, accountId: '{Wallet}' },
      destination: { destinationType: 'ACCOUNT', accountId: '{ExternalAccount}' },
      ...SIDE,
    },
  ],
  'POST /auth/credentials': [
    { type: 'SMS_OTP', accountId: '{Wallet}' },
    { type: 'OAUTH', accountId: '{Wallet}', oidcToken: 'eyJhbGciOiJub25lIn0.e30.' },
  ],
  'PATCH /customers/:id': [
    { customerType: 'INDIVIDUAL', email: 'x@mail.example' },
    { customerType: 'BUSINESS', phoneNumber: '+14155550123' },
  ],
}

export const fuzzedRest = (choose: Choose): FuzzedRequest => {
  const [route = '', { path: names = [], query = [], body: usual }] = oneOf(choose, Object.entries(ROUTES)) ?? []
  const [known = '', pattern = ''] = route.split(' ')
  const body = isChosen(choose, 60) ? oneOf(choose, VARIANTS[route] ?? [usual]) : usual
  const group = below(choose, 17)
  let index = -1
  const path = pattern.replaceAll(/:\w+/g, () => {
    index += 1
    if (isChosen(choose, 85)) return `@@${names[index]}.${group}@@`
    return isChosen(choose, 50) ? oneOf(choose, SEGMENTS) : escaped(hostileText(choose))
  })
  const method = isChosen(choose, 97) ? known : oneOf(choose, METHODS)
  const version = isChosen(choose, 98)
    ? '/2025-10-13'
    : oneOf(choose, ['', '/2025-10-14', '/v1', '//', '/2025-10-13/..', '/%32025-10-13'])
  const end = isChosen(choose, 97) ? '' : oneOf(choose, ['/', '//', '/x', '/%2e%2e', '/..', '%20', '/approve'])
  const headers: Record<string, string> = {}
  if (isChosen(choose, 25))
    headers['idempotency-key'] = isChosen(choose, 70) ? `key-${below(choose, 50)}` : hostileText(choose)
  if (isChosen(choose, 15)) headers['request-id'] = isChosen(choose, 50) ? `@@Request.${group}@@` : hostileText(choose)
  if (isChosen(choose, 15)) headers['service-wallet-signature'] = isChosen(choose, 50) ? 'e30' : hostileText(choose)
  const hasBody = !['GET', 'HEAD'].includes(method) && (body !== undefined || isChosen(choose, 10))
  if (hasBody) headers['content-type'] = isChosen(choose, 96) ? 'application/json' : oneOf(choose, TYPES)
  return {
    face: 'rest',
    method,
    target: version + path + end + queryOf(choose, method, query),
    headers,
    body: hasBody ? bodyOf(choose, fill(body ?? {}, group)) : null,
  }
}

const queryOf = (choose: Choose, method: string, names: readonly string[]): string => {
  if (isChosen(choose, method === 'GET' ? 40 : 95)) return ''
  const parts = Array.from({ length: 1 + below(choose, 3) }, () => {
    const kind = below(choose, 4)
    if (kind === 0) return oneOf(choose, NUMBERS)
    if (kind === 1 || names.length === 0) return oneOf(choose, WORDS)
    return `${oneOf(choose, names)}=${escaped(hostileText(choose))}`
  })
  return `?${parts.join('&')}`
}

const escaped = (text: string) => (text.startsWith('@@') ? text : encodeURIComponent(text.toWellFormed()))

const bodyOf = (choose: Choose, valid: unknown): string => {
  if (isChosen(choose, 4)) return oneOf(choose, GARBAGE)
  const changed = isChosen(choose, 60) ? mutate(choose, valid) : valid
  const text = JSON.stringify(isChosen(choose, 20) ? mutate(choose, changed) : changed) ?? ''
  return isChosen(choose, 4) ? garble(choose, text) : text
}

/** Turns `{Agent}` into `@@Agent.3@@`. */
const fill = (body: object, group: number): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/"\{(\w+)\}"/g, `"@@$1.${group}@@"`))
