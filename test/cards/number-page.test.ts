// The page that shows a card's number in the sandbox.
import { expect, it } from 'vitest'
import { app } from '#app.ts'
import { config } from '#core/config.ts'
import { db, sql } from '#database/db.ts'
import { timeOf } from '#database/unit-of-work.ts'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import { createShopper, type Shopper } from '#test/setup/cards/shoppers.ts'
import { delayed } from '#test/setup/credentials/interleaved.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'

const addressFor = async ({ platform, cardId }: Shopper, face = cardFaces[1]) =>
  (await face?.reveal(platform, cardId))?.body.panEmbedUrl as string

const advance = ({ platform }: Shopper, seconds: number) =>
  callRest(platform, 'POST', '/sandbox/advance-time', { seconds })

const open = async (address: string, init: RequestInit = {}) => {
  const response = await app.fetch(new Request(address, init))
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** The terms of the page and what stands beside them. */
const shown = (html: string) =>
  Object.fromEntries([...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(([, term, text]) => [term, text]))

/** ISO/IEC 7812-1, annex B. */
const passesCheck = (digits: string) =>
  [...digits].reverse().reduce((sum, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return sum + Math.floor(doubled / 10) + (doubled % 10)
  }, 0) %
    10 ===
  0

const RANGES: Readonly<Record<string, string>> = { VISA: '400000', MASTERCARD: '222300' }

it.each(cardFaces)('$name: the page shows a test number that ends in the digits of the card', async (face) => {
  for (const [brand, last4] of [
    ['VISA', '0007'],
    ['MASTERCARD', '9413'],
  ] as const) {
    const shopper = await createShopper()
    const [, id = ''] = shopper.cardId.split(':')
    const where = { platformId_id: { platformId: shopper.platform.id, id } }
    await db.card.update({ where, data: { brand, last4, expMonth: 3, expYear: 2031 } })
    const { status, html } = await open(await addressFor(shopper, face))
    expect(status).toBe(200)
    const { 'Card number': number = '', Expires: expiry, 'Security code': code } = shown(html)
    const digits = number.replaceAll(' ', '')
    expect(digits).toMatch(/^\d{16}$/)
    expect([digits.slice(0, 6), digits.slice(-4), expiry]).toEqual([RANGES[brand], last4, '03/31'])
    expect([digits, passesCheck(digits)]).toEqual([digits, true])
    expect(code).toMatch(/^\d{3}$/)
    const again = shown((await open(await addressFor(shopper, face))).html)
    expect([again['Card number'], again['Security code']]).toEqual([number, code])
  }
})

it('two cards have two numbers', async () => {
  const numbers = []
  for (let n = 0; n < 2; n += 1) numbers.push(shown((await open(await addressFor(await createShopper()))).html))
  expect(numbers[0]).not.toEqual(numbers[1])
})

it('an address works once', async () => {
  const address = await addressFor(await createShopper())
  const answers = await Promise.all([1, 2, 3].map(() => open(address)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
  const gone = await open(address)
  expect([gone.status, shown(gone.html)]).toEqual([410, {}])
})

it('HEAD does not use up the address', async () => {
  const address = await addressFor(await createShopper())
  const head = await open(address, { method: 'HEAD' })
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
  expect((await open(address)).status).toBe(200)
})

it('an address expires after 5 minutes', async () => {
  const shopper = await createShopper()
  const [early, late] = [await addressFor(shopper), await addressFor(shopper)]
  await advance(shopper, 150)
  expect((await open(early)).status).toBe(200)
  await advance(shopper, 150)
  const { status, html } = await open(late)
  expect([status, shown(html)]).toEqual([410, {}])
})

it('an address that expires while its use waits for another one shows nothing', async () => {
  const shopper = await createShopper()
  const address = await addressFor(shopper)
  const ofPlatform = sql`platform_id = ${shopper.platform.id}::uuid`
  const { status, html } = await delayed(
    sql`select from card_number_pages where ${ofPlatform} for update`,
    () => open(address),
    async (holder) =>
      holder.$executeRaw`update card_number_pages set expires_at = ${await timeOf(db)} where ${ofPlatform}`,
  )
  expect([status, shown(html)]).toEqual([410, {}])
})

it('the number of a card that has been closed in the meantime is not shown', async () => {
  const shopper = await createShopper()
  const address = await addressFor(shopper)
  await callRest(shopper.platform, 'PATCH', `/cards/${shopper.cardId}`, { state: 'CLOSED' })
  const { status, html } = await open(address)
  expect([status, shown(html)]).toEqual([410, {}])
})

it('an unknown or altered address is 404', async () => {
  const address = await addressFor(await createShopper())
  const [, token = ''] = /([\w-]{86})$/.exec(address) ?? []
  const bytes = Buffer.from(token, 'base64url')
  const altered = [0, 20, 40].map((place) => {
    const copy = Buffer.from(bytes)
    copy.writeUInt8(copy.readUInt8(place) ^ 1, place)
    return copy.toString('base64url')
  })
  for (const wrong of [...altered, token.slice(1), 'x', `${token}${token}`]) {
    const { status, html } = await open(address.replace(token, wrong))
    expect([wrong, status, shown(html)]).toEqual([wrong, 404, {}])
  }
  await db.$executeRaw`delete from card_number_pages`
  expect((await open(address)).status).toBe(404)
})

it('the page runs no script, is not stored anywhere, and can be framed only by listed origins', async () => {
  const shopper = await createShopper()
  const headersOf = async () => {
    const { headers, html } = await open(await addressFor(shopper))
    expect(html).not.toContain('<script')
    return headers
  }
  const headers = await headersOf()
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  const policy = headers.get('content-security-policy')
  expect(policy).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'self'$/,
  )
  config.corsOrigins = ['https://app.example']
  try {
    expect((await headersOf()).get('content-security-policy')).toMatch(
      /; frame-ancestors 'self' https:\/\/app\.example$/,
    )
  } finally {
    config.corsOrigins = []
  }
})

it('a frame of another origin may load the page', async () => {
  const address = await addressFor(await createShopper())
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe', accept: 'text/html' }
  expect((await open(address, { headers })).status).toBe(200)
})

it('neither the number nor the token is stored', async () => {
  const shopper = await createShopper()
  const address = await addressFor(shopper)
  const [, token = ''] = /([\w-]{86})$/.exec(address) ?? []
  const number = (shown((await open(address)).html)['Card number'] ?? '').replaceAll(' ', '')
  const tables = await db.$queryRaw<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema in (current_schema(), 'graphile_worker')`
  expect(tables.length).toBeGreaterThan(50)
  for (const { name } of tables) {
    const found = await db.$queryRawUnsafe<unknown[]>(
      `select from ${name} as stored where stored::text like any ($1) limit 1`,
      [`%${token}%`, `%${number}%`, `%${Buffer.from(token, 'base64url').toString('hex').slice(64)}%`],
    )
    expect([name, found]).toEqual([name, []])
  }
})
