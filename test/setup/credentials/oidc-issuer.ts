// Identity tokens as the sandbox accepts them: shaped like an issuer's, but unsigned.
import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { createServer } from 'node:http'

export const GOOGLE = 'https://accounts.google.com'

/** Claims to replace; `undefined` omits one. */
export type Claims = Record<string, unknown>

export interface Identity {
  readonly iss: string
  readonly aud: string
  readonly sub: string
  readonly email?: string
}

export const newIdentity = (): Identity => {
  const name = randomBytes(6).toString('hex')
  return { iss: GOOGLE, aud: 'client.apps.example', sub: name, email: `${name}@mail.example` }
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')

export const tokenOf = (header: unknown, claims: unknown, signature = randomBytes(256).toString('base64url')): string =>
  `${encode(header)}.${encode(claims)}.${signature}`

/** Unique claims, issued now and valid for an hour. */
export const identityToken = (identity: Identity, given: Claims = {}): string => {
  const now = Math.floor(Date.now() / 1000)
  return tokenOf(
    { alg: 'RS256', typ: 'JWT', kid: 'key-1' },
    { ...identity, jti: randomUUID(), iat: now, exp: now + 3600, ...given },
  )
}

/** An issuer on localhost with one RSA key, for platforms in production. */
export const startIssuer = async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1', alg: 'RS256', use: 'sig' }
  let url = ''
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    const isDiscovery = request.url === '/.well-known/openid-configuration'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isDiscovery ? { issuer: url, jwks_uri: `${url}/keys` } : { keys: [jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
  const signed = (header: unknown, claims: unknown, key: KeyObject = privateKey) => {
    const text = tokenOf(header, claims, '').slice(0, -1)
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
  }
  return {
    url,
    jwk,
    publicKey,
    identity: (): Identity => ({ ...newIdentity(), iss: url }),
    /** A signed token with parts of its header and claims replaced. */
    token: (identity: Identity, given: Claims = {}, header: object = {}): string => {
      const now = Math.floor(Date.now() / 1000)
      const claims = { ...identity, jti: randomUUID(), iat: now, exp: now + 3600, ...given }
      return signed({ alg: 'RS256', typ: 'JWT', kid: 'key-1', ...header }, claims)
    },
    signed,
    timesAsked: () => asked,
    stop: () => server.close(),
  }
}
export type Issuer = Awaited<ReturnType<typeof startIssuer>>
