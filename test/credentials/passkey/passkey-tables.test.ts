// The decision table of passkey verification (docs/domain/credentials.md#passkey-assertion), row by row over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import {
  type Answer,
  type CredentialFace,
  credentialFaces,
  type Proof,
} from '#test/setup/credentials/credential-faces.ts'
import { softwareAuthenticator, type Twist, UP, UV } from '#test/setup/credentials/software-authenticator.ts'
import { createHousehold, type Household } from '#test/setup/credentials/wallet-operations.ts'
import { describeRows, OK, type Row, unauthorized, unusable } from '#test/setup/credentials/wallet-rows.ts'
import { addPasskey, expectStatus, passkeyChallenge } from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)

interface Asserted {
  readonly twist?: Twist
  readonly given?: object
  readonly proof?: (requestId: string) => Proof
  readonly platform?: object
  readonly before?: (requestId: string, again: (twist: Twist) => Promise<Answer>) => Promise<unknown>
}

/** A PASSKEY verification with one part changed. */
const verifyPasskey =
  ({ twist = {}, given = {}, proof, platform: settings, before }: Asserted): Row[1] =>
  async (_shared, face) => {
    const platform = await createPlatform()
    if (settings) await db.platform.update({ where: { id: platform.id }, data: settings })
    const { wallet, emailSession } = await createHousehold(face, platform)
    const passkey = await addPasskey(face, wallet, emailSession)
    const { body } = await passkeyChallenge(face, wallet, passkey.id)
    const send = (assertion: object, requestProof: Proof) =>
      face.verify(platform, passkey.id, { type: 'PASSKEY', assertion }, requestProof)
    await before?.(body.requestId, async (other) => {
      const next = await passkeyChallenge(face, wallet, passkey.id)
      return send(passkey.authenticator.get(next.body.challenge, other), { requestId: next.body.requestId })
    })
    const assertion = { ...passkey.authenticator.get(body.challenge, twist), ...given }
    return send(assertion, proof ? proof(body.requestId) : { requestId: body.requestId })
  }

const ASSERTION = { status: 401, code: 'UNAUTHORIZED' }
const moveRequest = (requestId: string) =>
  db.signedRequest.updateMany({ where: { id: bare(requestId) }, data: { expiresAt: new Date(Date.now() - 1_000) } })

