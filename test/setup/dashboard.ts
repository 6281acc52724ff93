// The built dashboard in Chromium, served by a gateway process of its own, whose calls get the credentials of one platform.
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { startBrowser } from './browser.ts'
import { type GatewayProcess, startGateway } from './gateway-process.ts'
import type { Platform } from './world.ts'

/** The folder of the built dashboard and the manifest of its documents. */
export const builtDashboard = () => {
  const built = inject('dashboard')
  if ('problem' in built) throw new Error(built.problem)
  return built
}

export const startDashboard = (
  { clientId, secret }: Pick<Platform, 'clientId' | 'secret'>,
  settings: Record<string, string> = {},
): Promise<GatewayProcess> => {
  const { directory } = builtDashboard()
  return startGateway({
    DASHBOARD_DIRECTORY: directory,
    DASHBOARD_CREDENTIALS: `${clientId}:${secret}`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...settings,
  })
}

export interface Opened {
  readonly page: Page
  /** Errors of scripts, of the content security policy, and of other requests than GraphQL's. */
  readonly complaints: string[]
  /** Names of the GraphQL operations that were sent, in order, without the stream. */
  readonly operations: string[]
}

export const openDashboard = async (
  browser: Browser,
  gateway: Pick<GatewayProcess, 'url'>,
  path = '/',
  { width = 1280, height = 900, theme = 'light' as 'light' | 'dark' } = {},
): Promise<Opened> => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const complaints: string[] = []
  const operations: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => {
    const text = message.text()
    // Refused calls and lost connections are part of some tests. The browser reports them, too.
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) complaints.push(text)
  })
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== '/dashboard/graphql') return
    const { operationName } = request.postDataJSON()
    if (operationName !== 'Live') operations.push(operationName)
  })
  await page.goto(gateway.url + path)
  return { page, complaints, operations }
}

/** A browser and the dashboard of the platform that `prepare` creates, for all tests of the suite. Each test's pages are closed after it. */
export const dashboardInBrowser = (prepare: () => Promise<Platform>) => {
  let browser: Browser
  let gateway: GatewayProcess
  const opened: Page[] = []
  beforeAll(async () => {
    const platform = await prepare()
    ;[gateway, browser] = await Promise.all([startDashboard(platform), startBrowser()])
  })
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close()
  })
  afterAll(async () => {
    await browser.close()
    await gateway.kill()
  })
  return {
    get url() {
      return gateway.url
    },
    open: async (path: string): Promise<Opened> => {
      const tab = await openDashboard(browser, gateway, path)
      opened.push(tab.page)
      return tab
    },
  }
}

/** Waits until the stream of events is open. */
export const untilLive = (page: Page) => page.locator('.live', { hasText: /^Live/ }).first().waitFor()

/** Holds what the page asks for until the returned function is called. */
export const hold = async (page: Page, url: string, isHeld: (route: Route) => boolean = () => true) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    if (isHeld(route)) await released
    await route.fallback()
  })
  return release
}

/** From now on, these fields of the operation fail, as if the gateway could not load them: `transaction.ledgerMovements`. */
export const failFields = (page: Page, operation: string, ...fields: string[]) =>
  page.route('**/dashboard/graphql', async (route) => {
    if (route.request().postDataJSON().operationName !== operation) return route.fallback()
    const response = await route.fetch()
    const { data } = await response.json()
    const errors = fields.map((field) => {
      const path = field.split('.')
      const parent = path.slice(0, -1).reduce((value, key) => value[key], data)
      parent[path.at(-1) ?? ''] = null
      return {
        message: 'The service is busy.',
        path,
        extensions: { status: 503, code: 'SERVICE_UNAVAILABLE', traceId: 'f'.repeat(32) },
      }
    })
    await route.fulfill({ response, json: { data, errors } })
  })
