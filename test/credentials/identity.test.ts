// When two credentials count as the same, and when not.
import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { newUuid, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { type Answer, callRest, credentialFaces, type Proof } from '#test/setup/credentials/credential-faces.ts'
import { type Identity, identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, newPhone } from '#test/setup/credentials/wallet-operations.ts'
import {
  addOauth,
  addOtp,
  addPasskey,
  bornWith,
  expectStatus,
  oauthProof,
  otpProof,
  passkeyChallenge,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import type { Credentials } from '#test/setup/faces.ts'
import {
  createCustomer,
  createInternalAccount,
  createPlatform,
  createToken,
  createWallet,
  type Platform,
  type Wallet,
} from '#test/setup/world.ts'

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })

  it('the same subject of another issuer or audience is a different identity', async () => {
    const wallet = await createWallet(platform)
    const session = await bornWith(face, wallet).open()
    const identity = newIdentity()
    const others = [
      identity,
      { ...identity, iss: 'https://appleid.apple.com' },
      { ...identity, aud: 'another.example' },
    ]
    const ids = new Set<string>()
    for (const other of others) ids.add((await addOauth(face, wallet, session, other)).id)
    expect(ids.size).toBe(3)
  })

  const IN_USE = {
    status: 400,
    code: 'INVALID_INPUT',
    details: { field: expect.stringMatching(/oidcToken$/), reason: 'OIDC_IDENTITY_IN_USE' },
  }

  it("an identity belongs to one customer of a platform, in either form of Google's issuer", async () => {
    const [one, other] = [await createHousehold(face, platform), await createHousehold(face, platform)]
    const { identity } = one.oauth as { identity: Identity }
    for (const iss of ['https://accounts.google.com', 'accounts.google.com']) {
      const oidcToken = identityToken({ ...identity, iss })
      const input = { type: 'OAUTH', accountId: other.wallet.accountId, oidcToken }
      expect(await face.register(platform, input)).toMatchObject(IN_USE)
    }
    const elsewhere = await createHousehold(face, await createPlatform())
    expect((await addOauth(face, elsewhere.wallet, elsewhere.emailSession, identity)).id).toMatch(/^AuthMethod:/)
    const revoke = (proof?: Proof) => face.revoke(platform, one.oauth.id, proof)
    expectStatus(await signedRetry(one.emailSession.key, revoke), 204)
    expect((await addOauth(face, other.wallet, other.emailSession, identity)).id).toMatch(/^AuthMethod:/)
  })

  // Earlier releases stored the issuer as it was in the token.
  const GOOGLE = ['https://accounts.google.com', 'accounts.google.com']
  it.each(GOOGLE)('an identity stored with the issuer %s is known by either form', async (oidcIssuer) => {
    const { wallet, oauth } = await createHousehold(face, platform)
    const neighbour = await createHousehold(face, platform)
    const where = { platformId: platform.id, id: oauth.id.slice('AuthMethod:'.length) }
    expect(await db.authMethod.updateMany({ where, data: { oidcIssuer } })).toEqual({ count: 1 })
    for (const iss of GOOGLE) {
      const identity = { ...(oauth.identity as Identity), iss }
      const registeredFor = (accountId: string) =>
        face.register(platform, { type: 'OAUTH', accountId, oidcToken: identityToken(identity) })
      expectStatus(await face.verify(platform, oauth.id, oauthProof(identity, newKey())), 200)
      const again = expectStatus(await registeredFor(wallet.accountId), 400)
      expect(again.body.message).toMatch(/already has a credential for this identity/)
      expect(await registeredFor(neighbour.wallet.accountId)).toMatchObject(IN_USE)
    }
  })

  it('if two customers register one identity at the same time, one succeeds', async () => {
    const identity = newIdentity()
    const homeless = await Promise.all(Array.from({ length: 6 }, () => createWallet(platform, { email: null })))
    const answers = await Promise.all(
      homeless.map(({ accountId }) =>
        face.register(platform, { type: 'OAUTH', accountId, oidcToken: identityToken(identity) }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(IN_USE)
  })

  const USED = {
    status: 400,
    code: 'INVALID_INPUT',
    details: { field: expect.stringMatching(/challenge$/), reason: 'REGISTRATION_CHALLENGE_USED' },
  }
  const withChallenge = (accountId: string, challenge: string) => ({
    type: 'PASSKEY',
    accountId,
    nickname: 'Phone',
    challenge,
    attestation: softwareAuthenticator().create(challenge),
  })

  it('a registration challenge is accepted once per platform, even after that passkey is revoked', async () => {
    const [one, other] = [await createHousehold(face, platform), await createHousehold(face, platform)]
    const challenge = randomBytes(32).toString('base64url')
    const first = withChallenge(one.wallet.accountId, challenge)
    const waiting = withChallenge(other.wallet.accountId, challenge)
    const proof = await prove(other.emailSession.key, expectStatus(await face.register(platform, waiting), 202))
    const registered = await signedRetry(one.emailSession.key, (given) => face.register(platform, first, given))
    const { id } = expectStatus(registered, 201).body
    expect(await face.register(platform, withChallenge(other.wallet.accountId, challenge))).toMatchObject(USED)
    expect(await face.register(platform, waiting, proof)).toMatchObject(USED)
    expectStatus(await signedRetry(one.emailSession.key, (given) => face.revoke(platform, id, given)), 204)
    expect(await face.register(platform, first)).toMatchObject(USED)
    const elsewhere = await createHousehold(face, await createPlatform())
    const there = withChallenge(elsewhere.wallet.accountId, challenge)
    expectStatus(await face.register(elsewhere.platform, there), 202)
  })

  it('if two wallets register with one challenge at the same time, one succeeds', async () => {
    const challenge = randomBytes(32).toString('base64url')
    const wallets = await Promise.all(Array.from({ length: 6 }, () => createWallet(platform, { email: null })))
    const answers = await Promise.all(
      wallets.map(({ accountId }) => face.register(platform, withChallenge(accountId, challenge))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const answer of answers.filter(({ status }) => status !== 201)) expect(answer).toMatchObject(USED)
  })

  it('each operation accepts only ids of its own kind', async () => {
    const wallet = await createWallet(platform)
    const session = await bornWith(face, wallet).open()
    const key = { clientPublicKey: newKey().publicKey }
    const email = 'another@mail.example'
    const change = face.name === 'REST' ? { customerType: 'INDIVIDUAL', email } : { email }
    const asAgent = (id: string) => `Agent${id.slice(id.indexOf(':'))}`
    const calls: [(id: string) => Promise<Answer>, id: string, status: number][] = [
      [(id) => face.exportWallet(platform, id, key), wallet.accountId, 202],
      [(id) => face.updatePrivacy(platform, id, { privateEnabled: true }), wallet.accountId, 202],
      [(id) => face.refresh(platform, id, key), session.id, 202],
      [(id) => face.revokeSession(platform, id), session.id, 202],
      [(id) => face.updateCustomer(platform, id, change), wallet.customerId, 202],
      [(id) => face.challenge(platform, id), wallet.credentialId, 200],
      [(id) => face.revoke(platform, id), wallet.credentialId, 400],
    ]
    for (const [call, id, status] of calls) {
      expect(await call(asAgent(id)), id).toMatchObject({ status: 404 })
      expect((await call(id)).status, id).toBe(status)
    }
  })

  it('verifying a credential that does not exist fails, whatever the proof', async () => {
    const id = publicId('AuthMethod', newUuid())
    const proofs = [
      oauthProof(newIdentity(), newKey()),
      { type: 'PASSKEY', assertion: softwareAuthenticator().get('c') },
      { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' },
    ]
    for (const proof of proofs) {
      expect(await face.verify(platform, id, proof)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    }
  })

  it('every passkey challenge is unique', async () => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    const { id } = await addPasskey(face, wallet, emailSession)
    const client = newKey()
    const [one, other] = [
      await passkeyChallenge(face, wallet, id, client),
      await passkeyChallenge(face, wallet, id, client),
    ]
    expect(one.body.challenge).toMatch(/^[0-9a-f]{64}$/)
    expect(other.body.challenge).not.toBe(one.body.challenge)
  })

  it('only a wallet has credentials and a seed to export', async () => {
    const { id } = await createInternalAccount(platform, { customerId: (await createCustomer(platform)).id })
    const accountId = publicId('InternalAccount', id)
    const noWallet = { status: 400, code: 'INVALID_INPUT' }
    expect(await face.register(platform, { type: 'EMAIL_OTP', accountId })).toMatchObject(noWallet)
    const key = { clientPublicKey: newKey().publicKey }
    expect(await face.exportWallet(platform, accountId, key)).toMatchObject(noWallet)
  })

  it('a frozen wallet accepts no new credential, but its owner can still export the seed', async () => {
    const { accountId } = await createWallet(platform)
    const id = accountId.slice(accountId.indexOf(':') + 1)
    await db.internalAccount.updateMany({ where: { id }, data: { status: 'FROZEN' } })
    const input = { type: 'OAUTH', accountId, oidcToken: identityToken(newIdentity()) }
    expect(await face.register(platform, input)).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expectStatus(await face.exportWallet(platform, accountId, { clientPublicKey: newKey().publicKey }), 202)
  })

  it('an OTP credential is registered for the address that was signed, or not at all', async () => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    const input = { type: 'SMS_OTP', accountId: wallet.accountId }
    const first = expectStatus(await face.register(platform, input), 202)
    const id = wallet.customerId.slice(wallet.customerId.indexOf(':') + 1)
    await db.customer.updateMany({ where: { id }, data: { phoneNumber: newPhone() } })
    expect(await face.register(platform, input, await prove(emailSession.key, first))).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    })
    expectStatus(await signedRetry(emailSession.key, (proof) => face.register(platform, input, proof)), 201)
  })

  it('revoking a credential voids its own code and no other', async () => {
    const [house, neighbour] = [await createHousehold(face, platform), await createHousehold(face, platform)]
    const input = await otpProof(face, neighbour.wallet, neighbour.email)
    const revoke = (proof?: object) => face.revoke(platform, house.email.id, proof)
    expectStatus(await signedRetry(house.oauthSession.key, revoke), 204)
    expectStatus(await face.verify(platform, neighbour.email.id, input), 202)
  })

  it('a new email address updates only the live email credential, and voids the code for the old address', async () => {
    const [house, neighbour] = [await createHousehold(face, platform), await createHousehold(face, platform)]
    const { wallet, oauthSession, email: old } = house
    expectStatus(await signedRetry(oauthSession.key, (proof) => face.revoke(platform, old.id, proof)), 204)
    const email = await addOtp(face, wallet, oauthSession, 'EMAIL_OTP')
    const sms = await addOtp(face, wallet, oauthSession, 'SMS_OTP')
    const codes = [
      { id: email.id, input: await otpProof(face, wallet, email), status: 401 },
      { id: sms.id, input: await otpProof(face, wallet, sms), status: 202 },
      { id: neighbour.email.id, input: await otpProof(face, neighbour.wallet, neighbour.email), status: 202 },
    ]
    const nicknames = async () => {
      const methods = await db.authMethod.findMany({ where: { platformId: platform.id } })
      return Object.fromEntries(methods.map(({ id, nickname }) => [publicId('AuthMethod', id), nickname]))
    }
    const before = await nicknames()
    const value = `new-${wallet.email}`
    const change = (proof?: Proof) => face.updateCustomer(platform, wallet.customerId, { email: value }, proof)
    expectStatus(await signedRetry(oauthSession.key, change), 200)
    expect(await nicknames()).toEqual({ ...before, [email.id]: value })
    for (const { id, input, status } of codes) expectStatus(await face.verify(platform, id, input), status)
  })

  it('an identity token can be used once, however its signature is encoded', async () => {
    const { oauth } = await createHousehold(face, platform)
    const input = oauthProof(oauth.identity ?? newIdentity(), newKey())
    const signedAgain =
      input.oidcToken.slice(0, input.oidcToken.lastIndexOf('.') + 1) + randomBytes(256).toString('base64url')
    expectStatus(await face.verify(platform, oauth.id, input), 200)
    for (const oidcToken of [input.oidcToken, signedAgain]) {
      expect(await face.verify(platform, oauth.id, { ...input, oidcToken })).toMatchObject({
        status: 401,
        details: { reason: 'OIDC_NONCE' },
      })
    }
  })

  it('the encrypted seed of a wallet decrypts for no other wallet', async () => {
    const [one, other] = [await createWallet(platform), await createWallet(platform)]
    const keyOf = ({ accountId }: Wallet) => ({ accountId: accountId.slice(accountId.indexOf(':') + 1) })
    const exportFrom = async (wallet: Wallet) => {
      const { key } = await bornWith(face, wallet).open()
      const input = { clientPublicKey: newKey().publicKey }
      return signedRetry(key, (proof) => face.exportWallet(platform, wallet.accountId, input, proof))
    }
    for (const wallet of [one, other]) expectStatus(await exportFrom(wallet), 200)
    const { mnemonicSealed } = await db.walletKey.findFirstOrThrow({ where: keyOf(one) })
    await db.walletKey.updateMany({ where: keyOf(other), data: { mnemonicSealed } })
    expect(await exportFrom(other)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
    expectStatus(await exportFrom(one), 200)
  })

  it('an expired session cannot be revoked, and is not counted among those that end with a credential', async () => {
    const { oauth, oauthSession, emailSession } = await createHousehold(face, platform)
    const over = await oauth.open()
    const row = { id: over.id.slice(over.id.indexOf(':') + 1) }
    const revokeSession = (proof?: Proof) => face.revokeSession(platform, over.id, proof)
    const first = expectStatus(await revokeSession(), 202)
    await db.walletSession.updateMany({ where: row, data: { expiresAt: new Date(Date.now() - 1) } })
    expect(await revokeSession(await prove(emailSession.key, first))).toMatchObject({ status: 404 })
    const revoke = (proof?: Proof) => face.revoke(platform, oauth.id, proof)
    const { body } = expectStatus(await signedRetry(emailSession.key, revoke), 204)
    if (face.name === 'GraphQL') expect(body).toMatchObject({ revokedSessionIds: [oauthSession.id] })
    expect(await db.walletSession.findFirst({ where: row })).toMatchObject({ revokedAt: null })
  })

  it('a revoked passkey may be registered again', async () => {
    const wallet = await createWallet(platform)
    const session = await bornWith(face, wallet).open()
    const authenticator = softwareAuthenticator()
    const first = await addPasskey(face, wallet, session, { authenticator })
    expectStatus(await signedRetry(session.key, (proof) => face.revoke(platform, first.id, proof)), 204)
    const second = await addPasskey(face, wallet, session, { authenticator })
    expect(second.id).not.toBe(first.id)
    await second.open()
  })
})

it.each(['credentials', 'sessions'])(
  'the %s of an account are listed by its id, for callers with VIEW',
  async (what) => {
    const platform = await createPlatform()
    const { accountId } = await createWallet(platform)
    const list = (caller: Credentials, id: string) => callRest(caller, 'GET', `/auth/${what}?accountId=${id}`, {})
    expect(await list(platform, accountId)).toMatchObject({ status: 200, body: { data: expect.any(Array) } })
    expect(await list(platform, accountId.replace('InternalAccount', 'Card'))).toMatchObject({
      status: 400,
      details: { field: 'accountId' },
    })
    const writer = { clientId: randomBytes(8).toString('hex'), secret: randomBytes(18).toString('hex') }
    await createToken(platform.id, writer, ['TRANSACT', 'MANAGE'])
    expect(await list(writer, accountId)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  },
)
