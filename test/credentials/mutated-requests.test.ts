// Hostile stamps (docs/domain/credentials.md#stamp), keys and bundles (docs/domain/credentials.md#hpke) over GraphQL and REST. None is
// accepted, and none causes an internal error.
import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Proof } from '#test/setup/credentials/credential-faces.ts'
import { identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { testVectors } from '#test/setup/credentials/vectors.ts'
import { newKey, sealPlain, stamp } from '#test/setup/credentials/wallet.ts'
import {
  bitMutants,
  createHouseholds,
  createTally,
  forgive,
  inTurn,
  lengthMutants,
  SPARSE,
  STRANGE_VALUES,
  shareOf,
  textMutants,
} from '#test/setup/credentials/wallet-mutants.ts'
import type { Household } from '#test/setup/credentials/wallet-operations.ts'
import { expectStatus, oauthProof, passkeyRegistration, prove } from '#test/setup/credentials/wallet-sessions.ts'

const SEED = 20_251_013
console.log(`seed ${SEED}`)
const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns: Math.ceil(count / SPARSE) })

const tally = createTally('hostile stamps, keys and bundles')

const base64url = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

let houses: Household[]
beforeAll(async () => {
  houses = await createHouseholds()
})

const perHouse = async <T>(make: (house: Household) => Promise<T>) =>
  new Map(await Promise.all(houses.map(async (house) => [house, await make(house)] as const)))
const of = <T>(made: Map<Household, T>, house: Household): T => made.get(house) as T

interface Vectors<T> {
  readonly testGroups: readonly { readonly tests: readonly T[] }[]
}

testVectors(
  'invalid signatures from Wycheproof are refused',
  'ecdsa_secp256r1_sha256_test.json',
  async (file: Vectors<{ sig: string }>) => {
    const body = { privateEnabled: true }
    const pending = await perHouse(async ({ face, platform, wallet, emailSession }) => {
      const { requestId, payloadToSign } = (await face.updatePrivacy(platform, wallet.accountId, body)).body
      const honest = await stamp(emailSession.key, payloadToSign)
      return { requestId, parts: JSON.parse(Buffer.from(honest, 'base64url').toString('utf8')) }
    })
    const signatures = file.testGroups.flatMap(({ tests }) => tests)
    expect(signatures.length).toBeGreaterThan(400)
    await inTurn(houses, signatures, async ({ sig }, house, face) => {
      const { requestId, parts } = of(pending, house)
      const signature = base64url(JSON.stringify({ ...parts, signature: sig }))
      const answer = await face.updatePrivacy(house.platform, house.wallet.accountId, body, { requestId, signature })
      tally.refused('stamp: Wycheproof', sig, answer)
    })
  },
)

testVectors(
  'invalid points from Wycheproof are refused',
  'ecdh_secp256r1_ecpoint_test.json',
  async (file: Vectors<{ public: string; result: string }>) => {
    const points = file.testGroups.flatMap(({ tests }) => tests).filter(({ result }) => result === 'invalid')
    expect(points.length).toBeGreaterThan(20)
    await inTurn(
      [...houses, ...houses.toReversed()],
      [...points, ...points],
      async (point, { platform, oauthSession }, face) => {
        const clientPublicKey = point.public
        tally.refused(
          'key: Wycheproof',
          clientPublicKey,
          await face.refresh(platform, oauthSession.id, { clientPublicKey }),
        )
      },
    )
  },
)

