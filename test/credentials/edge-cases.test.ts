// Edge cases that only mutation testing has shown to matter: limits from both sides, and alternative encodings.
import { createPrivateKey, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parse } from '#core/input.ts'
import { parseOtpBundle } from '#credentials/crypto/bundles.ts'
import { generateKeyPair, publicKeyOfPrivate, toJwk } from '#credentials/crypto/p256.ts'
import { readToken } from '#credentials/kinds/oidc/token.ts'
import { passkeyRegistration } from '#credentials/kinds/passkey/registration.ts'
import { isSignedBy, parseStamp } from '#credentials/signed-retry/stamp.ts'
import { identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { refusalOf } from '#test/setup/refusal.ts'

const MALFORMED = { status: 400, code: 'INVALID_INPUT' }

describe('a stamp', () => {
  it('needs a DER signature, not the two bare integers', () => {
    const { privateKey, publicKey, publicKeyUncompressed } = newKey()
    const jwk = {
      ...toJwk(Buffer.from(publicKeyUncompressed, 'hex')),
      d: Buffer.from(privateKey, 'hex').toString('base64url'),
    }
    const key = createPrivateKey({ key: jwk, format: 'jwk' })
    const counts = (dsaEncoding: 'der' | 'ieee-p1363') => {
      const signature = sign('sha256', Buffer.from('payload'), { key, dsaEncoding }).toString('hex')
      const value = { publicKey, scheme: 'SIGNATURE_SCHEME_TK_API_P256', signature }
      return isSignedBy(parseStamp(Buffer.from(JSON.stringify(value)).toString('base64url')), 'payload')
    }
    expect(counts('der')).toBe(true)
    expect(counts('ieee-p1363')).toBe(false)
  })
})

it('a new key has 32 bytes, even when it starts with zeros', () => {
  const pairs = Array.from({ length: 5_000 }, generateKeyPair)
  expect(pairs.filter(({ privateKey }) => privateKey[0] === 0).length).toBeGreaterThan(0)
  const wrong = pairs.filter(
    ({ publicKey, privateKey }) =>
      privateKey.length !== 32 || !Buffer.from(publicKeyOfPrivate(privateKey)).equals(publicKey),
  )
  expect(wrong).toEqual([])
})

describe('an encryptedOtpBundle', () => {
  it('may have up to 4096 characters', async () => {
    const { publicKeyUncompressed: encappedPublic } = newKey()
    const frame = JSON.stringify({ encappedPublic, ciphertext: '' }).length
    /** A bundle padded to the given length with white space that JSON allows. */
    const bundleOf = (length: number) => {
      const ciphertext = 'ab'.repeat((length - frame) >> 1)
      return JSON.stringify({ encappedPublic, ciphertext }).padEnd(length)
    }
    expect(bundleOf(4096)).toHaveLength(4096)
    expect(await refusalOf(() => parseOtpBundle(bundleOf(4096)))).toBe('accepted')
    expect(await refusalOf(() => parseOtpBundle(bundleOf(4097)))).toMatchObject(MALFORMED)
  })
})

describe('an oidcToken', () => {
  it('may have up to 16384 characters', async () => {
    const [header, claims] = identityToken(newIdentity()).split('.')
    const frame = `${header}.${claims}.`
    /** No base64url text has a length of 4n + 1. */
    const isPossible = (length: number) => (length - frame.length) % 4 !== 1
    const tokenOf = (length: number) => frame + 'A'.repeat(length - frame.length)
    const read = (length: number) => refusalOf(() => readToken(tokenOf(length)))
    expect(await read(isPossible(16_384) ? 16_384 : 16_383)).toBe('accepted')
    expect(await read(isPossible(16_385) ? 16_385 : 16_386)).toMatchObject({ ...MALFORMED, field: 'oidcToken' })
  })
})

describe('the body of a passkey registration', () => {
  it('may have a challenge of up to 2048 characters', async () => {
    const attestation = softwareAuthenticator().create('x')
    const register = (length: number) =>
      refusalOf(() => parse(passkeyRegistration, { nickname: 'Phone', challenge: 'x'.repeat(length), attestation }))
    expect(await register(2048)).toBe('accepted')
    expect(await register(2049)).toMatchObject({ ...MALFORMED, field: 'challenge' })
  })
})
