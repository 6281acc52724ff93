import {
  decryptCredentialBundle,
  decryptExportBundle,
  encryptOtpCodeToBundle,
  formatHpkeBuf,
  hpkeDecrypt,
  hpkeEncrypt,
} from '@turnkey/crypto'
import bs58check from 'bs58check'
import { describe, expect, test } from 'vitest'
import {
  otpTargetBundle,
  parseOtpBundle,
  readOtpProof,
  sealSessionKey,
  sealWallet,
} from '#credentials/crypto/bundles.ts'
import { open, seal, suite } from '#credentials/crypto/hpke.ts'
import { generateKeyPair, parsePublicKey } from '#credentials/crypto/p256.ts'
import { signingPublicKey } from '#credentials/crypto/signing-key.ts'
import { testVectors } from '#test/setup/credentials/vectors.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { refusalOf } from '#test/setup/refusal.ts'

const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const ORGANIZATION = '0199c0de-0000-7000-8000-000000000001'
const USER = '0199c0de-0000-7000-8000-000000000002'

const point = (hex: string) => parsePublicKey(hex) ?? new Uint8Array()
const textOf = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()

interface Rfc9180 {
  info: string
  skRm: string
  enc: string
  encryptions: { aad: string; ct: string; pt: string }[]
}

testVectors(
  'the RFC 9180 test vectors for this suite decrypt',
  'rfc9180_p256_sha256_aes256gcm_base.json',
  async (vectors: Rfc9180[]) => {
    let opened = 0
    for (const { info, skRm, enc, encryptions } of vectors) {
      const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
      const recipientKey = await suite.kem.deserializePrivateKey(bytes(skRm))
      const recipient = await suite.createRecipientContext({ recipientKey, enc: bytes(enc), info: bytes(info) })
      for (const { aad, ct, pt } of encryptions) {
        expect(Buffer.from(await recipient.open(bytes(ct), bytes(aad))).toString('hex')).toBe(pt)
        opened++
      }
    }
    expect(opened).toBe(257)
  },
)

