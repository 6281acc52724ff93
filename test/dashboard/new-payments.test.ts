// The list of payments in a browser while payments arrive and change.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { numberEvents } from '#events/numbering.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, untilLive } from '#test/setup/dashboard.ts'
import {
  createInternalAccount,
  createPlatform,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'
import { moveTransaction } from '#transactions/transition.ts'

if (!hasBrowser) console.warn('new payments in the dashboard: not run: no Chromium')

const PAGE = 25

describe.skipIf(!hasBrowser)('new payments', () => {
  let platform: Platform
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    const at = Date.parse('2026-01-01T00:00:00Z')
    await createTransactions(
      platform,
      Array.from({ length: 60 }, (_, index) =>
        outgoing({
          createdAt: new Date(at + index * 1000),
          description: `payment ${index}`,
          destinationUmaAddress: `$payee${index}@bank.example`,
          status: index % 2 === 0 ? 'COMPLETED' : 'PENDING',
        }),
      ),
    )
    // The pages would receive later events while they are open.
    await numberEvents()
    return platform
  })

  const open = async (path: string) => {
    const tab = await dashboard.open(path)
    await tab.page.locator('.pay tbody tr a.to').first().waitFor()
    await untilLive(tab.page)
    return tab
  }
  const untilFirst = (page: Page, name: string) => page.locator('.pay tbody tr').first().getByText(name).waitFor()
  const arrive = async (row: Parameters<typeof outgoing>[0]) => {
    const [created] = await createTransactions(platform, [outgoing({ createdAt: new Date(), ...row })])
    return created?.id ?? ''
  }

  it('a new payment is put on top, a changed one changes in place, and nothing shifts', async () => {
    const { page, operations } = await open('/payments')
    const now = new Date()
    const [created] = await createTransactions(platform, [
      outgoing({ createdAt: now, status: 'PENDING', destinationUmaAddress: '$new@bank.example' }),
    ])
    await untilFirst(page, '$new@bank.example')
    expect(await page.locator('.pay tbody tr').count()).toBe(PAGE)
    const first = page.locator('.pay tbody tr').first()
    // From here on, nothing that is being read may move.
    await page.evaluate(() => {
      const seen = Object.assign(window, { shift: 0 })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) seen.shift += entry.value
      }).observe({ type: 'layout-shift', buffered: false })
    })
    await inTransaction((tx) => moveTransaction(tx, platform.id, created?.id ?? '', 'PROCESSING'))
    await first.getByText('Processing').waitFor()
    // A reader further down is not disturbed.
    for (const key of ['j', 'j', 'j']) await page.keyboard.press(key)
    await createTransactions(platform, [
      outgoing({ createdAt: new Date(now.getTime() + 1), destinationUmaAddress: '$later@bank.example' }),
    ])
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await page.getByRole('status').getByText('1 new payment').waitFor()
    expect(await first.locator('a.to').textContent()).toBe('$new@bank.example')
    expect(await page.evaluate(() => (window as { shift?: number }).shift)).toBe(0)
    await page.keyboard.press('.')
    await untilFirst(page, '$later@bank.example')
    // The rows came by the stream. Only showing the counted one asked for the page again.
    expect(operations.filter((name) => name === 'Payments')).toHaveLength(2)
  })

  it('however many payments arrive, the requests that wait are counted once a second', async () => {
    const { id } = await createInternalAccount(platform)
    const { clientId, secret } = platform
    const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}`, 'content-type': 'application/json' }
    const path = `/2025-10-13/sandbox/internal-accounts/${publicId('InternalAccount', id)}/fund`
    const { page, operations } = await open('/payments')
    const start = Date.now()
    for (let amount = 1; amount <= 20; amount += 1) {
      await fetch(dashboard.url + path, { method: 'POST', headers, body: JSON.stringify({ amount }) })
      await page
        .locator('.pay tbody tr')
        .first()
        .getByText(`+0.${String(amount).padStart(2, '0')}`)
        .waitFor()
    }
    const seconds = (Date.now() - start) / 1000
    expect(operations.filter((name) => name === 'ShellOnly').length).toBeLessThanOrEqual(seconds)
  })

  it('a payment that no longer matches the filter is not counted as new', async () => {
    const { page } = await open('/payments?statuses=PENDING')
    for (const key of ['j', 'j']) await page.keyboard.press(key)
    const id = await arrive({ status: 'PENDING' })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await inTransaction((tx) => moveTransaction(tx, platform.id, id, 'PROCESSING'))
    await page.locator('.pill-new').waitFor({ state: 'detached' })
  })

  it('new payments have no number where only the gateway can tell whether they match', async () => {
    const { page } = await open('/payments?search=payment')
    await arrive({ description: 'rent' })
    await page.getByRole('button', { name: 'New payments may match' }).waitFor()
    await page.keyboard.press('.')
    await page.locator('.pill-new').waitFor({ state: 'detached' })
  })

  it('a payment of the first page that changes is not counted as new on a later page', async () => {
    const { page } = await open('/payments')
    const id = await arrive({ status: 'PENDING', destinationUmaAddress: '$waiting@bank.example' })
    await untilFirst(page, '$waiting@bank.example')
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('$waiting@bank.example').waitFor({ state: 'detached' })
    await inTransaction((tx) => moveTransaction(tx, platform.id, id, 'PROCESSING'))
    await arrive({})
    await page.getByRole('button', { name: '1 new' }).waitFor()
  })

  it.each([3, PAGE])(
    'after %i payments arrived on the first page, the next page begins where it ends',
    async (count) => {
      const { page } = await open('/payments')
      await createTransactions(
        platform,
        Array.from({ length: count }, (_, index) =>
          outgoing({ createdAt: new Date(Date.now() + index), destinationUmaAddress: `$arrived${index}@bank.example` }),
        ),
      )
      await untilShown(page, platform.id, 0)
      await page.getByRole('button', { name: 'Older' }).click()
      await untilShown(page, platform.id, PAGE)
    },
  )
})

/** Waits until the list shows the payments after the first `skipped`, without a gap. */
const untilShown = async (page: Page, platformId: string, skipped: number) =>
  expect
    .poll(
      () =>
        page
          .locator('.pay tbody tr')
          .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['id']?.split(':')[1])),
      { timeout: 20_000 },
    )
    .toEqual(
      (
        await db.transaction.findMany({
          where: { platformId },
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          skip: skipped,
          take: PAGE,
          select: { id: true },
        })
      ).map(({ id }) => id),
    )
