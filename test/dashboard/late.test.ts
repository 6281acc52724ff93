// The dashboard of a gateway that serves already: a notice until it is built, then its page and its documents.
// Own process: replaces the files that the gateway serves.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { app } from '#app.ts'
import { trustDocuments } from '#graphql/limits/trusted-documents.ts'
import { serveDashboard, serveNotice } from '#http/dashboard/files.ts'
import { hasBrowser, startBrowser } from '#test/setup/browser.ts'
import { builtDashboard } from '#test/setup/dashboard.ts'
import { basic } from '#test/setup/faces.ts'
import { createPlatform } from '#test/setup/world.ts'

const open = (path: string) => app.fetch(new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }))

it('shows a notice, and then the page', async () => {
  await serveNotice('The dashboard is <being> built.')
  const notice = await open('/payments')
  expect([notice.status, await notice.text()]).toEqual([503, 'The dashboard is <being> built.'])
  expect(Object.fromEntries(notice.headers)).toMatchObject({
    'retry-after': '2',
    refresh: '2',
    'cache-control': 'no-store',
    'content-type': 'text/plain; charset=utf-8',
  })
  expect((await open('/2025-10-13/transactions')).status).toBe(401)

  await serveDashboard(builtDashboard().directory)
  const page = await open('/payments')
  expect([page.status, page.headers.get('refresh')]).toEqual([200, null])
  expect(await page.text()).toContain('<div id="root">')
})

it.skipIf(!hasBrowser)('appears in a browser that waits for it', async () => {
  const server = createServer(app.listener).listen(0)
  await once(server, 'listening')
  const browser = await startBrowser()
  try {
    await serveNotice('Not yet.')
    const page = await browser.newPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/payments`)
    await page.getByText('Not yet.').waitFor()
    await serveDashboard(builtDashboard().directory)
    await page.locator('#root').waitFor({ state: 'attached' })
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})

it('knows its documents once they are there', async () => {
  const authorization = basic(await createPlatform())
  const { documents } = builtDashboard()
  const texts: Record<string, string> = JSON.parse(readFileSync(documents, 'utf8'))
  const documentId = Object.keys(texts).find((id) => texts[id]?.includes('query Approvals {'))
  const call = async () => {
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ documentId, operationName: 'Approvals' })
    return (await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))).json()
  }
  expect(await call()).toMatchObject({ errors: [{ message: 'PersistedQueryNotFound' }] })
  trustDocuments(documents)
  expect(await call()).toMatchObject({ data: { approvals: { totalCount: 0 } } })
})
