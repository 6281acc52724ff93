// Every secret that passes through the gateway is searched for in everything that it logs and stores.
// Own process: sets every secret.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { config } from '#core/config.ts'
import { db } from '#database/db.ts'
import { canaries, expectNoCanary, hitsInDatabase, keep, written } from '#test/setup/canaries.ts'
import {
  type Answer,
  type CredentialFace,
  callRest,
  credentialFaces,
} from '#test/setup/credentials/credential-faces.ts'
import {
  type DeviceKey,
  newKey,
  nonceOf,
  openMnemonic,
  openSessionKey,
  sealCode,
} from '#test/setup/credentials/wallet.ts'
import {
  addPasskey,
  expectStatus,
  type OpenSession,
  passkeyChallenge,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform, createWallet, type Platform, type Wallet } from '#test/setup/world.ts'

const { issuer, mail } = await vi.hoisted(async () => {
  const { SMTPServer } = await import('smtp-server')
  const { startIssuer } = await import('#test/setup/credentials/oidc-issuer.ts')
  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'gateway' }),
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString('utf8'))
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  const { port } = listening.address() as AddressInfo
  const issuer = await startIssuer()
  Object.assign(process.env, {
    SMTP_URL: `smtp://gateway:smtp-password-canary-77@127.0.0.1:${port}`,
    EMAIL_FROM: 'codes@gateway.example',
    OIDC_ISSUERS: issuer.url,
  })
  return { issuer, mail: { server, received } }
})

keep('SMTP password', 'smtp-password-canary-77')
keep('master key', process.env['MASTER_KEY'], config.masterKey.toString('hex'))

afterAll(async () => {
  issuer.stop()
  if (mail.server.server.listening) mail.server.close()
})

const keepKey = (what: string, { privateKey }: DeviceKey) => {
  keep(what, privateKey, Buffer.from(privateKey, 'hex').toString('base64url'))
}

/** The code in the newest email: twelve letters and digits. */
const newestCode = () =>
  /(?<![A-Z0-9])[A-Z0-9]{12}(?![A-Z0-9])/.exec(mail.received.at(-1)?.split('\r\n\r\n')[1] ?? '')?.[0] ?? ''

const openByMail = async (face: CredentialFace, { platform, credentialId }: Wallet): Promise<OpenSession> => {
  const { body } = expectStatus(await face.challenge(platform, credentialId), 200)
  const [code, key] = [newestCode(), newKey()]
  expect(code).toHaveLength(12)
  const encryptedOtpBundle = await sealCode(body.otpEncryptionTargetBundle, code, key.publicKey)
  const input = { type: 'EMAIL_OTP', encryptedOtpBundle }
  const first = expectStatus(await face.verify(platform, credentialId, input), 202)
  const proof = await prove(key, first)
  const answer = expectStatus(await face.verify(platform, credentialId, input, proof), 200)
  keep('one-time code', code)
  keep('OTP bundle', encryptedOtpBundle, JSON.parse(encryptedOtpBundle).ciphertext)
  keep('payload to sign', first.body.payloadToSign)
  keepStamp(proof.signature)
  keepKey('session key of a device', key)
  return { id: answer.body.id, key }
}

const keepStamp = (value: string | null | undefined) => {
  keep('stamp', value, JSON.parse(Buffer.from(value ?? '', 'base64url').toString('utf8')).signature)
}

/** The failures to provoke for each operation while secrets are in use. */
const failures = async (face: CredentialFace, wallet: Wallet, { key }: OpenSession, credentialId: string) => {
  const { platform } = wallet
  const first = await face.updatePrivacy(platform, wallet.accountId, { privateEnabled: true })
  const { requestId, signature } = await prove(key, first)
  keepStamp(signature)
  const answers: Answer[] = [
    await face.updatePrivacy(platform, wallet.accountId, { privateEnabled: false }, { requestId, signature }),
    await face.updatePrivacy(
      platform,
      wallet.accountId,
      { privateEnabled: true },
      { requestId, signature: `${signature}=` },
    ),
    await face.updatePrivacy(
      platform,
      wallet.accountId,
      { privateEnabled: true },
      { requestId: `${requestId}x`, signature },
    ),
  ]
  const identity = { ...issuer.identity(), email: 'canary@identity.example' }
  for (const oidcToken of [
    issuer.token(identity),
    issuer.token(identity, {}, { kid: 'other' }),
    `${issuer.token(identity)}=`,
  ]) {
    keep('identity token', oidcToken, oidcToken.split('.')[2])
    answers.push(
      await face.verify(platform, credentialId, { type: 'OAUTH', oidcToken, clientPublicKey: newKey().publicKey }),
      await face.register(platform, { type: 'OAUTH', accountId: `${wallet.accountId}x`, oidcToken }),
    )
  }
  return answers
}