describe('stamps', () => {
  const close = (value: unknown) => base64url(JSON.stringify(value))
  const lower = (value: string) => {
    try {
      return JSON.stringify(JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))).toLowerCase()
    } catch {
      return undefined
    }
  }

  it('are refused when malformed', async () => {
    const body = { privateEnabled: true }
    const pending = await perHouse(async ({ face, platform, wallet, emailSession }) => {
      const { requestId, payloadToSign } = (await face.updatePrivacy(platform, wallet.accountId, body)).body
      const honest = await stamp(emailSession.key, payloadToSign)
      return { requestId, payloadToSign, honest, parts: JSON.parse(Buffer.from(honest, 'base64url').toString('utf8')) }
    })
    const send = async (slice: string, signature: string, house: Household) => {
      const { requestId } = of(pending, house)
      const { face, platform, wallet } = house
      // Values that a header cannot carry are sent over GraphQL only.
      const isHeader = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(signature)
      if (face.name === 'REST' && !isHeader) return
      tally.refused(
        slice,
        signature,
        await face.updatePrivacy(platform, wallet.accountId, body, { requestId, signature }),
      )
    }
    for (const house of houses) {
      const { honest, parts, payloadToSign } = of(pending, house)
      // Upper-case hex is valid and means the same stamp.
      const mutants = textMutants(honest, 2).filter((mutant) => lower(mutant) !== lower(honest))
      for (const mutant of mutants) await send('stamp: text', mutant, house)
      for (const name of ['publicKey', 'scheme', 'signature']) {
        for (const value of STRANGE_VALUES) await send('stamp: members', close({ ...parts, [name]: value }), house)
      }
      for (const value of STRANGE_VALUES) await send('stamp: values', close(value), house)
      const json = JSON.stringify(parts)
      const nested = `${'['.repeat(1500)}${']'.repeat(1500)}`
      for (const text of [
        `\u{feff}${json}`,
        `${json}${json}`,
        `${json},`,
        `[${json}]`,
        nested,
        `{"__proto__":${json}}`,
      ]) {
        await send('stamp: JSON', base64url(text), house)
      }
      await send('stamp: JSON', Buffer.from(json, 'utf16le').toString('base64url'), house)
      await send('stamp: encoding', Buffer.from(json).toString('hex'), house)
      await send('stamp: encoding', json, house)
      const r = parts.signature.slice(8, 8 + Number.parseInt(parts.signature.slice(6, 8), 16) * 2)
      for (const der of [
        `3006020101020100`,
        `30060201000201 01`,
        '3000',
        r,
        `${parts.signature}00`,
        '30820400'.padEnd(2000, '0'),
      ]) {
        await send('stamp: DER', close({ ...parts, signature: der }), house)
      }
      for (const message of [
        `${payloadToSign}\n`,
        base64url(payloadToSign),
        Buffer.from(payloadToSign).toString('hex'),
      ]) {
        await send('stamp: honest mistakes', await stamp(house.emailSession.key, message), house)
      }
    }
    await inTurn(houses, sample(fc.string({ unit: 'binary', maxLength: 200 }), 300), (text, house) =>
      send('stamp: any', text, house),
    )
    await inTurn(houses, sample(fc.json(), 200), (json, house) => send('stamp: any JSON', base64url(json), house))
  })
})

describe('public keys', () => {
  const KEYS = ['P-384', 'secp256k1'].map((namedCurve) => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve })
    return publicKey.export({ type: 'spki', format: 'der' }).toString('hex')
  })

  it('are refused when malformed', async () => {
    const honest = newKey()
    const [x = '', y = ''] = [honest.publicKeyUncompressed.slice(2, 66), honest.publicKeyUncompressed.slice(66)]
    const candidates = [
      ...KEYS.flatMap((spki) => [spki, spki.slice(-130), spki.slice(-194)]),
      ...[
        '00',
        '04',
        `06${x}${y}`,
        `07${x}${y}`,
        `04${y}${x}`,
        `02${'f'.repeat(64)}`,
        `05${x}`,
        `04${x}`,
        `02${x}${y}`,
      ],
      ...[` ${honest.publicKey}`, `${honest.publicKey} `, `0x${honest.publicKey}`, `${honest.publicKey}00`, x],
      ...[`04${'0'.repeat(128)}`, `04${'f'.repeat(128)}`, `04${x}${'0'.repeat(64)}`],
      ...bitMutants(Buffer.from(honest.publicKeyUncompressed, 'hex'), 3).map((bytes) => bytes.toString('hex')),
      ...STRANGE_VALUES,
      ...sample(fc.string({ unit: 'binary', maxLength: 140 }), 100),
    ]
    await inTurn(houses, candidates, async (clientPublicKey, { platform, wallet, oauthSession }, face) => {
      tally.refused('key: refresh', clientPublicKey, await face.refresh(platform, oauthSession.id, { clientPublicKey }))
      tally.refused(
        'key: export',
        clientPublicKey,
        await face.exportWallet(platform, wallet.accountId, { clientPublicKey }),
      )
    })
  })
})

