// Limits on challenges and attempts (docs/domain/limits.md#credential-limits). The tests move stored timestamps instead of waiting.
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { whileBusy } from '#test/setup/busy.ts'
import { type Answer, callRest, credentialFaces, mutate } from '#test/setup/credentials/credential-faces.ts'
import { newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { newKey, sealCode } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household, newPhone } from '#test/setup/credentials/wallet-operations.ts'
import {
  addOtp,
  addPasskey,
  expectStatus,
  oauthProof,
  otpProof,
  passkeyChallenge,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { ask } from '#test/setup/faces.ts'
import { createPlatform, createToken, type Platform } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)
const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)

const expectLimited = ({ status, code, retryAfter, details }: Answer, [least, most]: [number, number]) => {
  expect({ status, code }).toEqual({ status: 429, code: 'RATE_LIMITED' })
  expect(retryAfter).toMatch(/^[1-9]\d*$/)
  expect(details?.retryAfterSeconds).toBe(Number(retryAfter))
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(least)
  expect(Number(retryAfter)).toBeLessThanOrEqual(most)
}

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })
  const fresh = () => createHousehold(face, platform)
  const forget = ({ email, oauth }: Household) =>
    db.authMethod.updateMany({
      where: { id: { in: [bare(email.id), bare(oauth.id)] } },
      data: { challengeTimes: [], failureTimes: [] },
    })

  const issues = async (challenge: () => Promise<Answer>, credentialId: string) => {
    for (let count = 0; count < 5; count += 1) expectStatus(await challenge(), 200)
    for (let refused = 0; refused < 3; refused += 1) expectLimited(await challenge(), [295, 300])
    // The window slides: refused calls do not count.
    const at = (data: object) => db.authMethod.updateMany({ where: { id: bare(credentialId) }, data })
    await at({ challengeTimes: [ago(270), ago(200), ago(100), ago(50), ago(10)] })
    expectLimited(await challenge(), [28, 30])
    await at({ challengeTimes: [ago(299.5), ago(200), ago(100), ago(50), ago(10)] })
    expectLimited(await challenge(), [1, 1])
    await at({ challengeTimes: [ago(301), ago(200), ago(100), ago(50), ago(10)] })
    expectStatus(await challenge(), 200)
    expectLimited(await challenge(), [98, 100])
  }

  it('the sixth OTP challenge in five minutes must wait', async () => {
    const house = await fresh()
    await forget(house)
    await issues(() => face.challenge(platform, house.email.id), house.email.id)
  })

  it('the sixth passkey challenge in five minutes must wait', async () => {
    const { wallet, emailSession } = await fresh()
    const { id } = await addPasskey(face, wallet, emailSession)
    await issues(() => face.challenge(platform, id, { clientPublicKey: newKey().publicKey }), id)
  })

  it('five of ten concurrent challenges succeed', async () => {
    const house = await fresh()
    await forget(house)
    const answers = await Promise.all(Array.from({ length: 10 }, () => face.challenge(platform, house.email.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429, 429])
  })

  it('the eleventh code to one address in five minutes must wait, even if its credential is replaced', async () => {
    const phoneNumber = newPhone()
    const house = await createHousehold(face, platform, { phoneNumber })
    const register = async ({ platform: caller, wallet, emailSession }: Household) => {
      const input = { type: 'SMS_OTP', accountId: wallet.accountId }
      const added = await signedRetry(emailSession.key, (proof) => face.register(caller, input, proof))
      return expectStatus(added, 201).body
    }
    const ids: string[] = []
    for (let count = 0; count < 10; count += 1) {
      const { id, otpEncryptionTargetBundle } = await register(house)
      expect(otpEncryptionTargetBundle).toBeTruthy()
      ids.push(bare(id))
      const revoked = await signedRetry(house.emailSession.key, (proof) => face.revoke(platform, id, proof))
      expectStatus(revoked, 204)
    }
    // Registration always succeeds, because it sends no code.
    const { id, otpEncryptionTargetBundle } = await register(house)
    expect(otpEncryptionTargetBundle ?? null).toBeNull()
    const at = (credentialId: string | undefined, createdAt: Date) =>
      db.authMethod.updateMany({ where: { id: credentialId ?? '' }, data: { createdAt } })
    await at(ids[0], ago(290))
    await at(ids[1], ago(200))
    expectLimited(await face.challenge(platform, id), [98, 100])
    expectLimited(await face.challenge(platform, id), [98, 100])
    await at(ids[0], ago(391))
    await at(ids[1], ago(301))
    expectStatus(await face.challenge(platform, id), 200)

    // Other addresses of the platform, and the same address on another platform, are not affected.
    const others = [await fresh(), await createHousehold(face, await createPlatform(), { phoneNumber })]
    for (const other of others) expect((await register(other)).otpEncryptionTargetBundle).toBeTruthy()
  })

  it('a new credential starts with five challenges', async () => {
    const { wallet, emailSession } = await fresh()
    const { id } = await addOtp(face, wallet, emailSession, 'SMS_OTP')
    for (let count = 0; count < 5; count += 1) expectStatus(await face.challenge(platform, id), 200)
    expectLimited(await face.challenge(platform, id), [295, 300])
  })

  const wrongToken = ({ oauth }: Household) => face.verify(platform, oauth.id, oauthProof(newIdentity(), newKey()))
  const rightToken = ({ oauth }: Household) =>
    face.verify(platform, oauth.id, oauthProof(oauth.identity ?? newIdentity(), newKey()))

  it('after five failed proofs in fifteen minutes, no proof is checked, right or wrong', async () => {
    const house = await fresh()
    for (let count = 0; count < 5; count += 1) {
      expect(await wrongToken(house)).toMatchObject({ status: 401, details: { reason: 'OIDC_IDENTITY' } })
    }
    expectLimited(await wrongToken(house), [895, 900])
    expectLimited(await rightToken(house), [895, 900])
    // Another credential of the wallet is not affected.
    await house.email.open()
    const data = { failureTimes: [ago(901), ago(600), ago(300), ago(200), ago(100)] }
    await db.authMethod.updateMany({ where: { id: bare(house.oauth.id) }, data })
    expectStatus(await rightToken(house), 200)
  })

  it('success resets the failure count', async () => {
    const house = await fresh()
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 4; count += 1) expectStatus(await wrongToken(house), 401)
      expectStatus(await rightToken(house), 200)
    }
  })

  it('from the twentieth consecutive failure on, the wait grows up to an hour', async () => {
    const house = await fresh()
    const failed = (count: number, lastSecondsAgo: number) => {
      const failureTimes = Array.from({ length: count }, (_, index) =>
        ago(lastSecondsAgo + 1_000 * (count - 1 - index)),
      )
      return db.authMethod.updateMany({ where: { id: bare(house.oauth.id) }, data: { failureTimes } })
    }
    for (const [before, waited, next] of [
      [19, 1, 300],
      [20, 301, 600],
      [30, 3_301, 3_600],
      [31, 3_601, 3_600],
      [31, 90_000, 3_600],
    ] as const) {
      await failed(before, waited)
      expectStatus(await wrongToken(house), 401)
      expectLimited(await rightToken(house), [next - 3, next])
    }
    await failed(31, 3_590)
    expectLimited(await rightToken(house), [8, 10])
    await failed(31, 3_601)
    expectStatus(await rightToken(house), 200)
    for (let count = 0; count < 4; count += 1) expectStatus(await wrongToken(house), 401)
    expectStatus(await rightToken(house), 200)
  })

  it('a malformed proof does not count as a failure', async () => {
    const house = await fresh()
    for (let count = 0; count < 10; count += 1) {
      const input = { ...oauthProof(newIdentity(), newKey()), oidcToken: 'nothing' }
      expectStatus(await face.verify(platform, house.oauth.id, input), 400)
    }
    expectStatus(await rightToken(house), 200)
  })

  it('neither does an invalid bundle or an unrequested code, and neither affects the counts of others', async () => {
    const house = await fresh()
    await forget(house)
    const input = await otpProof(face, house.wallet, house.email)
    expectStatus(await wrongToken(house), 401)
    const verify = (encryptedOtpBundle: string) =>
      face.verify(platform, house.email.id, { type: 'EMAIL_OTP', encryptedOtpBundle })
    for (let count = 0; count < 6; count += 1) expectStatus(await verify('{}'), 400)
    expectStatus(await verify(input.encryptedOtpBundle), 202)
    const failureTimes = Array.from({ length: 31 }, () => ago(4_000))
    await db.authMethod.updateMany({ where: { id: bare(house.email.id) }, data: { failureTimes } })
    for (let count = 0; count < 6; count += 1) {
      expect(await verify(input.encryptedOtpBundle)).toMatchObject({
        status: 401,
        details: { reason: 'OTP_NOT_PENDING' },
      })
    }
    const failures = async ({ id }: { id: string }) =>
      (await db.authMethod.findFirstOrThrow({ where: { id: bare(id) } })).failureTimes.length
    expect([await failures(house.email), await failures(house.oauth)]).toEqual([31, 1])
  })

  it('malformed input is reported before the limit is checked', async () => {
    const { email, oauth } = await fresh()
    const data = { failureTimes: Array.from({ length: 5 }, () => ago(10)) }
    await db.authMethod.updateMany({ where: { id: { in: [bare(email.id), bare(oauth.id)] } }, data })
    const bundle = { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' }
    expectStatus(await face.verify(platform, email.id, bundle), 400)
    const token = { ...oauthProof(newIdentity(), newKey()), oidcToken: 'nothing' }
    expectStatus(await face.verify(platform, oauth.id, token), 400)
  })

  it('wrong codes count across all challenges, and the limit does not stop the second leg of a correct one', async () => {
    const house = await fresh()
    await forget(house)
    const key = newKey()
    const input = await otpProof(face, house.wallet, house.email, { key })
    const first = expectStatus(await face.verify(platform, house.email.id, input), 202)
    for (const codes of [
      ['000001', '000002', '000003'],
      ['000004', '000005'],
    ]) {
      const { body } = expectStatus(await face.challenge(platform, house.email.id), 200)
      for (const code of codes) {
        const encryptedOtpBundle = await sealCode(body.otpEncryptionTargetBundle, code, key.publicKey)
        const answer = await face.verify(platform, house.email.id, { type: 'EMAIL_OTP', encryptedOtpBundle })
        expect(answer).toMatchObject({ status: 401, details: { reason: 'OTP_CODE' } })
      }
    }
    const { body } = expectStatus(await face.challenge(platform, house.email.id), 200)
    const encryptedOtpBundle = await sealCode(body.otpEncryptionTargetBundle, '000000', key.publicKey)
    expectLimited(await face.verify(platform, house.email.id, { type: 'EMAIL_OTP', encryptedOtpBundle }), [890, 900])
    const proof = await prove(key, first)
    expect(await face.verify(platform, house.email.id, input, proof)).toMatchObject({ status: 200 })
  })

  it('at most three of thirty concurrent guesses are compared', async () => {
    const house = await fresh()
    await forget(house)
    const { body } = expectStatus(await face.challenge(platform, house.email.id), 200)
    const guesses = Array.from({ length: 30 }, async (_, index) => {
      const code = String(index + 1).padStart(6, '0')
      const encryptedOtpBundle = await sealCode(body.otpEncryptionTargetBundle, code, newKey().publicKey)
      return face.verify(platform, house.email.id, { type: 'EMAIL_OTP', encryptedOtpBundle })
    })
    const answers = await Promise.all(guesses)
    const compared = answers.filter(({ details }) => details?.reason === 'OTP_CODE')
    console.log(`${face.name}: concurrent guesses 30, compared ${compared.length}`)
    expect(compared.length).toBeLessThanOrEqual(3)
    expect(answers.filter(({ status }) => status !== 401 && status !== 429)).toEqual([])
  })

  it('one of ten verifications with the same correct code succeeds', async () => {
    const house = await fresh()
    const input = await otpProof(face, house.wallet, house.email)
    const answers = await Promise.all(Array.from({ length: 10 }, () => face.verify(platform, house.email.id, input)))
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 202 ? [body.requestId] : [])))
    expect(ids.size).toBe(1)
  })

  it('a correct code whose request cannot be stored is neither a try nor a failure', async () => {
    const house = await fresh()
    const input = await otpProof(face, house.wallet, house.email)
    const verify = () => face.verify(platform, house.email.id, input)
    const answers = await whileBusy('insert on signed_requests', async () => {
      const statuses = []
      for (let count = 0; count < 6; count += 1) statuses.push((await verify()).status)
      return statuses
    })
    expect(answers).toEqual([503, 503, 503, 503, 503, 503])
    expectStatus(await verify(), 202)
    const { failureTimes } = await db.authMethod.findFirstOrThrow({ where: { id: bare(house.email.id) } })
    expect(failureTimes).toEqual([])
  })

  /** Verifies a new passkey, always for the same challenge. */
  const asserting = async ({ wallet, emailSession }: Household) => {
    const passkey = await addPasskey(face, wallet, emailSession)
    const { body } = await passkeyChallenge(face, wallet, passkey.id)
    return (twist: object) => {
      const input = { type: 'PASSKEY', assertion: passkey.authenticator.get(body.challenge, twist) }
      return face.verify(platform, passkey.id, input, { requestId: body.requestId })
    }
  }

  it('a failed assertion counts, and its challenge stays open for the correct one', async () => {
    const assert = await asserting(await fresh())
    for (let count = 0; count < 4; count += 1) expectStatus(await assert({ rpId: 'evil.example' }), 401)
    expectStatus(await assert({}), 200)
  })

  it('after five failed assertions, none is checked', async () => {
    const assert = await asserting(await fresh())
    for (let count = 0; count < 5; count += 1) expectStatus(await assert({ rpId: 'evil.example' }), 401)
    expectLimited(await assert({}), [895, 900])
  })
})

