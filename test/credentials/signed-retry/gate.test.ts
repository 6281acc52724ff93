// The checks of the signed retry, row by row (docs/domain/credentials.md#signed-retry-gate, R1 to R9), for every operation that needs one,
// over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { db, sql } from '#database/db.ts'
import { type Answer, credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { delayed } from '#test/setup/credentials/interleaved.ts'
import { newKey, stamp } from '#test/setup/credentials/wallet.ts'
import {
  createHousehold,
  type Household,
  OPERATION_NAMES,
  OPERATIONS,
  type Ready,
} from '#test/setup/credentials/wallet-operations.ts'
import { expectStatus, prove } from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const REFUSED = {
  R2: { status: 401, code: 'WALLET_SIGNATURE_MISSING' },
  R3: { status: 401, code: 'REQUEST_ID_MISSING' },
  R4: { status: 401, code: 'WALLET_SIGNATURE_MALFORMED' },
  unknown: { status: 401, code: 'INVALID_SIGNATURE', details: { reason: 'REQUEST_ID_UNKNOWN' } },
  expired: { status: 401, code: 'INVALID_SIGNATURE', details: { reason: 'REQUEST_ID_EXPIRED' } },
  consumed: { status: 401, code: 'INVALID_SIGNATURE', details: { reason: 'REQUEST_ID_CONSUMED' } },
  R6: { status: 401, code: 'WALLET_SIGNATURE_BODY_MISMATCH' },
  R7: { status: 401, code: 'WALLET_SIGNATURE_INVALID' },
} as const

const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

interface Stamp {
  publicKey: string
  scheme: string
  signature: string
}
const open = (value: string): Stamp => JSON.parse(Buffer.from(value, 'base64url').toString('utf8'))
const close = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const text = (value: string) => Buffer.from(value).toString('base64url')

/** A positive number as a DER INTEGER. */
const integer = (value: bigint): string => {
  const digits = value.toString(16)
  const even = digits.padStart(digits.length + (digits.length % 2), '0')
  const bytes = /^[89a-f]/.test(even) ? `00${even}` : even
  return `02${(bytes.length / 2).toString(16).padStart(2, '0')}${bytes}`
}

/** The same signature with the other of the two valid values of s. */
const withOtherS = (der: string): string => {
  const rLength = Number.parseInt(der.slice(6, 8), 16) * 2
  const r = der.slice(8, 8 + rLength)
  const s = BigInt(`0x${der.slice(8 + rLength + 4)}`)
  const body = `02${(rLength / 2).toString(16).padStart(2, '0')}${r}${integer(N - s)}`
  return `30${(body.length / 2).toString(16).padStart(2, '0')}${body}`
}
const isHighS = (der: string) => BigInt(`0x${der.slice(8 + Number.parseInt(der.slice(6, 8), 16) * 2 + 4)}`) > N / 2n

/** R4: stamps that are valid except for one defect. */
const MALFORMED: Record<string, (value: string) => string> = {
  'text that is not base64url': () => 'not a stamp!',
  'padded base64url': (value) => `${value}${'='.repeat(4 - (value.length % 4) || 4)}`,
  'a trailing newline inside': (value) =>
    text(`${Buffer.from(value, 'base64url')}`)
      .slice(0, -1)
      .concat('~'),
  'an unused bit set': (value) => close({ ...open(value), publicKey: `${open(value).publicKey} ` }),
  'base64url of text that is not JSON': () => text('{'),
  'base64url of null': () => text('null'),
  'base64url of a list': (value) => close([open(value)]),
  'a member too few': (value) => close({ publicKey: open(value).publicKey, signature: open(value).signature }),
  'a member too many': (value) => close({ ...open(value), extra: '' }),
  'a member that is no string': (value) => close({ ...open(value), signature: [open(value).signature] }),
  'a duplicate member': (value) => text(`{"scheme":"x",${JSON.stringify(open(value)).slice(1)}`),
  'another scheme': (value) => close({ ...open(value), scheme: 'SIGNATURE_SCHEME_TK_API_SECP256K1' }),
  'a signature that is not hex': (value) =>
    close({ ...open(value), signature: `${open(value).signature.slice(0, -1)}g` }),
  'hex of odd length': (value) => close({ ...open(value), signature: open(value).signature.slice(1) }),
  'an empty signature': (value) => close({ ...open(value), signature: '' }),
  'a point off the curve': (value) => close({ ...open(value), publicKey: `02${'f'.repeat(64)}` }),
  'the point at infinity': (value) => close({ ...open(value), publicKey: '00' }),
  'more than 4,096 characters': (value) => close({ ...open(value), signature: '30'.repeat(2000) }),
}

const FORMS = {
  'low S': 'the smaller s',
  'high S': 'the larger s',
  capitals: 'upper-case hex and members in another order',
}

/** The number of rows tried, for each operation over each face. */
const tried = new Map<string, number>()

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })

  describe.each(OPERATION_NAMES)('%s', (name) => {
    let house: Household
    let operation: Ready
    let first: Answer
    beforeAll(async () => {
      house = await createHousehold(face, platform)
      operation = await OPERATIONS[name](house)
      first = expectStatus(await operation.send(), 202)
    })
    const countRow = () => tried.set(`${face.name} ${name}`, (tried.get(`${face.name} ${name}`) ?? 0) + 1)
    const expectRow = (answer: Answer, row: object) => {
      countRow()
      expect(answer).toMatchObject(row)
    }
    /** A fresh operation for tests that use it up. */
    const fresh = async () => {
      const own = await createHousehold(face, platform)
      const ready = await OPERATIONS[name](own)
      const challenge = expectStatus(await ready.send(), 202)
      return { own, ready, challenge, proof: await prove(ready.key, challenge) }
    }

    it('R1 neither header: returns the payload to sign, valid for five minutes', async () => {
      const { type, ...rest } = first.body
      expect(rest).toEqual({
        payloadToSign: expect.any(String),
        requestId: expect.stringMatching(/^Request:[0-9a-f-]{36}$/),
        expiresAt: expect.any(String),
      })
      const life = Date.parse(rest.expiresAt) - Date.now()
      expect(life).toBeGreaterThan(270_000)
      expect(life).toBeLessThanOrEqual(301_000)
      if (operation.type !== null) expect(type).toBe(operation.type)
      // GraphQL reports these in its own way.
      else if (face.name === 'REST') expect(type).toBeUndefined()
      if (name !== 'verify OTP') {
        const payload = JSON.parse(rest.payloadToSign)
        expect(Object.keys(payload)).toEqual(['organizationId', 'parameters', 'requestId', 'timestampMs', 'type'])
        expect(payload).toMatchObject({ requestId: rest.requestId, timestampMs: expect.stringMatching(/^\d{13}$/) })
        expect(payload.organizationId).toBe(house.wallet.accountId.split(':')[1])
        expect(JSON.stringify(payload)).toBe(rest.payloadToSign)
      }
      countRow()
    })

    it('R1 an empty header counts as absent', async () => {
      // The first leg of an OTP verification spends its code.
      const own = name === 'verify OTP' ? await OPERATIONS[name](await createHousehold(face, platform)) : operation
      expectRow(await own.send({ requestId: '', signature: '' }), { status: 202 })
    })

    it('R2 Request-Id without signature', async () => {
      const { requestId } = await prove(operation.key, first)
      for (const id of [requestId, `Request:${randomUUID()}`, 'nothing']) {
        expectRow(await operation.send({ requestId: id }), REFUSED.R2)
        expectRow(await operation.send({ requestId: id, signature: '' }), REFUSED.R2)
      }
    })

    it('R3 signature without Request-Id', async () => {
      const { signature } = await prove(operation.key, first)
      for (const value of [signature, 'nothing']) {
        expectRow(await operation.send({ signature: value }), REFUSED.R3)
        expectRow(await operation.send({ signature: value, requestId: '' }), REFUSED.R3)
      }
    })

    it.each(Object.entries(MALFORMED))('R4 %s', async (_form, mangle) => {
      const { requestId, signature } = await prove(operation.key, first)
      expectRow(await operation.send({ requestId, signature: mangle(signature ?? '') }), REFUSED.R4)
      // The stamp's form is checked before the id.
      const unknown = `Request:${randomUUID()}`
      expectRow(await operation.send({ requestId: unknown, signature: mangle(signature ?? '') }), REFUSED.R4)
    })

    it('R5 a Request-Id that was never issued, in any form', async () => {
      const { requestId, signature } = await prove(operation.key, first)
      const uuid = String(requestId).slice('Request:'.length)
      const forms = [
        `Request:${randomUUID()}`,
        uuid,
        `Request:{${uuid}}`,
        `Request:${uuid.toUpperCase()}`,
        `request:${uuid}`,
        `AuthMethod:${uuid}`,
        `Request:${uuid.replaceAll('-', '')}`,
        `${requestId}, ${requestId}`,
        `${requestId},`,
        `Request:${uuid}x`,
        'x'.repeat(5000),
      ]
      for (const form of forms) expectRow(await operation.send({ requestId: form, signature }), REFUSED.unknown)
    })

    it('R5 an expired Request-Id', async () => {
      const { ready, challenge, proof } = await fresh()
      const id = String(challenge.body.requestId).slice('Request:'.length)
      const at = (expiresAt: Date) => db.signedRequest.updateMany({ where: { id }, data: { expiresAt } })
      await at(new Date(Date.now() - 1_000))
      expectRow(await ready.send(proof), REFUSED.expired)
      await at(new Date(Date.now() + 5_000))
      expectRow(await ready.send(proof), { status: ready.success })
    })

    it('R5 a Request-Id that expires while the retry waits for the wallet', async () => {
      const { own, ready, challenge, proof } = await fresh()
      const id = String(challenge.body.requestId).slice('Request:'.length)
      const answer = await delayed(
        sql`select from internal_accounts where platform_id = ${platform.id}::uuid and id = ${own.wallet.accountId.split(':')[1]}::uuid for no key update`,
        () => ready.send(proof),
        () => db.$executeRaw`update signed_requests set expires_at = now() where id = ${id}::uuid`,
      )
      expectRow(answer, REFUSED.expired)
    })

    it('R5 a Request-Id of another path, even one where nothing exists', async () => {
      if (!operation.target) return
      const proof = await prove(operation.key, first)
      for (const id of [`${operation.target}:${randomUUID()}`, 'nothing', 'a\0b', '😀', 'x'.repeat(3000)]) {
        expectRow(await operation.send(proof, { id }), REFUSED.unknown)
      }
    })

    it('R5 a Request-Id of another platform', async () => {
      const proof = await prove(operation.key, first)
      expectRow(await operation.send(proof, { caller: await createPlatform() }), REFUSED.unknown)
    })

    it('R6 a different body, whoever signs', async () => {
      if (!operation.sendOther) return
      expectRow(await operation.sendOther(await prove(operation.key, first)), REFUSED.R6)
      expectRow(await operation.sendOther(await prove(newKey(), first)), REFUSED.R6)
    })

    it('R7 an unknown key, or a signature over something else', async () => {
      const { requestId, payloadToSign } = first.body
      const byNobody = await operation.send(await prove(newKey(), first))
      expectRow(byNobody, REFUSED.R7)
      expect(byNobody.details?.reason).toBe('SIGNER_NOT_ALLOWED')
      for (const other of [`${payloadToSign}\n`, ` ${payloadToSign}`, '', payloadToSign.slice(1), requestId]) {
        const signature = await stamp(operation.key, other)
        expectRow(await operation.send({ requestId, signature }), REFUSED.R7)
      }
      // The right key is named, but another one signed.
      const { signature } = open(await stamp(newKey(), payloadToSign))
      const named = close({ ...open(await stamp(operation.key, payloadToSign)), signature })
      expectRow(await operation.send({ requestId, signature: named }), REFUSED.R7)
    })

    it('R9 success consumes the request: a repeat is R5, also on a path that no longer exists and with another body', async () => {
      const { ready, proof } = await fresh()
      expectRow(await ready.send(proof), { status: ready.success })
      for (let replay = 0; replay < 3; replay += 1) expectRow(await ready.send(proof), REFUSED.consumed)
      if (ready.sendOther) expectRow(await ready.sendOther(proof), REFUSED.consumed)
    })

    it('R9 if several arrive at once, one succeeds and the others get R5', async () => {
      const { ready, proof } = await fresh()
      const answers = await Promise.all(Array.from({ length: 6 }, () => ready.send(proof)))
      const won = answers.filter(({ status }) => status === ready.success)
      const lost = answers.filter(({ status }) => status !== ready.success)
      expect(won).toHaveLength(1)
      for (const answer of lost) expectRow(answer, REFUSED.consumed)
    })

    // The operations take turns, because all of them read a signature in one place.
    const form = (['low S', 'high S', 'capitals'] as const)[OPERATION_NAMES.indexOf(name) % 3] ?? 'low S'
    it(`R9 accepts a signature with ${FORMS[form]}`, async () => {
      const { ready, challenge } = await fresh()
      const { requestId, payloadToSign } = challenge.body
      const honest = open(await stamp(ready.key, payloadToSign))
      const flip = isHighS(honest.signature) !== (form === 'high S')
      const signature = flip ? withOtherS(honest.signature) : honest.signature
      const value =
        form === 'capitals'
          ? close({
              signature: signature.toUpperCase(),
              scheme: honest.scheme,
              publicKey: honest.publicKey.toUpperCase(),
            })
          : close({ ...honest, signature })
      expectRow(await ready.send({ requestId, signature: value }), { status: ready.success })
    })

    it('a refused retry leaves the request pending', async () => {
      // Every refusal above was of this request.
      expectRow(await operation.send(await prove(operation.key, first)), { status: operation.success })
    })
  })
})

it('every row was tested for every operation over both faces', () => {
  const all = credentialFaces.flatMap((face) => OPERATION_NAMES.map((name) => `${face.name} ${name}`))
  // Operations without a path or a body have fewer.
  expect(all.filter((each) => (tried.get(each) ?? 0) < 80)).toEqual([])
})
