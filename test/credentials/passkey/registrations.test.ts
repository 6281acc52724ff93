import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parse } from '#core/input.ts'
import { importPublicKey } from '#credentials/crypto/public-key.ts'
import { checkRegistration, passkeyRegistration } from '#credentials/kinds/passkey/registration.ts'
import {
  AT,
  attestationObjectOf,
  BE,
  BS,
  ORIGIN,
  RP_ID,
  softwareAuthenticator,
  type Twist,
  UP,
  UV,
} from '#test/setup/credentials/software-authenticator.ts'
import { refusalOf } from '#test/setup/refusal.ts'

const SETTINGS = { origins: null, requiresUserVerification: true }
const REGISTRATION_CHALLENGE = 'any text, not base64url!'
const ALGORITHMS = ['ES256', 'RS256', 'EdDSA'] as const

const es256 = softwareAuthenticator()

/** Registers a modified attestation, as a request body would. */
const register = (twist: Twist = {}, settings: Parameters<typeof checkRegistration>[1] = SETTINGS, by = es256) =>
  checkRegistration(
    parse(passkeyRegistration, {
      nickname: 'Phone',
      challenge: REGISTRATION_CHALLENGE,
      attestation: by.create(REGISTRATION_CHALLENGE, twist),
    }),
    settings,
  )
const refusedRegistration = (twist: Twist, settings = SETTINGS) => refusalOf(() => register(twist, settings))
const invalid = (reason: string, field: string) => ({
  status: 400,
  code: 'INVALID_INPUT',
  reason,
  field: `attestation.${field}`,
  errors: [{ field: `attestation.${field}`, message: expect.stringContaining(`attestation.${field} `) }],
})

/** Modifies the attestation object itself. */
const registerObject = (twist: (object: Buffer, authData: Buffer) => Buffer) => {
  const attestation = es256.create(REGISTRATION_CHALLENGE)
  const object = Buffer.from(attestation.attestationObject, 'base64url')
  const twisted = twist(object, object.subarray(-194)).toString('base64url')
  return refusalOf(() =>
    checkRegistration(
      {
        nickname: 'Phone',
        challenge: REGISTRATION_CHALLENGE,
        attestation: { ...attestation, transports: [], attestationObject: twisted },
      },
      SETTINGS,
    ),
  )
}

