// Counterparts that answer wrong in every way: the code of the table, nothing moved, and the process continues (docs/domain/uma.md#errors).
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { config } from '#core/config.ts'
import { db } from '#database/db.ts'
import { startNameServer } from '#test/setup/name-server.ts'
import { fundsOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { type Counterpart, derOf, type Handler, newKey, type Spoilable, says } from '#test/setup/uma/counterpart.ts'
import { ALICE, closePayer, lookUp, meet, openPayer, payer, quote } from '#test/setup/uma/paying.ts'
import { putProvider } from '#uma/providers/provider.ts'

useSettings({ umaAllowPrivate: true })

beforeAll(openPayer)
afterAll(closePayer)

type Told = readonly [status: number, code: string, more?: string]
const told = ({ status, body }: { status: number; body: { code: string; details?: Record<string, string> } }) =>
  [status, body.code, body.details?.['counterpartyCode'] ?? body.details?.['reason']] as const

const silence: Handler = () => {}
const hangsUp: Handler = (request) => request.socket.destroy()
const half: Handler = (_request, response) => response.end('{"callback":"https://h')
const huge: Handler = (_request, response) => response.end(JSON.stringify({ callback: 'x'.repeat(100_000) }))
const redirects: Handler = (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
const refuses = (code: string | undefined, status = 400): Handler =>
  says({ status: 'ERROR', reason: 'secret', code }, status)

/** The good answer to the look-up, spoiled. */
const lookupWith =
  (spoil: (answer: Spoilable) => void, ...more: [signer?: ReturnType<typeof newKey>, receiver?: string]) =>
  (peer: Counterpart): Handler =>
  async (request, response) => {
    const answer = await peer.goodLookup(request.url ?? '', ...(more as [ReturnType<typeof newKey>, string]))
    spoil(answer)
    response.end(JSON.stringify(answer))
  }
const nothing = () => {}

const KEYS: readonly (readonly [what: string, (peer: Counterpart) => Handler, Told])[] = [
  ['are silent', () => silence, [424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR']],
  ['are not there', () => says('', 404), [424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR']],
  ['are behind a redirect', () => redirects, [424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR']],
  ['are endless', () => huge, [424, 'COUNTERPARTY_PUBKEY_FETCH_ERROR']],
  ['are half a JSON', () => half, [400, 'INVALID_PUBKEY_FORMAT']],
  ['are null', () => says('null'), [400, 'INVALID_PUBKEY_FORMAT']],
  ['are empty', () => says({}), [400, 'INVALID_PUBKEY_FORMAT']],
  ['are a text', (peer) => says({ ...peer.goodKeys(), signingCertChain: 'abc' }), [400, 'INVALID_PUBKEY_FORMAT']],
  [
    'are not hexadecimal',
    (peer) => says({ ...peer.goodKeys(), signingCertChain: ['xy'] }),
    [400, 'INVALID_PUBKEY_FORMAT'],
  ],
  ['have no chain', () => says({ signingPubKey: '04', encryptionPubKey: '04' }), [400, 'CERT_CHAIN_INVALID']],
  [
    'are no certificates',
    (peer) => says({ ...peer.goodKeys(), signingCertChain: ['00'] }),
    [400, 'CERT_CHAIN_INVALID'],
  ],
  [
    'lack a link',
    (peer) => says({ ...peer.goodKeys(), signingCertChain: peer.chain(peer.signing.key).slice(0, 1) }),
    [400, 'CERT_CHAIN_INVALID'],
  ],
  [
    'begin with the root',
    (peer) => says({ ...peer.goodKeys(), signingCertChain: peer.chain(peer.signing.key).reverse() }),
    [400, 'CERT_CHAIN_INVALID'],
  ],
  [
    'have a strange root',
    (peer) => {
      const stranger = newKey()
      const issuer = { name: `root.${peer.domain}`, key: stranger.key }
      const root = peer.leaf(stranger.key, { domain: `root.${peer.domain}`, issuer, isAuthority: true })
      return says({
        ...peer.goodKeys(),
        signingCertChain: [derOf(peer.leaf(peer.signing.key, { issuer })), derOf(root)],
      })
    },
    [400, 'CERT_CHAIN_INVALID'],
  ],
  [
    'are of another curve',
    (peer) => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      return says({ ...peer.goodKeys(), signingCertChain: peer.chain(privateKey) })
    },
    [400, 'CERT_CHAIN_INVALID'],
  ],
  [
    'expired a second ago',
    (peer) =>
      says({
        ...peer.goodKeys(),
        encryptionCertChain: peer.chain(peer.encryption.key, { until: new Date(Date.now() - 1_500) }),
      }),
    [400, 'CERT_CHAIN_EXPIRED'],
  ],
  [
    'are not valid yet',
    (peer) =>
      says({
        ...peer.goodKeys(),
        signingCertChain: peer.chain(peer.signing.key, { from: new Date(Date.now() + 60_000) }),
      }),
    [400, 'CERT_CHAIN_INVALID'],
  ],
]

const LOOKUPS: readonly (readonly [what: string, (peer: Counterpart) => Handler, Told])[] = [
  ['is silent', () => silence, [424, 'LNURLP_REQUEST_FAILED']],
  ['hangs up', () => hangsUp, [424, 'LNURLP_REQUEST_FAILED']],
  ['redirects', () => redirects, [424, 'LNURLP_REQUEST_FAILED']],
  ['is endless', () => huge, [424, 'LNURLP_REQUEST_FAILED']],
  ['is down', () => says('<html>', 503), [424, 'LNURLP_REQUEST_FAILED']],
  ['is half a JSON', () => half, [400, 'PARSE_LNURLP_RESPONSE_ERROR']],
  ['has a number as callback', () => says({ callback: 7 }), [400, 'PARSE_LNURLP_RESPONSE_ERROR']],
  ['refuses without a code', () => refuses(undefined), [400, 'LOOKUP_REQUEST_FAILED']],
  ['refuses with a code of its own', () => refuses('MOON_PHASE'), [400, 'LOOKUP_REQUEST_FAILED', 'MOON_PHASE']],
  ['refuses with a code that is none', () => refuses('<b>'), [400, 'LOOKUP_REQUEST_FAILED']],
  ['speaks of our keys', () => refuses('CERT_CHAIN_EXPIRED'), [400, 'LOOKUP_REQUEST_FAILED', 'CERT_CHAIN_EXPIRED']],
  ['knows nobody', () => refuses('USER_NOT_FOUND', 404), [404, 'UMA_NOT_FOUND']],
  ['refuses the sender', () => refuses('SENDER_NOT_ACCEPTED'), [400, 'SENDER_NOT_ACCEPTED']],
  ['misses parameters', () => refuses('MISSING_REQUIRED_UMA_PARAMETERS'), [400, 'MISSING_REQUIRED_UMA_PARAMETERS']],
  ['has no compliance', lookupWith((answer) => delete answer.compliance), [400, 'MISSING_REQUIRED_UMA_PARAMETERS']],
  ['is signed with another key', lookupWith(nothing, newKey()), [400, 'LOOKUP_REQUEST_FAILED', 'INVALID_SIGNATURE']],
  [
    'has a signature that is none',
    lookupWith((answer) => (answer.compliance.signature = 'zz')),
    [400, 'LOOKUP_REQUEST_FAILED', 'INVALID_SIGNATURE'],
  ],
  [
    'is an hour old',
    lookupWith((answer) => (answer.compliance.signatureTimestamp -= 3_600)),
    [400, 'INVALID_TIMESTAMP'],
  ],
  [
    'is of tomorrow',
    lookupWith((answer) => (answer.compliance.signatureTimestamp += 86_400)),
    [400, 'INVALID_TIMESTAMP'],
  ],
  [
    'has an endless nonce',
    lookupWith((answer) => (answer.compliance.signatureNonce = '1'.repeat(100))),
    [400, 'INVALID_NONCE'],
  ],
  [
    'is about somebody else',
    (peer) => lookupWith(nothing, peer.signing, `$eve@${peer.domain}`)(peer),
    [400, 'LOOKUP_REQUEST_FAILED', 'OTHER_RECEIVER'],
  ],
  [
    'calls back into a file',
    lookupWith((answer) => (answer.callback = 'file:///etc/passwd')),
    [400, 'LOOKUP_REQUEST_FAILED', 'INVALID_CALLBACK'],
  ],
  [
    'calls back to another host',
    lookupWith((answer) => (answer.callback = 'https://169.254.169.254/latest')),
    [400, 'LOOKUP_REQUEST_FAILED', 'INVALID_CALLBACK'],
  ],
  ['answers in version 9', lookupWith((answer) => (answer.umaVersion = '9.0')), [412, 'UNSUPPORTED_UMA_VERSION']],
  [
    'speaks only version 7',
    () => says({ code: 'UNSUPPORTED_UMA_VERSION', supportedMajorVersions: [7] }, 412),
    [424, 'NO_COMPATIBLE_UMA_VERSION'],
  ],
  ['speaks no version at all', () => says({ supportedMajorVersions: null }, 412), [424, 'NO_COMPATIBLE_UMA_VERSION']],
  [
    'goes on asking for version 1',
    () => says({ supportedMajorVersions: [1] }, 412),
    [424, 'NO_COMPATIBLE_UMA_VERSION'],
  ],
  ['settles on Lightning alone', lookupWith((answer) => delete answer.settlementOptions), [400, 'INVALID_RECEIVER']],
  [
    'has a price beyond all money',
    lookupWith((answer) => (answer.currencies[0].multiplier = 1e308)),
    [400, 'INVALID_RECEIVER'],
  ],
  [
    'has a price of nothing',
    lookupWith((answer) => (answer.currencies[0].multiplier = 5e-324)),
    [400, 'INVALID_RECEIVER'],
  ],
  [
    'takes only more than any amount',
    lookupWith((answer) => (answer.currencies[0].convertible = { min: 9e15 + 2, max: Number.MAX_SAFE_INTEGER })),
    [400, 'INVALID_RECEIVER'],
  ],
  ['has other decimals', lookupWith((answer) => (answer.currencies[0].decimals = 3)), [400, 'INVALID_RECEIVER']],
]

/** The good answer to the payment request, spoiled. */
const payreqWith =
  (
    spoil: (answer: Spoilable) => void,
    spoiled: (peer: Counterpart) => Parameters<Counterpart['goodPayreq']>[1] = () => ({}),
  ) =>
  (peer: Counterpart): Handler =>
  async (_request, response, body) => {
    const answer = await peer.goodPayreq(body, spoiled(peer))
    spoil(answer)
    response.end(JSON.stringify(answer))
  }
const demandWith = (spoiled: Parameters<Counterpart['goodPayreq']>[1]) => payreqWith(nothing, () => spoiled)
const INVALID = (reason: string) => [400, 'INVALID_PAYREQ_RESPONSE', reason] as const

const PAYREQS: readonly (readonly [what: string, (peer: Counterpart) => Handler, Told])[] = [
  ['hangs up', () => hangsUp, [424, 'PAYREQ_REQUEST_FAILED']],
  ['redirects', () => redirects, [424, 'PAYREQ_REQUEST_FAILED']],
  ['is endless', () => huge, [424, 'PAYREQ_REQUEST_FAILED']],
  ['is down', () => says('', 500), [424, 'PAYREQ_REQUEST_FAILED']],
  ['does not settle so', () => refuses('NOT_IMPLEMENTED', 501), [424, 'PAYREQ_REQUEST_FAILED', 'NOT_IMPLEMENTED']],
  ['is half a JSON', () => half, [400, 'PARSE_PAYREQ_RESPONSE_ERROR']],
  ['has no invoice', payreqWith((answer) => delete answer.pr), [400, 'PARSE_PAYREQ_RESPONSE_ERROR']],
  ['refuses the sender', () => refuses('SENDER_NOT_ACCEPTED'), [400, 'SENDER_NOT_ACCEPTED']],
  ['refuses the currency', () => refuses('INVALID_CURRENCY'), [400, 'INVALID_CURRENCY']],
  ['refuses the amount', () => refuses('AMOUNT_OUT_OF_RANGE'), [400, 'AMOUNT_OUT_OF_RANGE']],
  [
    'knows no such fact',
    () => refuses('UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY', 501),
    [501, 'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY'],
  ],
  ['needs more facts', () => refuses('MISSING_MANDATORY_PAYER_DATA'), [400, 'MISSING_REQUIRED_UMA_PARAMETERS']],
  ['is not of UMA', payreqWith((answer) => delete answer.converted), INVALID('INCOMPLETE')],
  ['is signed with another key', demandWith({ signer: newKey() }), INVALID('INVALID_SIGNATURE')],
  [
    'is an hour old',
    payreqWith((answer) => (answer.payeeData.compliance.signatureTimestamp -= 3_600)),
    [400, 'INVALID_TIMESTAMP'],
  ],
  ['has an invoice of Lightning', demandWith({ invoice: 'lnbc10u1pjexample' }), INVALID('INVALID_DEMAND')],
  ['has a demand of another key', demandWith({ demandSigner: newKey() }), INVALID('INVALID_DEMAND')],
  ['demands of another payer', demandWith({ payer: '$eve@ours.example' }), INVALID('OTHER_PARTIES')],
  ['demands for another payee', demandWith({ payee: '$eve@h.example' }), INVALID('OTHER_PARTIES')],
  ['demands in another currency', demandWith({ currency: 'JPY' }), INVALID('OTHER_CURRENCY')],
  ['demands more', demandWith({ satoshis: 90_000_000n }), INVALID('OTHER_AMOUNT')],
  ['promises less', demandWith({ amount: 1n }), INVALID('OTHER_AMOUNT')],
  ['has a sum that is not true', payreqWith((answer) => (answer.converted.multiplier *= 2)), INVALID('OTHER_AMOUNT')],
  ['has a negative fee', payreqWith((answer) => (answer.converted.fee = -5)), INVALID('OTHER_AMOUNT')],
  ['expired', demandWith({ expiresAt: new Date(Date.now() - 2_000) }), INVALID('EXPIRED')],
  ['lives for a year', demandWith({ expiresAt: new Date(Date.now() + 3e10) }), INVALID('EXPIRED')],
  [
    'calls back to another host',
    payreqWith((answer) => (answer.payeeData.compliance.utxoCallback = 'https://evil.example/')),
    INVALID('INVALID_CALLBACK'),
  ],
]

const produced = new Set<string>()
const expectTold = (reply: Awaited<ReturnType<typeof send>>, [status, code, more]: Told) => {
  expect(told(reply)).toEqual([status, code, more])
  expect(reply.text).not.toContain('secret')
  produced.add(code)
}

describe.concurrent('keys that', () => {
  it.each(KEYS)('%s', async (_what, handler, expected) => {
    const peer = await meet()
    peer.handlers.keys = handler(peer)
    expectTold(await lookUp(peer.address), expected)
  })
})

describe.concurrent('a look-up whose answer', () => {
  it.each(LOOKUPS)('%s', async (_what, handler, expected) => {
    const peer = await meet()
    peer.handlers.lookup = handler(peer)
    expectTold(await lookUp(peer.address), expected)
  })

  it('is repeated', async () => {
    const peer = await meet()
    let first: unknown
    peer.handlers.lookup = async (request, response) => {
      first ??= await peer.goodLookup(request.url ?? '')
      response.end(JSON.stringify(first))
    }
    expect((await lookUp(peer.address)).status).toBe(200)
    expectTold(await lookUp(peer.address), [400, 'INVALID_NONCE'])
  })
})

describe.concurrent('a payment request whose answer', () => {
  it.each(PAYREQS)('%s', async (_what, handler, expected) => {
    const peer = await meet()
    const { body } = await lookUp(peer.address)
    peer.handlers.payreq = handler(peer)
    expectTold(await quote(peer.address, body.lookupId), expected)
  })
})

it('an offer is the first of its currency, and at most the largest amount', async () => {
  const peer = await meet()
  peer.handlers.lookup = lookupWith(({ currencies }) => {
    currencies.push({ ...currencies[0], multiplier: 1 })
    currencies[0].convertible = { min: 0, max: Number.MAX_SAFE_INTEGER }
  })(peer)
  const { body } = await lookUp(peer.address)
  expect(body.supportedCurrencies).toMatchObject([{ currency: { code: 'EUR' }, min: 1, max: 9e15 }])
  expect(body.supportedCurrencies[0].estimatedExchangeRate).toBeGreaterThan(0.9)
})

it('a callback whose path looks like another host stays at its host', async () => {
  const [peer, other] = [await meet(), await meet()]
  const path = `//${new URL(other.url).host}/uma/payreq/1`
  peer.handlers.lookup = lookupWith((answer) => (answer.callback = `https://${peer.domain}${path}`))(peer)
  const { body } = await lookUp(peer.address)
  await quote(peer.address, body.lookupId)
  expect(peer.calls.at(-1)).toBe(path)
  expect(other.calls).toEqual([])
})

it('a name that resolves to a private address is not called', async () => {
  const peer = await meet()
  const names = await startNameServer()
  names.answer(() => ['127.0.0.1'])
  Object.assign(config, { umaAllowPrivate: false })
  try {
    for (const baseUrl of [
      null,
      'https://rebinding.example',
      peer.url,
      'https://127.0.0.1',
      'http://rebinding.example',
    ]) {
      await putProvider(payer.platform.id, {
        domain: peer.domain,
        name: 'x',
        rootFingerprint: peer.fingerprint,
        baseUrl,
      })
      expectTold(await lookUp(peer.address), [424, 'LNURLP_REQUEST_FAILED'])
    }
    expect(new Set(names.asked)).toEqual(new Set([peer.domain, 'rebinding.example']))
    expect(peer.calls).toEqual([])
  } finally {
    Object.assign(config, { umaAllowPrivate: true })
    names.close()
  }
})

it('look-ups at a silent institution do not hold up other requests of the platform', async () => {
  const peer = await meet()
  const { lookup, keys } = peer.handlers
  const answers: (() => unknown)[] = []
  const keysAnswers: (() => unknown)[] = []
  peer.handlers.lookup = (...call) => void answers.push(() => lookup(...call))
  peer.handlers.keys = (...call) => void keysAnswers.push(() => keys(...call))
  const lookUps = Array.from({ length: config.databasePoolSize }, () => lookUp(peer.address))
  await expect.poll(() => answers.length).toBe(lookUps.length)
  expect((await send(payer.platform, 'GET', '/config')).status).toBe(200)
  await Promise.all(answers.map((answer) => answer()))
  // All of them wait for the same keys.
  await expect.poll(() => keysAnswers.length).toBe(1)
  expect((await send(payer.platform, 'GET', '/config')).status).toBe(200)
  for (const answer of keysAnswers) answer()
  const replies = await Promise.all(lookUps)
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  expect(keysAnswers).toHaveLength(1)
})

it('the platform itself is told what is wrong with its request', async () => {
  const peer = await meet()
  expectTold(await lookUp('bob@h.example'), [400, 'INVALID_UMA_ADDRESS'])
  expectTold(await lookUp('$bob@stranger.example'), [403, 'COUNTERPARTY_NOT_ALLOWED'])
  const own = await lookUp(ALICE)
  expectTold(own, [400, 'SELF_PAYMENT'])
  expect(own.body.details).toMatchObject({ field: 'receiverUmaAddress' })
  const { body } = await lookUp(peer.address)
  const euros = { destination: { destinationType: 'UMA_ADDRESS', umaAddress: peer.address, currency: 'JPY' } }
  expectTold(await quote(peer.address, body.lookupId, euros), [400, 'INVALID_CURRENCY'])
  const much = { lockedCurrencySide: 'RECEIVING', lockedCurrencyAmount: 2_000_000 }
  expectTold(await quote(peer.address, body.lookupId, much), [400, 'AMOUNT_OUT_OF_RANGE'])
  expectTold(await quote('$eve@h.example', body.lookupId), [404, 'LOOKUP_REQUEST_NOT_FOUND'])
  await db.$executeRaw`update uma_lookups set expires_at = now() where id = ${body.lookupId.slice('LookupRequest:'.length)}::uuid`
  expectTold(await quote(peer.address, body.lookupId), [404, 'LOOKUP_REQUEST_NOT_FOUND'])
})

it('nothing has moved, and an honest counterpart can still be paid', async () => {
  expect(await fundsOf(payer.platform, payer.dollars)).toEqual([100_000, 100_000])
  expect(await db.transaction.count({ where: { platformId: payer.platform.id } })).toBe(0)
  const peer = await meet()
  const { body } = await lookUp(peer.address)
  for (const id of [body.lookupId, body.lookupId.replace('LookupRequest', 'Lookup')]) {
    expect((await quote(peer.address, id)).status).toBe(201)
  }
  for (const code of UMA_CODES) expect([...produced]).toContain(code)
})

/** Every code of the interface that UMA alone produces. */
const UMA_CODES =
  `INVALID_UMA_ADDRESS UMA_NOT_FOUND MISSING_REQUIRED_UMA_PARAMETERS SENDER_NOT_ACCEPTED LNURLP_REQUEST_FAILED
  LOOKUP_REQUEST_FAILED PARSE_LNURLP_RESPONSE_ERROR UNSUPPORTED_UMA_VERSION NO_COMPATIBLE_UMA_VERSION COUNTERPARTY_PUBKEY_FETCH_ERROR
  INVALID_PUBKEY_FORMAT CERT_CHAIN_INVALID CERT_CHAIN_EXPIRED INVALID_TIMESTAMP INVALID_NONCE PAYREQ_REQUEST_FAILED
  PARSE_PAYREQ_RESPONSE_ERROR INVALID_PAYREQ_RESPONSE INVALID_CURRENCY AMOUNT_OUT_OF_RANGE UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY
  INVALID_RECEIVER COUNTERPARTY_NOT_ALLOWED LOOKUP_REQUEST_NOT_FOUND SELF_PAYMENT`.split(/\s+/)
