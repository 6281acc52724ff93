import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parse } from '#core/input.ts'
import { isJsonObject, parseStrictJson, parseStrictJsonBytes } from '#core/json/strict-json.ts'
import { compressKey, generateKeyPair, parsePublicKey, publicKeyOf, verifySignature } from '#credentials/crypto/p256.ts'
import { signData, signingPublicKey, signToken } from '#credentials/crypto/signing-key.ts'
import { isSignedBy, parseStamp } from '#credentials/signed-retry/stamp.ts'
import { testVectors } from '#test/setup/credentials/vectors.ts'
import { type DeviceKey, newKey, stamp } from '#test/setup/credentials/wallet.ts'
import { refusalOf } from '#test/setup/refusal.ts'

const PAYLOAD = '{"organizationId":"o","parameters":{},"requestId":"Request:1","timestampMs":"1","type":"T"}'
const HALF_ORDER = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const SCHEME = 'SIGNATURE_SCHEME_TK_API_P256'

/** The integers r and s of a DER signature. */
const integersOf = (der: Uint8Array) => {
  const hex = Buffer.from(der).toString('hex')
  const lengthOfR = 2 * Number.parseInt(hex.slice(6, 8), 16)
  const r = BigInt(`0x${hex.slice(8, 8 + lengthOfR)}`)
  return { r, s: BigInt(`0x${hex.slice(12 + lengthOfR)}`) }
}
const isHighS = (der: Uint8Array) => integersOf(der).s > HALF_ORDER

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

let key: DeviceKey
let honest: { publicKey: string; scheme: string; signature: string }
beforeAll(async () => {
  key = newKey()
  honest = JSON.parse(Buffer.from(await stamp(key, PAYLOAD), 'base64url').toString())
})

const malformed = (value: string) =>
  refusalOf(() => parseStamp(value)).then((refusal) =>
    refusal === 'accepted' ? refusal : `${refusal.code} ${refusal.reason}`,
  )