describe('HPKE against the real client', () => {
  test('decrypts what the client encrypts, 100 of 100', async () => {
    let opened = 0
    for (let i = 0; i < 100; i++) {
      const { publicKey, privateKey } = generateKeyPair()
      const sealed = hpkeEncrypt({ plainTextBuf: Buffer.from(`message ${i}`), targetKeyBuf: publicKey })
      const { encapsulatedKey, box } = parseOtpBundle(formatHpkeBuf(sealed))
      if (textOf(await open(privateKey, encapsulatedKey, box)) === `message ${i}`) opened++
    }
    expect(opened).toBe(100)
  })

  test('encrypts what the client decrypts, 100 of 100', async () => {
    let opened = 0
    for (let i = 0; i < 100; i++) {
      const { publicKeyUncompressed, privateKey } = newKey()
      const { encapsulatedKey, box } = await seal(point(publicKeyUncompressed), Buffer.from(`message ${i}`))
      const plain = hpkeDecrypt({ ciphertextBuf: box, encappedKeyBuf: encapsulatedKey, receiverPriv: privateKey })
      if (textOf(plain) === `message ${i}`) opened++
    }
    expect(opened).toBe(100)
  })

  test('decrypts no message with a single bit changed', async () => {
    const { publicKey, privateKey } = generateKeyPair()
    const { encapsulatedKey, box } = await seal(publicKey, Buffer.from('{"otp_code":"000000"}'))
    expect(textOf(await open(privateKey, encapsulatedKey, box))).toBe('{"otp_code":"000000"}')
    const whole = Buffer.concat([encapsulatedKey, box])
    let opened = 0
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const bent = Uint8Array.from(whole, (byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
      if (await open(privateKey, bent.slice(0, 65), bent.slice(65))) opened++
    }
    expect({ tried: whole.length * 8, opened }).toEqual({ tried: 816, opened: 0 })
  })

  test('decrypts no message that is truncated, extended or for another key', async () => {
    const { publicKey, privateKey } = generateKeyPair()
    const { encapsulatedKey, box } = await seal(publicKey, Buffer.from('message'))
    expect(await open(privateKey, encapsulatedKey, box.slice(0, -1))).toBeUndefined()
    expect(await open(privateKey, encapsulatedKey, box.slice(0, 3))).toBeUndefined()
    expect(await open(privateKey, encapsulatedKey, Buffer.concat([box, Buffer.of(0)]))).toBeUndefined()
    expect(await open(generateKeyPair().privateKey, encapsulatedKey, box)).toBeUndefined()
    expect(await open(privateKey, new Uint8Array(65), box)).toBeUndefined()
  })

  test('binds the message to info and to both keys', async () => {
    const { publicKey, privateKey } = generateKeyPair()
    const recipientPublicKey = await suite.kem.deserializePublicKey(publicKey)
    const sealedWith = async (info: string, tail: Uint8Array) => {
      const sender = await suite.createSenderContext({ recipientPublicKey, info: Buffer.from(info) })
      const encapsulatedKey = new Uint8Array(sender.enc)
      const box = await sender.seal(Buffer.from('message'), Buffer.concat([encapsulatedKey, tail]))
      return textOf(await open(privateKey, encapsulatedKey, new Uint8Array(box)))
    }
    expect(await sealedWith('turnkey_hpke', publicKey)).toBe('message')
    expect(await sealedWith('turnkey_hpk', publicKey)).toBeUndefined()
    expect(await sealedWith('turnkey_hpke', new Uint8Array())).toBeUndefined()
  })
})

describe('otpEncryptionTargetBundle', () => {
  const bundleOf = () => {
    const { publicKey, privateKey } = generateKeyPair()
    return {
      privateKey,
      bundle: otpTargetBundle({ targetPublic: publicKey, organizationId: ORGANIZATION, userId: USER }),
    }
  }

  test('is accepted by the client, and the gateway recovers the code and the key', async () => {
    const { bundle, privateKey } = bundleOf()
    const { publicKey, publicKeyUncompressed } = newKey()
    for (const key of [publicKey, publicKeyUncompressed]) {
      const sealed = await encryptOtpCodeToBundle('123456', bundle, key, signingPublicKey)
      const { encapsulatedKey, box } = parseOtpBundle(sealed)
      const proof = readOtpProof((await open(privateKey, encapsulatedKey, box)) ?? new Uint8Array())
      expect(proof).toEqual({ code: '123456', publicKey: point(publicKey) })
    }
  })

  test('names the wallet and the customer, and has four members', () => {
    const bundle = JSON.parse(bundleOf().bundle)
    expect(Object.keys(bundle)).toEqual(['version', 'data', 'dataSignature', 'enclaveQuorumPublic'])
    expect(bundle).toMatchObject({ version: 'v1.0.0', enclaveQuorumPublic: signingPublicKey })
    expect(JSON.parse(Buffer.from(bundle.data, 'hex').toString())).toEqual({
      targetPublic: expect.stringMatching(/^04[0-9a-f]{128}$/),
      organizationId: ORGANIZATION,
      userId: USER,
    })
  })

  test('is refused by the client when modified, 200 of 200', async () => {
    const { bundle } = bundleOf()
    const { data } = JSON.parse(bundle)
    let refused = 0
    for (let i = 0; i < 200; i++) {
      const at = Math.floor((i * data.length) / 200)
      const bent = bundle.replace(data, `${data.slice(0, at)}${data[at] === '0' ? '1' : '0'}${data.slice(at + 1)}`)
      await encryptOtpCodeToBundle('123456', bent, newKey().publicKey, signingPublicKey).catch(() => refused++)
    }
    expect(refused).toBe(200)
  })
})

describe('encryptedOtpBundle', () => {
  const encappedPublic = newKey().publicKeyUncompressed
  const ciphertext = 'ab'.repeat(40)

  test('is JSON text with the two hex members, in any case', () => {
    const { encapsulatedKey, box } = parseOtpBundle(
      JSON.stringify({ ciphertext: ciphertext.toUpperCase(), encappedPublic }),
    )
    expect(Buffer.from(encapsulatedKey).toString('hex')).toBe(encappedPublic)
    expect(Buffer.from(box).toString('hex')).toBe(ciphertext)
  })

  test.for([
    ['not JSON', 'bundle'],
    ['quoted once more', JSON.stringify(JSON.stringify({ encappedPublic, ciphertext }))],
    ['a list', JSON.stringify([encappedPublic, ciphertext])],
    ['without ciphertext', JSON.stringify({ encappedPublic })],
    ['with an empty ciphertext', JSON.stringify({ encappedPublic, ciphertext: '' })],
    ['with a ciphertext of half a byte', JSON.stringify({ encappedPublic, ciphertext: `${ciphertext}a` })],
    ['with a ciphertext that is not hex', JSON.stringify({ encappedPublic, ciphertext: 'zz' })],
    ['with one member more', JSON.stringify({ encappedPublic, ciphertext, aad: '' })],
    [
      'with a duplicate member',
      `{"ciphertext":"00","encappedPublic":"${encappedPublic}","ciphertext":"${ciphertext}"}`,
    ],
    ['with numbers', JSON.stringify({ encappedPublic: 4, ciphertext })],
    ['with a compressed key', JSON.stringify({ encappedPublic: newKey().publicKey, ciphertext })],
    ['with a key off the curve', JSON.stringify({ encappedPublic: `04${'1'.repeat(128)}`, ciphertext })],
    ['too long', JSON.stringify({ encappedPublic, ciphertext: 'ab'.repeat(2000) })],
  ] as const)('%s is refused', async ([, text]) => {
    expect(await refusalOf(() => parseOtpBundle(text))).toMatchObject({
      code: 'INVALID_INPUT',
      field: 'encryptedOtpBundle',
    })
  })

  test.for([
    ['not JSON', 'x'],
    ['no code', JSON.stringify({ public_key: encappedPublic })],
    ['an empty code', JSON.stringify({ otp_code: '', public_key: encappedPublic })],
    ['a number for a code', JSON.stringify({ otp_code: 123456, public_key: encappedPublic })],
    ['no key', JSON.stringify({ otp_code: '123456' })],
    ['a key off the curve', JSON.stringify({ otp_code: '123456', public_key: `04${'1'.repeat(128)}` })],
    ['the code twice', `{"otp_code":"1","otp_code":"2","public_key":"${encappedPublic}"}`],
    ['one member more', JSON.stringify({ otp_code: '1', public_key: encappedPublic, requestId: '' })],
  ] as const)('that encrypts %s is refused as an invalid proof', async ([, text]) => {
    expect(await refusalOf(() => readOtpProof(Buffer.from(text)))).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
      reason: 'OTP_BUNDLE',
    })
  })
})