describe.each(credentialFaces)('over $name, in production', (face) => {
  let platform: Platform
  let wallet: Wallet
  beforeAll(async () => {
    platform = await createPlatform()
    const settings = { environment: 'PRODUCTION', otpLength: 12, otpAlphanumeric: true } as const
    await db.platform.update({ where: { id: platform.id }, data: settings })
    wallet = await createWallet(platform)
    keep('API secret', platform.secret, basic(platform).slice('Basic '.length))
  })

  it('every operation runs once, successfully and unsuccessfully', async () => {
    const session = await openByMail(face, wallet)

    const identity = issuer.identity()
    const client = newKey()
    const token = issuer.token(identity)
    const input = { type: 'OAUTH', accountId: wallet.accountId, oidcToken: token }
    const added = await signedRetry(session.key, (proof) => face.register(platform, input, proof))
    const oauthId = expectStatus(added, 201).body.id
    const verifying = issuer.token(identity, { nonce: nonceOf(client.publicKey) })
    const proof = { type: 'OAUTH', oidcToken: verifying, clientPublicKey: client.publicKey }
    const { body } = expectStatus(await face.verify(platform, oauthId, proof), 200)
    for (const text of [token, verifying]) keep('identity token', text, text.split('.')[2])
    keepKey('key of a device', client)
    keepKey('session key made here', openSessionKey(body.encryptedSessionSigningKey, client))
    keep('sealed session key', body.encryptedSessionSigningKey)

    const passkey = await addPasskey(face, wallet, session)
    const challenged = await passkeyChallenge(face, wallet, passkey.id, client)
    const assertion = passkey.authenticator.get(challenged.body.challenge)
    const asserted = { type: 'PASSKEY', assertion }
    const { requestId } = challenged.body
    const opened = expectStatus(await face.verify(platform, passkey.id, asserted, { requestId }), 200)
    keep('passkey signature', assertion.signature)
    keepKey('session key made here', openSessionKey(opened.body.encryptedSessionSigningKey, client))
    keep('sealed session key', opened.body.encryptedSessionSigningKey)

    const exported = await signedRetry(session.key, (retry) =>
      face.exportWallet(platform, wallet.accountId, { clientPublicKey: client.publicKey }, retry),
    )
    const { encryptedWalletCredentials } = expectStatus(exported, 200).body
    const mnemonic = await openMnemonic(encryptedWalletCredentials, client, wallet.accountId)
    expect(mnemonic.split(' ')).toHaveLength(12)
    keep('mnemonic', mnemonic)

    const bad = await failures(face, wallet, session, oauthId)
    expect(bad.filter(({ status }) => status < 400 || status >= 500)).toEqual([])
    for (const text of bad.map((answer) => JSON.stringify(answer))) expectNoCanary('an answer', text)
  })

  it('a pending signed request reveals nothing of its contents', async () => {
    await openByMail(face, wallet)
    const token = issuer.token(issuer.identity())
    const waiting = await face.register(platform, { type: 'OAUTH', accountId: wallet.accountId, oidcToken: token })
    expectStatus(waiting, 202)
    keep('identity token', token, token.split('.')[2])
    keep('payload to sign', waiting.body.payloadToSign)
    expectStatus(await face.challenge(platform, wallet.credentialId), 200)
    keep('one-time code', newestCode())
  })
})

it('an internal error reveals nothing either', async () => {
  const platform = await createPlatform()
  await db.platform.update({ where: { id: platform.id }, data: { environment: 'PRODUCTION' } })
  keep('API secret', platform.secret)
  const wallet = await createWallet(platform)
  keep('email address', wallet.email)
  mail.server.close()
  await once(mail.server.server, 'close')
  const before = written.length
  for (const face of credentialFaces) {
    const answer = await face.challenge(platform, wallet.credentialId)
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expectNoCanary('an answer', JSON.stringify(answer))
  }
  expect(written.length).toBeGreaterThan(before)
  const wrong = { ...platform, secret: 'wrong-secret-canary-4711' }
  keep('API secret', wrong.secret)
  expectStatus(await callRest(wrong, 'POST', '/auth/credentials', { body: '{"oidcToken":"body-canary-4712"' }), 401)
  keep('broken body', 'body-canary-4712')
  expectStatus(await callRest(platform, 'POST', '/auth/credentials', { body: '{"oidcToken":"body-canary-4712"' }), 400)
})

it('the search finds a secret that is there', async () => {
  const found = () => expectNoCanary('', written.join(''))
  expect(found).not.toThrow()
  for (const planted of ['planted-canary-1', Buffer.from('planted-canary-2').toString('base64')]) {
    keep('planted', planted.startsWith('planted') ? planted : 'planted-canary-2')
    written.push(planted)
    expect(found).toThrow()
    written.pop()
  }
  const { id } = await createPlatform()
  keep('planted', id)
  expect(await hitsInDatabase()).toContainEqual(expect.stringContaining('planted in platforms'))
  canaries.delete('planted')
})

it('no secret was logged', () => {
  const looked = expectNoCanary('the output', written.join(''))
  console.log(`output: canaries ${looked} of ${canaries.size} kinds, in ${written.join('').length} characters, hits 0`)
})

it('no secret is stored', async () => {
  // The address belongs to the customer's contact details.
  const hits = await hitsInDatabase(['email address'])
  const count = [...canaries.values()].reduce((sum, secrets) => sum + secrets.size, 0)
  console.log(`database: canaries ${count}, hits ${hits.length}`)
  expect(count).toBeGreaterThan(80)
  expect(hits).toEqual([])
})
