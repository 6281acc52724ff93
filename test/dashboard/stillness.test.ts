// Nothing moves under the reader: when a screen is loaded, and when payments and events arrive.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { numberEvents } from '#events/numbering.ts'
import { type Acting, createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, hold, untilLive } from '#test/setup/dashboard.ts'
import {
  createCard,
  createInternalAccount,
  createTransactions,
  createWallet,
  incoming,
  outgoing,
} from '#test/setup/world.ts'

/** The sum of all shifts of the layout that nobody caused. */
const shiftOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // Two frames, so that the last change is included.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve((window as { shift?: number }).shift ?? 0)))
      }),
  )

const watchShifts = () => {
  const seen = Object.assign(window, { shift: 0 })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) seen.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

describe.skipIf(!hasBrowser)('the dashboard keeps still', () => {
  let acting: Acting
  let paths: Readonly<Record<string, string>>
  const dashboard = dashboardInBrowser(async () => {
    acting = await createActing({ approvalThresholdAmount: 1_000n, approvalThresholdCurrency: 'USD' })
    const { platform, customerId, accountId, platformCustomerId } = acting
    const [, customer = ''] = customerId.split(':')
    const [, account = ''] = accountId.split(':')
    await createInternalAccount(platform)
    await createWallet(platform, { customerId: customer })
    const card = await createCard(platform, { customerId: customer, accountId: account })
    const of = { customerId: customer, platformCustomerId }
    const [paid] = await createTransactions(platform, [
      outgoing({ ...of, destinationUmaAddress: '$shop@bank.example' }),
      ...Array.from({ length: 5 }, () => [outgoing({ ...of, status: 'PENDING' }), incoming(of)]).flat(),
    ])
    await actionFaces[0]?.transferOut(acting.agent, transferOf(acting, 5_000))
    // The pages would receive later events while they are open.
    await numberEvents()
    paths = {
      home: '/',
      payments: '/payments',
      payment: `/payments/${publicId('Transaction', paid?.id ?? '')}`,
      approvals: '/approvals',
      decided: '/approvals?view=decided',
      customers: '/customers',
      customer: `/customers/${customerId}`,
      cards: '/cards',
      card: `/cards/${publicId('Card', card.id)}`,
      developers: '/developers',
      tokens: '/developers/tokens',
      events: '/developers/events',
      wallet: '/wallet',
    }
    return platform
  })
  const arrive = (name: string) =>
    createTransactions(acting.platform, [
      outgoing({ createdAt: new Date(), status: 'PENDING', destinationUmaAddress: name }),
    ])

  it.each([390, 1280])(
    'while it is loaded, in a window of %i pixels',
    async (width) => {
      const moved: Record<string, number> = {}
      const { page } = await dashboard.open('/no/such/screen')
      await page.setViewportSize({ width, height: 800 })
      await page.addInitScript(watchShifts)
      for (const [name, path] of Object.entries(paths)) {
        await page.unrouteAll()
        const release = await hold(
          page,
          '**/dashboard/graphql',
          (route) => route.request().postDataJSON().operationName !== 'Live',
        )
        await page.goto(dashboard.url + path)
        await page.locator('.live', { hasText: /^(Live|Connected)/ }).waitFor()
        await page.locator('main [aria-busy="true"]:visible').first().waitFor()
        await shiftOf(page)
        release()
        await expect.poll(() => page.locator('main [aria-busy="true"]').count()).toBe(0)
        const shift = await shiftOf(page)
        if (shift >= 0.005) moved[name] = shift
      }
      expect(moved).toEqual({})
    },
    120_000,
  )

  it('a new payment is counted while the pointer is in the list', async () => {
    const { page } = await dashboard.open('/payments')
    await untilLive(page)
    await page.locator('.pay tbody tr').nth(3).hover()
    const first = await page.locator('.pay a.to').first().textContent()
    await arrive('$pointed@bank.example')
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await page.locator('.pay a.to').first().textContent()).toBe(first)
  })

  it('the chosen event stays where it is, and new ones are shown when they are asked for', async () => {
    const { page } = await dashboard.open('/developers/events')
    await untilLive(page)
    const rows = page.locator('.stream li')
    await rows.nth(2).getByRole('button').click()
    await page.locator('.stream li[aria-current]').waitFor()
    // Neither the pointer nor the focus is in the list.
    await page.mouse.move(1, 1)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    const loaded = () => page.waitForResponse((answer) => answer.request().postDataJSON()?.operationName === 'Events')
    const again = loaded()
    await arrive('$event@bank.example')
    await again
    const news = page.getByRole('button', { name: '1 new event' })
    await news.waitFor()
    expect(await rows.nth(2).getAttribute('aria-current')).toBe('true')
    await news.click()
    await expect.poll(() => rows.nth(3).getAttribute('aria-current')).toBe('true')
    await news.waitFor({ state: 'detached' })
  })
})
