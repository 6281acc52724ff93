// The dashboard while the gateway restarts, its token is deleted, its cursor expires, and the network goes: it says so, and shows no wrong row.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { failFields, openDashboard, startDashboard, untilLive } from '#test/setup/dashboard.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import {
  createCard,
  createCustomer,
  createInternalAccount,
  createPlatform,
  createToken,
  createTransactions,
  createWallet,
  incoming,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

const freePort = async () => {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe.skipIf(!hasBrowser)('the dashboard', () => {
  let browser: Browser
  let gateway: GatewayProcess
  let platform: Platform
  let port: number
  const opened: Page[] = []
  const start = async () => {
    gateway = await startDashboard(platform, { PORT: String(port), STREAM_CHECK_MS: '200' })
  }
  beforeAll(async () => {
    platform = await createPlatform()
    port = await freePort()
    await createTransactions(platform, [outgoing({ destinationUmaAddress: '$first@bank.example' })])
    ;[browser] = await Promise.all([startBrowser(), start()])
  })
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })

  const open = async () => {
    const { page } = await openDashboard(browser, gateway, '/payments')
    opened.push(page)
    await untilLive(page)
    await page.getByText('$first@bank.example').first().waitFor()
    return page
  }
  let count = 0
  const pay = async () => {
    count += 1
    const name = `$payment${count}@bank.example`
    await createTransactions(platform, [outgoing({ createdAt: new Date(), destinationUmaAddress: name })])
    return name
  }
  const rowsOf = (page: Page, name: string) => page.locator('.pay a.to', { hasText: name })

  it('fills the gap after a restart of the gateway, without a row twice', async () => {
    const page = await open()
    await gateway.kill()
    const missed = [await pay(), await pay()]
    await page
      .getByRole('status')
      .getByText(/^(Reconnecting|Offline)/)
      .waitFor()
    expect(await rowsOf(page, '$first@bank.example').count()).toBe(1)
    await start()
    for (const name of missed) await rowsOf(page, name).waitFor()
    await page.getByText(/s were missed and are filled in/).waitFor()
    await untilLive(page)
    const names = await page.locator('.pay a.to').allTextContents()
    expect(new Set(names).size).toBe(names.length)
  })

  it('says that the network is gone, disables changes, and fills the gap when it is back', async () => {
    const page = await open()
    await page.context().setOffline(true)
    await page.getByText('There is no connection to the gateway').waitFor()
    const missed = await pay()
    await page.context().setOffline(false)
    await rowsOf(page, missed).waitFor()
    await untilLive(page)
    expect(await rowsOf(page, missed).count()).toBe(1)
  })

  const isStream = (request: Request) => request.postDataJSON()?.operationName === 'Live'

  it('loads the view again when its first stream failed, and does not say that a gap was filled', async () => {
    const page = await open()
    await page.route('**/dashboard/graphql', (route) => (isStream(route.request()) ? route.abort() : route.continue()))
    await page.reload()
    await page.getByText('There is no connection to the gateway').waitFor()
    await rowsOf(page, '$first@bank.example').waitFor()
    const missed = await pay()
    await page.unroute('**/dashboard/graphql')
    await page.getByRole('button', { name: 'Try now' }).click()
    await untilLive(page)
    await rowsOf(page, missed).waitFor()
    expect(await page.getByText('are filled in').count()).toBe(0)
  })

  it('says that a token has too many streams, still allows changes, and connects when one has ended', async () => {
    const page = await open()
    const opening = page.waitForRequest(isStream)
    await page.reload()
    const stream = await opening
    await untilLive(page)
    const others = new AbortController()
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      origin: gateway.url,
      'sec-fetch-site': 'same-origin',
    }
    const init = { method: 'POST', headers, body: stream.postData() ?? '', signal: others.signal }
    // A response that nobody holds would be collected, and its stream would end.
    const held: Response[] = []
    do held.push(await fetch(stream.url(), init))
    while (held.at(-1)?.ok)
    expect(held.at(-1)?.status).toBe(429)
    const { page: crowded } = await openDashboard(browser, gateway, '/customers')
    opened.push(crowded)
    await crowded.getByText('This page is not updated by itself').waitFor()
    expect(await crowded.getByRole('button', { name: 'New customer' }).isEnabled()).toBe(true)
    others.abort()
    // Of customers, events do not tell everything.
    await crowded.locator('.live').getByText('Connected').waitFor()
  })

  it('a hidden page closes its stream after a while, and shows what it missed when it is shown', async () => {
    const page = await open()
    const show = (isShown: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden })
        document.dispatchEvent(new Event('visibilitychange'))
      }, !isShown)
    await page.clock.install()
    const closed = page.waitForEvent('requestfailed', isStream)
    await show(false)
    await page.clock.fastForward(10_000)
    await closed
    const missed = await pay()
    await show(true)
    await rowsOf(page, missed).waitFor()
    await untilLive(page)
  })

  it('keeps its navigation when a screen cannot be loaded, and loads it when it is tried again', async () => {
    const page = await open()
    await page.route('**/assets/cards-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.getByText('This part of the page failed').waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { name: 'Customers', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.getByText('This part of the page failed').waitFor()
    await page.unroute('**/assets/cards-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Cards', exact: true }).waitFor()
  })

  it('the palette shows only what its present text finds, and says that a search failed', async () => {
    const page = await open()
    await createTransactions(platform, [
      outgoing({ description: 'invoice 44', destinationUmaAddress: '$payee44@bank.example' }),
    ])
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('invoice 44')
    await page.getByRole('option', { name: /payee44/ }).waitFor()
    let fail = () => {}
    const failing = new Promise<void>((resolve) => {
      fail = resolve
    })
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'Find') return route.fallback()
      await failing
      await route.abort()
    })
    await page.keyboard.type('x')
    await page.getByText('Searching …').waitFor()
    expect(await page.getByRole('option', { name: /payee44/ }).count()).toBe(0)
    fail()
    await page.getByText('The search failed: The gateway did not answer.').waitFor()
    expect(await page.getByText('Nothing found').count()).toBe(0)
  })

  it('a count or a list inside a part that could not be loaded is not shown as zero or empty, and does not load forever', async () => {
    const page = await open()
    const { id: customerId } = await createCustomer(platform)
    const { id: accountId } = await createInternalAccount(platform, { customerId })
    const card = await createCard(platform, { customerId, accountId })
    await createWallet(platform, { customerId })
    await failFields(page, 'Home', 'exceptions.totalCount')
    await failFields(page, 'Cards', 'card.transactions')
    await failFields(page, 'Wallets', 'wallets.nodes.0.authMethods', 'wallets.nodes.0.sessions')
    await failFields(page, 'Tokens', 'apiTokens.totalCount')
    await page.goto(gateway.url)
    await page.getByText('Could not load everything that waits').waitFor()
    expect(await page.getByText('Nothing waits').count()).toBe(0)
    await page.goto(`${gateway.url}/cards/${publicId('Card', card.id)}`)
    await page.getByText('Could not load its payments').waitFor()
    await page.goto(`${gateway.url}/wallet`)
    await page.getByText('Could not load the credentials').waitFor()
    await page.getByText('Could not load the sessions').waitFor()
    await page.goto(`${gateway.url}/developers/tokens`)
    await page.locator('.pager').getByText('not known').waitFor({ state: 'attached' })
  })

  it('a part that could not be loaded says so, and is not shown as empty', async () => {
    const page = await open()
    await failFields(page, 'Payment', 'transaction.ledgerMovements', 'transaction.timeline')
    await failFields(page, 'Home', 'exceptions', 'latest', 'balances', 'before')
    const [payment] = await createTransactions(platform, [outgoing()])
    await page.goto(`${gateway.url}/payments/${publicId('Transaction', payment?.id ?? '')}`)
    await page.getByText('Could not load the ledger').waitFor()
    await page.getByText('Could not load the timeline').waitFor()
    expect(await page.getByText('No money has moved').count()).toBe(0)
    await page.getByRole('link', { name: 'Home' }).click()
    for (const part of ['everything that waits', 'the latest payments', 'the balances'])
      await page.getByText(`Could not load ${part}`).waitFor()
    expect(await page.getByText(/Nothing waits|No payments yet|No accounts yet|nothing to compare/).count()).toBe(0)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('Nothing waits').waitFor()
    await page.goBack()
    await page.getByText('No money has moved').waitFor()
  })

  it('shows sums that are greater than any amount', async () => {
    const most = { createdAt: new Date(), status: 'COMPLETED', receivedAmount: 9_000_000_000_000_000n } as const
    await createTransactions(
      platform,
      [1, 2, 3].map(() => incoming(most)),
    )
    const { page } = await openDashboard(browser, gateway, '/?currency=USD')
    opened.push(page)
    await page.getByText('270,000,000,000,000.00').waitFor()
  })

  it('a name that is long, or turns the direction of text, changes nothing beside it', async () => {
    const customer = await createCustomer(platform, { name: 'W'.repeat(200) })
    const turning = await createCustomer(platform, { name: '\u202Eadverse', platformCustomerId: 'in-order' })
    const [paid, long] = await createTransactions(platform, [
      outgoing({ customerId: turning.id, platformCustomerId: turning.platformCustomerId }),
      outgoing({ customerId: customer.id, platformCustomerId: customer.platformCustomerId }),
    ])
    const { page } = await openDashboard(browser, gateway, `/customers/${publicId('Customer', customer.id)}`)
    opened.push(page)
    await page.getByRole('heading', { level: 1, name: 'WWW' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await page.goto(`${gateway.url}/payments/${publicId('Transaction', long?.id ?? '')}`)
    await page.locator('.end-pt', { hasText: 'WWW' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await db.apiToken.updateMany({ where: { platformId: platform.id }, data: { name: 'W'.repeat(100) } })
    await page.goto(`${gateway.url}/developers/tokens`)
    await page.setViewportSize({ width: 360, height: 700 })
    await page
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    const tooWide = () =>
      [document.documentElement, document.querySelector('.sheet')].map(
        (one) => one && one.scrollWidth > one.clientWidth,
      )
    expect(await page.evaluate(tooWide)).toEqual([false, false])
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`${gateway.url}/payments/${publicId('Transaction', paid?.id ?? '')}`)
    const [name, id] = await Promise.all([
      page.locator('dd a', { hasText: 'adverse' }).boundingBox(),
      page.getByText('in-order').boundingBox(),
    ])
    expect(id?.x).toBeGreaterThan(name?.x ?? Number.POSITIVE_INFINITY)
  })

  it('shows a long amount with its currency', async () => {
    await createTransactions(platform, [outgoing({ sentAmount: 9_000_000_000_000_000n, sentCurrency: 'USDC' })])
    const { page } = await openDashboard(browser, gateway, '/payments')
    opened.push(page)
    const cell = page.locator('.pay td.c-am', { hasText: '9,000,000,000.000000USDC' })
    expect(await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  it('loads the view again when its cursor has expired, and says so', async () => {
    const page = await open()
    const numbered = async () => {
      const [row] = await db.$queryRaw<{ count: bigint }[]>`
        select count(*) from numbered_events where platform_id = ${platform.id}::uuid`
      return row?.count ?? 0n
    }
    const before = await numbered()
    await page.context().setOffline(true)
    await page.getByText('There is no connection to the gateway').waitFor()
    const missed = await pay()
    const last = await pay()
    await expect.poll(numbered).toBe(before + 2n)
    // All but the last event are older than what is kept.
    await db.$executeRaw`
      delete from events e using (
        select position from numbered_events where platform_id = ${platform.id}::uuid order by position desc offset 1) old
      where e.platform_id = ${platform.id}::uuid and e.position = old.position`
    await page.context().setOffline(false)
    await page.getByText('You were away for too long to fill the gap').waitFor()
    for (const name of [missed, last]) await rowsOf(page, name).waitFor()
    await untilLive(page)
  })

  it('loads the view again when the gateway refuses its cursor', async () => {
    const page = await open()
    await page.route('**/dashboard/graphql', (route) => {
      const sent = route.request().postDataJSON()
      if (!sent.variables.after || !isStream(route.request())) return route.continue()
      return route.continue({ postData: { ...sent, variables: { after: 'of another gateway' } } })
    })
    await page.context().setOffline(true)
    await page.getByText('There is no connection to the gateway').waitFor()
    const missed = await pay()
    await page.context().setOffline(false)
    await page.getByText('You were away for too long to fill the gap').waitFor()
    await rowsOf(page, missed).waitFor()
    await untilLive(page)
  })

  it('works in a browser that keeps nothing', async () => {
    const page = await open()
    await page.addInitScript(() =>
      Object.defineProperty(globalThis, 'localStorage', {
        configurable: true,
        get() {
          throw new Error('denied')
        },
      }),
    )
    await page.reload()
    await page.getByText('$first@bank.example').first().waitFor()
    await page.getByRole('button', { name: 'Dark' }).click()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')
  })

  it('does not name an environment that it does not know', async () => {
    const refusing = await startDashboard({ clientId: 'nobody', secret: 'wrong' })
    const { page } = await openDashboard(browser, refusing)
    opened.push(page)
    await page.getByText('Could not load the overview').waitFor()
    expect(await page.getByRole('banner').innerText()).not.toContain('Sandbox')
    await refusing.kill()
    await open()
    await opened.at(-1)?.getByText('Sandbox, no real money').waitFor()
  })

  it('says that a login has ended, which a server before the gateway tells without an error of GraphQL', async () => {
    const page = await open()
    await page.route('**/dashboard/graphql', (route) => route.fulfill({ status: 401, body: '<p>Sign in</p>' }))
    await page.reload()
    await page.getByRole('status').getByText('Not signed in').waitFor()
    await page.getByText('The login has ended. Load the page again. Nothing was changed.').waitFor()
  })

  it('says that its token is deleted, keeps what it shows, and continues when the token is back', async () => {
    const page = await open()
    const { clientId } = platform
    await db.apiToken.deleteMany({ where: { clientId } })
    await page.getByText('The gateway refuses the credentials of this dashboard').waitFor()
    await page.getByRole('status').getByText('Not signed in').waitFor()
    await page.getByText('$first@bank.example').first().waitFor()
    await createToken(platform.id, platform, ['VIEW', 'TRANSACT', 'MANAGE'])
    await expect
      .poll(
        async () => {
          await page
            .getByRole('button', { name: 'Try now' })
            .click({ timeout: 500 })
            .catch(() => {})
          return page.locator('.live').first().textContent()
        },
        { timeout: 20_000 },
      )
      .toMatch(/^Live/)
    // While the pointer is in the list, a new payment is only counted.
    await page.mouse.move(0, 0)
    await rowsOf(page, await pay()).waitFor()
  })
})