describe('access checks', () => {
  it.each(credentialFaces)('over $name, a read-only token changes nothing', async (face) => {
    const house = await createHousehold(face, await createPlatform())
    const viewer = { ...house.platform, clientId: `viewer-${house.platform.clientId}`.slice(0, 32) }
    await createToken(house.platform.id, viewer, ['VIEW'])
    const key = { clientPublicKey: newKey().publicKey }
    const { wallet, oauth, oauthSession } = house
    const FORBIDDEN = { status: 403, code: 'FORBIDDEN' }
    const registration = { type: 'SMS_OTP', accountId: wallet.accountId }
    expect(await face.register(viewer, registration)).toMatchObject(FORBIDDEN)
    expect(await face.challenge(viewer, oauth.id)).toMatchObject(FORBIDDEN)
    expect(await face.verify(viewer, oauth.id, oauthProof(newIdentity(), newKey()))).toMatchObject(FORBIDDEN)
    expect(await face.revoke(viewer, oauth.id)).toMatchObject(FORBIDDEN)
    expect(await face.refresh(viewer, oauthSession.id, key)).toMatchObject(FORBIDDEN)
    expect(await face.revokeSession(viewer, oauthSession.id)).toMatchObject(FORBIDDEN)
    expect(await face.exportWallet(viewer, wallet.accountId, key)).toMatchObject(FORBIDDEN)
    expect(await face.updatePrivacy(viewer, wallet.accountId, { privateEnabled: true })).toMatchObject(FORBIDDEN)
    expect(await face.updateCustomer(viewer, wallet.customerId, { email: 'a@b.example' })).toMatchObject(FORBIDDEN)
    expect(await face.listCredentials(viewer, wallet.accountId)).toMatchObject({ status: 200 })
    expect(await face.listSessions(viewer, wallet.accountId)).toMatchObject({ status: 200 })
  })

  it.each(credentialFaces)('over $name, customers need MANAGE and wallets need TRANSACT', async (face) => {
    const house = await createHousehold(face, await createPlatform())
    const { wallet, platform } = house
    for (const permission of ['TRANSACT', 'MANAGE'] as const) {
      const token = { ...platform, clientId: `${permission}${platform.clientId}`.slice(0, 32) }
      await createToken(platform.id, token, [permission])
      const contact = await face.updateCustomer(token, wallet.customerId, { email: 'a@b.example' })
      expect(contact.status).toBe(permission === 'MANAGE' ? 202 : 403)
      const privacy = await face.updatePrivacy(token, wallet.accountId, { privateEnabled: true })
      expect(privacy.status).toBe(permission === 'TRANSACT' ? 202 : 403)
    }
  })

  it('REST: a body that is not a JSON object is 400, invalid credentials are 401', async () => {
    const [, rest] = credentialFaces
    if (!rest) throw new Error('no REST')
    const { platform, wallet, oauth, oauthSession } = await createHousehold(rest, await createPlatform())
    const paths = [
      ['POST', '/auth/credentials'],
      ['POST', `/auth/credentials/${oauth.id}/verify`],
      ['POST', `/auth/sessions/${oauthSession.id}/refresh`],
      ['POST', `/internal-accounts/${wallet.accountId}/export`],
      ['PATCH', `/internal-accounts/${wallet.accountId}`],
      ['PATCH', `/customers/${wallet.customerId}`],
    ] as const
    for (const [method, path] of paths) {
      for (const body of ['', '{', '[]', 'null', '"x"', '1', '{"a":1']) {
        const answer = await callRest(platform, method, path, { body })
        expect(answer).toMatchObject({ status: 400, code: 'INVALID_REQUEST_FORMAT' })
      }
      const wrong = { ...platform, secret: `${platform.secret}x` }
      for (const caller of [null, wrong]) {
        expect(await callRest(caller, method, path, { body: {} })).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
      }
    }
  })

  it('GraphQL: an operation may contain one mutation that uses a credential', async () => {
    const [graphql] = credentialFaces
    if (!graphql) throw new Error('no GraphQL')
    const { platform, email } = await createHousehold(graphql, await createPlatform())
    const aliases = Array.from({ length: 20 }, (_, index) => {
      const input = `{ id: "${email.id}", proof: { emailOtp: { encryptedOtpBundle: "{}" } } }`
      return `a${index}: verifyCredential(input: ${input}) { __typename ... on ApiError { code } }`
    })
    const { data } = await ask<Record<string, { code: string }>, object>(platform, `mutation { ${aliases.join(' ')} }`)
    expect(new Set(Object.values(data).map(({ code }) => code))).toEqual(new Set(['INVALID_INPUT']))
    const rows = await db.authMethod.findMany({ where: { id: bare(email.id) } })
    expect(rows[0]?.failureTimes).toEqual([])
  })

  it('GraphQL: the REST headers can carry the signed retry', async () => {
    const [graphql] = credentialFaces
    if (!graphql) throw new Error('no GraphQL')
    const { platform, wallet, emailSession } = await createHousehold(graphql, await createPlatform())
    const input = { id: wallet.accountId, privateEnabled: true }
    const { requestId, signature } = await prove(emailSession.key, await mutate(platform, 'updateWalletPrivacy', input))
    const headers = { 'request-id': requestId, 'service-wallet-signature': signature }
    expect(await mutate(platform, 'updateWalletPrivacy', input, headers)).toMatchObject({ status: 200 })
  })
})