describe('bundles', () => {
  it('are refused when malformed', async () => {
    const targets = await perHouse(async ({ face, platform, email }) => {
      await forgive(email.id)
      return expectStatus(await face.challenge(platform, email.id), 200).body.otpEncryptionTargetBundle
    })
    const send = async (slice: string, encryptedOtpBundle: unknown, { face, platform, email }: Household) => {
      await forgive(email.id)
      const answer = await face.verify(platform, email.id, { type: 'EMAIL_OTP', encryptedOtpBundle })
      tally.refused(slice, encryptedOtpBundle, answer)
    }
    const right = JSON.stringify({ otp_code: '000000', public_key: newKey().publicKey })
    const [first] = houses as [Household]
    const size = Buffer.from(JSON.parse(sealPlain(of(targets, first), right)).ciphertext, 'hex').length
    await inTurn(houses, Array.from({ length: Math.ceil((size * 4) / SPARSE) }), async (_, house) => {
      const { encappedPublic, ciphertext } = JSON.parse(sealPlain(of(targets, house), right))
      const mutants = bitMutants(Buffer.from(ciphertext, 'hex'))
      const bent = mutants[(tally.counts.tried * 7919) % mutants.length]
      await send(
        'bundle: ciphertext bits',
        JSON.stringify({ encappedPublic, ciphertext: bent?.toString('hex') }),
        house,
      )
    })
    for (const house of houses) {
      const { encappedPublic, ciphertext } = JSON.parse(sealPlain(of(targets, house), right))
      for (const bent of bitMutants(Buffer.from(encappedPublic, 'hex'), 3)) {
        await send('bundle: key bits', JSON.stringify({ encappedPublic: bent.toString('hex'), ciphertext }), house)
      }
      for (const cut of lengthMutants(Buffer.from(ciphertext, 'hex'))) {
        await send('bundle: length', JSON.stringify({ encappedPublic, ciphertext: cut.toString('hex') }), house)
      }
      for (const value of shareOf(STRANGE_VALUES, houses, house)) {
        await send('bundle: values', value, house)
        await send('bundle: values', JSON.stringify(value), house)
        await send('bundle: members', JSON.stringify({ encappedPublic, ciphertext: value }), house)
        await send('bundle: members', JSON.stringify({ encappedPublic: value, ciphertext }), house)
      }
      const { publicKey } = newKey()
      const codes = [
        '00000',
        '0000000',
        ' 000000',
        '000000\n',
        '٠٠٠٠٠٠',
        '００００００',
        '0x0000',
        '000001',
        '-00000',
        '+00000',
        '0e0000',
      ]
      const inner = [
        ...codes.map((code) => ({ otp_code: code, public_key: publicKey })),
        ...STRANGE_VALUES,
        ...STRANGE_VALUES.map((value) => ({ otp_code: value, public_key: publicKey })),
        ...STRANGE_VALUES.map((value) => ({ otp_code: '000000', public_key: value })),
      ]
      for (const plain of shareOf(inner, houses, house))
        await send('bundle: inside', sealPlain(of(targets, house), JSON.stringify(plain)), house)
      for (const plain of ['', '{', '000000', `${right}x`, `\u{feff}${right}`]) {
        await send('bundle: inside', sealPlain(of(targets, house), plain), house)
      }
    }
  })
})

