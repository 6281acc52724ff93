// Every mutation of a wallet, prepared up to the final call.
import { randomBytes, randomUUID } from 'node:crypto'
import { db } from '#database/db.ts'
import type { Answer, CredentialFace, Proof } from './credential-faces.ts'
import { identityToken, newIdentity } from './oidc-issuer.ts'
import { softwareAuthenticator } from './software-authenticator.ts'
import type { Stocked, StockedWallet } from './stocked-wallets.ts'
import { newKey } from './wallet.ts'
import { newPhone } from './wallet-operations.ts'
import {
  type CredentialType,
  expectStatus,
  oauthProof,
  otpProof,
  passkeyChallenge,
  passkeyRegistration,
  prove,
} from './wallet-sessions.ts'

/** Sends the same call each time, with the same proof. */
type Call = () => Promise<Answer>

export interface WalletMutation {
  /** The credentials that the wallet has beforehand. */
  readonly types: readonly CredentialType[]
  readonly prepare: (face: CredentialFace, wallet: StockedWallet) => Promise<Call>
  readonly success: number
  /** The answer to the same call after it has succeeded. */
  readonly replay: number
  /** Changes that follow in a transaction of their own, and may be missing. */
  readonly afterwards?: string
}

const signed = async ({ session }: Stocked, send: (proof?: Proof) => Promise<Answer>): Promise<Call> => {
  const proof = await prove(session.key, expectStatus(await send(), 202))
  return () => send(proof)
}

const registrationOf = (wallet: StockedWallet, type: CredentialType) => {
  if (type === 'PASSKEY') return passkeyRegistration(wallet, softwareAuthenticator())
  const { accountId } = wallet
  return { type, accountId, ...(type === 'OAUTH' && { oidcToken: identityToken(newIdentity()) }) }
}

const registrationSigned = (type: CredentialType): WalletMutation => ({
  types: [type === 'EMAIL_OTP' ? 'OAUTH' : 'EMAIL_OTP'],
  prepare: (face, wallet) => {
    const { EMAIL_OTP, OAUTH } = wallet.credentials
    const input = registrationOf(wallet, type)
    return signed(EMAIL_OTP ?? OAUTH, (proof) => face.register(wallet.platform, input, proof))
  },
  success: 201,
  replay: 401,
  // The first code. The credential exists whether or not the code is sent.
  ...(type.endsWith('OTP') && { afterwards: 'insert otp_challenges' }),
})

const registrationFirst = (type: CredentialType): WalletMutation => ({
  types: [],
  prepare: async (face, wallet) => {
    const input = registrationOf(wallet, type)
    return () => face.register(wallet.platform, input)
  },
  success: 201,
  replay: 400,
})

const contactSigned = (type: 'EMAIL_OTP' | 'SMS_OTP'): WalletMutation => ({
  types: [type, 'OAUTH'],
  prepare: async (face, { platform, customerId, email, credentials }) => {
    // So that a code was sent to the old address.
    expectStatus(await face.challenge(platform, credentials[type].id), 200)
    const input = type === 'EMAIL_OTP' ? { email: `new-${email}` } : { phoneNumber: newPhone() }
    return signed(credentials.OAUTH, (proof) => face.updateCustomer(platform, customerId, input, proof))
  },
  success: 200,
  replay: 401,
})

const refresh = (face: CredentialFace, { platform, credentials: { OAUTH } }: StockedWallet) => {
  const input = { clientPublicKey: newKey().publicKey }
  return (proof?: Proof) => face.refresh(platform, OAUTH.session.id, input, proof)
}

const fillWithPending = async ({ platform, accountId }: StockedWallet) => {
  const row = { platformId: platform.id, accountId: accountId.slice(accountId.indexOf(':') + 1), target: '' }
  const expiresAt = new Date(Date.now() + 60_000)
  await db.signedRequest.createMany({
    data: Array.from({ length: 20 }, () => ({
      ...row,
      id: randomUUID(),
      operation: 'ADD_CREDENTIAL' as const,
      fingerprint: new Uint8Array(randomBytes(32)),
      sealed: new Uint8Array(randomBytes(32)),
      expiresAt,
    })),
  })
}

