// A real issuer: oidc-provider, which is OpenID certified, signs users in with the authorization code flow.
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { type Answer, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { APP, OTHER_APP, startProvider, startServer } from '#test/setup/credentials/identity-provider.ts'
import { identityToken, tokenOf } from '#test/setup/credentials/oidc-issuer.ts'
import { newKey, nonceOf, openSessionKey } from '#test/setup/credentials/wallet.ts'
import { expectStatus, signedRetry } from '#test/setup/credentials/wallet-sessions.ts'
import { useSettings } from '#test/setup/settings.ts'
import { createPlatform, createWallet } from '#test/setup/world.ts'

const NAMES = ['GraphQL', 'REST'] as const

const weakKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })

type Liar = (issuer: string) => { discovery: string; keys?: string; status?: number; location?: string }

const discoveryOf = (issuer: string, more = {}) => JSON.stringify({ issuer, jwks_uri: `${issuer}/jwks`, ...more })

/** Issuers with invalid discovery documents. */
const LIARS: Record<string, Liar> = {
  'names another issuer': () => ({ discovery: discoveryOf('https://accounts.google.com') }),
  'has a duplicate issuer member': (issuer) => ({
    discovery: `{"issuer":"https://evil.example",${discoveryOf(issuer).slice(1)}`,
  }),
  'has its keys in a file': (issuer) => ({ discovery: discoveryOf(issuer, { jwks_uri: 'file:///etc/passwd' }) }),
  'has no keys': (issuer) => ({ discovery: JSON.stringify({ issuer }) }),
  'is no JSON': () => ({ discovery: '<html></html>' }),
  'is a redirect': (issuer) => ({
    discovery: discoveryOf(issuer),
    status: 302,
    location: `${issuer}/jwks`,
  }),
  'is an error': (issuer) => ({ discovery: discoveryOf(issuer), status: 500 }),
  'is larger than a mebibyte': (issuer) => ({ discovery: discoveryOf(issuer, { filler: 'x'.repeat(2 ** 20) }) }),
  'leads to keys that are none': (issuer) => ({ discovery: discoveryOf(issuer), keys: '{"keys":"none"}' }),
}

const startLiar = async (lie: Liar) => {
  const server = await startServer((request, response) => {
    const { discovery, keys = '{"keys":[]}', status = 200, location } = lie(server.issuer)
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    response.writeHead(isDiscovery ? status : 200, location === undefined ? {} : { location })
    response.end(isDiscovery ? discovery : keys)
  })
  return server
}

// oidc-provider warns that it stores everything in memory.
vi.spyOn(console, 'warn').mockReturnValue()
vi.spyOn(console, 'info').mockReturnValue()

const startAll = async () => ({
  provider: await startProvider(),
  unreachable: await startServer(() => {}),
  weak: await startLiar((issuer) => ({
    discovery: discoveryOf(issuer),
    keys: JSON.stringify({
      keys: [
        { ...weakKey, kid: 'weak' },
        { kty: 'oct', k: 'c2VjcmV0', kid: 'weak' },
      ],
    }),
  })),
  liars: new Map(
    await Promise.all(Object.entries(LIARS).map(async ([name, lie]) => [name, await startLiar(lie)] as const)),
  ),
})

const issuers = { GraphQL: await startAll(), REST: await startAll() }
const servers = NAMES.flatMap((name) => {
  const { liars, ...others } = issuers[name]
  return [...Object.values(others), ...liars.values()]
})
useSettings({ oidcIssuers: servers.map(({ issuer }) => issuer) })

const refused = (reason: string) => ({ status: 401, code: 'UNAUTHORIZED', details: { reason } })

