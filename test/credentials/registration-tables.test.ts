// The decision tables of registration, challenge and revocation (docs/domain/credentials.md#registration-decisions), over both APIs.
import { randomUUID } from 'node:crypto'
import { db } from '#database/db.ts'
import type { Answer, CredentialFace } from '#test/setup/credentials/credential-faces.ts'
import { type Claims, identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { AT, softwareAuthenticator, type Twist, UP, UV } from '#test/setup/credentials/software-authenticator.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household } from '#test/setup/credentials/wallet-operations.ts'
import { describeRows, INVALID_INPUT, invalid, NOT_FOUND, OK, type Row } from '#test/setup/credentials/wallet-rows.ts'
import {
  addOtp,
  addPasskey,
  expectStatus,
  passkeyRegistration,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { createAuthMethod, createInternalAccount, createPlatform, createWallet } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)
const ACCEPTED = { status: 202 }

/** Registers a credential in the shared household with parts of the body replaced. */
const register =
  (given: object): Row[1] =>
  ({ platform, wallet }, face) =>
    face.register(platform, { accountId: wallet.accountId, ...given })

const registerPasskey =
  (twist: Twist, given: object = {}, home = {}): Row[1] =>
  ({ platform, wallet }, face) =>
    face.register(platform, {
      ...passkeyRegistration(wallet, softwareAuthenticator('ES256', home), twist),
      ...given,
    })

const registerToken =
  (claims: Claims | (() => Claims), token = (text: string) => text): Row[1] =>
  ({ platform, wallet }, face) =>
    face.register(platform, {
      type: 'OAUTH',
      accountId: wallet.accountId,
      oidcToken: token(identityToken(newIdentity(), typeof claims === 'function' ? claims() : claims)),
    })

const withPasskey = (given: object): Row[1] => registerPasskey({}, given)
const withAttestation =
  (given: object): Row[1] =>
  ({ platform, wallet }, face) => {
    const body = passkeyRegistration(wallet, softwareAuthenticator())
    return face.register(platform, { ...body, attestation: { ...body.attestation, ...given } })
  }

const now = () => Math.floor(Date.now() / 1000)

describeRows('POST /auth/credentials', [
  ['type unknown', register({ type: 'FAX' }), INVALID_INPUT],
  ['type missing', register({}), INVALID_INPUT],
  ['type in lower case', register({ type: 'email_otp' }), INVALID_INPUT],
  ['accountId missing', register({ type: 'SMS_OTP', accountId: undefined }), INVALID_INPUT],
  ['accountId malformed', register({ type: 'SMS_OTP', accountId: 'account' }), invalid('accountId')],
  ['accountId of another kind', register({ type: 'SMS_OTP', accountId: `Card:${randomUUID()}` }), invalid('accountId')],
  ['OAUTH without token', register({ type: 'OAUTH' }), INVALID_INPUT],
  ['PASSKEY without anything', register({ type: 'PASSKEY' }), INVALID_INPUT],
  ['nickname missing', withPasskey({ nickname: undefined }), INVALID_INPUT],
  ['nickname blank', withPasskey({ nickname: '  ' }), invalid('nickname')],
  ['nickname of 101', withPasskey({ nickname: 'x'.repeat(101) }), invalid('nickname')],
  ['nickname with a letter that is none', withPasskey({ nickname: 'a<b' }), invalid('nickname')],
  ['nickname with NUL', withPasskey({ nickname: 'a\0b' }), invalid('nickname')],
  ['nickname of 100 in spaces', withPasskey({ nickname: ` ${'x'.repeat(100)} ` }), ACCEPTED],
  ['nickname of letters from elsewhere', withPasskey({ nickname: "Zoë's 電話-1 (rød)_2." }), ACCEPTED],
  ['challenge missing', withPasskey({ challenge: undefined }), INVALID_INPUT],
  ['attestation missing', withPasskey({ attestation: undefined }), INVALID_INPUT],
  ['transports unknown', withAttestation({ transports: ['smoke'] }), INVALID_INPUT],
  ['transports empty', withAttestation({ transports: [] }), ACCEPTED],
  ['credentialId not base64url', withAttestation({ credentialId: 'a+b/' }), INVALID_INPUT],
  ['account unknown', register({ type: 'SMS_OTP', accountId: `InternalAccount:${randomUUID()}` }), NOT_FOUND],
  [
    'account is not a wallet',
    async ({ platform }, face) => {
      const { id } = await createInternalAccount(platform)
      return face.register(platform, { type: 'SMS_OTP', accountId: `InternalAccount:${id}` })
    },
    INVALID_INPUT,
  ],
  ...(['PENDING', 'CLOSED', 'FROZEN'] as const).map(
    (status): Row => [
      `wallet ${status}`,
      async ({ platform }, face) => {
        const { accountId } = await createWallet(platform)
        await db.internalAccount.updateMany({ where: { id: bare(accountId) }, data: { status } })
        return face.register(platform, { type: 'OAUTH', accountId, oidcToken: identityToken(newIdentity()) })
      },
      INVALID_INPUT,
    ],
  ),
  ['second EMAIL_OTP', register({ type: 'EMAIL_OTP' }), { status: 400, code: 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS' }],
  [
    'second SMS_OTP',
    async (_shared, face) => {
      const { platform, wallet, emailSession } = await createHousehold(face, await createPlatform())
      await addOtp(face, wallet, emailSession, 'SMS_OTP')
      return face.register(platform, { type: 'SMS_OTP', accountId: wallet.accountId })
    },
    { status: 400, code: 'SMS_OTP_CREDENTIAL_ALREADY_EXISTS' },
  ],
  ...(['another customer', 'another platform'] as const).map(
    (where): Row => [
      `SMS_OTP to the phone number of ${where}`,
      async (_shared, face) => {
        const { platform, wallet, emailSession } = await createHousehold(face, await createPlatform())
        const home = where === 'another customer' ? platform : await createPlatform()
        const { accountId } = await createWallet(home, { phoneNumber: wallet.phoneNumber, email: null })
        await createAuthMethod(home, {
          accountId: bare(accountId),
          type: 'SMS_OTP',
          nickname: wallet.phoneNumber ?? '',
        })
        const body = { type: 'SMS_OTP', accountId: wallet.accountId }
        const first = await face.register(platform, body)
        return first.status === 202 ? face.register(platform, body, await prove(emailSession.key, first)) : first
      },
      where === 'another customer' ? { status: 409, code: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS' } : { status: 201 },
    ],
  ),
  ...(['the same account', 'another account', 'another platform'] as const).map(
    (where): Row => [
      `passkey of ${where}`,
      async ({ platform, wallet, emailSession }, face) => {
        const authenticator = softwareAuthenticator()
        await addPasskey(face, wallet, emailSession, { authenticator })
        const other = {
          'the same account': wallet,
          'another account': await createWallet(platform),
          'another platform': await createWallet(await createPlatform()),
        }[where]
        return face.register(other.platform, passkeyRegistration(other, authenticator))
      },
      where === 'another platform' ? ACCEPTED : { status: 400, code: 'PASSKEY_CREDENTIAL_ALREADY_EXISTS' },
    ],
  ),
  [
    'EMAIL_OTP for a customer without email',
    async ({ platform }, face) => {
      const { accountId } = await createWallet(platform, { email: null })
      return face.register(platform, { type: 'EMAIL_OTP', accountId })
    },
    { status: 400, code: 'MISSING_MANDATORY_USER_INFO' },
  ],
  [
    'SMS_OTP for a customer without phone',
    async ({ platform }, face) => {
      const { accountId } = await createWallet(platform, { phoneNumber: null })
      return face.register(platform, { type: 'SMS_OTP', accountId })
    },
    { status: 400, code: 'MISSING_MANDATORY_USER_INFO' },
  ],
  // Checks of a passkey registration.
  ['client data not JSON', withAttestation({ clientDataJson: Buffer.from('{').toString('base64url') }), INVALID_INPUT],
  ['client data of a get', registerPasskey({ type: 'webauthn.get' }), INVALID_INPUT],
  ['client data of another challenge', registerPasskey({ challenge: 'another' }), INVALID_INPUT],
  ['challenge that is not base64url', withChallenge('not base64url!'), ACCEPTED],
  ['attestation not CBOR', withAttestation({ attestationObject: 'AAAA' }), INVALID_INPUT],
  ['not present', registerPasskey({ flags: UV | AT }), INVALID_INPUT],
  ['not verified', registerPasskey({ flags: UP | AT }), INVALID_INPUT],
  ['not attested', registerPasskey({ flags: UP | UV }), INVALID_INPUT],
  [
    'user not verified, verification only preferred',
    onPlatform({ passkeyRequireUserVerification: false }, { flags: UP | AT }),
    ACCEPTED,
  ],
  ['another id inside', registerPasskey({ attestedId: Buffer.alloc(32, 7) }), INVALID_INPUT],
  ['a key of another algorithm', registerPasskey({ coseKey: es384() }), INVALID_INPUT],
  ['a relying party that is not the origin', registerPasskey({ rpId: 'evil.example' }), INVALID_INPUT],
  ['a relying party below the origin', registerPasskey({ rpId: 'login.app.example' }), INVALID_INPUT],
  ['a relying party above the origin', registerPasskey({ origin: 'https://login.app.example' }), ACCEPTED],
  [
    'the origin of a native app',
    registerPasskey({ origin: 'android:apk-key-hash:abc', rpId: 'any.example' }),
    ACCEPTED,
  ],
  ['another fmt', registerPasskey({ fmt: 'packed' }), ACCEPTED],
  [
    'an origin that the platform does not list',
    onPlatform({ passkeyOrigins: ['https://other.example'] }, {}),
    INVALID_INPUT,
  ],
  ['an origin that the platform lists', onPlatform({ passkeyOrigins: ['https://app.example'] }, {}), ACCEPTED],
  // Claims of an identity token.
  ['not a JWT', registerToken({}, () => 'token'), INVALID_INPUT],
  ['a JWT of two parts', registerToken({}, (token) => token.split('.').slice(0, 2).join('.')), INVALID_INPUT],
  ['issuer unsupported', registerToken({ iss: 'https://evil.example' }), INVALID_INPUT],
  ['issuer with a slash', registerToken({ iss: 'https://accounts.google.com/' }), INVALID_INPUT],
  ['issuer by its other name', registerToken({ iss: 'accounts.google.com' }), ACCEPTED],
  ['issuer Apple', registerToken({ iss: 'https://appleid.apple.com' }), ACCEPTED],
  ['issuer missing', registerToken({ iss: undefined }), INVALID_INPUT],
  ['aud of one', registerToken({ aud: ['client'] }), ACCEPTED],
  ['aud of two', registerToken({ aud: ['client', 'other'] }), INVALID_INPUT],
  ['aud empty', registerToken({ aud: '' }), INVALID_INPUT],
  ['sub empty', registerToken({ sub: '' }), INVALID_INPUT],
  ['sub a number', registerToken({ sub: 7 }), INVALID_INPUT],
  ['iat of 58 s ago', registerToken(() => ({ iat: now() - 58 })), ACCEPTED],
  ['iat of 90 s ago', registerToken(() => ({ iat: now() - 90 })), { status: 401, code: 'UNAUTHORIZED' }],
  ['iat of a minute ahead', registerToken(() => ({ iat: now() + 60 })), { status: 401, code: 'UNAUTHORIZED' }],
  ['exp past', registerToken(() => ({ exp: now() - 1 })), { status: 401, code: 'UNAUTHORIZED' }],
  ['no nonce is asked for', registerToken({ nonce: 'anything' }), ACCEPTED],
  [
    'identity already registered',
    async ({ platform, wallet, oauth }, face) =>
      face.register(platform, {
        type: 'OAUTH',
        accountId: wallet.accountId,
        oidcToken: identityToken(oauth.identity ?? newIdentity()),
      }),
    invalid('oidcToken'),
  ],
  [
    'account without credentials, headers ignored',
    async ({ platform }, face) => {
      const { accountId } = await createWallet(platform, { email: null })
      const input = { type: 'OAUTH', accountId, oidcToken: identityToken(newIdentity()) }
      return face.register(platform, input, { requestId: 'nothing', signature: 'nothing' })
    },
    { status: 201 },
  ],
  ['otherwise', registerToken({}), ACCEPTED],
])

function withChallenge(challenge: string): Row[1] {
  return ({ platform, wallet }, face) => {
    const attestation = softwareAuthenticator().create(challenge)
    return face.register(platform, {
      type: 'PASSKEY',
      accountId: wallet.accountId,
      nickname: 'x',
      challenge,
      attestation,
    })
  }
}

/** ES384: `{ 1: 2, 3: -35, -1: 2, -2: x, -3: y }`. */
function es384(): Buffer {
  const coordinate = Buffer.alloc(48, 1)
  const hex = (text: string) => Buffer.from(text, 'hex')
  return Buffer.concat([hex('a501020338222002215830'), coordinate, hex('225830'), coordinate])
}

function onPlatform(data: object, twist: Twist): Row[1] {
  return async (_shared, face) => {
    const platform = await createPlatform()
    await db.platform.update({ where: { id: platform.id }, data })
    const wallet = await createWallet(platform)
    return face.register(platform, passkeyRegistration(wallet, softwareAuthenticator(), twist))
  }
}

/** Requests a challenge, with the credential of a new household when the row exhausts the limit. */
const challenge =
  (id: (house: Household) => string, input?: object): Row[1] =>
  (house, face) =>
    face.challenge(house.platform, id(house), input)

const passkeyOf = async (house: Household, face: CredentialFace, input?: object): Promise<Answer> => {
  const passkey = await addPasskey(face, house.wallet, house.emailSession)
  return face.challenge(house.platform, passkey.id, input)
}
const challengePasskey =
  (input?: object): Row[1] =>
  (house, face) =>
    passkeyOf(house, face, input)

describeRows('POST /auth/credentials/{id}/challenge', [
  ['unknown', challenge(() => `AuthMethod:${randomUUID()}`), NOT_FOUND],
  ['malformed id', challenge(() => 'nothing'), NOT_FOUND],
  ['id of another kind', challenge(({ emailSession }) => emailSession.id), NOT_FOUND],
  ['OAUTH', challenge(({ oauth }) => oauth.id), INVALID_INPUT],
  ['PASSKEY without key', challengePasskey({}), invalid('clientPublicKey')],
  ['PASSKEY with half a key', challengePasskey({ clientPublicKey: '04ab' }), invalid('clientPublicKey')],
  [
    'PASSKEY with a point off the curve',
    challengePasskey({ clientPublicKey: `04${'11'.repeat(64)}` }),
    invalid('clientPublicKey'),
  ],
  ['PASSKEY with a compressed key', challengePasskey({ clientPublicKey: newKey().publicKey }), OK],
  ['PASSKEY with an uncompressed key', challengePasskey({ clientPublicKey: newKey().publicKeyUncompressed }), OK],
  ['PASSKEY with a key in capitals', challengePasskey({ clientPublicKey: newKey().publicKey.toUpperCase() }), OK],
  ['OTP', challenge(({ email }) => email.id), OK],
  ['OTP with a key that nobody asked for', challenge(({ email }) => email.id, { clientPublicKey: 'junk' }), OK],
])

describeRows('DELETE /auth/credentials/{id}', [
  ['unknown', ({ platform }, face) => face.revoke(platform, `AuthMethod:${randomUUID()}`), NOT_FOUND],
  ['malformed id', ({ platform }, face) => face.revoke(platform, 'nothing'), NOT_FOUND],
  [
    'already revoked',
    async (_shared, face) => {
      const { platform, oauth, emailSession } = await createHousehold(face, await createPlatform())
      const gone = await signedRetry(emailSession.key, (proof) => face.revoke(platform, oauth.id, proof))
      expectStatus(gone, 204)
      return face.revoke(platform, oauth.id)
    },
    NOT_FOUND,
  ],
  [
    'the only credential',
    async ({ platform }, face) => face.revoke(platform, (await createWallet(platform)).credentialId),
    { ...INVALID_INPUT, reason: 'LAST_CREDENTIAL' },
  ],
  ['otherwise', ({ platform, oauth }, face) => face.revoke(platform, oauth.id), ACCEPTED],
])
