// GraphiQL as somebody who explores it has it: a real Chromium, the page of the demo, a press on each example.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLES } from '#graphql/graphiql/examples.ts'
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'

if (!hasBrowser) console.warn('GraphiQL in a browser: not run: no Chromium')

describe.skipIf(!hasBrowser)(`GraphiQL in a browser${hasBrowser ? '' : ' (not run: no Chromium)'}`, () => {
  let gateway: GatewayProcess
  let browser: Browser
  beforeAll(async () => {
    gateway = await startGateway({ DEMO: 'true' })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })

  it('opens each example at a press on its tab, and loads nothing from elsewhere', async () => {
    const page = await browser.newPage()
    const complaints: string[] = []
    const elsewhere: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== new URL(gateway.url).origin) elsewhere.push(request.url())
    })
    await page.goto(`${gateway.url}/graphql`)
    const tabs = page.locator('.graphiql-tab-button')
    await tabs.first().waitFor()
    expect(await tabs.count()).toBe(EXAMPLES.length)
    // The first is open from the start: the others first.
    for (const [at, { query }] of [...EXAMPLES.entries()].reverse()) {
      await tabs.nth(at).click()
      const [comment = ''] = query.trim().split('\n')
      await page.locator('.graphiql-query-editor', { hasText: comment.slice(0, 40) }).waitFor()
      expect(await page.locator('.graphiql-tab-active').count()).toBe(1)
      expect(await tabs.nth(at).locator('..').getAttribute('aria-selected')).toBe('true')
    }
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] })
  })
})
