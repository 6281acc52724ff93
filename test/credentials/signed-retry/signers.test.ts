// Who may sign what (docs/domain/credentials.md#signers), and requests used with the wrong operation, account or platform.
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import { type Answer, callRest, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { newKey, openSessionKey } from '#test/setup/credentials/wallet.ts'
import { textMutants } from '#test/setup/credentials/wallet-mutants.ts'
import {
  createHousehold,
  type Household,
  OPERATION_NAMES,
  OPERATIONS,
  type Ready,
} from '#test/setup/credentials/wallet-operations.ts'
import {
  addOtp,
  addPasskey,
  bornWith,
  expectStatus,
  type OpenSession,
  otpProof,
  passkeyChallenge,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { basic } from '#test/setup/faces.ts'
import { byTurns } from '#test/setup/payments/crash-runs.ts'
import { createPlatform, createWallet, type Platform } from '#test/setup/world.ts'

const INVALID = { status: 401, code: 'WALLET_SIGNATURE_INVALID', details: { reason: 'SIGNER_NOT_ALLOWED' } }
const UNKNOWN = { status: 401, code: 'INVALID_SIGNATURE', details: { reason: 'REQUEST_ID_UNKNOWN' } }

const total = { signed: 0, refused: 0, crossed: 0 }

/** The operations that any active session of the account may sign. */
const BY_ANY_SESSION = [
  'add credential',
  'revoke session',
  'export wallet',
  'wallet privacy',
  'customer email',
] as const

const bare = (id: string) => id.slice(id.indexOf(':') + 1)
const endSession = ({ id }: OpenSession) =>
  db.walletSession.updateMany({ where: { id: bare(id) }, data: { expiresAt: new Date(Date.now() - 1_000) } })

describe.each(credentialFaces)('over $name', (face) => {
  /** Behind the faces the requests of all operations are the same, so each operation is tried over one face. */
  const operations = OPERATION_NAMES.filter((_name, index) => byTurns(credentialFaces, index) === face)
  let platform: Platform
  let stranger: Household
  beforeAll(async () => {
    platform = await createPlatform()
    stranger = await createHousehold(face, platform)
  })

  const retry = async (operation: Ready, signer: OpenSession) => {
    const answer = await operation.send(await prove(signer.key, expectStatus(await operation.send(), 202)))
    if (answer.status < 300) total.signed += 1
    else total.refused += 1
    return answer
  }

  describe.each(BY_ANY_SESSION)('%s', (name) => {
    it('can be signed by any active session of the account', async () => {
      for (const who of ['emailSession', 'oauthSession'] as const) {
        const house = await createHousehold(face, platform)
        const operation = await OPERATIONS[name](house)
        expect(await retry(operation, house[who])).toMatchObject({ status: operation.success })
      }
    })

    it('cannot be signed by a session of another account, or by one that was revoked or has expired', async () => {
      const house = await createHousehold(face, platform)
      const operation = await OPERATIONS[name](house)
      expect(await retry(operation, stranger.emailSession)).toMatchObject(INVALID)

      const over = await house.email.open()
      await endSession(over)
      expect(await retry(operation, over)).toMatchObject(INVALID)

      const revoked = await house.oauth.open()
      const sent = await signedRetry(revoked.key, (proof) => face.revokeSession(platform, revoked.id, proof))
      expectStatus(sent, 204)
      expect(await retry(operation, revoked)).toMatchObject(INVALID)
    })

    it('cannot be signed by a session that ended between the two legs', async () => {
      const house = await createHousehold(face, platform)
      const operation = await OPERATIONS[name](house)
      const proof = await prove(house.emailSession.key, expectStatus(await operation.send(), 202))
      await endSession(house.emailSession)
      expect(await operation.send(proof)).toMatchObject(INVALID)
    })
  })

  it('a credential is revoked by a session of another credential, not by one of its own', async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['revoke credential'](house)
    for (const session of [house.oauthSession, await house.oauth.open(), stranger.emailSession]) {
      expect(await retry(operation, session)).toMatchObject(INVALID)
    }
    // Nor by a session refreshed from one of its own.
    const { key } = house.oauthSession
    const input = { clientPublicKey: key.publicKey }
    const { body } = await signedRetry(key, (proof) => face.refresh(platform, house.oauthSession.id, input, proof))
    const refreshed = { id: body.id, key: openSessionKey(body.encryptedSessionSigningKey, key) }
    expect(await retry(operation, refreshed)).toMatchObject(INVALID)
    expect(await retry(operation, house.emailSession)).toMatchObject({ status: 204 })
  })

  it('the second leg of an OTP verification is signed by the key in the bundle, not by a session', async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['verify OTP'](house)
    const first = expectStatus(await operation.send(), 202)
    for (const { key } of [house.emailSession, house.oauthSession, stranger.emailSession]) {
      expect(await operation.send(await prove(key, first))).toMatchObject(INVALID)
    }
    expect(await operation.send(await prove(operation.key, first))).toMatchObject({ status: 200 })
  })

  it("only a session's own key can refresh it, and the session must be active on both legs", async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['refresh session'](house)
    for (const session of [house.emailSession, await house.oauth.open(), stranger.oauthSession]) {
      expect(await retry(operation, session)).toMatchObject(INVALID)
    }
    const proof = await prove(house.oauthSession.key, expectStatus(await operation.send(), 202))
    await endSession(house.oauthSession)
    expect(await operation.send(proof)).toMatchObject(INVALID)
    expect(await operation.send()).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
      details: { reason: 'SESSION_NOT_ACTIVE' },
    })
  })

  it('a session may sign its own revocation', async () => {
    const house = await createHousehold(face, platform)
    const operation = await OPERATIONS['revoke session'](house)
    expect(await retry(operation, house.oauthSession)).toMatchObject({ status: 204 })
  })

  it("a contact change is signed by any of the customer's tied wallets, and by no other wallet of the customer", async () => {
    for (const what of ['customer email', 'customer phone'] as const) {
      const house = await createHousehold(face, platform)
      const { email, phoneNumber } = house.wallet
      const customerId = bare(house.wallet.customerId)
      const second = await createWallet(platform, { customerId, email, phoneNumber })
      const secondSession = await bornWith(face, second).open()
      const operation = await OPERATIONS[what](house)
      if (what === 'customer phone') {
        // The second wallet has no SMS_OTP yet, so it is not tied to the number.
        expect(await retry(operation, secondSession)).toMatchObject(INVALID)
        await addOtp(face, second, secondSession, 'SMS_OTP')
      }
      expect(await retry(operation, stranger.emailSession)).toMatchObject(INVALID)
      expect(await retry(operation, secondSession)).toMatchObject({ status: 200 })
      const { body } = await face.listCredentials(platform, second.accountId)
      const { body: own } = await face.listCredentials(platform, house.wallet.accountId)
      const nicknames = (data: Answer['body']['data'], type: string) =>
        data.filter((credential) => credential.type === type).map(({ nickname }) => nickname)
      const type = what === 'customer email' ? 'EMAIL_OTP' : 'SMS_OTP'
      expect(nicknames(body.data, type)).toEqual(nicknames(own.data, type))
      expect(nicknames(body.data, type)).not.toContain(type === 'EMAIL_OTP' ? email : phoneNumber)
    }
  })

  describe('a signed request used in the wrong place', () => {
    it.each(operations)('a request of %s is unknown to every other operation', async (name) => {
      const house = await createHousehold(face, platform)
      const operation = await OPERATIONS[name](house)
      const proof = await prove(operation.key, expectStatus(await operation.send(), 202))
      for (const other of OPERATION_NAMES) {
        const isSame = other === name || [name, other].every((each) => each.startsWith('customer'))
        if (isSame) continue
        const elsewhere = await OPERATIONS[other](house)
        expect(await elsewhere.send(proof)).toMatchObject(UNKNOWN)
        total.crossed += 1
      }
      expect(await operation.send(proof)).toMatchObject({ status: operation.success })
    })

    it.each(operations)('a request of %s is unknown to other accounts, on this platform or another', async (name) => {
      const elsewhere = await createPlatform()
      const [house, neighbour, foreigner] = [
        await createHousehold(face, platform),
        await createHousehold(face, platform),
        await createHousehold(face, elsewhere),
      ]
      const operation = await OPERATIONS[name](house)
      const proof = await prove(operation.key, expectStatus(await operation.send(), 202))
      for (const other of [neighbour, foreigner]) {
        const answer = await (await OPERATIONS[name](other)).send(proof)
        // An account in the body is part of the body.
        const isInBody = name === 'add credential' && other === neighbour
        expect(answer).toMatchObject(isInBody ? { code: 'WALLET_SIGNATURE_BODY_MISMATCH' } : UNKNOWN)
        total.crossed += 1
      }
      expect(await operation.send(proof)).toMatchObject({ status: operation.success })
    })

    it("a passkey challenge's request cannot sign an operation, and a signed request cannot replace a challenge", async () => {
      const house = await createHousehold(face, platform)
      const passkey = await addPasskey(face, house.wallet, house.emailSession)
      const { body } = await passkeyChallenge(face, house.wallet, passkey.id)
      const { signature } = await prove(house.emailSession.key, {
        status: 202,
        retryAfter: null,
        body: { ...body, payloadToSign: body.challenge },
      })
      for (const name of OPERATION_NAMES) {
        const operation = await OPERATIONS[name](house)
        expect(await operation.send({ requestId: body.requestId, signature })).toMatchObject(UNKNOWN)
        const { requestId } = expectStatus(await operation.send(), 202).body
        const input = { type: 'PASSKEY', assertion: passkey.authenticator.get(body.challenge) }
        expect(await face.verify(platform, passkey.id, input, { requestId })).toMatchObject(UNKNOWN)
        total.crossed += 2
      }
    })
  })
})

