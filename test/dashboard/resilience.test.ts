// The dashboard while the gateway restarts, its token is deleted, its cursor expires, and the network goes: it says so, and shows no wrong row.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { openDashboard, startDashboard, untilLive } from '#test/setup/dashboard.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import { createPlatform, createToken, createTransactions, outgoing, type Platform } from '#test/setup/world.ts'

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

  it('keeps its navigation when a screen cannot be loaded, and loads it when it is tried again', async () => {
    const page = await open()
    await page.route('**/assets/cards-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.getByText('This part of the page failed').waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('heading', { name: 'Customers' }).waitFor()
    await page.getByRole('link', { name: 'Cards' }).click()
    await page.getByText('This part of the page failed').waitFor()
    await page.unroute('**/assets/cards-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Cards', exact: true }).waitFor()
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
    await rowsOf(page, await pay()).waitFor()
  })
})
