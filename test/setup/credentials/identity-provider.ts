// A certified OpenID provider on localhost, and a user's browser that signs in to it.
import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration, type JWK } from 'oidc-provider'

/** Two clients of one platform: tokens of the first are signed with RS256, those of the second with ES256. */
export const APP = 'app.example'
export const OTHER_APP = 'other-app.example'
const CLIENT_SECRET = 'client-secret'
const REDIRECT_URI = 'https://app.example/signed-in'

const newKeys = (): JWK[] => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  return [rsa, ec].map((key) => ({ ...(key.export({ format: 'jwk' }) as JWK), kid: randomUUID(), use: 'sig' }))
}

const clientOf = (client_id: string, alg: 'RS256' | 'ES256') => ({
  client_id,
  client_secret: CLIENT_SECRET,
  redirect_uris: [REDIRECT_URI],
  id_token_signed_response_alg: alg,
})

const configurationOf = (keys: JWK[]): Configuration => ({
  jwks: { keys },
  clients: [clientOf(APP, 'RS256'), clientOf(OTHER_APP, 'ES256')],
  cookies: { keys: [randomBytes(16).toString('hex')] },
  claims: { openid: ['sub'], email: ['email'] },
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, email: `${sub}@mail.example` }) }),
  // Every user consents to everything.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      accountId: oidc.session?.accountId ?? '',
      clientId: oidc.client?.clientId ?? '',
    })
    grant.addOIDCScope('openid email')
    await grant.save()
    return grant
  },
})

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** An address on localhost, and the handler of its requests. */
export const startServer = async (listener: Listener) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    listener(request, response)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { issuer: `http://127.0.0.1:${port}`, asked, stop, start: () => listen(port) }
}

export const startProvider = async () => {
  let sub = ''
  let provider: Provider | undefined
  const server = await startServer((request, response) => {
    if (!provider) return
    if (!request.url?.startsWith('/interaction/')) return void provider.callback()(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: sub } })
  })
  const { issuer, asked } = server
  const rotateKeys = () => {
    provider = new Provider(issuer, configurationOf(newKeys()))
  }
  rotateKeys()

  /** The authorization code flow, as a browser and then the platform's backend perform it. */
  const signIn = async (person: string, { nonce = '', app = APP } = {}): Promise<string> => {
    sub = person
    const verifier = randomBytes(32).toString('base64url')
    const parameters = new URLSearchParams({
      client_id: app,
      response_type: 'code',
      scope: 'openid email',
      redirect_uri: REDIRECT_URI,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(nonce !== '' && { nonce }),
    })
    const code = await visit(`${issuer}/auth?${parameters}`)
    const response = await fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${app}:${CLIENT_SECRET}`).toString('base64')}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        code_verifier: verifier,
      }),
    })
    const { id_token } = (await response.json()) as { id_token?: string }
    if (id_token === undefined) throw new Error(`The provider answered ${response.status}`)
    return id_token
  }

  const keyFetches = () => asked.filter((path) => path === '/jwks').length
  return { ...server, signIn, rotateKeys, keyFetches }
}
export type IdentityProvider = Awaited<ReturnType<typeof startProvider>>

/** Follows redirects with its cookies until it is back at the application with a code. */
const visit = async (start: string): Promise<string> => {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
    url = new URL(location, url)
    if (url.href.startsWith(REDIRECT_URI)) return url.searchParams.get('code') ?? ''
  }
  throw new Error('The provider redirects in a loop')
}