describeRows('verify: passkeys', [
  ['honest', verifyPasskey({}), OK],
  ['Request-Id missing', verifyPasskey({ proof: () => ({}) }), { status: 401, code: 'REQUEST_ID_MISSING' }],
  [
    'Request-Id unknown',
    verifyPasskey({ proof: () => ({ requestId: `Request:${randomUUID()}` }) }),
    unusable('REQUEST_ID_UNKNOWN'),
  ],
  ['Request-Id expired', verifyPasskey({ before: moveRequest }), unusable('REQUEST_ID_EXPIRED')],
  [
    'Request-Id consumed',
    async (_shared, face) => {
      const { platform, wallet, emailSession } = await createHousehold(face, await createPlatform())
      const passkey = await addPasskey(face, wallet, emailSession)
      const { body } = await passkeyChallenge(face, wallet, passkey.id)
      const send = () => {
        const input = { type: 'PASSKEY', assertion: passkey.authenticator.get(body.challenge) }
        return face.verify(platform, passkey.id, input, { requestId: body.requestId })
      }
      expectStatus(await send(), 200)
      return send()
    },
    unusable('REQUEST_ID_CONSUMED'),
  ],
  [
    'Request-Id of another credential',
    async (_shared, face) => {
      const { platform, wallet, emailSession } = await createHousehold(face, await createPlatform())
      const [one, other] = [await addPasskey(face, wallet, emailSession), await addPasskey(face, wallet, emailSession)]
      const { body } = await passkeyChallenge(face, wallet, one.id)
      const input = { type: 'PASSKEY', assertion: other.authenticator.get(body.challenge) }
      return face.verify(platform, other.id, input, { requestId: body.requestId })
    },
    unusable('REQUEST_ID_UNKNOWN'),
  ],
  ['another credential id', verifyPasskey({ given: { credentialId: 'AAAA' } }), unauthorized('ASSERTION_CREDENTIAL')],
  ['client data of a create', verifyPasskey({ twist: { type: 'webauthn.create' } }), ASSERTION],
  ['client data not JSON', verifyPasskey({ given: { clientDataJson: 'AAAA' } }), ASSERTION],
  ['another challenge', verifyPasskey({ twist: { challenge: 'YWJj' } }), unauthorized('ASSERTION_CHALLENGE')],
  ['another origin', verifyPasskey({ twist: { origin: 'https://evil.example' } }), unauthorized('ASSERTION_ORIGIN')],
  ['origin without TLS', verifyPasskey({ twist: { origin: 'http://app.example' } }), unauthorized('ASSERTION_ORIGIN')],
  [
    'an origin that contains the name of the relying party',
    verifyPasskey({ twist: { origin: 'https://evilapp.example' } }),
    unauthorized('ASSERTION_ORIGIN'),
  ],
  ['origin null', verifyPasskey({ twist: { origin: 'null' } }), unauthorized('ASSERTION_ORIGIN')],
  ['a host inside the relying party', verifyPasskey({ twist: { origin: 'https://login.app.example' } }), OK],
  [
    'an origin that the platform no longer lists',
    async (_shared, face) => {
      const platform = await createPlatform()
      const { wallet, emailSession } = await createHousehold(face, platform)
      const passkey = await addPasskey(face, wallet, emailSession)
      await db.platform.update({ where: { id: platform.id }, data: { passkeyOrigins: ['https://app.example'] } })
      const { body } = await passkeyChallenge(face, wallet, passkey.id)
      const assertion = passkey.authenticator.get(body.challenge)
      return face.verify(platform, passkey.id, { type: 'PASSKEY', assertion }, { requestId: body.requestId })
    },
    OK,
  ],
  ['another relying party', verifyPasskey({ twist: { rpId: 'evil.example' } }), unauthorized('ASSERTION_RP')],
  ['not present', verifyPasskey({ twist: { flags: UV } }), unauthorized('ASSERTION_PRESENCE')],
  ['not verified', verifyPasskey({ twist: { flags: UP } }), unauthorized('ASSERTION_PRESENCE')],
  [
    'user not verified, verification only preferred',
    verifyPasskey({ twist: { flags: UP }, platform: { passkeyRequireUserVerification: false } }),
    OK,
  ],
  ['from a frame of another origin', verifyPasskey({ twist: { crossOrigin: true } }), ASSERTION],
  [
    'signature of another key',
    verifyPasskey({ given: { signature: strangersSignature() } }),
    unauthorized('ASSERTION_SIGNATURE'),
  ],
  ['a user handle that is null', verifyPasskey({ given: { userHandle: null } }), OK],
  ['a user handle', verifyPasskey({ given: { userHandle: 'AAAA' } }), OK],
  [
    'counter that did not increase',
    verifyPasskey({
      twist: { counter: 5 },
      before: async (_id, again) => expectStatus(await again({ counter: 5 }), 200),
    }),
    unauthorized('ASSERTION_COUNTER'),
  ],
  [
    'counter that fell to 0',
    verifyPasskey({
      twist: { counter: 0 },
      before: async (_id, again) => expectStatus(await again({ counter: 5 }), 200),
    }),
    unauthorized('ASSERTION_COUNTER'),
  ],
  ['counter of more than 31 bits', verifyPasskey({ twist: { counter: 2 ** 31 } }), OK],
  [
    'counter at its maximum',
    verifyPasskey({
      twist: { counter: 2 ** 32 - 1 },
      before: async (_id, again) => expectStatus(await again({ counter: 2 ** 31 }), 200),
    }),
    OK,
  ],
  [
    'counter that is always 0',
    verifyPasskey({
      twist: { counter: 0 },
      before: async (_id, again) => expectStatus(await again({ counter: 0 }), 200),
    }),
    OK,
  ],
])

it('a passkey whose counter did not increase is logged, because it may have been cloned', async () => {
  const written = async (face: CredentialFace, counter: number) => {
    const before = async (_id: string, again: (twist: Twist) => Promise<Answer>) =>
      expectStatus(await again({ counter: 5 }), 200)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    try {
      await verifyPasskey({ twist: { counter }, before })({} as Household, face)
      return write.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ level }) => level === 'warn')
    } finally {
      write.mockRestore()
    }
  }
  for (const face of credentialFaces) {
    expect(await written(face, 6)).toEqual([])
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const event = 'passkey counter did not increase'
    expect(await written(face, 5)).toEqual([
      { level: 'warn', time: expect.anything(), event, platformId: id, authMethodId: id },
    ])
  }
})

function strangersSignature(): string {
  return softwareAuthenticator().get('00').signature
}
