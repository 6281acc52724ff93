import {
  constants,
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { checkIdentity, checkNonce, checkToken, readToken } from '#credentials/kinds/oidc/token.ts'
import { type Issuer, issuerKey, json, signed, startIssuers } from '#test/setup/credentials/issuer-server.ts'
import { refusalOf } from '#test/setup/refusal.ts'
import { useSettings } from '#test/setup/settings.ts'

const { issuers, stop } = await startIssuers(40)
useSettings({ oidcIssuers: ['https://accounts.google.com', ...issuers.map(({ url }) => url)] })
afterAll(stop)

const rsa = await issuerKey('RS256', 'rsa')
const ec = await issuerKey('ES256', 'ec')

const NOW = 1_800_000_000
const now = new Date(NOW * 1000)

/** A fresh issuer for each test, whose keys are not cached yet. */
const newIssuer = () => {
  const issuer = issuers.pop()
  if (!issuer) throw new Error('Start more issuers')
  issuer.keys = [rsa.jwk, ec.jwk]
  return issuer
}
const home = newIssuer()

const claimsOf = (change: object = {}, issuer = home) => ({
  iss: issuer.url,
  aud: issuer.audience,
  sub: 'user',
  iat: NOW,
  exp: NOW + 3600,
  ...change,
})
const base64url = (value: string | Buffer) => Buffer.from(value).toString('base64url')
const part = (value: unknown) => base64url(JSON.stringify(value))
/** An unsigned token. */
const unsigned = (header: unknown, claims: unknown, signature = 'c2ln') =>
  `${part(header)}.${part(claims)}.${signature}`

const production = (text: string) => refusalOf(() => checkToken(readToken(text), 'PRODUCTION', now))
const sandbox = (text: string, at = now) => refusalOf(() => checkToken(readToken(text), 'SANDBOX', at))
const read = async (change: object) => {
  const answer = await refusalOf(() => readToken(unsigned({ alg: 'RS256' }, claimsOf(change))))
  return answer === 'accepted' ? answer : `${answer.code} ${answer.field}`
}

const MALFORMED = { status: 400, code: 'INVALID_INPUT', field: 'oidcToken' }
const refused = (reason: string) => ({ status: 401, code: 'UNAUTHORIZED', reason })
const FORGED = refused('OIDC_SIGNATURE')
const STALE = refused('OIDC_FRESHNESS')
const UNREACHABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' }

let later = 0
const realNow = performance.now.bind(performance)
vi.spyOn(performance, 'now').mockImplementation(() => realNow() + later)
afterEach(() => {
  later = 0
})

describe('an identity token in production', () => {
  test.for([rsa, ec])("is accepted with the issuer's $alg signature", async (key) => {
    expect(await production(await signed(key, claimsOf()))).toBe('accepted')
  })

  test('is refused when anyone else signed it', async () => {
    const pem = createPublicKey({ key: { ...rsa.jwk }, format: 'jwk' })
    const hs256 = (secret: string | Buffer, alg = 'HS256') => {
      const input = `${part({ alg, kid: 'rsa' })}.${part(claimsOf())}`
      return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    }
    const rsaSigned = (alg: string, hash: string, padding = constants.RSA_PKCS1_PADDING) => {
      const input = `${part({ alg, kid: 'rsa' })}.${part(claimsOf())}`
      return `${input}.${base64url(sign(hash, Buffer.from(input), { key: KeyObject.from(rsa.privateKey), padding }))}`
    }
    const honest = await signed(rsa, claimsOf())
    const [header = '', payload = '', signature = ''] = honest.split('.')
    const bytes = Buffer.from(signature, 'base64url')
    bytes[0] = (bytes[0] ?? 0) ^ 1
    const forged = [
      ...['none', 'None', 'nOnE', '', 'RS1', 'EdDSA', 'HS256'].map((alg) => unsigned({ alg }, claimsOf())),
      unsigned({}, claimsOf()),
      unsigned({ alg: 7 }, claimsOf()),
      hs256(''),
      hs256(pem.export({ type: 'spki', format: 'pem' })),
      hs256(pem.export({ type: 'spki', format: 'der' })),
      hs256(JSON.stringify(rsa.jwk)),
      hs256(Buffer.from(`${rsa.jwk.n}`, 'base64url')),
      hs256('', 'RS256'),
      rsaSigned('RS512', 'sha512'),
      rsaSigned('PS256', 'sha256', constants.RSA_PKCS1_PSS_PADDING),
      rsaSigned('RS256', 'sha512'),
      unsigned({ alg: 'ES256', kid: 'ec' }, claimsOf(), base64url(Buffer.alloc(64))),
      unsigned({ alg: 'ES256', kid: 'ec' }, claimsOf(), base64url(randomBytes(64))),
      unsigned({ alg: 'ES256', kid: 'rsa' }, claimsOf(), signature),
      unsigned({ alg: 'RS256', kid: 'ec' }, claimsOf(), signature),
      unsigned({ alg: 'RS256', kid: 'rsa', crit: ['b64'], b64: false }, claimsOf(), signature),
      unsigned({ alg: 'RS256', kid: 'rsa', crit: ['x'], x: 1 }, claimsOf(), signature),
      await signed(rsa, claimsOf(), { b64: false }),
      await signed(rsa, claimsOf(), { crit: ['b64'], b64: true }),
      `${header}.${part(claimsOf({ sub: 'other' }))}.${signature}`,
      `${part({ alg: 'RS256', kid: 'rsa', typ: 'x' })}.${payload}.${signature}`,
      `${header}.${payload}.${base64url(bytes)}`,
      `${header}.${payload}.${base64url(bytes.subarray(1))}`,
      await signed({ ...(await issuerKey('RS256', 'rsa')), kid: 'rsa' }, claimsOf()),
    ]
    expect(await production(honest)).toBe('accepted')
    expect(await Promise.all(forged.map(production))).toEqual(forged.map(() => FORGED))
  })

  test('without a kid is verified by the only key of its algorithm', async () => {
    expect(await production(await signed(rsa, claimsOf(), { kid: undefined }))).toBe('accepted')
  })

  test('cannot supply keys: jwk, x5c, jku and x5u are neither trusted nor fetched', async () => {
    let connections = 0
    const listener = createServer((_request, response) => response.end()).on('connection', () => connections++)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/keys`
    const thief = await issuerKey('RS256', 'thief')
    const headers = [{ jwk: thief.jwk }, { jku: url }, { x5u: url }, { x5c: [base64url('certificate')] }]
    for (const kid of ['rsa', 'thief', undefined]) {
      for (const header of headers)
        expect(await production(await signed(thief, claimsOf(), { ...header, kid }))).toEqual(FORGED)
    }
    listener.close()
    expect({ tokens: 12, connections }).toEqual({ tokens: 12, connections: 0 })
  })

  test('has its signature checked before anything else', async () => {
    expect(await production(unsigned({ alg: 'RS256', kid: 'rsa' }, claimsOf({ exp: 1 })))).toEqual(FORGED)
    expect(await production(await signed(rsa, claimsOf({ exp: 1 })))).toEqual(STALE)
  })
})

describe('an identity token', () => {
  test.for([
    ['empty', ''],
    ['not a JWT', 'token'],
    ['with two parts', 'e30.e30'],
    ['with an empty signature', `${part({ alg: 'none' })}.${part(claimsOf())}.`],
    ['with four parts', 'e30.e30.e30.e30'],
    ['padded', 'e30=.e30.e30'],
    ['with a space', ' e30.e30.e30'],
    ['ending with a newline', `${unsigned({}, claimsOf())}\n`],
    ['in base64', `${unsigned({}, claimsOf())}+/`],
    ['with non-zero spare bits', `${part({})}.${part(claimsOf())}.YR`],
    ['too long', unsigned({ kid: 'k'.repeat(1_000_000) }, claimsOf())],
    ['with a header that is not an object', unsigned([], claimsOf())],
    ['with claims that are a list', unsigned({}, [])],
    ['with claims that are null', unsigned({}, null)],
    ['with a duplicate alg', `${base64url('{"alg":"RS256","alg":"none"}')}.${part(claimsOf())}.c2ln`],
    ['with a duplicate sub', `${part({})}.${base64url(JSON.stringify(claimsOf()).replace('{', '{"sub":"a",'))}.c2ln`],
    ['with claims that are not UTF-8', `${part({})}.${base64url(Buffer.from([0x7b, 0xff, 0x7d]))}.c2ln`],
  ] as const)('%s is malformed', async ([, text]) => {
    expect(await refusalOf(() => readToken(text))).toMatchObject(MALFORMED)
  })

  test('must name a configured issuer exactly', async () => {
    for (const iss of ['https://accounts.google.com', 'accounts.google.com', home.url]) {
      expect(await read({ iss })).toBe('accepted')
    }
    const strange = [
      'https://accounts.google.com/',
      'http://accounts.google.com',
      'https://accounts.google.com.evil.example',
      'HTTPS://accounts.google.com',
      'https://appleid.apple.com',
      `${home.url}/`,
      home.url.replace('/i', '/'),
      '127.0.0.1',
      '',
      [home.url],
      null,
      undefined,
    ]
    for (const iss of strange) expect(await read({ iss })).toBe('INVALID_INPUT oidcToken')
  })

  test.for([
    [
      'aud',
      [['client'], 'client', '\u00e9', 'x'.repeat(512)],
      ['', [], [''], ['a', 'b'], {}, 7, null, undefined, 'a\0', 'x'.repeat(513)],
    ],
    ['sub', ['1', 'x'.repeat(255)], ['', 'x'.repeat(256), 7, null, undefined, 'a\0', '\ud800']],
    ['iat', [NOW, NOW + 0.5, 1e99], ['1800000000', null, undefined, true, {}]],
    ['exp', [NOW, 1e99], ['1800000000', null, undefined, []]],
    ['nbf', [NOW, null, undefined], ['1', {}]],
    ['email', ['a@b.example', null, undefined], [7, ['a@b.example'], 'a\0', 'x'.repeat(321)]],
    ['nonce', ['n', null, undefined], [7, ['n']]],
  ] as const)('has a claim %s of the right shape', async ([name, good, bad]) => {
    for (const value of good) expect(await read({ [name]: value })).toBe('accepted')
    for (const value of bad) expect(await read({ [name]: value })).toBe('INVALID_INPUT oidcToken')
  })

  test('is parsed into its claims', () => {
    const text = unsigned({ alg: 'RS256' }, claimsOf({ aud: ['client'], email: 'a@b.example', nonce: 'n' }))
    expect(readToken(text)).toMatchObject({
      text,
      issuer: home.url,
      audience: 'client',
      subject: 'user',
      email: 'a@b.example',
      issuedAt: NOW,
      expiresAt: NOW + 3600,
      nonce: 'n',
    })
  })

  test.for([
    ['iat', [-60, -59, 0, 4, 5], [-62, -61, -60.001, 5.001, 6, 1e90]],
    ['exp', [0.001, 1, 1e90], [-60, -1, 0]],
    ['nbf', [-1, 5], [5.001, 6, 1e90]],
  ] as const)('is fresh by %s, to the second', async ([name, fresh, stale]) => {
    const token = (offset: number) => unsigned({ alg: 'none' }, claimsOf({ [name]: NOW + offset }))
    for (const offset of fresh) expect(await sandbox(token(offset))).toBe('accepted')
    for (const offset of stale) expect(await sandbox(token(offset))).toEqual(STALE)
  })

  test('must match the registered identity exactly', async () => {
    const token = readToken(unsigned({}, claimsOf()))
    const identity = { issuer: home.url, audience: home.audience, subject: 'user' }
    expect(await refusalOf(() => checkIdentity(token, identity))).toBe('accepted')
    for (const other of [{ issuer: 'accounts.google.com' }, { audience: 'CLIENT-39' }, { subject: 'user ' }]) {
      expect(await refusalOf(() => checkIdentity(token, { ...identity, ...other }))).toEqual(refused('OIDC_IDENTITY'))
    }
  })

  test('has a nonce equal to the SHA-256 of the public key text as sent', async () => {
    const key = `02${'ab'.repeat(32)}`
    const hash = createHash('sha256').update(key).digest('hex')
    const check = (nonce: unknown, text = key) =>
      refusalOf(() => checkNonce(readToken(unsigned({}, claimsOf({ nonce }))), text))
    expect(await check(hash)).toBe('accepted')
    for (const nonce of [undefined, null, '', key, hash.toUpperCase(), `${hash} `]) {
      expect(await check(nonce)).toEqual(refused('OIDC_NONCE'))
    }
    expect(await check(hash, key.toUpperCase())).toEqual(refused('OIDC_NONCE'))
  })
})

describe('the keys of an issuer', () => {
  test('are ignored when they are weak or unsuitable', async () => {
    const issuer = newIssuer()
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const odd = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 })
    const jwkOf = (kid: string, { publicKey }: typeof weak) =>
      ({ ...publicKey.export({ format: 'jwk' }), kid }) as typeof rsa.jwk
    const one = { ...rsa.jwk, kid: 'one', e: 'AQ' }
    issuer.keys = [
      jwkOf('weak', weak),
      jwkOf('odd', odd),
      one,
      { kty: 'oct', k: 'AAAA', kid: 'oct' },
      { kty: 'EC', kid: 'ec' },
    ]
    const token = (kid: string, { privateKey }: typeof weak) => {
      const input = `${part({ alg: 'RS256', kid })}.${part(claimsOf({}, issuer))}`
      return `${input}.${base64url(sign('sha256', Buffer.from(input), privateKey))}`
    }
    expect(await production(token('weak', weak))).toEqual(FORGED)
    expect(await production(token('odd', odd))).toEqual(FORGED)
    for (const [alg, kid] of [
      ['RS256', 'one'],
      ['HS256', 'oct'],
      ['ES256', 'ec'],
    ]) {
      expect(await production(unsigned({ alg, kid }, claimsOf({}, issuer)))).toEqual(FORGED)
    }
    later = 31_000
    issuer.keys.push(rsa.jwk)
    expect(await production(await signed(rsa, claimsOf({}, issuer)))).toBe('accepted')
  })

  test('are ignored when they are for another use', async () => {
    const operations = [['encrypt'], [], 'verify', ['sign']].map((key_ops) => ({ key_ops }))
    for (const purpose of [{ use: 'enc' }, { alg: 'RS512' }, ...operations]) {
      const issuer = newIssuer()
      issuer.keys = [{ ...rsa.jwk, ...purpose } as typeof rsa.jwk]
      expect(await production(await signed(rsa, claimsOf({}, issuer))), JSON.stringify(purpose)).toEqual(FORGED)
    }
    const issuer = newIssuer()
    issuer.keys = [{ ...rsa.jwk, key_ops: ['verify', 'sign'] }]
    expect(await production(await signed(rsa, claimsOf({}, issuer)))).toBe('accepted')
  })

  test('are fetched once, and for unknown key ids at most every 30 seconds', async () => {
    const issuer = newIssuer()
    const kids = ['../../etc/passwd', "' or 1=1 --", '\0', '__proto__', 'x'.repeat(4000)]
    kids.push(...Array.from({ length: 200 }, () => randomBytes(8).toString('hex')))
    const storm = () =>
      Promise.all(kids.map((kid) => production(unsigned({ alg: 'RS256', kid }, claimsOf({}, issuer)))))
    expect(new Set((await storm()).map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(FORGED)]))
    expect(issuer.asked).toEqual({ discovery: 1, keys: 1 })
    later = 31_000
    await storm()
    await storm()
    expect(issuer.asked).toEqual({ discovery: 2, keys: 2 })
  })

  test('may be rotated: a new key is found, and an old one is no longer accepted', async () => {
    const issuer = newIssuer()
    const next = await issuerKey('ES256', 'next')
    expect(await production(await signed(ec, claimsOf({}, issuer)))).toBe('accepted')
    issuer.keys = [next.jwk]
    later = 31_000
    expect(await production(await signed(next, claimsOf({}, issuer)))).toBe('accepted')
    expect(await production(await signed(ec, claimsOf({}, issuer)))).toEqual(FORGED)
  })

  test('are rejected at most ten minutes after the issuer withdraws them', async () => {
    const issuer = newIssuer()
    const token = await signed(ec, claimsOf({}, issuer))
    expect(await production(token)).toBe('accepted')
    issuer.keys = [rsa.jwk]
    later = 599_000
    expect(await production(token)).toBe('accepted')
    later = 602_000
    expect(await production(token)).toEqual(FORGED)
  })

  test('stay usable while the issuer is down', async () => {
    const issuer = newIssuer()
    const token = await signed(rsa, claimsOf({}, issuer))
    expect(await production(token)).toBe('accepted')
    issuer.misbehave = { discovery: (response) => response.destroy() }
    for (const time of [700_000, 710_000, 720_000]) {
      later = time
      expect(await production(token)).toBe('accepted')
    }
    expect(issuer.asked.discovery).toBe(2)
  })

  test('are not fetched over plain HTTP, except from an issuer on localhost', async () => {
    const issuer = 'https://accounts.google.com'
    const fetched: string[] = []
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      fetched.push(String(url))
      return Response.json({ issuer, jwks_uri: `${home.url}/keys` })
    })
    expect(await production(await signed(rsa, claimsOf({ iss: issuer })))).toEqual(UNREACHABLE)
    fetch.mockRestore()
    expect(fetched).toEqual([`${issuer}/.well-known/openid-configuration`])
  })

  test('are reduced to their public parts', async () => {
    const issuer = newIssuer()
    issuer.keys = [{ ...(await exportJWK(rsa.privateKey)), kid: rsa.kid, use: 'sig' }]
    expect(await production(await signed(rsa, claimsOf({}, issuer)))).toBe('accepted')
  })

  const elsewhere = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end()
  /** The other address at which the issuer's discovery document is served. */
  const twin = ({ discovery }: Issuer) => Object.assign(newIssuer(), { discovery })
  const inPlace = (body: object) => `data:application/json,${encodeURIComponent(JSON.stringify(body))}`
  const nothing = () => {}
  test.for<[string, (issuer: Issuer) => Issuer['misbehave']]>([
    ['is down', () => ({ discovery: (response) => response.destroy() })],
    ['answers 500', ({ keys }) => ({ keys: (response) => json({ keys })(response.writeHead(500)) })],
    ['answers no JSON', () => ({ keys: (response) => response.end('<html>') })],
    ['answers a member twice', () => ({ keys: (response) => response.end('{"keys":[],"keys":[]}') })],
    ['answers no key set', () => ({ keys: json({}) })],
    ['says it is another', ({ url }) => ({ discovery: json({ issuer: home.url, jwks_uri: `${url}/keys` }) })],
    ['names no keys', ({ url }) => ({ discovery: json({ issuer: url }) })],
    ['is a file', ({ url }) => ({ discovery: json({ issuer: url, jwks_uri: 'file:///etc/passwd' }) })],
    [
      'has them in its document',
      ({ url, keys }) => ({ discovery: json({ issuer: url, jwks_uri: inPlace({ keys }) }) }),
    ],
    ['redirects its document', (i) => ({ discovery: elsewhere(`${twin(i).url}/.well-known/openid-configuration`) })],
    ['redirects its keys', () => ({ keys: elsewhere(`${home.url}/keys`) })],
    ['answers too much', ({ keys }) => ({ keys: json({ keys, more: 'x'.repeat(1_048_576) }) })],
    ['never answers', () => ({ keys: nothing })],
    ['never ends', () => ({ keys: (response) => response.write('{"keys":[') })],
  ])('are unavailable when the issuer %s: the token is neither accepted nor refused', async ([, misbehaviour]) => {
    const issuer = newIssuer()
    issuer.misbehave = misbehaviour(issuer)
    const token = await signed(rsa, claimsOf({}, issuer))
    expect(await production(token)).toEqual(UNREACHABLE)
    issuer.misbehave = {}
    expect(await production(token)).toBe('accepted')
  })
})