describe('a passkey registration', () => {
  test.for(ALGORITHMS)('with %s is accepted and stores its parts', (algorithm) => {
    const by = softwareAuthenticator(algorithm)
    const passkey = register({ counter: 7 }, SETTINGS, by)
    expect({ ...passkey, publicKey: Buffer.from(passkey.publicKey), rpIdHash: Buffer.from(passkey.rpIdHash) }).toEqual({
      credentialId: by.credentialId,
      publicKey: by.coseKey,
      counter: 7,
      transports: ['internal'],
      origin: ORIGIN,
      rpId: RP_ID,
      rpIdHash: createHash('sha256').update(RP_ID).digest(),
    })
  })

  test('may have any attestation format', () => {
    for (const fmt of ['none', 'packed', 'tpm', 'apple', 'something-else']) expect(register({ fmt }).rpId).toBe(RP_ID)
  })

  test('must have the type webauthn.create', async () => {
    expect(await refusedRegistration({ type: 'webauthn.get' })).toEqual(invalid('REGISTRATION_TYPE', 'clientDataJson'))
  })

  test('must have the challenge of the body, compared as text', async () => {
    expect(await refusedRegistration({ challenge: `${REGISTRATION_CHALLENGE} ` })).toEqual(
      invalid('REGISTRATION_CHALLENGE', 'clientDataJson'),
    )
  })

  test.for([
    'http://app.example',
    'https://app.example/',
    'https://app.example:443',
    'https://App.example',
    'HTTPS://app.example',
    'https://user@app.example',
    'https://',
    'null',
    '',
    'app.example',
    'android:',
    'android:apk\0',
    `android:${'a'.repeat(501)}`,
  ])('is refused from the origin %j', async (origin) => {
    expect(await refusedRegistration({ origin })).toEqual(invalid('REGISTRATION_ORIGIN', 'clientDataJson'))
  })

  test.for([ORIGIN, 'android:apk-key-hash:abc'])(
    'must have a string as its origin, not a list of %s',
    async (origin) => {
      expect(await refusedRegistration({ clientData: { origin: [origin] } })).toMatchObject({
        reason: 'REGISTRATION_ORIGIN',
      })
    },
  )

  test("must come from one of the platform's origins if it has set them", async () => {
    expect(register({}, { ...SETTINGS, origins: ['https://b.example', ORIGIN] }).origin).toBe(ORIGIN)
    expect(await refusalOf(() => register({}, { ...SETTINGS, origins: ['https://b.example'] }))).toEqual(
      invalid('REGISTRATION_ORIGIN', 'clientDataJson'),
    )
  })

  test('is refused from a cross-origin frame', async () => {
    expect(await refusedRegistration({ crossOrigin: true })).toEqual(invalid('REGISTRATION_ORIGIN', 'clientDataJson'))
  })

  test.for([
    { topOrigin: 'https://evil.example' },
    { topOrigin: ORIGIN, crossOrigin: false },
    { topOrigin: ORIGIN, crossOrigin: true },
    { topOrigin: null },
    { crossOrigin: 'false' },
    { crossOrigin: null },
    { crossOrigin: 0 },
    { crossOrigin: {} },
  ])('is refused with %j in its client data', async (clientData) => {
    expect(await refusedRegistration({ clientData })).toEqual(invalid('REGISTRATION_ORIGIN', 'clientDataJson'))
  })

  test('may omit crossOrigin', () => {
    expect(register({ clientData: { crossOrigin: undefined } }).rpId).toBe(RP_ID)
  })

  test('may be backed up only if it is eligible for backup', async () => {
    for (const flags of [BE, BE | BS]) expect(register({ flags: UP | UV | AT | flags }).rpId).toBe(RP_ID)
    expect(await refusedRegistration({ flags: UP | UV | AT | BS })).toEqual(
      invalid('REGISTRATION_BACKUP', 'attestationObject'),
    )
  })

  test.for([
    ['https://shop.co.uk', 'co.uk'],
    ['https://shop.example.co.uk', 'co.uk'],
    ['https://acme.github.io', 'github.io'],
    ['https://github.io', 'github.io'],
    ['https://acme.com', 'com'],
    ['https://shop.xn--55qx5d.cn', 'xn--55qx5d.cn'],
    ['https://intranet', 'intranet'],
    ['https://192.0.2.1', '192.0.2.1'],
    ['https://192.0.2.1', '2.1'],
  ] as const)('from %s is not for %s, under which others register', async ([origin, rpId]) => {
    expect(await refusedRegistration({ origin, rpId })).toEqual(invalid('REGISTRATION_RP', 'attestationObject'))
  })

  test.for([
    ['https://shop.example.co.uk', 'example.co.uk'],
    ['https://pay.acme.github.io', 'acme.github.io'],
    ['https://app.acme.com:8443', 'acme.com'],
  ] as const)('from %s may be for %s', ([origin, rpId]) => {
    expect(register({ origin, rpId }).rpId).toBe(rpId)
  })

  test('may come from localhost without TLS, and from a native app, whose relying party is not known', () => {
    expect(register({ origin: 'http://localhost:3000', rpId: 'localhost' }).rpId).toBe('localhost')
    expect(register({ origin: 'android:apk-key-hash:abc', rpId: 'app.example' }).rpId).toBeNull()
  })

  test('must be for the host of its origin or a parent domain', async () => {
    expect(register({ origin: 'https://a.b.app.example', rpId: 'b.app.example' }).rpId).toBe('b.app.example')
    expect(register({ origin: 'https://a.b.app.example', rpId: 'app.example' }).rpId).toBe('app.example')
    for (const rpId of ['example', 'pp.example', 'other.example', 'a.app.example', ORIGIN]) {
      expect(await refusedRegistration({ rpId })).toEqual(invalid('REGISTRATION_RP', 'attestationObject'))
    }
  })

  test('must have the user present, and verified unless the platform only prefers it', async () => {
    const preferred = { ...SETTINGS, requiresUserVerification: false }
    const refused = invalid('REGISTRATION_PRESENCE', 'attestationObject')
    expect(await refusedRegistration({ flags: UV | AT })).toEqual(refused)
    expect(await refusedRegistration({ flags: UP | AT })).toEqual(refused)
    expect(await refusedRegistration({ flags: UV | AT }, preferred)).toEqual(refused)
    expect(register({ flags: UP | AT }, preferred).rpId).toBe(RP_ID)
  })

  test('must contain a credential, the one that the body names', async () => {
    const withoutCredential = { flags: UP | UV, authData: (authData: Buffer) => authData.subarray(0, 37) }
    expect(await refusedRegistration(withoutCredential)).toEqual(
      invalid('REGISTRATION_CREDENTIAL', 'attestationObject'),
    )
    expect(await refusedRegistration({ attestedId: randomBytes(32) })).toEqual(
      invalid('REGISTRATION_CREDENTIAL', 'credentialId'),
    )
  })

  test('is refused with invalid CBOR, duplicate members or trailing bytes', async () => {
    const cut = (text: string) => Buffer.from(text, 'hex')
    const malformed = await Promise.all([
      registerObject(() => Buffer.alloc(0)),
      registerObject(() => randomBytes(300)),
      registerObject(() => cut('a0')),
      registerObject(() => cut('83010203')),
      registerObject(() => Buffer.alloc(60_000, 0x81)),
      registerObject(() => cut('bb7fffffffffffffff')),
      registerObject((object) => Buffer.concat([object, cut('00')])),
      registerObject((object) => object.subarray(0, -1)),
      registerObject((object) => Buffer.concat([cut('a4'), object.subarray(1), cut('63666d74646e6f6e65')])),
      registerObject((object) => Buffer.concat([cut('a2'), object.subarray(10)])),
      registerObject((object) =>
        Buffer.from(object.toString('latin1').replace('attStmt\xa0', 'attStmt\x00'), 'latin1'),
      ),
      registerObject((_object, authData) => attestationObjectOf('none', Buffer.concat([authData, cut('00')]))),
      registerObject((_object, authData) => attestationObjectOf('none', authData.subarray(0, 60))),
      registerObject((_object, authData) => attestationObjectOf('none', authData.subarray(0, 36))),
    ])
    expect(malformed).toEqual(malformed.map(() => invalid('REGISTRATION_ATTESTATION', 'attestationObject')))
  })

  const hex = (text: string) => Buffer.from(text, 'hex')
  const rsaOf = (n: Buffer) => {
    const length = hex(n.length < 256 ? `58${n.length.toString(16)}` : `59${n.length.toString(16).padStart(4, '0')}`)
    return Buffer.concat([hex('a401030339010020'), length, n, hex('2143010001')])
  }
  const rsa = (modulusLength: number) => {
    const { n } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' })
    return rsaOf(Buffer.from(`${n}`, 'base64url'))
  }
  const bent = (at: number, value: number) =>
    Buffer.from(es256.coseKey.map((byte, index) => (index === at ? value : byte)))
  test('is refused when the CBOR of its key is truncated, even if the rest is a valid key', async () => {
    const { n } = generateKeyPairSync('rsa', { modulusLength: 3072 }).publicKey.export({ format: 'jwk' })
    const exponentFirst = Buffer.concat([hex('a4010303390100214301000120590180'), Buffer.from(`${n}`, 'base64url')])
    expect(await refusedRegistration({ coseKey: exponentFirst.subarray(0, -1) })).toEqual(
      invalid('REGISTRATION_ATTESTATION', 'attestationObject'),
    )
  })

  test.for([
    ['a point off the curve', bent(76, (es256.coseKey[76] ?? 0) ^ 1)],
    ['ES384 as its algorithm', Buffer.concat([hex('a501020338222001215820'), es256.coseKey.subarray(10)])],
    ['a curve that does not match its algorithm', bent(6, 0x02)],
    ['a key type that does not match its algorithm', bent(2, 0x03)],
    ['a missing coordinate', Buffer.concat([hex('a4'), es256.coseKey.subarray(1, 42)])],
    ['a coordinate that is too short', Buffer.concat([hex('a501020326200121581f'), es256.coseKey.subarray(11)])],
    [
      'a leading zero byte in x',
      Buffer.concat([es256.coseKey.subarray(0, 8), hex('582100'), es256.coseKey.subarray(10)]),
    ],
    [
      'a leading zero byte in y',
      Buffer.concat([es256.coseKey.subarray(0, 43), hex('582100'), es256.coseKey.subarray(45)]),
    ],
    ['a string as its algorithm', Buffer.concat([hex('a5010203622d37'), es256.coseKey.subarray(5)])],
    ['an Ed25519 key of 31 bytes', Buffer.concat([hex('a401010327200621581f'), randomBytes(31)])],
    ['an Ed448 key', Buffer.concat([hex('a4010103272007215839'), randomBytes(57)])],
    ['an RSA key of 1024 bits', rsa(1024)],
    ['an RSA key of 16384 bits', rsaOf(Buffer.alloc(2048, 0xff))],
    ['an X25519 key', Buffer.concat([hex('a4010103272004215820'), randomBytes(32)])],
    ['an RSA key with the exponent 1', Buffer.concat([rsa(2048).subarray(0, -4), hex('4101')])],
    ['an RSA key without an exponent', Buffer.concat([hex('a3'), rsa(2048).subarray(1, -5)])],
    ['a list in place of a key', hex('8101')],
  ] as const)('with %s is refused', async ([, coseKey]) => {
    expect(await refusedRegistration({ coseKey })).toEqual(invalid('REGISTRATION_KEY', 'attestationObject'))
  })
})

