// The kind PASSKEY: a WebAuthn credential. `registration.ts` and `assertion.ts` hold the checks
// (docs/domain/credentials.md#passkey-registration, docs/domain/credentials.md#passkey-assertion).
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PlatformCaller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { newUuid, publicId } from '#core/ids.ts'
import { parse } from '#core/input.ts'
import { canonicalJson } from '#core/json/canonical-json.ts'
import { requireLive } from '#credentials/credential.ts'
import { recipient } from '#credentials/crypto/p256.ts'
import type { CredentialKind, Reader } from '#credentials/kinds/kind.ts'
import { consumeRequest, findRequest, insertRequest } from '#credentials/signed-retry/pending-request.ts'
import { db, identifier } from '#database/db.ts'
import { sending } from '#database/round-trips.ts'
import { inTransaction, lockText } from '#database/unit-of-work.ts'
import type { AuthMethod } from '#generated/prisma/client.ts'
import { checkAssertion, passkeyAssertion } from './assertion.ts'
import { loggingStaleCounter, raiseCounter } from './counter.ts'
import { checkRegistration, type Passkey, passkeyRegistration } from './registration.ts'
import { passkeySettingsOf } from './settings.ts'

const registration = passkeyRegistration.describe('A WebAuthn credential.')

const proof = z.object({
  assertion: passkeyAssertion.describe('The result of `navigator.credentials.get`.'),
})

type PasskeyFacts = Omit<Passkey, 'publicKey' | 'rpIdHash'> & {
  readonly publicKey: string
  readonly rpIdHash: string
  /** SHA-256 of the registration challenge. */
  readonly challengeHash: string
}

export const PASSKEY_CHALLENGE_TEXTS = {
  challenge: 'Lowercase hex. The UTF-8 bytes of this text are the WebAuthn challenge.',
  requestId: '`Request:<uuid>`. Send it with the assertion.',
  expiresAt: 'When the challenge expires: five minutes after it was issued.',
}

export interface PasskeyChallenge {
  readonly challenge: string
  readonly requestId: string
  readonly expiresAt: string
}

/** What the pending request of a challenge stores. */
interface AssertedContent {
  readonly challenge: string
  readonly clientPublicKey: string
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

const alreadyExists = () => new ApiError('PASSKEY_CREDENTIAL_ALREADY_EXISTS', 'The passkey is already registered')

/** A passkey has one live credential on a platform. A registration challenge is used once, even if its credential was revoked. */
const refuseDuplicate = async (
  reader: Reader,
  { platformId }: PlatformCaller,
  { credentialId, challengeHash }: Pick<PasskeyFacts, 'credentialId' | 'challengeHash'>,
) => {
  const same = { platformId, type: 'PASSKEY' as const, credentialId, revokedAt: null }
  if ((await reader.authMethod.count({ where: same })) > 0) throw alreadyExists()
  if ((await reader.authMethod.count({ where: { platformId, challengeHash: bytesOf(challengeHash) } })) > 0) {
    throw new ApiError('INVALID_INPUT', 'challenge has already been used for a registration', {
      field: 'challenge',
      reason: 'REGISTRATION_CHALLENGE_USED',
    })
  }
}

export const passkey: CredentialKind<typeof registration, PasskeyFacts, typeof proof, PasskeyChallenge> = {
  description: 'WebAuthn credential, with a nickname that its owner gave it. Several per account.',
  registration,
  alreadyExists,
  draft: async (caller, _wallet, given) => {
    const challengeHash = createHash('sha256').update(given.challenge, 'utf8').digest('base64')
    await refuseDuplicate(db, caller, { credentialId: given.attestation.credentialId, challengeHash })
    const { publicKey, rpIdHash, ...facts } = checkRegistration(given, await passkeySettingsOf(caller))
    return {
      nickname: given.nickname,
      facts: { ...facts, publicKey: base64(publicKey), rpIdHash: base64(rpIdHash), challengeHash },
    }
  },
  recheck: async (tx, caller, _wallet, { facts }) => {
    // The account's lock does not stop a registration with the same challenge on another account.
    await lockText(tx, `${caller.platformId} challenge ${facts.challengeHash}`)
    await refuseDuplicate(tx, caller, facts)
  },
  columns: ({ transports, publicKey, rpIdHash, challengeHash, ...facts }) => ({
    ...facts,
    transports: [...transports],
    publicKey: bytesOf(publicKey),
    rpIdHash: bytesOf(rpIdHash),
    challengeHash: bytesOf(challengeHash),
  }),
  activity: ({ attestation, challenge }, nickname, userId) => {
    const { transports } = attestation
    const authenticators = [{ attestation, authenticatorName: nickname, challenge, transports }]
    return { type: 'ACTIVITY_TYPE_CREATE_AUTHENTICATORS_V2', parameters: { authenticators, userId } }
  },
  prepareChallenge: async (caller, credential, readInput) => {
    const { clientPublicKey } = parse(recipient, await readInput())
    return () => issueChallenge(caller, credential, clientPublicKey)
  },
  sessionKey: 'GATEWAY',
  proof,
  prepareCheck: async (caller, credential, { assertion }, requestId) => {
    if (requestId === null) {
      throw new ApiError('REQUEST_ID_MISSING', 'The assertion needs the request id of its challenge')
    }
    const request = await findRequest(caller, requestId, 'ASSERT_PASSKEY', publicId('AuthMethod', credential.id))
    const { challenge, clientPublicKey } = request.content as AssertedContent
    const settings = await passkeySettingsOf(caller)
    return () =>
      loggingStaleCounter(credential, async () => {
        const { counter } = checkAssertion(assertion, challenge, passkeyOf(credential), settings)
        return {
          clientPublicKey,
          spend: (tx) =>
            loggingStaleCounter(credential, async () => {
              await consumeRequest(tx, caller, request.id)
              await raiseCounter(tx, identifier('auth_methods'), credential, counter)
            }),
        }
      })
  },
}

const issueChallenge = async (
  caller: PlatformCaller,
  { id: authMethodId, accountId }: AuthMethod,
  clientPublicKey: string,
): Promise<PasskeyChallenge> => {
  const id = newUuid()
  const requestId = publicId('Request', id)
  const target = publicId('AuthMethod', authMethodId)
  const body = canonicalJson({ credentialId: target, requestId, clientPublicKey, timestampMs: String(Date.now()) })
  const fingerprint = createHash('sha256').update(body, 'utf8').digest()
  const challenge = fingerprint.toString('hex')
  const content: AssertedContent = { challenge, clientPublicKey }
  const expiresAt = await inTransaction(async (tx) => {
    const request = { id, accountId, operation: 'ASSERT_PASSKEY' as const, target, fingerprint, content }
    const until = await insertRequest(tx, caller, request)
    await requireLive(sending(tx), caller, authMethodId)
    return until
  })
  return { challenge, requestId, expiresAt }
}

/** A CHECK constraint guarantees that a passkey has these columns. */
const passkeyOf = ({ credentialId, publicKey, counter, transports, origin, rpId, rpIdHash }: AuthMethod): Passkey => ({
  credentialId: credentialId ?? '',
  publicKey: publicKey ?? new Uint8Array(),
  counter: Number(counter ?? 0),
  transports,
  origin: origin ?? '',
  rpId,
  rpIdHash: rpIdHash ?? new Uint8Array(),
})