describe('every field of every body, and every id in a path', () => {
  /** The operations, each with a valid body; those that a session signs take a proof. */
  const verbsOf = ({ face, platform, wallet, email, oauth, oauthSession }: Household) => {
    const { accountId, customerId } = wallet
    const key = { clientPublicKey: newKey().publicKey }
    const passkey = passkeyRegistration(wallet, softwareAuthenticator())
    const token = identityToken(newIdentity())
    const register = (_id: string, body: object, proof?: Proof) => face.register(platform, body, proof)
    const bundle = { type: 'EMAIL_OTP', encryptedOtpBundle: '{}' }
    return [
      { id: '', body: { type: 'OAUTH', accountId, oidcToken: token }, send: register },
      { id: '', body: passkey, send: register },
      { id: email.id, body: bundle, send: face.verify.bind(face, platform) },
      { id: oauth.id, body: oauthProof(newIdentity(), newKey()), send: face.verify.bind(face, platform) },
      { id: oauth.id, body: {}, send: (id: string, _body: object, proof?: Proof) => face.revoke(platform, id, proof) },
      { id: oauthSession.id, body: key, send: face.refresh.bind(face, platform) },
      {
        id: oauthSession.id,
        body: {},
        send: (id: string, _body: object, proof?: Proof) => face.revokeSession(platform, id, proof),
      },
      { id: accountId, body: key, send: face.exportWallet.bind(face, platform) },
      { id: accountId, body: { privateEnabled: 'x' }, send: face.updatePrivacy.bind(face, platform) },
      { id: customerId, body: { email: 'x' }, send: face.updateCustomer.bind(face, platform) },
      { id: customerId, body: { phoneNumber: 'x' }, send: face.updateCustomer.bind(face, platform) },
    ]
  }
  const IDS = [
    'a\0b',
    '\ud800',
    '',
    ' ',
    '😀',
    'x'.repeat(5000),
    'AuthMethod:',
    '__proto__',
    '../credentials',
    '%00',
    '%zz',
  ]

  it('rejects unexpected values', async () => {
    for (const house of houses) {
      const { face, platform, wallet, emailSession, oauth } = house
      const first = await face.updatePrivacy(platform, wallet.accountId, { privateEnabled: true })
      const proof = await prove(emailSession.key, first)
      for (const { id, body, send } of verbsOf(house)) {
        for (const name of Object.keys(body)) {
          for (const value of shareOf(STRANGE_VALUES, houses, house)) {
            if (id === oauth.id) await forgive(oauth.id)
            // A null contact counts as absent, one of the two privacy values is valid, and names may contain unusual characters.
            const mayPass = value === null || name === 'nickname' || (name === 'privateEnabled' && value === true)
            tally.refused('body: fields', { [name]: value }, await send(id, { ...body, [name]: value }), { mayPass })
          }
        }
        for (const strange of IDS) {
          // Not a possible path segment.
          if (id === '' || strange === '' || (face.name === 'REST' && !strange.isWellFormed())) continue
          tally.refused('path', strange, await send(strange, body))
          tally.refused('path with a proof', strange, await send(strange, body, proof))
        }
      }
    }
  })
})

it('none was accepted, none caused an internal error, and every refusal had the same shape', () => {
  tally.expectNone({
    'stamp: text': 70,
    'stamp: members': 120,
    'stamp: values': 40,
    'stamp: JSON': 14,
    'stamp: encoding': 3,
    'stamp: DER': 12,
    'stamp: honest mistakes': 6,
    'stamp: any': 10,
    'stamp: any JSON': 15,
    'key: refresh': 60,
    'key: export': 60,
    'bundle: ciphertext bits': 30,
    'bundle: key bits': 25,
    'bundle: length': 20,
    'bundle: values': 40,
    'bundle: members': 40,
    'bundle: inside': 80,
    'body: fields': 370,
    path: 170,
    'path with a proof': 170,
  })
})