export const WALLET_MUTATIONS: Readonly<Record<string, WalletMutation>> = {
  'add PASSKEY': registrationSigned('PASSKEY'),
  'add OAUTH': registrationSigned('OAUTH'),
  'add EMAIL_OTP': registrationSigned('EMAIL_OTP'),
  'add SMS_OTP': registrationSigned('SMS_OTP'),
  'first PASSKEY': registrationFirst('PASSKEY'),
  'first OAUTH': registrationFirst('OAUTH'),
  'first EMAIL_OTP': registrationFirst('EMAIL_OTP'),
  'first SMS_OTP': registrationFirst('SMS_OTP'),
  'challenge OTP': {
    types: ['EMAIL_OTP'],
    prepare: async (face, { platform, credentialId }) => {
      return () => face.challenge(platform, credentialId)
    },
    success: 200,
    replay: 200,
  },
  'challenge PASSKEY': {
    types: ['PASSKEY'],
    prepare: async (face, wallet) => () => passkeyChallenge(face, wallet, wallet.credentials.PASSKEY.id),
    success: 200,
    replay: 200,
  },
  'verify OTP, first leg': {
    types: ['EMAIL_OTP'],
    prepare: async (face, wallet) => {
      const { platform, credentialId: id } = wallet
      const input = await otpProof(face, wallet, { id, type: 'EMAIL_OTP' })
      return () => face.verify(platform, id, input)
    },
    success: 202,
    replay: 401,
  },
  'verify OTP, second leg': {
    types: ['EMAIL_OTP'],
    prepare: async (face, wallet) => {
      const { platform, credentialId: id } = wallet
      const session = { id: '', key: newKey() }
      const input = await otpProof(face, wallet, { id, type: 'EMAIL_OTP' }, { key: session.key })
      return signed({ id, session }, (proof) => face.verify(platform, id, input, proof))
    },
    success: 200,
    replay: 401,
  },
  'verify OAUTH': {
    types: ['OAUTH'],
    prepare: async (face, { platform, identity, credentials: { OAUTH } }) => {
      const input = oauthProof(identity, newKey())
      return () => face.verify(platform, OAUTH.id, input)
    },
    success: 200,
    replay: 401,
  },
  'verify PASSKEY': {
    types: ['PASSKEY'],
    prepare: async (face, wallet) => {
      const { platform, authenticator, credentials } = wallet
      const { body } = await passkeyChallenge(face, wallet, credentials.PASSKEY.id)
      const input = { type: 'PASSKEY', assertion: authenticator.get(body.challenge) }
      return () => face.verify(platform, credentials.PASSKEY.id, input, { requestId: body.requestId })
    },
    success: 200,
    replay: 401,
  },
  'revoke credential': {
    types: ['EMAIL_OTP', 'OAUTH'],
    prepare: async (face, { platform, credentialId: id, credentials: { OAUTH } }) => {
      expectStatus(await face.challenge(platform, id), 200)
      return signed(OAUTH, (proof) => face.revoke(platform, id, proof))
    },
    success: 204,
    replay: 401,
  },
  'refresh session': {
    types: ['OAUTH'],
    prepare: (face, wallet) => signed(wallet.credentials.OAUTH, refresh(face, wallet)),
    success: 201,
    replay: 401,
  },
  'refresh session, first leg': {
    types: ['OAUTH'],
    prepare: async (face, wallet) => {
      await fillWithPending(wallet)
      const send = refresh(face, wallet)
      return () => send()
    },
    success: 202,
    replay: 202,
  },
  'revoke session': {
    types: ['EMAIL_OTP', 'OAUTH'],
    prepare: (face, { platform, credentials: { EMAIL_OTP, OAUTH } }) =>
      signed(EMAIL_OTP, (proof) => face.revokeSession(platform, OAUTH.session.id, proof)),
    success: 204,
    replay: 401,
  },
  'export wallet': {
    types: ['OAUTH'],
    prepare: (face, { platform, accountId, credentials: { OAUTH } }) => {
      const input = { clientPublicKey: newKey().publicKey }
      return signed(OAUTH, (proof) => face.exportWallet(platform, accountId, input, proof))
    },
    success: 200,
    replay: 401,
  },
  'wallet privacy': {
    types: ['OAUTH'],
    prepare: (face, { platform, accountId, credentials: { OAUTH } }) =>
      signed(OAUTH, (proof) => face.updatePrivacy(platform, accountId, { privateEnabled: true }, proof)),
    success: 200,
    replay: 401,
  },
  'email, signed': contactSigned('EMAIL_OTP'),
  'phone number, signed': contactSigned('SMS_OTP'),
  'email, unsigned': {
    types: ['OAUTH'],
    prepare: async (face, { platform, customerId, email }) => {
      return () => face.updateCustomer(platform, customerId, { email: `new-${email}` })
    },
    success: 200,
    replay: 200,
  },
}
