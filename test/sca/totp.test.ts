// The test vectors of RFC 6238, appendix B, and what authenticator apps read.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { base32, hotp, stepAt, stepOfCode, totpUri } from '#sca/factors/totp.ts'
import { codeOf, createEuropean } from '#test/setup/sca/europeans.ts'
import { scaFaces } from '#test/setup/sca/sca-faces.ts'

afterEach(() => {
  vi.useRealTimers()
})

const SEEDS = {
  sha1: '12345678901234567890',
  sha256: '12345678901234567890123456789012',
  sha512: '1234567890123456789012345678901234567890123456789012345678901234',
} as const

const VECTORS: readonly (readonly [seconds: number, sha1: string, sha256: string, sha512: string])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1111111109, '07081804', '68084774', '25091201'],
  [1111111111, '14050471', '67062674', '99943326'],
  [1234567890, '89005924', '91819424', '93441116'],
  [2000000000, '69279037', '90698825', '38618901'],
  [20000000000, '65353130', '77737706', '47863826'],
]

it('computes the 18 vectors of RFC 6238', () => {
  const computed = VECTORS.map(([seconds]) => [
    seconds,
    ...(['sha1', 'sha256', 'sha512'] as const).map((algorithm) =>
      hotp(Buffer.from(SEEDS[algorithm]), stepAt(seconds * 1_000), { digits: 8, algorithm }),
    ),
  ])
  console.log(`vectors ${computed.length * 3}`)
  expect(computed).toEqual(VECTORS)
})

it('accepts the code of the current step, of the one before and of the one after', () => {
  const secret = Buffer.from(SEEDS.sha1)
  const now = 1_111_111_111_000
  const found = [-2, -1, 0, 1, 2].map((steps) => stepOfCode(secret, hotp(secret, stepAt(now) + steps), now))
  expect(found).toEqual([null, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, null])
})

it.each(['', '12345', '1234567', '１２３４５６', ' 12345', '12345\n', '-12345', '1e5000'])(
  'refuses %j as a code',
  (code) => {
    expect(stepOfCode(Buffer.from(SEEDS.sha1), code, 0)).toBeNull()
  },
)

it('writes a URI that authenticator apps read', () => {
  const uri = new URL(totpUri(Buffer.from(SEEDS.sha1), 'A&B: Bank', 'ada:l@mail.example'))
  expect(uri.protocol).toBe('otpauth:')
  expect(decodeURIComponent(uri.pathname.replace(/^.*\//, ''))).toBe('A&B  Bank:ada l@mail.example')
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: base32(Buffer.from(SEEDS.sha1)),
    issuer: 'A&B  Bank',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

describe.each(scaFaces)('over $name', (face) => {
  it.each([-90, 90])('the clock of the database decides, not that of a process that is %i seconds off', async (off) => {
    const { platform, customerId } = await createEuropean()
    const { secret } = (await face.enrol(platform, { customerId, type: 'TOTP' })).body
    const [earlier, current, wrong] = [await codeOf(secret, -1), await codeOf(secret), await codeOf(secret, off / 30)]
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + off * 1_000, shouldAdvanceTime: true })
    const isRight = async (answer: Promise<{ status: number }>) => (await answer).status < 300
    const confirm = (code: string) => face.confirm(platform, { customerId, secret, code })
    expect([await isRight(confirm(wrong)), await isRight(confirm(earlier))]).toEqual([false, true])
    await face.startLogin(platform, { customerId, factor: 'TOTP' })
    const logIn = (code: string) => face.completeLogin(platform, { customerId, factor: 'TOTP', code })
    expect([await isRight(logIn(wrong)), await isRight(logIn(current))]).toEqual([false, true])
  })
})