describe("R8: the first leg's checks are repeated", () => {
  describe.each(credentialFaces)('over $name', (face) => {
    let platform: Platform
    beforeAll(async () => {
      platform = await createPlatform()
    })
    const begun = async (name: (typeof OPERATION_NAMES)[number]) => {
      const house = await createHousehold(face, platform)
      const operation = await OPERATIONS[name](house)
      const proof = await prove(operation.key, expectStatus(await operation.send(), 202))
      const again = async () => prove(operation.key, expectStatus(await operation.send(), 202))
      return { house, operation, proof, again }
    }

    it('the identity was added in the meantime', async () => {
      const { operation, proof, again } = await begun('add credential')
      expectStatus(await operation.send(await again()), 201)
      expect(await operation.send(proof)).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { field: expect.stringMatching(/oidcToken$/) },
      })
    })

    it('the wallet was frozen in the meantime', async () => {
      const { house, operation, proof } = await begun('add credential')
      const id = bare(house.wallet.accountId)
      await db.internalAccount.updateMany({ where: { id }, data: { status: 'FROZEN' } })
      expect(await operation.send(proof)).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { field: expect.stringMatching(/accountId$/) },
      })
    })

    it('the credential was revoked in the meantime', async () => {
      const { operation, proof, again } = await begun('revoke credential')
      expectStatus(await operation.send(await again()), 204)
      expect(await operation.send(proof)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    })

    it('the session was revoked in the meantime', async () => {
      const { operation, proof, again } = await begun('revoke session')
      expectStatus(await operation.send(await again()), 204)
      expect(await operation.send(proof)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    })

    it('the credential with the correct code was revoked in the meantime', async () => {
      const { house, operation, proof } = await begun('verify OTP')
      const { key } = house.oauthSession
      expectStatus(await signedRetry(key, (retry) => face.revoke(platform, house.email.id, retry)), 204)
      expect(await operation.send(proof)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    })

    it('the credential became the last one in the meantime', async () => {
      const house = await createHousehold(face, platform)
      const passkey = await addPasskey(face, house.wallet, house.emailSession)
      const session = await passkey.open()
      const revoke = (id: string) => (proof?: object) => face.revoke(platform, id, proof)
      const pending = expectStatus(await face.revoke(platform, passkey.id), 202)
      expectStatus(await signedRetry(session.key, revoke(house.oauth.id)), 204)
      // The signer must be another credential, which is about to be deleted, so the row is revoked directly.
      await db.authMethod.updateMany({ where: { id: bare(house.email.id) }, data: { revokedAt: new Date() } })
      const answer = await face.revoke(platform, passkey.id, await prove(house.emailSession.key, pending))
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_INPUT', details: { reason: 'LAST_CREDENTIAL' } })
    })

    it("the customer's tied credentials changed in the meantime", async () => {
      const { house, operation, proof } = await begun('customer email')
      const { email } = house.wallet
      await createWallet(platform, { customerId: bare(house.wallet.customerId), email })
      expect(await operation.send(proof)).toMatchObject({ status: 409, code: 'EMAIL_OTP_CREDENTIAL_SET_CHANGED' })
    })

    it('another customer took the email address in the meantime', async () => {
      const { house, operation, proof } = await begun('customer email')
      await createWallet(platform, { email: `a-${house.wallet.email}` })
      expect(await operation.send(proof)).toMatchObject({ status: 409, code: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS' })
    })
  })
})

describe('the headers of a signed retry', () => {
  it('REST: a repeated header counts as a request id that was never issued', async () => {
    const [, rest] = credentialFaces
    if (!rest) throw new Error('no REST')
    const platform = await createPlatform()
    const house = await createHousehold(rest, platform)
    const path = `/internal-accounts/${house.wallet.accountId}`
    const body = { privateEnabled: true }
    const first = expectStatus(await callRest(platform, 'PATCH', path, { body }), 202)
    const { requestId = '', signature = '' } = await prove(house.emailSession.key, first)
    const headers = new Headers({ authorization: basic(platform), 'content-type': 'application/json' })
    for (let twice = 0; twice < 2; twice += 1) headers.append('request-id', String(requestId))
    headers.append('service-wallet-signature', String(signature))
    const response = await app.fetch(
      new Request(`http://test/2025-10-13${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) }),
    )
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 401,
      body: { code: 'INVALID_SIGNATURE' },
    })
  })

  it('REST: member order and white space of the body do not matter, values do', async () => {
    const [, rest] = credentialFaces
    if (!rest) throw new Error('no REST')
    const platform = await createPlatform()
    const wallet = await createWallet(platform)
    const credential = bornWith(rest, wallet)
    const key = newKey()
    const input = await otpProof(rest, wallet, credential, { key })
    const path = `/auth/credentials/${credential.id}/verify`
    const proof = await prove(key, expectStatus(await callRest(platform, 'POST', path, { body: input }), 202))
    const mismatch = { status: 401, code: 'WALLET_SIGNATURE_BODY_MISMATCH' }
    const other = JSON.stringify({ ...input, encryptedOtpBundle: `${input.encryptedOtpBundle} ` })
    expect(await callRest(platform, 'POST', path, { body: other, proof })).toMatchObject(mismatch)
    const turned = ` {\n "encryptedOtpBundle" : ${JSON.stringify(input.encryptedOtpBundle)},\t"type":"EMAIL_OTP" }\n`
    expect(await callRest(platform, 'POST', path, { body: turned, proof })).toMatchObject({ status: 200 })
  })
})

describe('the body of a signed retry', () => {
  it('REST: changing any character makes it a different body, unless the meaning is the same', async () => {
    const [, rest] = credentialFaces
    if (!rest) throw new Error('no REST')
    const platform = await createPlatform()
    const { wallet, emailSession } = await createHousehold(rest, platform)
    const path = `/internal-accounts/${wallet.accountId}/export`
    const body = JSON.stringify({ clientPublicKey: newKey().publicKey, note: ['a', 1, null, true] })
    const proof = await prove(emailSession.key, expectStatus(await callRest(platform, 'POST', path, { body }), 202))
    const counts = { mismatch: 0, notJson: 0, other: 0 }
    for (const bent of [...textMutants(body), body.replace('{', '{"more":1,')]) {
      const isJson = parses(bent)
      if (isJson && JSON.stringify(JSON.parse(bent)) === JSON.stringify(JSON.parse(body))) continue
      const answer = await callRest(platform, 'POST', path, { body: bent, proof })
      if (answer.code === 'WALLET_SIGNATURE_BODY_MISMATCH') counts.mismatch += 1
      else if (answer.code === 'INVALID_REQUEST_FORMAT' && !isJson) counts.notJson += 1
      else counts.other += 1
    }
    console.log(`changed bodies ${JSON.stringify(counts)}`)
    expect(counts.other).toBe(0)
    expect(counts.mismatch).toBeGreaterThan(15)
    expect(counts.notJson).toBeGreaterThan(3)
    // Either of the two may count.
    const twice = ['{"clientPublicKey":"other",', '{"note":[],'].map((start) => body.replace('{', start))
    for (const bent of [...twice, body.replace('}', ',"note":[]}')]) {
      const answer = await callRest(platform, 'POST', path, { body: bent, proof })
      expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST_FORMAT' })
    }
    expect(await callRest(platform, 'POST', path, { body: ` ${body}`, proof })).toMatchObject({ status: 200 })
  })
})

const parses = (text: string) => {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

it('enough signers and misplaced requests were tried', () => {
  expect(total.signed).toBeGreaterThanOrEqual(28)
  expect(total.refused).toBeGreaterThanOrEqual(50)
  expect(total.crossed).toBeGreaterThanOrEqual(120)
})
