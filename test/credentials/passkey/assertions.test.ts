import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parse } from '#core/input.ts'
import { checkAssertion, passkeyAssertion } from '#credentials/kinds/passkey/assertion.ts'
import { checkRegistration } from '#credentials/kinds/passkey/registration.ts'
import {
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
const CHALLENGE = createHash('sha256').update('session').digest('hex')
const ALGORITHMS = ['ES256', 'RS256', 'EdDSA'] as const

const register = (by: ReturnType<typeof softwareAuthenticator>) =>
  checkRegistration({ nickname: 'Phone', challenge: 'c', attestation: { ...by.create('c'), transports: [] } }, SETTINGS)

/** Creates an assertion with a new passkey of this algorithm, modified as given. */
const assert = (twist: Twist = {}, { passkey: stored = {}, settings = {}, algorithm = 'ES256' }: Given = {}) => {
  const by = softwareAuthenticator(algorithm)
  const passkey = { ...register(by), ...stored }
  const assertion = parse(passkeyAssertion, by.get(CHALLENGE, twist))
  return checkAssertion(assertion, CHALLENGE, passkey, { ...SETTINGS, ...settings })
}
interface Given {
  passkey?: object
  settings?: object
  algorithm?: (typeof ALGORITHMS)[number]
}
const refused = (reason: string) => ({ status: 401, code: 'UNAUTHORIZED', reason: `ASSERTION_${reason}` })
const refusedAssertion = (twist: Twist, given?: Given) => refusalOf(() => assert(twist, given))

describe('a passkey assertion', () => {
  test.for(ALGORITHMS)('with %s is accepted 50 times out of 50', async (algorithm) => {
    const by = softwareAuthenticator(algorithm)
    const passkey = register(by)
    let accepted = 0
    for (let i = 0; i < 50; i++) {
      const assertion = { ...by.get(CHALLENGE), userHandle: i % 2 ? null : 'ignored' }
      await checkAssertion(parse(passkeyAssertion, assertion), CHALLENGE, passkey, SETTINGS)
      accepted++
    }
    expect(accepted).toBe(50)
  })

  test('must be made by the credential', async () => {
    expect(await refusedAssertion({ credentialId: 'YWJj' })).toEqual(refused('CREDENTIAL'))
  })

  test('must have the type webauthn.get', async () => {
    expect(await refusedAssertion({ type: 'webauthn.create' })).toEqual(refused('CHALLENGE'))
  })

  test.for([
    ['upper-case hex', Buffer.from(CHALLENGE.toUpperCase()).toString('base64url')],
    ['the digest itself', Buffer.from(CHALLENGE, 'hex').toString('base64url')],
    ['the hex text without base64url', CHALLENGE],
    ['padded', Buffer.from(CHALLENGE).toString('base64')],
    ['the digest of another session', Buffer.from('0'.repeat(64)).toString('base64url')],
  ] as const)('has the UTF-8 bytes of the challenge, not %s', async ([, challenge]) => {
    expect(await refusedAssertion({ challenge })).toEqual(refused('CHALLENGE'))
  })

  test('must have client data that is valid JSON', async () => {
    const by = softwareAuthenticator()
    const clientDataJson = Buffer.from('[]').toString('base64url')
    const check = () => checkAssertion({ ...by.get(CHALLENGE), clientDataJson }, CHALLENGE, register(by), SETTINGS)
    expect(await refusalOf(check)).toEqual(refused('CHALLENGE'))
  })

  const inSubdomain = { origin: 'https://login.app.example:8443', rpId: RP_ID }
  test('may come from the registered origin or another host of the relying party, with the same scheme and port', async () => {
    expect(await assert({ origin: 'https://a.login.app.example:8443' }, { passkey: inSubdomain })).toEqual({
      counter: 1,
    })
    expect(await assert({ origin: 'https://app.example:8443' }, { passkey: inSubdomain })).toEqual({ counter: 1 })
  })

  test.for([
    'https://app.example',
    'http://app.example:8443',
    'https://app.example:8444',
    'https://evilapp.example:8443',
    'https://app.example.evil:8443',
    'https://example:8443',
    'https://app.example:8443/',
    'https://app.example.:8443',
    'https://u@app.example:8443',
    'https://xn--pp-fka.example:8443',
    'https://[',
    'android:apk-key-hash:abc',
    'null',
    '',
  ])('is refused from %j', async (origin) => {
    expect(await refusedAssertion({ origin }, { passkey: inSubdomain })).toEqual(refused('ORIGIN'))
  })

  const inApp = { origin: 'android:apk-key-hash:abc', rpId: null }
  test.for([inApp.origin, ORIGIN, `https://login.${RP_ID}`])(
    'for a native app may come from the app or from a page of its relying party: %s',
    async (origin) => {
      expect(await assert({ origin }, { passkey: inApp })).toEqual({ counter: 1 })
      const settings = { origins: [inApp.origin] }
      const answer = await refusalOf(() => assert({ origin }, { passkey: inApp, settings }))
      expect(answer).toEqual(origin === inApp.origin ? 'accepted' : refused('ORIGIN'))
    },
  )

  test.for([
    'android:apk-key-hash:other',
    'https://example',
    'https://evil.example',
    `https://evil${RP_ID}`,
    `http://${RP_ID}`,
    `https://${RP_ID}:8443`,
    `https://${RP_ID}/`,
  ])('with a passkey of a native app is refused from %s', async (origin) => {
    expect(await refusedAssertion({ origin }, { passkey: inApp })).toEqual(refused('ORIGIN'))
  })

  test("must come from one of the platform's origins if it has set them", async () => {
    expect(await assert({}, { settings: { origins: [ORIGIN] } })).toEqual({ counter: 1 })
    expect(await refusedAssertion({}, { settings: { origins: ['https://b.example'] } })).toEqual(refused('ORIGIN'))
    const listed = { settings: { origins: [ORIGIN, 'https://b.example'] } }
    expect(await refusedAssertion({ origin: 'https://b.example' }, listed)).toEqual(refused('ORIGIN'))
  })

  test('is refused from a cross-origin frame', async () => {
    expect(await refusedAssertion({ crossOrigin: true })).toEqual(refused('ORIGIN'))
  })

  test.for([
    { topOrigin: 'https://evil.example' },
    { topOrigin: ORIGIN, crossOrigin: false },
    { topOrigin: null },
    { crossOrigin: 'true' },
    { crossOrigin: null },
    { crossOrigin: 1 },
    { crossOrigin: [] },
  ])('is refused with %j in its client data', async (clientData) => {
    expect(await refusedAssertion({ clientData })).toEqual(refused('ORIGIN'))
  })

  test('may be backed up only if it is eligible for backup', async () => {
    for (const flags of [BE, BE | BS]) expect(await assert({ flags: UP | UV | flags })).toEqual({ counter: 1 })
    expect(await refusedAssertion({ flags: UP | UV | BS })).toEqual(refused('BACKUP'))
  })

  test('must be for the relying party of the registration', async () => {
    expect(await refusedAssertion({ rpId: 'other.example' })).toEqual(refused('RP'))
    expect(await refusedAssertion({ authData: (data) => data.subarray(0, 36) })).toEqual(refused('RP'))
    expect(await refusedAssertion({ authData: (data) => Buffer.concat([data, data]) })).toEqual(refused('RP'))
  })

  test('must have the user present, and verified unless the platform only prefers it', async () => {
    const settings = { requiresUserVerification: false }
    expect(await refusedAssertion({ flags: UV })).toEqual(refused('PRESENCE'))
    expect(await refusedAssertion({ flags: UP })).toEqual(refused('PRESENCE'))
    expect(await refusedAssertion({ flags: 0 }, { settings })).toEqual(refused('PRESENCE'))
    expect(await assert({ flags: UP }, { settings })).toEqual({ counter: 1 })
  })

  test.for(ALGORITHMS)("with %s must be signed by the credential's key", async (algorithm) => {
    const flip = (at: number) => (signature: Buffer) => {
      signature[at] = (signature[at] ?? 0) ^ 1
      return signature
    }
    const signatures = [flip(0), flip(20), flip(60), () => randomBytes(64), () => Buffer.alloc(64), () => Buffer.of(0)]
    for (const signature of signatures) {
      expect(await refusedAssertion({ signature }, { algorithm })).toEqual(refused('SIGNATURE'))
    }
    const { publicKey } = register(softwareAuthenticator(algorithm))
    expect(await refusedAssertion({}, { algorithm, passkey: { publicKey } })).toEqual(refused('SIGNATURE'))
  })

  test('must sign its client data', async () => {
    const by = softwareAuthenticator()
    const passkey = register(by)
    const { clientDataJson } = by.get(CHALLENGE, { clientData: { more: true } })
    const check = () => checkAssertion({ ...by.get(CHALLENGE), clientDataJson }, CHALLENGE, passkey, SETTINGS)
    expect(await refusalOf(check)).toEqual(refused('SIGNATURE'))
  })

  test.for([
    [0, 0, true],
    [0, 1, true],
    [5, 6, true],
    [5, 4_294_967_295, true],
    [5, 5, false],
    [5, 4, false],
    [5, 0, false],
  ] as const)('after the counter %i with the counter %i is accepted: %s', async ([stored, counter, isAccepted]) => {
    const answer = await refusalOf(() => assert({ counter }, { passkey: { counter: stored } }))
    expect(answer).toEqual(isAccepted ? 'accepted' : refused('COUNTER'))
  })
})

describe('the body of a passkey assertion', () => {
  test.for([
    ['authenticatorData', 8192],
    ['signature', 2048],
  ] as const)('has %s of at most %i bytes', async ([field, max]) => {
    const honest = softwareAuthenticator().get(CHALLENGE)
    const answer = (size: number) =>
      refusalOf(() => parse(passkeyAssertion, { ...honest, [field]: Buffer.alloc(size).toString('base64url') }))
    expect(await answer(max)).toBe('accepted')
    expect(await answer(max + 1)).toMatchObject({ status: 400, code: 'INVALID_INPUT', field })
  })
})
