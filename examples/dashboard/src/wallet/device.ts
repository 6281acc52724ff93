// What the owner's device does: signs in by code or by passkey, and registers a passkey.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Client } from 'urql'
import { AddCredentialDocument, SignInDocument, StartSignInDocument } from '../gql/graphql.ts'
import { toBase64Url, utf8 } from './bytes.ts'
import { newSigningKey } from './keys.ts'
import { newSealingKey, openSessionKey, sealCode } from './sealed.ts'
import { type Session, send, sendSigned } from './signed-retry.ts'

type Hint = 'client-device'

export const startCode = async (client: Client, id: string) => {
  const started = await send(client, StartSignInDocument, { input: { id } })
  if (started.__typename !== 'OtpChallengeSent') throw new Error('This credential has no codes.')
  return started.authMethod.otpEncryptionTargetBundle ?? ''
}

/** The key that signs the second call becomes the key of the session. */
export const signInByCode = async (
  client: Client,
  id: string,
  type: 'EMAIL_OTP' | 'SMS_OTP',
  bundle: string,
  code: string,
): Promise<Session> => {
  const key = await newSigningKey()
  const otp = { encryptedOtpBundle: await sealCode(bundle, code, key.publicKey) }
  const proof = type === 'EMAIL_OTP' ? { emailOtp: otp } : { smsOtp: otp }
  const { session } = await sendSigned(client, SignInDocument, { id, proof }, key)
  return { ...session, key }
}

/** The gateway makes the key of the session, and encrypts it to a key of this device. */
export const signInByPasskey = async (client: Client, id: string, credentialId: string): Promise<Session> => {
  const sealing = await newSealingKey()
  const started = await send(client, StartSignInDocument, { input: { id, clientPublicKey: sealing.publicKey } })
  if (started.__typename !== 'PasskeyAuthChallenge') throw new Error('This credential is not a passkey.')
  const { response } = await startAuthentication({
    optionsJSON: {
      // The challenge is hex, and the bytes of that text are what is signed.
      challenge: toBase64Url(utf8(started.challenge)),
      rpId: location.hostname,
      allowCredentials: [{ type: 'public-key', id: credentialId }],
      userVerification: 'required',
    },
  })
  const { authenticatorData, clientDataJSON, signature } = response
  const assertion = { credentialId, authenticatorData, clientDataJson: clientDataJSON, signature }
  const input = { id, proof: { passkey: { assertion, requestId: started.requestId } } }
  const issued = await send(client, SignInDocument, { input })
  if (issued.__typename !== 'SessionIssued')
    throw new Error('The gateway asks for a signature that a passkey cannot give.')
  return { ...issued.session, key: await openSessionKey(issued.encryptedSessionSigningKey ?? '', sealing) }
}

export const addPasskey = async (client: Client, accountId: string, nickname: string, session: Session) => {
  const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const { id: credentialId, response } = await startRegistration({
    optionsJSON: {
      challenge,
      rp: { id: location.hostname, name: 'Paygraph' },
      user: { id: toBase64Url(crypto.getRandomValues(new Uint8Array(16))), name: nickname, displayName: nickname },
      pubKeyCredParams: [
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      hints: ['client-device' satisfies Hint],
    },
  })
  const { clientDataJSON, attestationObject, transports = [] } = response
  const attestation = { credentialId, clientDataJson: clientDataJSON, attestationObject, transports }
  const input = { accountId, credential: { passkey: { nickname, challenge, attestation } } }
  return sendSigned(client, AddCredentialDocument, input, session.key)
}
