// The dialog that filters payments by amount and day, in a browser.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, untilLive } from '#test/setup/dashboard.ts'
import { createPlatform, createTransactions, outgoing, type Platform } from '#test/setup/world.ts'

const paid = (amount: bigint, currency: string, createdAt: string) =>
  outgoing({
    sentAmount: amount,
    sentCurrency: currency,
    createdAt,
    destinationUmaAddress: `$${currency}${amount}@bank.example`.toLowerCase(),
  })

describe.skipIf(!hasBrowser)('the filter of payments', () => {
  let platform: Platform
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    await createTransactions(platform, [
      paid(1_000n, 'USD', '2026-01-10T12:00:00Z'),
      paid(2_000n, 'USD', '2026-01-11T12:00:00Z'),
      paid(3_000n, 'USD', '2026-01-12T12:00:00Z'),
      paid(2_000n, 'EUR', '2026-01-11T12:00:00Z'),
      paid(500n, 'JPY', '2026-01-11T12:00:00Z'),
      paid(99_460n, 'BTC', '2026-01-11T12:00:00Z'),
    ])
    return platform
  })
  const show = async (page: Page, given: Readonly<Record<string, string>>) => {
    await page.keyboard.press('f')
    const dialog = page.getByRole('dialog', { name: 'Filter payments' })
    for (const [label, value] of Object.entries(given)) await dialog.getByLabel(label, { exact: true }).fill(value)
    await dialog.getByRole('button', { name: 'Show payments' }).click()
    return dialog
  }
  const names = (page: Page) => page.locator('.pay a.to').allTextContents()

  it('finds payments by amount, in the decimals of each currency, and by day', async () => {
    const cases: readonly [Readonly<Record<string, string>>, found: string[], chips: string[]][] = [
      [{ Currency: 'usd', 'Amount, at least': '20' }, ['$usd3000', '$usd2000'], ['USD', '20.00']],
      [{ Currency: 'USD', 'Amount, at most': '20.00' }, ['$usd2000', '$usd1000'], ['USD', '20.00']],
      [
        {
          Currency: 'USD',
          'Amount, at least': '10',
          'Amount, at most': '1,000',
          From: '2026-01-11',
          Until: '2026-01-11',
        },
        ['$usd2000'],
        ['USD', '10.00', '1000.00', '2026-01-11', '2026-01-11'],
      ],
      [{ Currency: 'JPY', 'Amount, at least': '500', 'Amount, at most': '500' }, ['$jpy500'], ['JPY', '500', '500']],
      [{ Currency: 'BTC', 'Amount, at least': '0.0009946' }, ['$btc99460'], ['BTC', '0.00099460']],
    ]
    for (const [given, found, chips] of cases) {
      const { page } = await dashboard.open('/payments')
      await page.getByText('6 match').waitFor()
      await show(page, given)
      await page.getByText(`${found.length} match`).waitFor()
      await page.reload()
      await page.getByText(`${found.length} match`).waitFor()
      expect(await names(page)).toEqual(found.map((name) => `${name}@bank.example`))
      expect(await page.locator('.chip b').allTextContents()).toEqual(chips)
    }
  })

  it('shows what is wrong at its field', async () => {
    const { page } = await dashboard.open('/payments')
    await page.getByText('6 match').waitFor()
    const cases: readonly [label: string, Readonly<Record<string, string>>, problem: string][] = [
      ['Currency', { 'Amount, at least': '20' }, 'Needed for an amount'],
      ['Currency', { Currency: 'XYZ', 'Amount, at least': '20' }, 'No payment is in XYZ'],
      ['Amount, at least', { Currency: 'USD', 'Amount, at least': '20,50' }, 'Write decimals after a point'],
      ['Amount, at most', { Currency: 'USD', 'Amount, at least': '20', 'Amount, at most': '2' }, 'Below the smallest'],
      ['Until', { From: '2026-01-12', Until: '2026-01-11' }, 'Before the first day'],
    ]
    for (const [label, given, problem] of cases) {
      const dialog = await show(page, given)
      await dialog.locator('.field', { hasText: label }).getByText(problem).waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
    await page.getByText('6 match').waitFor()
  })

  it('lists a new payment only if its amount is within the filter', async () => {
    const { page } = await dashboard.open('/payments?currency=EUR&minAmount=10.00&maxAmount=30.00')
    await untilLive(page)
    await page.getByText('1 match').waitFor()
    const now = new Date().toISOString()
    await createTransactions(platform, [paid(900n, 'EUR', now), paid(3_100n, 'EUR', now), paid(2_500n, 'EUR', now)])
    await page.getByRole('link', { name: '$eur2500@bank.example' }).waitFor()
    expect(await names(page)).toEqual(['$eur2500@bank.example', '$eur2000@bank.example'])
  })

  it('ignores an amount without its currency', async () => {
    const { page } = await dashboard.open('/payments?minAmount=20.00')
    await page.locator('.pay a.to').first().waitFor()
    expect(await page.locator('.chip b').allTextContents()).toEqual([])
  })
})
