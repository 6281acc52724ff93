// The checks of an identity token's issuer, age and form, without its signature.
import { expect, test } from 'vitest'
import { checkIdentity, checkToken, readToken } from '#credentials/kinds/oidc/token.ts'
import { newIdentity, tokenOf } from '#test/setup/credentials/oidc-issuer.ts'
import { refusalOf } from '#test/setup/refusal.ts'

const NOW = 1_800_000_000
const unsigned = (header: object, claims: object = {}) =>
  tokenOf({ alg: 'RS256', ...header }, { ...newIdentity(), sub: 'user', iat: NOW, exp: NOW + 3600, ...claims })
const sandbox = (text: string, milliseconds = 0) =>
  refusalOf(() => checkToken(readToken(text), 'SANDBOX', new Date(NOW * 1000 + milliseconds)))
const refused = (reason: string) => ({ status: 401, code: 'UNAUTHORIZED', reason })

test('a token that is exactly a minute old is valid until the end of that second', async () => {
  const token = unsigned({}, { iat: NOW - 60 })
  expect(await sandbox(token, 999)).toBe('accepted')
  expect(await sandbox(token, 1000)).toEqual(refused('OIDC_FRESHNESS'))
})

test.for([{ crit: ['exp'], exp: 1 }, { crit: [] }, { crit: null }, { b64: false }, { b64: 'true' }])(
  'the header %j has an extension, and is refused in sandbox too',
  async (header) => {
    expect(await sandbox(unsigned(header))).toEqual(refused('OIDC_SIGNATURE'))
  },
)

test('header members that require nothing are ignored', async () => {
  expect(await sandbox(unsigned({ b64: true, x: 1 }))).toBe('accepted')
})

test("Google's issuer is accepted in either form", async () => {
  const [bare, whole] = ['accounts.google.com', 'https://accounts.google.com'].map((iss) =>
    readToken(unsigned({}, { iss })),
  )
  if (!bare || !whole) throw new Error('Two tokens')
  expect(bare.issuer).toBe('https://accounts.google.com')
  expect(await refusalOf(() => checkIdentity(bare, whole))).toBe('accepted')
  expect(await refusalOf(() => checkIdentity(whole, bare))).toBe('accepted')
})

test('a malformed token is reported under the field that it came in', async () => {
  expect(await refusalOf(() => readToken('x', 'proof.oidcToken'))).toMatchObject({ field: 'proof.oidcToken' })
})

test('sandbox makes every check except for the signature', async () => {
  expect(await sandbox(unsigned({ alg: 'none' }))).toBe('accepted')
  expect(await sandbox(unsigned({ alg: 'none' }, { exp: NOW }))).toEqual(refused('OIDC_FRESHNESS'))
})