describe('a stamp', () => {
  test('made by the real client is accepted, with high S and low S', async () => {
    let accepted = 0
    let highS = 0
    for (let i = 0; i < 200; i++) {
      const parsed = parseStamp(await stamp(newKey(), PAYLOAD))
      if (isSignedBy(parsed, PAYLOAD)) accepted++
      if (isHighS(parsed.signature)) highS++
    }
    expect({ accepted, someHighS: highS > 50, someLowS: highS < 150 }).toEqual({
      accepted: 200,
      someHighS: true,
      someLowS: true,
    })
  })

  test('is valid only for its exact payload, byte for byte', () => {
    const parsed = parseStamp(encode(honest))
    const others = [`${PAYLOAD}\n`, ` ${PAYLOAD}`, PAYLOAD.toUpperCase(), PAYLOAD.slice(0, -1), '']
    expect([PAYLOAD, ...others].map((payload) => isSignedBy(parsed, payload))).toEqual([
      true,
      ...others.map(() => false),
    ])
  })

  test('is valid only for its key', () => {
    expect(isSignedBy(parseStamp(encode({ ...honest, publicKey: newKey().publicKey })), PAYLOAD)).toBe(false)
  })

  test('may have members in any order, white space, upper-case hex and an uncompressed key', () => {
    const { publicKey, scheme, signature } = honest
    const loose = [
      encode({ signature, publicKey, scheme }),
      Buffer.from(JSON.stringify(honest, null, 2)).toString('base64url'),
      encode({ publicKey: publicKey.toUpperCase(), scheme, signature: signature.toUpperCase() }),
      encode({ publicKey: key.publicKeyUncompressed, scheme, signature }),
    ]
    // An imported key is remembered in the form in which it was used.
    verifySignature(Buffer.from(key.publicKeyUncompressed, 'hex'), PAYLOAD, Buffer.alloc(0))
    for (const value of loose) {
      const parsed = parseStamp(value)
      expect(Buffer.from(parsed.publicKey).toString('hex')).toBe(publicKey)
      expect(isSignedBy(parsed, PAYLOAD)).toBe(true)
    }
  })

  test('with any change to its encoding is malformed', async () => {
    const value = encode(honest)
    const bent = [
      `${value}=`,
      `${value}\n`,
      ` ${value}`,
      Buffer.from(JSON.stringify(honest)).toString('base64').replace(/=*$/, '=='),
      `${value.slice(0, 20)}+${value.slice(21)}`,
      // 322 bytes leave two spare bits in the last character.
      `${Buffer.from(JSON.stringify(honest).padEnd(322)).toString('base64url').slice(0, -1)}B`,
    ]
    expect(await Promise.all(bent.map(malformed))).toEqual(bent.map(() => 'WALLET_SIGNATURE_MALFORMED STAMP_ENCODING'))
  })

  test('must be a UTF-8 JSON object without duplicate members', async () => {
    const json = JSON.stringify(honest)
    const bent = [
      '',
      'null',
      '[]',
      '"stamp"',
      '{',
      `\ufeff${json}`,
      json.replace('{', '{"scheme":"x",'),
      json.replace('{', '{"s\\u0063heme":"x",'),
    ].map((text) => Buffer.from(text))
    bent.push(Buffer.from(json, 'utf16le'), Buffer.from(json.replace('{', '{"\xff":1,'), 'latin1'))
    const answers = await Promise.all(bent.map((bytes) => malformed(bytes.toString('base64url'))))
    expect(answers).toEqual(bent.map(() => 'WALLET_SIGNATURE_MALFORMED STAMP_JSON'))
  })

  test.for([
    ['STAMP_LENGTH', () => 'A'.repeat(4097)],
    ['STAMP_MEMBERS', () => encode({ ...honest, more: '1' })],
    ['STAMP_MEMBERS', () => encode({ publicKey: honest.publicKey, scheme: SCHEME })],
    ['STAMP_MEMBERS', () => encode({ ...honest, scheme: [SCHEME] })],
    ['STAMP_MEMBERS', () => encode({ ...honest, publicKey: 1 })],
    ['STAMP_MEMBERS', () => Buffer.from(JSON.stringify(honest).replace('{', '{"__proto__":{},')).toString('base64url')],
    ['STAMP_SCHEME', () => encode({ ...honest, scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' })],
    ['STAMP_PUBLIC_KEY', () => encode({ ...honest, publicKey: `02${'f'.repeat(64)}` })],
    ['STAMP_PUBLIC_KEY', () => encode({ ...honest, publicKey: `${honest.publicKey}zz` })],
    ['STAMP_SIGNATURE', () => encode({ ...honest, signature: `${honest.signature}0` })],
    ['STAMP_SIGNATURE', () => encode({ ...honest, signature: `${honest.signature} ` })],
    ['STAMP_SIGNATURE', () => encode({ ...honest, signature: '' })],
    ['STAMP_SIGNATURE', () => encode({ ...honest, signature: '30'.repeat(73) })],
  ] as const)('gets the reason if it is malformed: %s', async ([reason, value]) => {
    expect(await malformed(value())).toBe(`WALLET_SIGNATURE_MALFORMED ${reason}`)
  })

  test('with any character changed is never accepted', async () => {
    const value = encode(honest)
    let accepted = 0
    for (let i = 0; i < value.length; i++) {
      const changed = `${value.slice(0, i)}${value[i] === 'A' ? 'B' : 'A'}${value.slice(i + 1)}`
      const answer = await refusalOf(() => {
        if (isSignedBy(parseStamp(changed), PAYLOAD)) accepted++
      })
      if (answer !== 'accepted') expect(answer.code).toBe('WALLET_SIGNATURE_MALFORMED')
    }
    // Upper-case hex is the same key and signature; changing a single character never produces that.
    expect({ tried: value.length > 300, accepted }).toEqual({ tried: true, accepted: 0 })
  })

  test('on another curve or with another hash is refused', () => {
    const k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = p256.publicKey.export({ format: 'jwk' })
    const publicKey = Buffer.concat([Buffer.of(4), Buffer.from(`${x}`, 'base64url'), Buffer.from(`${y}`, 'base64url')])
    expect(verifySignature(publicKey, PAYLOAD, sign('sha256', Buffer.from(PAYLOAD), p256.privateKey))).toBe(true)
    expect(verifySignature(publicKey, PAYLOAD, sign('sha512', Buffer.from(PAYLOAD), p256.privateKey))).toBe(false)
    expect(verifySignature(publicKey, PAYLOAD, sign('sha256', Buffer.from(PAYLOAD), k1.privateKey))).toBe(false)
    expect(verifySignature(publicKey, PAYLOAD, Buffer.alloc(0))).toBe(false)
    expect(verifySignature(publicKey, PAYLOAD, randomBytes(10_000))).toBe(false)
  })
})

interface Group<T> {
  testGroups: { publicKey: { uncompressed: string }; tests: (T & { result: string; comment: string })[] }[]
}

testVectors(
  'of the Wycheproof signatures, exactly the valid ones are accepted',
  'ecdsa_secp256r1_sha256_test.json',
  ({ testGroups }: Group<{ msg: string; sig: string }>) => {
    const counts = { 'valid true': 0, 'valid false': 0, 'invalid true': 0, 'invalid false': 0 }
    for (const { publicKey, tests } of testGroups) {
      const key = parsePublicKey(publicKey.uncompressed) ?? new Uint8Array()
      for (const { msg, sig, result } of tests) {
        const isValid = verifySignature(key, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'))
        counts[`${result} ${isValid}` as keyof typeof counts]++
      }
    }
    expect(counts).toEqual({ 'valid true': 174, 'valid false': 0, 'invalid true': 0, 'invalid false': 310 })
  },
)

testVectors(
  'of the Wycheproof points, exactly those on the curve are accepted',
  'ecdh_secp256r1_ecpoint_test.json',
  ({ testGroups }: Group<{ public: string }>) => {
    const tests = testGroups.flatMap((group) => group.tests)
    const isKey = (result: string) =>
      tests.filter((t) => t.result === result).map((t) => parsePublicKey(t.public) !== undefined)
    const count = (result: string) => [isKey(result).length, isKey(result).filter(Boolean).length]
    expect({ valid: count('valid'), acceptable: count('acceptable'), invalid: count('invalid') }).toEqual({
      valid: [330, 330],
      acceptable: [1, 1],
      invalid: [24, 0],
    })
  },
)

describe('a public key', () => {
  test('is the same point compressed, uncompressed and in upper case', () => {
    const { publicKey, publicKeyUncompressed } = newKey()
    for (const hex of [
      publicKey,
      publicKeyUncompressed,
      publicKey.toUpperCase(),
      publicKeyUncompressed.toUpperCase(),
    ]) {
      const point = parsePublicKey(hex)
      expect(point && Buffer.from(point).toString('hex')).toBe(publicKeyUncompressed)
      expect(point && Buffer.from(compressKey(point)).toString('hex')).toBe(publicKey)
    }
  })

  test('in any other form is refused', () => {
    const { publicKey, publicKeyUncompressed: full } = newKey()
    const parity = publicKey.slice(0, 2) === '02' ? '06' : '07'
    const wrong = [
      '',
      '00',
      `00${full.slice(2)}`,
      `${parity}${full.slice(2)}`,
      full.slice(2),
      `0x${publicKey}`,
      `${publicKey}\n`,
      ` ${publicKey}`,
      `${publicKey}00`,
      publicKey.slice(0, -2),
      `04${'0'.repeat(128)}`,
      `02ffffffff00000001000000000000000000000000ffffffffffffffffffffffff`,
      `${full.slice(0, -1)}${full.endsWith('0') ? '1' : '0'}`,
      'zz'.repeat(33),
    ]
    expect(wrong.filter((hex) => parsePublicKey(hex) !== undefined)).toEqual([])
  })

  test('in a body is kept as sent, or refused with the pattern that it must match', async () => {
    const body = z.object({ clientPublicKey: publicKeyOf })
    const clientPublicKey = newKey().publicKey.toUpperCase()
    expect(parse(body, { clientPublicKey })).toEqual({ clientPublicKey })
    for (const wrong of ['', `02${'f'.repeat(64)}`]) {
      expect(await refusalOf(() => parse(body, { clientPublicKey: wrong }))).toMatchObject({
        code: 'INVALID_INPUT',
        field: 'clientPublicKey',
        constraint: { pattern: '^(?:0[23][0-9a-fA-F]{64}|04[0-9a-fA-F]{128})$' },
      })
    }
    for (const wrong of [7, null, [clientPublicKey]]) {
      expect(await refusalOf(() => parse(body, { clientPublicKey: wrong }))).toMatchObject({ code: 'INVALID_INPUT' })
    }
  })

  test('and its private key always have their full length', () => {
    const lengths = new Set<string>()
    // One scalar in 256 starts with a zero byte.
    for (let i = 0; i < 1500; i++) {
      const { publicKey, privateKey } = generateKeyPair()
      lengths.add(`${publicKey.length} ${privateKey.length}`)
    }
    expect([...lengths]).toEqual(['65 32'])
  })
})

describe('the signing key of the deployment', () => {
  test('makes signatures with low S in strict DER, which its public key verifies', () => {
    const publicKey = parsePublicKey(signingPublicKey) ?? new Uint8Array()
    for (let i = 0; i < 300; i++) {
      const data = randomBytes(40)
      const signature = Buffer.from(signData(data), 'hex')
      expect({ counts: verifySignature(publicKey, data, signature), highS: isHighS(signature) }).toEqual({
        counts: true,
        highS: false,
      })
    }
    expect(HALF_ORDER).toBe(ORDER / 2n)
  })

  test('signs tokens with ES256', async () => {
    const token = await signToken({ sub: 'AuthMethod:1', iat: 1, exp: 3601, public_key: '02' })
    const [header = '', payload = '', signature = ''] = token.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'ES256', kid: expect.any(String) })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: 'AuthMethod:1', exp: 3601 })
    expect(Buffer.from(signature, 'base64url').length).toBe(64)
  })
})

describe('strict JSON', () => {
  test('parses what JSON.parse does', () => {
    for (const value of [
      null,
      1,
      'a:"b',
      [],
      {},
      { a: [{ b: 1 }, { b: 2 }], 'c"\\:': '{"a":1,"a":2}' },
      [{ a: 1 }, { a: 1 }],
    ]) {
      expect(parseStrictJson(JSON.stringify(value))).toEqual(value)
    }
  })

  test('rejects duplicate members, however they are escaped, and nesting deeper than 32', () => {
    const refused = [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061" :2}',
      '[{"x":{"b":1,"c":{},"b":2}}]',
      '{a:1}',
      '',
      '['.repeat(33) + ']'.repeat(33),
    ]
    expect(refused.filter((text) => parseStrictJson(text) !== undefined)).toEqual([])
    expect(parseStrictJson('['.repeat(32) + ']'.repeat(32))).toBeDefined()
    expect(parseStrictJsonBytes(Buffer.from([0x22, 0xff, 0x22]))).toBeUndefined()
  })

  test('cannot set a prototype', () => {
    const value = parseStrictJson('{"__proto__":{"admin":true}}')
    expect(isJsonObject(value) && value['admin']).toBeUndefined()
  })
})
