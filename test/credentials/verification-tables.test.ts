// The decision table of verification and its limits (docs/domain/credentials.md#verification-decisions), row by row over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { uncompressRawPublicKey } from '@turnkey/crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { db } from '#database/db.ts'
import { type Answer, type CredentialFace, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { type Claims, identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { newKey, nonceOf, sealCode, sealPlain } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household } from '#test/setup/credentials/wallet-operations.ts'
import {
  describeRows,
  INVALID_INPUT,
  invalid,
  NOT_FOUND,
  OK,
  type Row,
  unauthorized,
} from '#test/setup/credentials/wallet-rows.ts'
import {
  addPasskey,
  expectStatus,
  oauthProof,
  otpProof,
  passkeyChallenge,
} from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform, createWallet } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)
const now = () => Math.floor(Date.now() / 1000)

/** A fresh household for the row, because failures are counted. */
const own =
  (ask: (house: Household, face: CredentialFace) => Promise<Answer>): Row[1] =>
  async ({ platform }, face) =>
    ask(await createHousehold(face, platform), face)

const BUNDLE = JSON.stringify({ encappedPublic: newKey().publicKeyUncompressed, ciphertext: '00'.repeat(64) })

/** An OTP verification with this bundle, or with a modified valid one. */
const verifyOtp = (bundleOf: (honest: { encappedPublic: string; ciphertext: string }) => unknown): Row[1] =>
  own(async (house, face) => {
    const input = await otpProof(face, house.wallet, house.email)
    const bundle = bundleOf(JSON.parse(input.encryptedOtpBundle))
    const encryptedOtpBundle = typeof bundle === 'string' ? bundle : JSON.stringify(bundle)
    return face.verify(house.platform, house.email.id, { ...input, encryptedOtpBundle })
  })

/** An OTP verification whose bundle decrypts to this. */
const verifyPlain = (plain: unknown): Row[1] =>
  own(async ({ platform, email }, face) => {
    const { body } = expectStatus(await face.challenge(platform, email.id), 200)
    const text = typeof plain === 'string' ? plain : JSON.stringify(plain)
    const encryptedOtpBundle = sealPlain(body.otpEncryptionTargetBundle, text)
    return face.verify(platform, email.id, { type: 'EMAIL_OTP', encryptedOtpBundle })
  })

const guess = async (house: Household, face: CredentialFace, code: string, bundle: string) => {
  const encryptedOtpBundle = await sealCode(bundle, code, newKey().publicKey)
  return face.verify(house.platform, house.email.id, { type: 'EMAIL_OTP', encryptedOtpBundle })
}

const challengeOf = async ({ platform, email }: Household, face: CredentialFace) =>
  expectStatus(await face.challenge(platform, email.id), 200).body.otpEncryptionTargetBundle

describeRows('verify: what is asked of every proof', [
  [
    'unknown credential',
    ({ platform }, face) =>
      face.verify(platform, `AuthMethod:${randomUUID()}`, { type: 'EMAIL_OTP', encryptedOtpBundle: BUNDLE }),
    NOT_FOUND,
  ],
  [
    'malformed id',
    ({ platform }, face) => face.verify(platform, 'nothing', { type: 'EMAIL_OTP', encryptedOtpBundle: BUNDLE }),
    NOT_FOUND,
  ],
  [
    'type missing',
    ({ platform, email }, face) => face.verify(platform, email.id, { encryptedOtpBundle: BUNDLE }),
    INVALID_INPUT,
  ],
  [
    'type of another credential',
    ({ platform, email }, face) => face.verify(platform, email.id, { type: 'SMS_OTP', encryptedOtpBundle: BUNDLE }),
    INVALID_INPUT,
  ],
  [
    'OTP without bundle',
    ({ platform, email }, face) => face.verify(platform, email.id, { type: 'EMAIL_OTP' }),
    INVALID_INPUT,
  ],
  [
    'OAUTH without token and key',
    ({ platform, oauth }, face) => face.verify(platform, oauth.id, { type: 'OAUTH' }),
    INVALID_INPUT,
  ],
  [
    'PASSKEY without assertion',
    own(async ({ platform, wallet, emailSession }, face) => {
      const passkey = await addPasskey(face, wallet, emailSession)
      const { body } = await passkeyChallenge(face, wallet, passkey.id)
      return face.verify(platform, passkey.id, { type: 'PASSKEY' }, { requestId: body.requestId })
    }),
    INVALID_INPUT,
  ],
])

