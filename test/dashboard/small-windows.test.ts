// What a small laptop and a phone show: names that can be read, and buttons that can be reached.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { type Acting, createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, untilLive } from '#test/setup/dashboard.ts'
import { changeAccounts, createAccounts } from '#test/setup/webhooks/happenings.ts'
import { createTransactions, outgoing } from '#test/setup/world.ts'

const [face] = actionFaces
if (!face) throw new Error('There is a face')

const LAPTOP = { width: 1024, height: 768 }
const PHONE = { width: 390, height: 844 }

/** The lines in which the text is shown. */
const linesOf = (element: Locator) =>
  element.evaluate((shown) => {
    const range = document.createRange()
    range.selectNodeContents(shown)
    const lines = new Map<number, string>()
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (let at = 0; at < (node.textContent?.length ?? 0); at++) {
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const { top } = range.getBoundingClientRect()
        lines.set(top, (lines.get(top) ?? '') + node.textContent?.charAt(at))
      }
    return [...lines.values()]
  })

/** Whether a press in the middle of the element reaches it. */
const isReached = (element: Locator) =>
  element.evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect()
    return button.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })

const cutOff = (element: Locator) => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)

describe.skipIf(!hasBrowser)('a small window', () => {
  let acting: Acting
  const dashboard = dashboardInBrowser(async () => {
    acting = await createActing({ approvalThresholdAmount: 1_000n, approvalThresholdCurrency: 'USD' })
    return acting.platform
  })
  const open = async (path: string, size: { readonly width: number; readonly height: number }): Promise<Page> => {
    const { page } = await dashboard.open('/no/such/screen')
    await page.setViewportSize(size)
    await page.goto(dashboard.url + path)
    return page
  }
  const ask = (cents: number) => face.transferOut(acting.agent, transferOf(acting, cents))

  it('breaks the name of an event only between its words', async () => {
    await changeAccounts(acting.platform, await createAccounts(acting.platform, 1))
    const page = await open('/developers/events', { width: 320, height: 640 })
    const name = page.getByRole('button', { name: /^INTERNAL_ACCOUNT\./ }).first()
    await name.waitFor()
    const lines = await linesOf(name)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/[._]$/)
  })

  it('names the events of a payment on a laptop', async () => {
    const [payment] = await createTransactions(acting.platform, [outgoing({ status: 'PENDING' })])
    const page = await open(`/payments/${publicId('Transaction', payment?.id ?? '')}`, LAPTOP)
    const cell = page.getByRole('cell', { name: 'OUTGOING_PAYMENT.PENDING', exact: true })
    await cell.waitFor()
    expect(await cutOff(cell)).toBe(0)
  })

  it('shows a payment on the narrowest phone without scrolling sideways', async () => {
    const [payment] = await createTransactions(acting.platform, [outgoing({ status: 'PENDING' })])
    const page = await open(`/payments/${publicId('Transaction', payment?.id ?? '')}`, { width: 320, height: 640 })
    await page.getByRole('table', { name: 'Events and deliveries' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })

  it('lists decisions on a phone without breaking words, and keeps the next one in reach', async () => {
    await ask(2_000)
    await ask(3_000)
    const page = await open('/approvals', PHONE)
    await untilLive(page)
    await page.locator('.ask').first().click()
    const [approve, reject] = [/^Approve/, /^Reject/].map((name) => page.getByRole('button', { name }))
    if (!approve || !reject) throw new Error('There are two buttons')
    await reject.click()
    await page.getByLabel('Reason for the agent, optional').press('Enter')
    await page.getByText('Rejected without a reason').waitFor()
    await page.getByRole('button', { name: 'Approve 30.00 USD' }).waitFor()
    expect([await isReached(approve), await isReached(reject)]).toEqual([true, true])
    await page.getByRole('link', { name: 'Decided' }).click()
    const decided = page.locator('.decided > .grow')
    expect((await decided.first().boundingBox())?.width).toBeGreaterThan(PHONE.width / 2)
  })

  it('begins the next page of a list at its top', async () => {
    await createTransactions(
      acting.platform,
      Array.from({ length: 60 }, () => outgoing()),
    )
    const page = await open('/payments', PHONE)
    const older = page.getByRole('button', { name: 'Older' })
    await older.click()
    await page.waitForURL(/after=/)
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await older.click()
    await page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })

  it('opens a payment at its top, and goes back to the place in the list', async () => {
    await createTransactions(
      acting.platform,
      Array.from({ length: 25 }, () => outgoing()),
    )
    const page = await open('/payments', PHONE)
    const link = page.locator('.pay a.to').nth(18)
    await link.click()
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    await page.goBack()
    await link.waitFor()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0)
  })

  it('says on a phone in which time zone the times are', async () => {
    const page = await open('/', PHONE)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('dialog').getByText('Times in ').waitFor()
  })
})
