// Identity providers on localhost, each under its own path, that can misbehave.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

type Answer = (response: ServerResponse) => unknown

export interface Issuer {
  readonly url: string
  readonly audience: string
  /** The number of requests for each document. */
  readonly asked: { discovery: number; keys: number }
  /** The documents that the issuer serves. Tests change them. */
  discovery: unknown
  keys: JWK[]
  /** Replaces the answer to either request. */
  misbehave: { discovery?: Answer; keys?: Answer }
}

export const json =
  (body: unknown): Answer =>
  (response) =>
    response.end(JSON.stringify(body))

export const startIssuers = async (count: number) => {
  const issuers = new Map<string, Issuer>()
  const server = createServer((request, response) => {
    const [, name = '', ...path] = (request.url ?? '').split('/')
    const issuer = issuers.get(name)
    const what = path.join('/') === '.well-known/openid-configuration' ? 'discovery' : 'keys'
    if (!issuer) return response.writeHead(404).end()
    issuer.asked[what]++
    const honest = json(what === 'keys' ? { keys: issuer.keys } : issuer.discovery)
    return (issuer.misbehave[what] ?? honest)(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (let i = 0; i < count; i++) {
    const url = `http://127.0.0.1:${port}/i${i}`
    issuers.set(`i${i}`, {
      url,
      audience: `client-${i}`,
      asked: { discovery: 0, keys: 0 },
      discovery: { issuer: url, jwks_uri: `${url}/keys` },
      keys: [],
      misbehave: {},
    })
  }
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { issuers: [...issuers.values()], stop }
}

export interface IssuerKey {
  readonly alg: string
  readonly kid: string
  readonly jwk: JWK
  readonly privateKey: CryptoKey
}

export const issuerKey = async (alg: string, kid: string, modulusLength = 2048): Promise<IssuerKey> => {
  const { publicKey, privateKey } = await generateKeyPair(alg, { modulusLength, extractable: true })
  return { alg, kid, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' }, privateKey }
}

export const signed = ({ alg, kid, privateKey }: IssuerKey, claims: object, header: object = {}): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey)