describeRows('verify: one-time codes', [
  ['bundle not JSON', verifyOtp(() => '{'), invalid('encryptedOtpBundle')],
  ['bundle a list', verifyOtp(({ encappedPublic }) => [encappedPublic]), invalid('encryptedOtpBundle')],
  ['bundle without ciphertext', verifyOtp(({ encappedPublic }) => ({ encappedPublic })), invalid('encryptedOtpBundle')],
  ['bundle without key', verifyOtp(({ ciphertext }) => ({ ciphertext })), invalid('encryptedOtpBundle')],
  [
    'bundle with members that are not hex',
    verifyOtp((honest) => ({ ...honest, ciphertext: 'xyz' })),
    invalid('encryptedOtpBundle'),
  ],
  [
    'encappedPublic off the curve',
    verifyOtp((honest) => ({ ...honest, encappedPublic: `04${'11'.repeat(64)}` })),
    invalid('encryptedOtpBundle'),
  ],
  [
    'no code was ever sent',
    own(async (house, face) => {
      const other = await createWallet(house.platform)
      const { body } = expectStatus(await face.challenge(house.platform, other.credentialId), 200)
      const unsent = await createWallet(house.platform)
      const encryptedOtpBundle = await sealCode(body.otpEncryptionTargetBundle, '000000', newKey().publicKey)
      return face.verify(house.platform, unsent.credentialId, { type: 'EMAIL_OTP', encryptedOtpBundle })
    }),
    unauthorized('OTP_NOT_PENDING'),
  ],
  [
    'code expired',
    own(async (house, face) => {
      const bundle = await challengeOf(house, face)
      const at = new Date(Date.now() - 1_000)
      await db.otpChallenge.updateMany({ where: { authMethodId: bare(house.email.id) }, data: { expiresAt: at } })
      return guess(house, face, '000000', bundle)
    }),
    unauthorized('OTP_NOT_PENDING'),
  ],
  [
    'code spent',
    own(async (house, face) => {
      const bundle = await challengeOf(house, face)
      expectStatus(await guess(house, face, '000000', bundle), 202)
      return guess(house, face, '000000', bundle)
    }),
    unauthorized('OTP_NOT_PENDING'),
  ],
  [
    'code void after three wrong attempts',
    own(async (house, face) => {
      const bundle = await challengeOf(house, face)
      for (const code of ['000001', '000002', '000003']) expectStatus(await guess(house, face, code, bundle), 401)
      return guess(house, face, '000000', bundle)
    }),
    unauthorized('OTP_NOT_PENDING'),
  ],
  [
    'correct code on the third attempt',
    own(async (house, face) => {
      const bundle = await challengeOf(house, face)
      for (const code of ['000001', '000002']) expectStatus(await guess(house, face, code, bundle), 401)
      return guess(house, face, '000000', bundle)
    }),
    { status: 202 },
  ],
  [
    'bundle for an earlier challenge',
    own(async (house, face) => {
      const stale = await challengeOf(house, face)
      await challengeOf(house, face)
      return guess(house, face, '000000', stale)
    }),
    unauthorized('OTP_BUNDLE'),
  ],
  [
    'bundle for another credential',
    own(async (house, face) => {
      const other = await createHousehold(face, house.platform)
      await challengeOf(house, face)
      return guess(house, face, '000000', await challengeOf(other, face))
    }),
    unauthorized('OTP_BUNDLE'),
  ],
  [
    'modified bundle',
    verifyOtp(({ encappedPublic, ciphertext }) => ({
      encappedPublic,
      ciphertext: `${ciphertext.slice(0, -1)}${ciphertext.endsWith('0') ? '1' : '0'}`,
    })),
    unauthorized('OTP_BUNDLE'),
  ],
  ['plaintext without code', verifyPlain({ public_key: newKey().publicKey }), unauthorized('OTP_BUNDLE')],
  ['plaintext without key', verifyPlain({ otp_code: '000000' }), unauthorized('OTP_BUNDLE')],
  ['plaintext with a bad key', verifyPlain({ otp_code: '000000', public_key: '04ab' }), unauthorized('OTP_BUNDLE')],
  [
    'plaintext with one member more',
    verifyPlain({ otp_code: '000000', public_key: newKey().publicKey, more: '' }),
    unauthorized('OTP_BUNDLE'),
  ],
  ['plaintext not JSON', verifyPlain('000000'), unauthorized('OTP_BUNDLE')],
  [
    'an uncompressed key',
    verifyPlain({ otp_code: '000000', public_key: newKey().publicKeyUncompressed }),
    { status: 202 },
  ],
  ['wrong code', verifyPlain({ otp_code: '000001', public_key: newKey().publicKey }), unauthorized('OTP_CODE')],
  [
    'code in non-ASCII digits',
    verifyPlain({ otp_code: '٠٠٠٠٠٠', public_key: newKey().publicKey }),
    { status: 401, code: 'UNAUTHORIZED' },
  ],
  [
    'code with a space',
    verifyPlain({ otp_code: '000000 ', public_key: newKey().publicKey }),
    { status: 401, code: 'UNAUTHORIZED' },
  ],
])

