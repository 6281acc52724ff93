// Every screen in a browser: accessible in both themes and on a phone, with one GraphQL operation, in few bytes, without an error.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { createActing, transferOf } from '#test/setup/agents/acting-agents.ts'
import { actionFaces } from '#test/setup/agents/action-faces.ts'
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { openDashboard, startDashboard } from '#test/setup/dashboard.ts'
import type { GatewayProcess } from '#test/setup/gateway-process.ts'
import { cardUse, createCard, createTransactions, createWallet, incoming, outgoing } from '#test/setup/world.ts'

const AXE = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8')
const MOST_BYTES = 150_000

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}
declare const axe: { run: (root: Document, options: object) => Promise<{ violations: readonly Violation[] }> }

/** Milliseconds from the start of the navigation. */
const firstContentOf = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN)

/** What axe finds against WCAG 2.2 AA and its own best practice. */
const violationsIn = async (page: Page) => {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await axe.run(document, { runOnly })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  })
}

const WINDOWS = [
  ['light', 360, 740],
  ['dark', 1280, 900],
  ['light', 1280, 900],
  ['dark', 360, 740],
  ['dark', 2560, 1440],
] as const

/** Every screen takes seconds. In CI each is looked at in one window: the next screen in the next window. */
const IS_FULL = process.env['SCREENS'] === 'full'

describe.skipIf(!hasBrowser)('every screen', () => {
  let browser: Browser
  let gateway: GatewayProcess
  let screens: readonly (readonly [path: string, shows: string, operations: readonly string[]])[]
  beforeAll(async () => {
    const acting = await createActing({ approvalThresholdAmount: 1_000n, approvalThresholdCurrency: 'USD' })
    const { platform, customerId, accountId, platformCustomerId } = acting
    const [, customer = ''] = customerId.split(':')
    const [, account = ''] = accountId.split(':')
    await createWallet(platform, { customerId: customer })
    const card = await createCard(platform, { customerId: customer, accountId: account })
    const [paid] = await createTransactions(platform, [
      outgoing({ customerId: customer, platformCustomerId, destinationUmaAddress: '$shop@bank.example' }),
      incoming({ customerId: customer, platformCustomerId }),
      cardUse({ sourceInternalAccountId: account, cardId: card.id, customerId: customer, platformCustomerId }),
    ])
    await actionFaces[0]?.transferOut(acting.agent, transferOf(acting, 5_000))
    screens = [
      ['/', 'Payments by day', ['Home']],
      ['/payments', '$shop@bank.example', ['Payments']],
      [`/payments/${publicId('Transaction', paid?.id ?? '')}`, '$shop@bank.example', ['Payment']],
      // Further details for the approver are loaded for the open request.
      ['/approvals', 'Move to USD account', ['Approvals', 'ApprovalContext']],
      ['/approvals?view=decided', 'Nothing was decided yet', ['Decided']],
      ['/customers', 'Approved', ['Customers']],
      [`/customers/${customerId}`, 'with the platform', ['Customer']],
      ['/cards', '4242', ['Cards']],
      [`/cards/${publicId('Card', card.id)}`, 'COFFEE BAR', ['Cards']],
      ['/developers', 'No endpoint yet', ['Developers']],
      ['/developers/tokens', 'may view, transact, manage', ['Tokens']],
      ['/developers/events', 'Newest first', ['Events', 'EventData']],
      ['/developers/cost', 'Not computed yet', ['CostScreen']],
      ['/wallet', 'Changes need the owner', ['Wallets']],
      ['/no/such/screen', 'Nothing is at this address', []],
    ]
    ;[gateway, browser] = await Promise.all([startDashboard(platform), startBrowser()])
  })
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })

  it.each(WINDOWS.map((window, place) => [...window, place] as const))(
    'is accessible, %s, %i pixels wide',
    async (theme, width, height, place) => {
      const found: Record<string, unknown> = {}
      const firstContent: number[] = []
      const seen = IS_FULL ? screens : screens.filter((_screen, index) => index % WINDOWS.length === place)
      for (const [path, shows, expected] of seen) {
        const { page, complaints, operations } = await openDashboard(browser, gateway, path, { theme, width, height })
        await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor()
        await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
        const wider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
        const asked = operations.slice(0, expected.length)
        firstContent.push(await firstContentOf(page))
        const problems = { complaints, violations: await violationsIn(page), wider, asked }
        const fine = { complaints: [], violations: [], wider: false, asked: expected }
        if (JSON.stringify(problems) !== JSON.stringify(fine)) found[path] = problems
        await page.context().close()
      }
      console.log(`first content after ${firstContent.map(Math.round).join(', ')} ms`)
      expect(found).toEqual({})
    },
    240_000,
  )

  it.each([
    [721, 70],
    [768, 70],
    [900, 70],
    [1024, 150],
  ])('payments are named in a window of %i pixels', async (width, least) => {
    const { page } = await openDashboard(browser, gateway, '/payments', { width })
    const column = page.getByRole('columnheader', { name: 'To or from' })
    await page.locator('.pay a.to').first().waitFor()
    expect((await column.boundingBox())?.width).toBeGreaterThan(least)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await page.context().close()
  })

  it.each([
    ['/payments?currency=XYZ', 'Nothing matches this filter'],
    ['/payments?customerId=nobody', 'Could not load payments'],
    ['/customers?search=nobody', 'No customer matches'],
    ['/customers?after=nowhere&search=%00', 'Could not load customers'],
  ])('is accessible when it has nothing to show: %s', async (path, shows) => {
    const { page } = await openDashboard(browser, gateway, path)
    await page.getByRole('heading', { level: 2, name: shows }).waitFor()
    expect(await violationsIn(page)).toEqual([])
    expect(await page.locator('.empty p').innerText()).not.toMatch(/[^.] Nothing was changed/)
    await page.context().close()
  })

  it('dialogs are accessible, and give the focus back', async () => {
    const { page } = await openDashboard(browser, gateway, '/customers')
    const button = page.getByRole('button', { name: 'New customer' })
    await button.click()
    await page.getByRole('dialog').waitFor()
    expect(await violationsIn(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    expect(await violationsIn(page)).toEqual([])
    await page.context().close()
  })

  it('the first screen takes few bytes, and nothing from elsewhere', async () => {
    const { page } = await openDashboard(browser, gateway, '/')
    // The chart comes last.
    await page.locator('.chart canvas').waitFor()
    const loaded = await page.evaluate(() =>
      (
        ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)) as PerformanceResourceTiming[]
      ).map(({ name, encodedBodySize }) => ({
        name,
        encodedBodySize,
      })),
    )
    const files = loaded.filter(({ name }) => !name.includes('/dashboard/graphql'))
    for (const { name } of loaded) expect(new URL(name).origin).toBe(new URL(gateway.url).origin)
    const bytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
    console.log(`bytes ${bytes}`)
    expect(bytes).toBeLessThan(MOST_BYTES)
    await page.context().close()
  })
})
