// A platform's website and backend. The device talks only to the site, and only the backend has the platform's credentials.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Wallet } from '#test/setup/world.ts'
import type { Answer, CredentialFace } from './credential-faces.ts'
import { type OpenSession, signedRetry } from './wallet-sessions.ts'

const PAGE = readFileSync(new URL('passkey-site.html', import.meta.url))

/** The result of `navigator.credentials.create` and `get`, as `toJSON` writes it. */
interface Created {
  readonly id: string
  readonly response: { clientDataJSON: string; attestationObject: string; transports: string[] }
}

export interface Asserted {
  readonly id: string
  readonly response: { clientDataJSON: string; authenticatorData: string; signature: string }
}

/** Requests of the page to its own backend, besides the usual ones. */
export interface Wishes {
  readonly algorithm?: number
  readonly userVerification?: 'required' | 'discouraged'
}

/** A user of the site: a wallet, and its owner's session from an email code. */
export interface Visitor {
  readonly face: CredentialFace
  readonly wallet: Wallet
  readonly session: OpenSession
}

export const serveSite = async ({ face, wallet, session }: Visitor) => {
  const { platform, accountId } = wallet
  let challenge = ''
  let passkey = { id: '', credentialId: '' }

  const routes: Readonly<Record<string, (body: never) => Promise<Answer | object>>> = {
    '/registration-options': async ({ algorithm = -7, userVerification = 'required' }: Wishes) => {
      challenge = randomBytes(32).toString('base64url')
      return {
        challenge,
        rp: { id: 'localhost', name: 'A platform' },
        user: { id: randomBytes(16).toString('base64url'), name: 'alice', displayName: 'Alice' },
        pubKeyCredParams: [{ type: 'public-key', alg: algorithm }],
        authenticatorSelection: { residentKey: userVerification, userVerification },
      }
    },
    '/registrations': async ({ id: credentialId, response }: Created) => {
      const { clientDataJSON, attestationObject, transports } = response
      const attestation = { credentialId, clientDataJson: clientDataJSON, attestationObject, transports }
      const input = { type: 'PASSKEY', accountId, nickname: 'Chromium', challenge, attestation }
      const first = await face.register(platform, input)
      if (first.status !== 202) return first
      const added = await signedRetry(session.key, (proof) => face.register(platform, input, proof))
      passkey = { id: added.body.id, credentialId }
      return added
    },
    '/challenges': async ({ clientPublicKey }: { clientPublicKey: string }) => {
      const answer = await face.challenge(platform, passkey.id, { clientPublicKey })
      return { ...answer, body: { ...answer.body, credentialId: passkey.credentialId } }
    },
    '/sessions': async ({ requestId, assertion }: { requestId: string; assertion: Asserted }) => {
      const { clientDataJSON: clientDataJson, authenticatorData, signature } = assertion.response
      const proof = { credentialId: assertion.id, clientDataJson, authenticatorData, signature }
      return face.verify(platform, passkey.id, { type: 'PASSKEY', assertion: proof }, { requestId })
    },
  }

  const server = createServer(async (request, response) => {
    const route = routes[request.url ?? '']
    if (request.method !== 'POST' || !route) return void response.setHeader('content-type', 'text/html').end(PAGE)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = await route(JSON.parse(Buffer.concat(chunks).toString('utf8')) as never)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://localhost:${port}`, port, close }
}