/** An OAUTH verification of the household's identity with other claims. */
const verifyToken = (claims: (key: string) => Claims, form: (key: string) => string = (key) => key): Row[1] =>
  own(async ({ platform, oauth }, face) => {
    const clientPublicKey = form(newKey().publicKey)
    const nonce = nonceOf(clientPublicKey)
    const oidcToken = identityToken(oauth.identity ?? newIdentity(), { nonce, ...claims(clientPublicKey) })
    return face.verify(platform, oauth.id, { type: 'OAUTH', oidcToken, clientPublicKey })
  })

const verifyOauthBody = (given: object): Row[1] =>
  own(async ({ platform, oauth }, face) =>
    face.verify(platform, oauth.id, { ...oauthProof(oauth.identity ?? newIdentity(), newKey()), ...given }),
  )

describeRows('verify: identity tokens', [
  ['key bad', verifyOauthBody({ clientPublicKey: '02' }), invalid('clientPublicKey')],
  ['key off the curve', verifyOauthBody({ clientPublicKey: `02${'f'.repeat(64)}` }), invalid('clientPublicKey')],
  ['key missing', verifyOauthBody({ clientPublicKey: undefined }), INVALID_INPUT],
  ['not a JWT', verifyOauthBody({ oidcToken: 'a.b.c' }), INVALID_INPUT],
  ['issuer unsupported', verifyToken(() => ({ iss: 'https://evil.example' })), INVALID_INPUT],
  ['another issuer', verifyToken(() => ({ iss: 'https://appleid.apple.com' })), unauthorized('OIDC_IDENTITY')],
  ['another audience', verifyToken(() => ({ aud: 'other' })), unauthorized('OIDC_IDENTITY')],
  ['another subject', verifyToken(() => ({ sub: 'other' })), unauthorized('OIDC_IDENTITY')],
  ['the audience in a list', verifyToken(() => ({ aud: ['client.apps.example'] })), OK],
  ['iat of 58 s ago', verifyToken(() => ({ iat: now() - 58 })), OK],
  ['iat of 90 s ago', verifyToken(() => ({ iat: now() - 90 })), unauthorized('OIDC_FRESHNESS')],
  ['iat of 2 s ahead', verifyToken(() => ({ iat: now() + 2 })), OK],
  ['iat of a minute ahead', verifyToken(() => ({ iat: now() + 60 })), unauthorized('OIDC_FRESHNESS')],
  ['exp past', verifyToken(() => ({ exp: now() - 1 })), unauthorized('OIDC_FRESHNESS')],
  ['nonce missing', verifyToken(() => ({ nonce: undefined })), unauthorized('OIDC_NONCE')],
  ['nonce of another key', verifyToken(() => ({ nonce: nonceOf(newKey().publicKey) })), unauthorized('OIDC_NONCE')],
  ['nonce in capitals', verifyToken((key) => ({ nonce: nonceOf(key).toUpperCase() })), unauthorized('OIDC_NONCE')],
  [
    'nonce of the key in its other form',
    verifyToken((key) => ({ nonce: nonceOf(uncompressed(key)) })),
    unauthorized('OIDC_NONCE'),
  ],
  [
    'an upper-case key with the nonce of that text',
    verifyToken(
      () => ({}),
      (key) => key.toUpperCase(),
    ),
    OK,
  ],
  ['an uncompressed key', verifyToken(() => ({}), uncompressed), OK],
  [
    'an unnecessary wallet signature',
    own(async ({ platform, oauth }, face) =>
      face.verify(platform, oauth.id, oauthProof(oauth.identity ?? newIdentity(), newKey()), { signature: 'nothing' }),
    ),
    OK,
  ],
  [
    'the same token again',
    own(async ({ platform, oauth }, face) => {
      const input = oauthProof(oauth.identity ?? newIdentity(), newKey())
      expectStatus(await face.verify(platform, oauth.id, input), 200)
      return face.verify(platform, oauth.id, input)
    }),
    { status: 401, code: 'UNAUTHORIZED' },
  ],
])

afterEach(() => {
  vi.useRealTimers()
})

describe.each(credentialFaces)('over $name', (face) => {
  it.each([-90, 90])(
    'the age of a token does not depend on a clock of the process that is %i seconds off',
    async (off) => {
      const { platform, oauth } = await createHousehold(face, await createPlatform())
      const proofs = [0, off].map((seconds) =>
        oauthProof(oauth.identity ?? newIdentity(), newKey(), { iat: now() + seconds, exp: now() + seconds + 60 }),
      )
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off * 1_000, shouldAdvanceTime: true })
      const answers = []
      for (const proof of proofs) answers.push((await face.verify(platform, oauth.id, proof)).status)
      expect(answers).toEqual([200, 401])
    },
  )
})

function uncompressed(publicKey: string): string {
  return Buffer.from(uncompressRawPublicKey(Buffer.from(publicKey, 'hex'))).toString('hex')
}