test('encryptedSessionSigningKey is 81 bytes in base58check, and the real client decrypts it', async () => {
  const client = newKey()
  const { privateKey } = generateKeyPair()
  const sealed = await sealSessionKey(point(client.publicKey), privateKey)
  expect(bs58check.decode(sealed).length).toBe(81)
  expect(decryptCredentialBundle(sealed, client.privateKey)).toBe(Buffer.from(privateKey).toString('hex'))
})

describe('encryptedWalletCredentials', () => {
  const client = newKey()
  const sealed = (environment: 'PRODUCTION' | 'SANDBOX') =>
    sealWallet(MNEMONIC, point(client.publicKey), ORGANIZATION, environment)

  test('from production is decrypted by the real client', async () => {
    const exportBundle = await sealed('PRODUCTION')
    const mnemonic = await decryptExportBundle({
      exportBundle,
      organizationId: ORGANIZATION,
      embeddedKey: client.privateKey,
      dangerouslyOverrideSignerPublicKey: signingPublicKey,
      returnMnemonic: true,
    })
    expect(mnemonic).toBe(MNEMONIC)
  })

  test('from sandbox is not signed', async () => {
    const bundle = JSON.parse(await sealed('SANDBOX'))
    expect(bundle).toMatchObject({ version: 'v1.0.0', dataSignature: '', enclaveQuorumPublic: '' })
    const data = JSON.parse(Buffer.from(bundle.data, 'hex').toString())
    expect(Object.keys(data)).toEqual(['encappedPublic', 'ciphertext', 'organizationId'])
    const plain = hpkeDecrypt({
      ciphertextBuf: Buffer.from(data.ciphertext, 'hex'),
      encappedKeyBuf: Buffer.from(data.encappedPublic, 'hex'),
      receiverPriv: client.privateKey,
    })
    expect(textOf(plain)).toBe(MNEMONIC)
  })
})