describe.each(credentialFaces)('over $name', (face) => {
  const { provider, unreachable, weak, liars } = issuers[face.name]
  let people = 0
  const somebody = () => `person-${++people}`

  // Only the monotonic clock advances: cached keys age, tokens do not.
  const now = performance.now.bind(performance)
  let ahead = 0
  const later = (seconds: number) => {
    ahead += seconds * 1000
  }
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead)
    later(3600)
  })
  afterEach(() => vi.mocked(performance.now).mockRestore())

  const newPlatform = async (environment: 'PRODUCTION' | 'SANDBOX') => {
    const platform = await createPlatform()
    await db.platform.update({ where: { id: platform.id }, data: { environment } })
    return platform
  }

  /** A customer without an email address, so that the wallet's first credential needs no signature. */
  const customer = async ({ environment = 'PRODUCTION' as 'PRODUCTION' | 'SANDBOX', person = somebody() } = {}) => {
    const platform = await newPlatform(environment)
    const wallet = await createWallet(platform, { email: null })
    const register = (oidcToken: string) =>
      face.register(platform, { type: 'OAUTH', accountId: wallet.accountId, oidcToken })
    /** Returns a proof: a token bound to a key of the device. */
    const signIn = async ({ client = newKey(), nonce = nonceOf(client.publicKey), by = person, app = APP } = {}) => ({
      type: 'OAUTH',
      oidcToken: await provider.signIn(by, { nonce, app }),
      clientPublicKey: client.publicKey,
    })
    const verify = (id: string, proof: Awaited<ReturnType<typeof signIn>>) => face.verify(platform, id, proof)
    return { platform, wallet, person, register, verify, signIn }
  }
  const registered = async (given: Parameters<typeof customer>[0] = {}) => {
    const visitor = await customer(given)
    const { oidcToken } = await visitor.signIn()
    const { id } = expectStatus(await visitor.register(oidcToken), 201).body
    return { ...visitor, id, verifyNow: async () => visitor.verify(id, await visitor.signIn()) }
  }

  it('an identity is registered, opens a session, and that session registers another credential', async () => {
    const { platform, wallet, person, id, verify, signIn } = await registered()
    const client = newKey()
    const { body } = expectStatus(await verify(id, await signIn({ client })), 200)
    expect(body).toMatchObject({ type: 'OAUTH', nickname: `${person}@mail.example`, accountId: wallet.accountId })
    const sessionKey = openSessionKey(body.encryptedSessionSigningKey, client)

    const friend = somebody()
    const input = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: await provider.signIn(friend) }
    const added = await signedRetry(sessionKey, (proof) => face.register(platform, input, proof))
    expectStatus(added, 201)
    expect(added.body.id).not.toBe(id)

    const next = newKey()
    const oidcToken = await provider.signIn(friend, { nonce: nonceOf(next.publicKeyUncompressed) })
    const proof = { type: 'OAUTH', oidcToken, clientPublicKey: next.publicKeyUncompressed }
    const opened = expectStatus(await face.verify(platform, added.body.id, proof), 200)
    openSessionKey(opened.body.encryptedSessionSigningKey, next)
  })

  it('an ES256 token of another client is accepted', async () => {
    const { register, verify, signIn } = await customer()
    const { id } = expectStatus(await register((await signIn({ app: OTHER_APP })).oidcToken), 201).body
    expectStatus(await verify(id, await signIn({ app: OTHER_APP })), 200)
  })

  it('a token older than a minute is refused', async () => {
    const { id, verify, signIn } = await registered()
    const { register } = await customer()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 62_000 })
    try {
      const proof = await signIn()
      expect(await verify(id, proof)).toMatchObject(refused('OIDC_FRESHNESS'))
      expect(await register(proof.oidcToken)).toMatchObject(refused('OIDC_FRESHNESS'))
    } finally {
      vi.useRealTimers()
    }
  })

  it('a token opens only one session', async () => {
    const { id, verify, signIn } = await registered()
    const proof = await signIn()
    expectStatus(await verify(id, proof), 200)
    expect(await verify(id, proof)).toMatchObject(refused('OIDC_NONCE'))
  })

  it('a token for another key, or for no key, is refused', async () => {
    const { id, verify, signIn } = await registered()
    expect(await verify(id, await signIn({ nonce: nonceOf(newKey().publicKey) }))).toMatchObject(refused('OIDC_NONCE'))
    expect(await verify(id, await signIn({ nonce: '' }))).toMatchObject(refused('OIDC_NONCE'))
    // The same point in another encoding.
    const client = newKey()
    const proof = { ...(await signIn({ client })), clientPublicKey: client.publicKeyUncompressed }
    expect(await verify(id, proof)).toMatchObject(refused('OIDC_NONCE'))
  })

  it('a token for another client or another user is refused', async () => {
    const { id, verify, signIn } = await registered()
    expect(await verify(id, await signIn({ app: OTHER_APP }))).toMatchObject(refused('OIDC_IDENTITY'))
    expect(await verify(id, await signIn({ by: somebody() }))).toMatchObject(refused('OIDC_IDENTITY'))
  })

  it('a token not signed by the issuer is refused in production and accepted in sandbox', async () => {
    const { id, verify, signIn, person } = await registered()
    const { oidcToken, clientPublicKey } = await signIn()
    const [header = '', payload = '', signature = ''] = oidcToken.split('.')
    const [{ kid }, claims] = [header, payload].map((part) =>
      JSON.parse(Buffer.from(part, 'base64url').toString('utf8')),
    )
    const forgeries = [
      `${header}.${payload}.${Buffer.alloc(256).toString('base64url')}`,
      tokenOf({ alg: 'none' }, claims),
      tokenOf({ alg: 'HS256', kid }, claims),
      tokenOf({ alg: 'RS256', kid }, { ...claims, jti: 'another' }, signature),
    ]
    const sandbox = await registered({ environment: 'SANDBOX', person })
    const stranger = await customer()
    for (const forgery of forgeries) {
      const proof = { type: 'OAUTH', oidcToken: forgery, clientPublicKey }
      expect(await verify(id, proof)).toMatchObject(refused('OIDC_SIGNATURE'))
      expect(await stranger.register(forgery)).toMatchObject(refused('OIDC_SIGNATURE'))
      expectStatus(await sandbox.verify(sandbox.id, proof), 200)
    }
  })

  it('keys are fetched once, and again after ten minutes', async () => {
    const { verifyNow } = await registered()
    const before = provider.keyFetches()
    for (let count = 0; count < 2; count += 1) expectStatus(await verifyNow(), 200)
    later(599 - 30)
    expectStatus(await verifyNow(), 200)
    expect(provider.keyFetches()).toBe(before)
    later(60)
    expectStatus(await verifyNow(), 200)
    expect(provider.keyFetches()).toBe(before + 1)
  })

  it('after a rotation, new keys are fetched once per cooldown, and the old ones are no longer accepted', async () => {
    const { id, verify, signIn, verifyNow } = await registered()
    const old = await signIn()
    const cached = await signIn()
    later(31)
    provider.rotateKeys()
    expectStatus(await verify(id, cached), 200)
    const before = provider.keyFetches()
    expectStatus(await verifyNow(), 200)
    expect(provider.keyFetches()).toBe(before + 1)
    // The old key id is unknown now, and must not cause another fetch.
    expect(await verify(id, old)).toMatchObject(refused('OIDC_SIGNATURE'))
    expect(provider.keyFetches()).toBe(before + 1)

    provider.rotateKeys()
    expect(await verifyNow()).toMatchObject(refused('OIDC_SIGNATURE'))
    expect(provider.keyFetches()).toBe(before + 1)
    later(31)
    expectStatus(await verifyNow(), 200)
    expect(provider.keyFetches()).toBe(before + 2)
  })

  it('an issuer that is down does not stop verification while its keys are cached', async () => {
    const { id, verify, signIn } = await registered()
    const proofs = [await signIn(), await signIn()]
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await provider.stop()
    try {
      for (const proof of proofs) {
        expectStatus(await verify(id, proof), 200)
        later(3600)
      }
    } finally {
      await provider.start()
    }
  })

  const SERVICE_UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' }
  const claimed = async (issuer: string): Promise<Answer> => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const { register } = await customer()
    return register(identityToken({ iss: issuer, aud: APP, sub: 'x' }))
  }

  it('without keys a token cannot be verified, whether the issuer is down or does not answer', async () => {
    expect(await claimed(unreachable.issuer)).toMatchObject(SERVICE_UNAVAILABLE)
    await unreachable.stop()
    expect(await claimed(unreachable.issuer)).toMatchObject(SERVICE_UNAVAILABLE)
    await unreachable.start()
  })

  it.each([...liars])('an issuer whose discovery %s is not trusted', async (_lie, { issuer }) => {
    expect(await claimed(issuer)).toMatchObject(SERVICE_UNAVAILABLE)
  })

  it('weak or symmetric keys are ignored', async () => {
    expect(await claimed(weak.issuer)).toMatchObject(refused('OIDC_SIGNATURE'))
  })
})

afterAll(() => Promise.all(servers.map(({ stop }) => stop())))
