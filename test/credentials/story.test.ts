// The life of a wallet's credentials from the customer's view, with the clients of real devices, over GraphQL and REST.
import { validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { credentialFaces, type Proof } from '#test/setup/credentials/credential-faces.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { newKey, openMnemonic, openSessionKey, sealCode } from '#test/setup/credentials/wallet.ts'
import {
  addCredential,
  addOauth,
  addOtp,
  addPasskey,
  bornWith,
  type CredentialType,
  expectStatus,
  type OpenSession,
  passkeyRegistration,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform, createWallet, type Platform, type Wallet } from '#test/setup/world.ts'

const ID = (kind: string) => expect.stringMatching(new RegExp(`^${kind}:[0-9a-f-]{36}$`))
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const PHONE = '+14155550100'

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  let wallet: Wallet
  let session: OpenSession
  beforeAll(async () => {
    platform = await createPlatform()
    wallet = await createWallet(platform, { phoneNumber: PHONE })
    session = await bornWith(face, wallet).open()
  })

  const credentialIds = async ({ accountId }: Wallet) =>
    (await face.listCredentials(platform, accountId)).body.data.map(({ id }: { id: string }) => id)
  const sessionIds = async ({ accountId }: Wallet) =>
    (await face.listSessions(platform, accountId)).body.data.map(({ id }: { id: string }) => id)
  const newWallet = async (given = {}) => {
    const own = await createWallet(platform, { phoneNumber: PHONE, ...given })
    return { own, first: await bornWith(face, own).open() }
  }

  it("the wallet's initial EMAIL_OTP opens the first session, which has the device's key", async () => {
    const { body } = await face.listSessions(platform, wallet.accountId)
    expect(body.data).toEqual([
      {
        id: session.id,
        accountId: wallet.accountId,
        type: 'EMAIL_OTP',
        nickname: wallet.email,
        createdAt: TIME,
        updatedAt: TIME,
        expiresAt: TIME,
      },
    ])
    const [{ createdAt, expiresAt } = { createdAt: '', expiresAt: '' }] = body.data
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(15 * 60_000)
  })

  it('an OTP challenge returns the credential and the bundle as JSON text', async () => {
    const { own } = await newWallet()
    const { body } = expectStatus(await face.challenge(platform, own.credentialId), 200)
    expect(body).toEqual({
      id: own.credentialId,
      accountId: own.accountId,
      type: 'EMAIL_OTP',
      nickname: own.email,
      createdAt: TIME,
      updatedAt: TIME,
      otpEncryptionTargetBundle: expect.any(String),
    })
    const bundle = JSON.parse(body.otpEncryptionTargetBundle)
    expect(Object.keys(bundle).toSorted()).toEqual(['data', 'dataSignature', 'enclaveQuorumPublic', 'version'])
    expect(bundle.version).toBe('v1.0.0')
    const data = JSON.parse(Buffer.from(bundle.data, 'hex').toString('utf8'))
    expect(Object.keys(data).toSorted()).toEqual(['organizationId', 'targetPublic', 'userId'])
    expect(data.targetPublic).toMatch(/^04[0-9a-f]{128}$/)
  })

  it("the first leg of an OTP verification returns a JWS that names the credential and the device's key", async () => {
    const { own } = await newWallet()
    const key = newKey()
    const { body: challenged } = await face.challenge(platform, own.credentialId)
    const input = {
      type: 'EMAIL_OTP',
      encryptedOtpBundle: await sealCode(challenged.otpEncryptionTargetBundle, '000000', key.publicKeyUncompressed),
    }
    const { body } = expectStatus(await face.verify(platform, own.credentialId, input), 202)
    expect(body).toEqual({
      type: 'EMAIL_OTP',
      payloadToSign: expect.any(String),
      requestId: ID('Request'),
      expiresAt: TIME,
    })
    const [header, claims] = body.payloadToSign
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')))
    expect(header).toEqual({ alg: 'ES256', kid: expect.any(String) })
    expect(claims).toEqual({
      sub: own.credentialId,
      iat: expect.any(Number),
      exp: claims.iat + 3600,
      public_key: key.publicKey,
    })
  })

  describe.each(['PASSKEY', 'OAUTH', 'SMS_OTP', 'EMAIL_OTP'] as const)('%s', (type: CredentialType) => {
    it('is added with a signed retry, verified, refreshed, and revoked by a session of another credential', async () => {
      const { own, first } = await newWallet()
      // The wallet has an EMAIL_OTP already; another can be added only after that one is revoked.
      const signer = type === 'EMAIL_OTP' ? await (await addOauth(face, own, first)).open() : first
      if (type === 'EMAIL_OTP') {
        const gone = await signedRetry(signer.key, (proof) => face.revoke(platform, own.credentialId, proof))
        expectStatus(gone, 204)
      }
      const credential = await addCredential(face, own, signer, type)
      expect(await credentialIds(own)).toContain(credential.id)
      const opened = await credential.open()
      expect(await sessionIds(own)).toEqual(expect.arrayContaining([opened.id, signer.id]))

      const client = newKey()
      const refreshed = await signedRetry(opened.key, (proof) =>
        face.refresh(platform, opened.id, { clientPublicKey: client.publicKeyUncompressed }, proof),
      )
      expectStatus(refreshed, 201)
      expect(refreshed.body).toMatchObject({ id: ID('Session'), accountId: own.accountId, type })
      expect(refreshed.body.id).not.toBe(opened.id)
      const next = openSessionKey(refreshed.body.encryptedSessionSigningKey, client)
      const exported = await signedRetry(next, (proof) =>
        face.exportWallet(platform, own.accountId, { clientPublicKey: client.publicKey }, proof),
      )
      expectStatus(exported, 200)
      // The refreshed session keeps its own expiry.
      expect(await sessionIds(own)).toEqual(expect.arrayContaining([opened.id, refreshed.body.id]))

      const revoked = await signedRetry(signer.key, (proof) => face.revoke(platform, credential.id, proof))
      expectStatus(revoked, 204)
      expect(await credentialIds(own)).not.toContain(credential.id)
      expect(await sessionIds(own)).not.toContain(opened.id)
      expect(await sessionIds(own)).not.toContain(refreshed.body.id)
      const late = await face.revokeSession(platform, signer.id)
      for (const { key } of [opened, { key: next }]) {
        const answer = await face.revokeSession(platform, signer.id, await prove(key, late))
        expect(answer).toMatchObject({ status: 401, code: 'WALLET_SIGNATURE_INVALID' })
      }
      expectStatus(await face.challenge(platform, credential.id, { clientPublicKey: client.publicKey }), 404)
    })
  })

  it.each(['ES256', 'RS256', 'EdDSA'] as const)('a passkey may have a key of type %s', async (algorithm) => {
    const { own, first } = await newWallet()
    const passkey = await addPasskey(face, own, first, { algorithm })
    const one = await passkey.open()
    const two = await passkey.open()
    expect(one.id).not.toBe(two.id)
    const { body } = await face.listSessions(platform, own.accountId)
    expect(body.data[0]).toMatchObject({
      type: 'PASSKEY',
      nickname: 'My phone',
      credentialId: passkey.authenticator.credentialId,
    })
  })

  it('an account may have several passkeys and several identities', async () => {
    const { own, first } = await newWallet()
    for (let count = 0; count < 2; count += 1) {
      await addPasskey(face, own, first)
      await addOauth(face, own, first)
    }
    expect(await credentialIds(own)).toHaveLength(5)
  })

  it('a revoked session can no longer sign, and its credential can open another session', async () => {
    const { own, first } = await newWallet()
    const revoked = await signedRetry(first.key, (proof) => face.revokeSession(platform, first.id, proof))
    expectStatus(revoked, 204)
    expect(await sessionIds(own)).toEqual([])
    const second = await bornWith(face, own).open()
    expect(await sessionIds(own)).toEqual([second.id])
  })

  it('the exported wallet decrypts to one BIP-39 mnemonic of 12 words, the same every time', async () => {
    const mnemonics = new Set<string>()
    for (const form of ['publicKey', 'publicKeyUncompressed'] as const) {
      const client = newKey()
      const { body } = await signedRetry(session.key, (proof) =>
        face.exportWallet(platform, wallet.accountId, { clientPublicKey: client[form] }, proof),
      )
      expect(body.id).toBe(wallet.accountId)
      mnemonics.add(await openMnemonic(body.encryptedWalletCredentials, client, wallet.accountId))
    }
    expect(mnemonics.size).toBe(1)
    const [mnemonic = ''] = mnemonics
    expect(mnemonic.split(' ')).toHaveLength(12)
    expect(validateMnemonic(mnemonic, wordlist)).toBe(true)
  })

  it('privacy can be switched on and off', async () => {
    for (const privateEnabled of [true, false]) {
      const { status, body } = await signedRetry(session.key, (proof) =>
        face.updatePrivacy(platform, wallet.accountId, { privateEnabled }, proof),
      )
      expect({ status, body }).toMatchObject({ status: 200, body: { id: wallet.accountId, privateEnabled } })
    }
  })

  it('a change of email updates the tied EMAIL_OTP, and sessions stay active', async () => {
    const { own, first } = await newWallet()
    const email = `new-${own.email}`
    const change = (proof?: Proof) => face.updateCustomer(platform, own.customerId, { email }, proof)
    const { body } = expectStatus(await change(), 202)
    expect(body.type).toBe('EMAIL_OTP')
    const answer = await signedRetry(first.key, change)
    expect(answer).toMatchObject({ status: 200, body: { id: own.customerId, email } })
    const { body: listed } = await face.listCredentials(platform, own.accountId)
    expect(listed['data']).toMatchObject([{ id: own.credentialId, nickname: email }])
    expect(await sessionIds(own)).toEqual([first.id])
    await bornWith(face, own).open()
  })

  it('a change of phone number updates the tied SMS_OTP', async () => {
    const { own, first } = await newWallet()
    const sms = await addOtp(face, own, first, 'SMS_OTP')
    const phoneNumber = '+14155550199'
    const change = (proof?: Proof) => face.updateCustomer(platform, own.customerId, { phoneNumber }, proof)
    expect(await signedRetry(first.key, change)).toMatchObject({ status: 200, body: { phoneNumber } })
    const { body } = await face.listCredentials(platform, own.accountId)
    expect(body.data.find(({ id }: { id: string }) => id === sms.id)).toMatchObject({ nickname: phoneNumber })
  })

  it('a customer without email gets a wallet without credentials, and the first one needs no signature', async () => {
    const own = await createWallet(platform, { email: null, phoneNumber: PHONE })
    expect(await credentialIds(own)).toEqual([])
    const input = { type: 'SMS_OTP', accountId: own.accountId }
    const { body } = expectStatus(await face.register(platform, input), 201)
    expect(body).toMatchObject({ id: ID('AuthMethod'), accountId: own.accountId, type: 'SMS_OTP', nickname: PHONE })
    expect(await credentialIds(own)).toEqual([body.id])
  })
})

it('an operation that begins over one API can be finished over the other', async () => {
  for (const [one, other] of [credentialFaces, credentialFaces.toReversed()]) {
    if (!one || !other) throw new Error('two faces')
    const platform = await createPlatform()
    const wallet = await createWallet(platform)
    const { key } = await bornWith(one, wallet).open()
    const input = passkeyRegistration(wallet, softwareAuthenticator())
    const added = await other.register(platform, input, await prove(key, await one.register(platform, input)))
    const { id } = expectStatus(added, 201).body
    expectStatus(await other.revoke(platform, id, await prove(key, await one.revoke(platform, id))), 204)
  }
})