test('an imported key must be P-256, Ed25519 or RSA', () => {
  const imported = (namedCurve: string) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve })
    return importPublicKey(publicKey.export({ format: 'jwk' })) !== undefined
  }
  expect(['P-256', 'P-384', 'P-521', 'secp256k1'].map(imported)).toEqual([true, false, false, false])
  const ofBits = (bits: number) => Buffer.alloc(bits / 8, 0xff).toString('base64url')
  const importedOfBits = (bits: number) => importPublicKey({ kty: 'RSA', n: ofBits(bits), e: 'AQAB' }) !== undefined
  expect([2040, 2048, 8192, 8200].map(importedOfBits)).toEqual([false, true, true, false])
  const { publicKey } = generateKeyPairSync('x25519')
  expect(importPublicKey(publicKey.export({ format: 'jwk' }))).toBeUndefined()
})

describe('the body of a passkey registration', () => {
  const honest = () => ({ nickname: 'Phone', challenge: 'c', attestation: es256.create('c') })
  const fieldOf = async (change: object, attestation: object = {}) => {
    const body = { ...honest(), ...change }
    const answer = await refusalOf(() =>
      parse(passkeyRegistration, { ...body, attestation: { ...body.attestation, ...attestation } }),
    )
    return answer === 'accepted' ? answer : `${answer.code} ${answer.field}`
  }

  test("must have a nickname of 1 to 100 letters, digits, spaces and . _ - ' ( ) after trimming", async () => {
    for (const nickname of ['a', "  Zoë's i-Phone_1.0 (gold)  ", '電話', 'हिन्दी', 'x'.repeat(100)]) {
      expect(parse(passkeyRegistration, { ...honest(), nickname }).nickname).toBe(nickname.trim())
    }
    for (const nickname of ['', '   ', 'x'.repeat(101), 'a\nb', 'a<b>', 'a/b', '😀', 'a\0', '\ud800', 'a,b', null, 7]) {
      expect(await fieldOf({ nickname })).toBe('INVALID_INPUT nickname')
    }
  })

  test('must have a challenge', async () => {
    for (const challenge of ['', null, 1, 'a\0']) expect(await fieldOf({ challenge })).toBe('INVALID_INPUT challenge')
  })

  test('may have transports known to WebAuthn, each stored once', async () => {
    expect(await fieldOf({}, { transports: [] })).toBe('accepted')
    expect(await fieldOf({}, { transports: ['smoke'] })).toBe('INVALID_INPUT attestation.transports.0')
    for (const transports of [null, Array(6).fill('usb')]) {
      expect(await fieldOf({}, { transports })).toBe('INVALID_INPUT attestation.transports')
    }
    const attestation = { ...es256.create('c'), transports: ['usb', 'usb'] as ('usb' | 'nfc')[] }
    const twice = checkRegistration({ nickname: 'n', challenge: 'c', attestation }, SETTINGS)
    expect(twice.transports).toEqual(['usb'])
  })

  test.for([
    ['credentialId', 1023],
    ['clientDataJson', 16_384],
    ['attestationObject', 65_536],
  ] as const)('has %s as strict base64url of at most %i bytes', async ([field, max]) => {
    const refused = `INVALID_INPUT attestation.${field}`
    expect(await fieldOf({}, { [field]: Buffer.alloc(max).toString('base64url') })).toBe('accepted')
    for (const value of ['', 'YQ==', 'YR', 'Y+', 'Y W', 'YQ\n', null, 7, Buffer.alloc(max + 1).toString('base64url')]) {
      expect(await fieldOf({}, { [field]: value })).toBe(refused)
    }
  })
})
