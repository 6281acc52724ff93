// GraphiQL in a real Chromium with demo data: the page loads, and every example opens.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXAMPLES } from '#graphql/graphiql/examples.ts'
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createPlatform, createToken } from '#test/setup/world.ts'

if (!hasBrowser) console.warn('GraphiQL in a browser: not run: no Chromium')

describe.skipIf(!hasBrowser)(`GraphiQL in a browser${hasBrowser ? '' : ' (skipped: no Chromium)'}`, () => {
  let gateway: GatewayProcess
  let browser: Browser
  beforeAll(async () => {
    const { id } = await createPlatform()
    await createToken(id, { clientId: 'demo', secret: 'demo-secret' }, ['VIEW'])
    gateway = await startGateway({ GRAPHIQL: 'true', DEMO: 'true' })
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })

  const openPage = async () => {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    const complaints: string[] = []
    const loaded: string[] = []
    const elsewhere: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('request', (request) => {
      const { protocol, origin, pathname } = new URL(request.url())
      loaded.push(pathname.split('/').at(-1) ?? '')
      if (protocol.startsWith('http') && origin !== new URL(gateway.url).origin) elsewhere.push(request.url())
    })
    await page.goto(`${gateway.url}/graphql`)
    const tabs = page.locator('.graphiql-tab-button')
    await tabs.first().waitFor()
    return { page, tabs, complaints, loaded, elsewhere }
  }

  it('opens each example by its tab, and loads nothing from other origins', async () => {
    const { page, tabs, complaints, elsewhere } = await openPage()
    expect(await tabs.count()).toBe(EXAMPLES.length)
    // The first is open from the start, so the others are opened first.
    for (const [at, { query }] of [...EXAMPLES.entries()].reverse()) {
      await tabs.nth(at).click()
      const [comment = ''] = query.trim().split('\n')
      await page.locator('.graphiql-query-editor', { hasText: comment.slice(0, 40) }).waitFor()
      expect(await page.locator('.graphiql-tab-active').count()).toBe(1)
      expect(await tabs.nth(at).locator('..').getAttribute('aria-selected')).toBe('true')
    }
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] })
  })

  it('runs an example, shows the schema, and completes input without violating its content security policy', async () => {
    const { page, complaints, loaded, elsewhere } = await openPage()
    await page.locator('.graphiql-execute-button').click()
    await page.locator('.graphiql-response', { hasText: '"totalCount": 0' }).waitFor()
    const subscription = EXAMPLES.findIndex(({ query }) => /^subscription /m.test(query))
    await page.locator('.graphiql-tab-button').nth(subscription).click()
    await page.locator('.graphiql-query-editor', { hasText: 'subscription' }).waitFor()
    await page.locator('.graphiql-execute-button').click()
    await page.locator('.graphiql-response', { hasText: '"cursor"' }).waitFor()
    await page.getByLabel('Show Documentation Explorer').click()
    await page.locator('.graphiql-doc-explorer', { hasText: 'Query' }).waitFor()

    const editor = page.locator('.graphiql-query-editor .monaco-editor').first()
    await editor.click()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('{ apiIn', { delay: 50 })
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'apiInfo' }).waitFor()
    if (process.env['SCREENSHOT']) await page.screenshot({ path: process.env['SCREENSHOT'] })
    expect(loaded).toEqual(expect.arrayContaining(['graphiql.js', 'graphiql.css', 'graphql.worker.js']))
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] })
  })
})
