// The routes that other institutions call, and what a hostile one gets: the code of the protocol, and nothing that it should not learn.
import { sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { app } from '#app.ts'
import { db } from '#database/db.ts'
import { createPayer } from '#test/setup/payments/payers.ts'
import { useSettings } from '#test/setup/settings.ts'
import { type Counterpart, newKey, says } from '#test/setup/uma/counterpart.ts'
import {
  BOB,
  changed,
  closeReceiver,
  code,
  lookUp,
  lookUpUrl,
  meet,
  OURS,
  openReceiver,
  payee,
  peer,
  wire,
} from '#test/setup/uma/receiving.ts'
import { institutionAt } from '#uma/own-keys.ts'

useSettings({ umaAllowPrivate: true })

beforeAll(openReceiver)
afterAll(closeReceiver)

/** Does the work at a later time of the clock of the process. */
const laterBy = async (milliseconds: number, work: () => Promise<void>) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  try {
    await work()
  } finally {
    vi.useRealTimers()
  }
}

describe('what is published', () => {
  it('the keys are two, and can be cached for minutes', async () => {
    const { body } = await wire('/.well-known/lnurlpubkey')
    expect(body.signingCertChain).toHaveLength(2)
    expect(body.encryptionCertChain).toHaveLength(2)
    expect(body.signingCertChain[0]).not.toBe(body.encryptionCertChain[0])
    expect(body.expirationTimestamp - Date.now() / 1_000).toBeGreaterThan(200)
  })

  it('the configuration names the version', async () => {
    const { body, headers } = await wire('/.well-known/uma-configuration')
    expect(body).toEqual({ name: 'Test', uma_major_versions: [1] })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('the configuration may be read by a page of any origin', async () => {
    const headers = { host: OURS, origin: 'https://page.example', 'sec-fetch-site': 'cross-site' }
    const answer = await app.fetch(new Request(`http://${OURS}/.well-known/uma-configuration`, { headers }))
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  })

  it('only at the domain of the platform that has its keys', async () => {
    expect(code(await wire('/.well-known/lnurlpubkey', undefined, 'other.example'))).toEqual([404, 'REQUEST_NOT_FOUND'])
    const squatter = await createPayer()
    await db.platform.update({ where: { id: squatter.platform.id }, data: { umaDomain: OURS } })
    expect((await institutionAt(OURS))?.platformId).toBe(payee.platform.id)
    await db.platform.update({ where: { id: payee.platform.id }, data: { umaDomain: null } })
    expect(code(await wire('/.well-known/uma-configuration'))).toEqual([404, 'REQUEST_NOT_FOUND'])
    await db.platform.update({ where: { id: payee.platform.id }, data: { umaDomain: OURS } })
  })
})

describe('a look-up', () => {
  it('is answered with the currencies of the accounts, whatever the case and the escape of the address', async () => {
    for (const name of ['$bob', '%24bob', '$BOB']) {
      const url = (await lookUpUrl(peer, `${decodeURIComponent(name)}@${OURS}`)).replace(
        /lnurlp\/[^?]+/,
        `lnurlp/${name}`,
      )
      const { status, body } = await wire(url)
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.currencies.map((one: { code: string }) => one.code).sort()).toEqual(['EUR', 'USD'])
      expect(body.settlementOptions[0]).toMatchObject({ settlementLayer: 'ledger', assets: [{ identifier: 'BTC' }] })
      expect(body.compliance.receiverIdentifier).toBe(BOB)
    }
  })

  it.each<[what: string, call: () => ReturnType<typeof wire>, expected: unknown[]]>([
    ['of a stranger', () => lookUp({ ...peer, domain: 'stranger.example' }), [403, 'COUNTERPARTY_NOT_ALLOWED']],
    ['signed with another key', () => lookUp({ ...peer, signing: newKey() }), [401, 'INVALID_SIGNATURE']],
    [
      'for another address than signed',
      async () => wire((await lookUpUrl()).replace('$bob', '$eve')),
      [401, 'INVALID_SIGNATURE'],
    ],
    ['without a nonce', () => changed((query) => query.delete('nonce')), [400, 'MISSING_REQUIRED_UMA_PARAMETERS']],
    ['without anything', () => wire('/.well-known/lnurlp/$bob'), [403, 'NON_UMA_LNURL_NOT_SUPPORTED']],
    ['in version 3', () => changed((query) => query.set('umaVersion', '3.1')), [412, 'UNSUPPORTED_UMA_VERSION']],
    ['in version 0', () => lookUp(peer, BOB, '0.3'), [412, 'UNSUPPORTED_UMA_VERSION']],
    ['in no version', () => changed((query) => query.set('umaVersion', '1')), [400, 'PARSE_LNURLP_REQUEST_ERROR']],
    [
      'an hour old',
      () => changed((query) => query.set('timestamp', String(Math.floor(Date.now() / 1_000) - 3_600))),
      [400, 'INVALID_TIMESTAMP'],
    ],
    ['of no time', () => changed((query) => query.set('timestamp', 'abc')), [400, 'INVALID_TIMESTAMP']],
    ['of nobody', () => lookUp(peer, `$nobody@${OURS}`), [404, 'USER_NOT_FOUND']],
    [
      'with a path in the domain',
      () => changed((query) => query.set('vaspDomain', 'sender.example/secret?x=')),
      [400, 'PARSE_LNURLP_REQUEST_ERROR'],
    ],
    ['with broken backing signatures', () => changed((query) => query.set('backingSignatures', '%')), [200, undefined]],
  ])('%s', async (_what, call, expected) => {
    const answer = await call()
    expect(code(answer)).toEqual(expected)
    if (answer.status === 412) expect(answer.body.supportedMajorVersions).toEqual([1])
  })

  it('is accepted once', async () => {
    const url = await lookUpUrl()
    expect((await wire(url)).status).toBe(200)
    expect(code(await wire(url))).toEqual([400, 'INVALID_NONCE'])
    expect(code(await wire(url.replace('umaVersion=1.0', 'umaVersion=1.7')))).toEqual([400, 'INVALID_NONCE'])
  })

  it('may have the nonce of another one of the same day, but not of the same minutes', async () => {
    const signedAt = async (seconds: number) => {
      const signature = sign('sha256', Buffer.from(`${BOB}|4232764558|${seconds}`), peer.signing.key).toString('hex')
      return changed((query) => {
        query.set('nonce', '4232764558')
        query.set('timestamp', String(seconds))
        query.set('signature', signature)
      })
    }
    const begin = Math.ceil(Date.now() / 600_000) * 600
    await laterBy(begin * 1_000 - Date.now(), async () => {
      expect((await signedAt(begin)).status).toBe(200)
      expect(code(await signedAt(begin + 1))).toEqual([400, 'INVALID_NONCE'])
      vi.setSystemTime((begin + 600) * 1_000)
      expect((await signedAt(begin + 600)).status).toBe(200)
      expect(code(await signedAt(begin + 600))).toEqual([400, 'INVALID_NONCE'])
    })
  })

  it('is accepted once, even when it is repeated after midnight', async () => {
    const midnight = new Date().setUTCHours(24, 0, 0, 0)
    vi.useFakeTimers({ toFake: ['Date'], now: midnight - 5_000 })
    try {
      const url = await lookUpUrl()
      expect((await wire(url)).status).toBe(200)
      vi.setSystemTime(midnight + 5_000)
      expect(code(await wire(url))).toEqual([400, 'INVALID_NONCE'])
      expect((await wire(await lookUpUrl())).status).toBe(200)
    } finally {
      vi.useRealTimers()
    }
  })

  it.each<[what: string, spoil: (it: Counterpart) => void, expected: unknown[]]>([
    ['cannot be fetched', (it) => (it.handlers.keys = says('', 500)), [424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR']],
    ['are no keys', (it) => (it.handlers.keys = says({})), [400, 'INVALID_PUBKEY_FORMAT']],
    [
      'are of a strange root',
      (it) =>
        (it.handlers.keys = says({ ...it.goodKeys(), signingCertChain: it.goodKeys().signingCertChain.slice(0, 1) })),
      [400, 'CERT_CHAIN_INVALID'],
    ],
    [
      'have expired',
      (it) =>
        (it.handlers.keys = says({
          ...it.goodKeys(),
          signingCertChain: it.chain(it.signing.key, { until: new Date(Date.now() - 1_500) }),
        })),
      [400, 'CERT_CHAIN_EXPIRED'],
    ],
  ])('of an institution whose keys %s', async (what, spoil, expected) => {
    const other = await meet(`${what.replaceAll(' ', '-')}.example`)
    spoil(other)
    expect(code(await lookUp(other))).toEqual(expected)
  })

  it('of a stranger, many times at once, fetches the keys of the institution that it names once', async () => {
    const other = await meet('named.example')
    const { keys } = other.handlers
    const waiting: (() => unknown)[] = []
    other.handlers.keys = (...call) => void waiting.push(() => keys(...call))
    const forged = (await lookUpUrl(other)).replace(/signature=[^&]*/, 'signature=00')
    const answers = Array.from({ length: 20 }, () => wire(forged))
    await expect.poll(() => waiting.length).toBe(1)
    // Time for the others to arrive.
    await new Promise((resolve) => setTimeout(resolve, 200))
    for (const answer of waiting) answer()
    for (const answer of answers) expect(code(await answer)).toEqual([401, 'INVALID_SIGNATURE'])
    expect(other.calls).toHaveLength(1)
  })

  it('of a stranger, one after the other, asks once in ten seconds for keys that cannot be fetched', async () => {
    const other = await meet('down.example')
    const { keys } = other.handlers
    other.handlers.keys = says('', 503)
    const forged = (await lookUpUrl(other)).replace(/signature=[^&]*/, 'signature=00')
    for (let message = 0; message < 3; message += 1) {
      expect(code(await wire(forged))).toEqual([424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR'])
    }
    expect(other.calls).toHaveLength(1)
    other.handlers.keys = keys
    await laterBy(11_000, async () => {
      expect((await lookUp(other)).status).toBe(200)
    })
    expect(other.calls).toHaveLength(2)
  })

  it('of a stranger does not lose keys that cannot be fetched again at the moment', async () => {
    const other = await meet('briefly-down.example')
    expect((await lookUp(other)).status).toBe(200)
    await laterBy(11_000, async () => {
      other.handlers.keys = says('', 503)
      const forged = await lookUp({ ...other, signing: newKey() })
      expect(code(forged)).toEqual([424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR'])
      expect((await lookUp(other)).status).toBe(200)
    })
  })

  it('with new keys is accepted, also many times at once', async () => {
    const other = await meet('rotating.example')
    expect((await lookUp(other)).status).toBe(200)
    const signing = newKey()
    other.handlers.keys = says({ ...other.goodKeys(), signingCertChain: other.chain(signing.key) })
    await laterBy(11_000, async () => {
      const renewed = { ...other, signing }
      const urls = await Promise.all(Array.from({ length: 10 }, () => lookUpUrl(renewed)))
      for (const { status } of await Promise.all(urls.map((url) => wire(url)))) expect(status).toBe(200)
      expect(code(await lookUp(other))).toEqual([401, 'INVALID_SIGNATURE'])
    })
  })

  it('of an institution that the platform no longer deals with', async () => {
    const other = await meet('blocked.example', { isAllowed: false })
    expect(code(await lookUp(other))).toEqual([403, 'COUNTERPARTY_NOT_ALLOWED'])
    expect(other.calls).toEqual([])
  })
})

it('an address that calls too often is told until when to wait, in the form of the protocol', async () => {
  let answer = await wire('/.well-known/uma-configuration')
  while (answer.status === 200) answer = await wire('/.well-known/uma-configuration')
  expect([answer.status, answer.body]).toEqual([
    429,
    { status: 'ERROR', reason: 'Too many requests', code: 'RATE_LIMITED' },
  ])
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  // The next window.
  await laterBy((seconds + 1) * 1_000, async () => {
    expect((await wire('/.well-known/uma-configuration')).status).toBe(200)
  })
})
