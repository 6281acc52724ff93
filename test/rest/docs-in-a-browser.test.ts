// The REST documentation page in a real Chromium, including a call made from the page.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import contract from '#rest/openapi.json' with { type: 'json' }
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform } from '#test/setup/world.ts'

const IS_FULL = process.env['DOCS'] === 'full'
/** In CI about this number of operations are tried, spread evenly. */
const OPERATIONS_SAMPLED = 2
/** On a busy machine. */
const PAINTING_MS = 180_000

if (!hasBrowser) console.warn('The docs in a browser: not run: no Chromium')

describe.skipIf(!hasBrowser)(`the docs in a browser${hasBrowser ? '' : ' (skipped: no Chromium)'}`, () => {
  let gateway: GatewayProcess
  let browser: Browser
  let page: Page
  /** Errors of the page and violations of its content security policy. */
  const complaints: string[] = []
  /** Requests to other origins. */
  const elsewhere: string[] = []

  // Painting all operations takes many seconds, so the tests share the page.
  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startGateway(), startBrowser()])
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.setDefaultTimeout(PAINTING_MS)
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== new URL(gateway.url).origin) elsewhere.push(request.url())
    })
    await page.goto(`${gateway.url}/docs`)
    await page.locator('.opblock').first().waitFor()
  }, PAINTING_MS)
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })

  it('send a request, violate no content security policy, and load nothing from other origins', {
    timeout: PAINTING_MS,
  }, async () => {
    const { clientId, secret } = await createPlatform()
    await page.locator('.btn.authorize').click()
    await page.locator('input[name=username]').fill(clientId)
    await page.locator('input[name=password]').fill(secret)
    await page.locator('.modal-ux .authorize').first().click()
    await page.locator('.modal-ux .close-modal').click()
    const list = page.locator('#operations-Transactions-listTransactions')
    await list.locator('.opblock-summary-control').click()
    await list.locator('.try-out__btn').click()
    await list.locator('.execute').click()
    await list.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
    // As it was, for the other test.
    await list.locator('.try-out__btn.cancel').click()
    await list.locator('.opblock-summary-control').click()

    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] })
  })

  it('show every operation, and those that are expanded are ready to try', { timeout: 300_000 }, async () => {
    // Swagger UI renders only what is in view, so the window is as high as the page.
    await page.setViewportSize({ width: 1280, height: 20_000 })
    const served = Object.values(contract.paths).flatMap(Object.keys).length
    const shown = served + Object.keys(contract.webhooks).length
    await expect.poll(() => page.locator('.opblock').count(), { timeout: 60_000 }).toBe(shown)
    const operations = await page.locator('.opblock').all()
    // All of them take minutes.
    const step = IS_FULL ? 1 : Math.ceil(served / OPERATIONS_SAMPLED)
    const tried = operations.filter((_, at) => at < served && at % step === 0)
    for (const operation of tried) {
      // Clicks from a script: a simulated pointer would wait until nothing moves.
      const click = (button: string) => operation.locator(button).evaluate((element: HTMLElement) => element.click())
      await click('.opblock-summary-control')
      await operation.locator('.responses-wrapper').waitFor()
      complaints.push(...(await operation.getByText('Could not render').allTextContents()))
      expect(complaints).toEqual([])
      await click('.try-out__btn')
      await operation.locator('.execute').waitFor()
      await click('.opblock-summary-control')
    }
    expect(complaints).toEqual([])
  })
})
