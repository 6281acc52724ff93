// Developers in a browser: tokens, the endpoint with its deliveries, events, and the cost of a query.
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { EVENT_TYPES } from '#events/event-types.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, startDashboard } from '#test/setup/dashboard.ts'
import { type Receiver, startReceiver } from '#test/setup/webhooks/receiver.ts'
import { createPlatform, createToken, createTransactions, outgoing, type Platform } from '#test/setup/world.ts'

describe.skipIf(!hasBrowser)('developers', () => {
  let platform: Platform
  let receiver: Receiver
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    receiver = await startReceiver()
    return platform
  })
  afterAll(() => receiver.close())
  const open = async (path: string) => (await dashboard.open(path)).page

  it('links to GraphiQL only where the gateway serves it', async () => {
    const page = await open('/developers')
    const link = page.getByRole('link', { name: 'GraphiQL' })
    await page.getByRole('button', { name: 'Send test event' }).waitFor()
    expect(await link.count()).toBe(0)
    const development = await startDashboard(platform, { GRAPHIQL: 'true' })
    try {
      await page.goto(`${development.url}/developers`)
      await link.click()
      await page.waitForURL(`${development.url}/graphql`)
    } finally {
      await development.kill()
    }
  })

  it('creates a token that works, and deletes it', async () => {
    const page = await open('/developers/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('Ledger export')
    await page.getByRole('button', { name: 'Create the token' }).click()
    const shown = page.getByRole('dialog').locator('.secret .id')
    await shown.first().waitFor()
    const [clientId, secret] = await shown.evaluateAll((all) => all.map((one) => one.getAttribute('title')))
    const ask = async () => {
      const headers = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ query: '{ viewer { permissions } }' })
      return (await fetch(`${dashboard.url}/graphql`, { method: 'POST', headers, body })).json()
    }
    expect(await ask()).toEqual({ data: { viewer: { permissions: ['VIEW'] } } })
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Delete Ledger export' }).click()
    await page.getByRole('button', { name: 'Delete the token' }).click()
    await page.getByText('Ledger export is deleted').waitFor()
    await page.getByRole('button', { name: 'Delete Ledger export' }).waitFor({ state: 'detached' })
    await expect.poll(async () => (await ask()).errors?.[0]?.extensions.code).toBe('UNAUTHORIZED')
  })

  it('a dialog begins at its first field, and a question at the answer that changes nothing', async () => {
    const page = await open('/developers/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.keyboard.type('Typed at once')
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed at once')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete Test' }).click()
    await page.locator('button:focus', { hasText: 'Keep' }).waitFor()
  })

  it('a form stays while its text is selected, and a secret is shown until it is kept', async () => {
    const page = await open('/developers/tokens')
    const selectBeyondTheDialog = async () => {
      const box = await page.getByRole('dialog').locator('input[name="name"], .secret').boundingBox()
      if (!box) throw new Error('It has no place.')
      await page.mouse.move(box.x + box.width - 9, box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(9, box.y, { steps: 5 })
      await page.mouse.up()
    }
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName === 'CreateToken') await setTimeout(300)
      return route.fallback()
    })
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('Selected')
    await selectBeyondTheDialog()
    await page.getByRole('button', { name: 'Create the token' }).click()
    // Before the answer.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'The token is created' }).waitFor()
    await selectBeyondTheDialog()
    await page.mouse.click(9, 9)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New token' }).click()
    await page.mouse.click(9, 9)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('a token cannot delete itself, and the refusal is shown', async () => {
    const page = await open('/developers/tokens')
    await page.getByRole('button', { name: 'Delete Test' }).click()
    await page.getByRole('button', { name: 'Delete the token' }).click()
    await page.getByText('The token was not deleted').waitFor()
  })

  it('sets an endpoint, sends a test, shows deliveries as they arrive, and sends one again', async () => {
    const page = await open('/developers')
    await page.getByRole('button', { name: 'Set the endpoint' }).click()
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('dialog').getByRole('button', { name: 'Set the endpoint' }).click()
    await page.getByText('The secret of the signatures').waitFor()
    expect(await page.getByRole('dialog').locator('.secret .id').getAttribute('title')).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByRole('button', { name: 'Send test event' }).click()
    await page.getByText(/^The endpoint answered 200 in/).waitFor()
    await createTransactions(platform, [outgoing({ destinationUmaAddress: '$hook@bank.example', status: 'PENDING' })])
    await page.getByRole('cell', { name: 'OUTGOING_PAYMENT.PENDING', exact: true }).waitFor()
    const row = page.getByRole('row', { name: /OUTGOING_PAYMENT\.PENDING/ })
    await row.getByText(/^200 in/).waitFor()
    const { length } = receiver.received
    await row.getByRole('button', { name: /^Resend/ }).click()
    await page.getByText('Sent again, and delivered').waitFor()
    expect(receiver.received.length).toBe(length + 1)
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    const question = page.getByRole('dialog', { name: `Rotate the key of ${receiver.url}?` })
    await question.waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Rotate the key' }).click()
    await question.getByRole('button', { name: 'Rotate the key' }).click()
    await page.getByText('The secret of the signatures').waitFor()
  })

  it('shows the whole date and time of a delivery of an earlier day', async () => {
    const page = await open('/developers')
    await page.clock.setFixedTime(Date.now() + 2 * 86_400_000)
    await page.reload()
    const time = page.getByRole('row', { name: /OUTGOING_PAYMENT\.PENDING/ }).locator('td.c-am')
    expect(await time.textContent()).toMatch(/^\d+ \w+/)
    expect(await time.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  it('keeps the types of events when the address of the endpoint changes', async () => {
    const types = ['TEST', 'OUTGOING_PAYMENT.PENDING']
    await db.$executeRaw`update webhook_endpoints set types = ${types}::event_type[] where platform_id = ${platform.id}::uuid`
    const page = await open('/developers')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('URL').fill(`${receiver.url}/2`)
    await page.getByRole('dialog').getByRole('button', { name: 'Set the endpoint' }).click()
    await page.getByText('The endpoint is set').waitFor()
    await page.getByText('2 types').waitFor()
  })

  it('tells an endpoint that fails from one that is disabled, which is set again', async () => {
    const page = await open('/developers')
    const endpoint = page.getByRole('region', { name: 'Webhook endpoint' })
    const isFailing = async () => {
      // Again, because the success of an earlier delivery ends the failure.
      await db.$executeRaw`update webhook_endpoints set failing_since = now(), failures = 1 where platform_id = ${platform.id}::uuid`
      return page.getByText('The endpoint fails').isVisible()
    }
    await expect.poll(isFailing, { timeout: 20_000, interval: 1_000 }).toBe(true)
    await endpoint.getByText('Enabled').waitFor()
    expect(await page.getByRole('button', { name: 'Resend failed events' }).count()).toBe(0)
    await db.$executeRaw`
      update webhook_endpoints set status = 'DISABLED', disabled_reason = 'FAILING' where platform_id = ${platform.id}::uuid`
    await page.getByText('Every attempt of 7 days failed. Nothing is sent to it.').waitFor()
    await endpoint.getByText('Disabled').waitFor()
    expect(await page.getByText('The endpoint fails').count()).toBe(0)
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set the endpoint' }).click()
    await endpoint.getByText('Enabled').waitFor()
    expect(await page.getByText('The endpoint is disabled').count()).toBe(0)
  })

  it('offers to resend failed events where there are some', async () => {
    const page = await open('/developers?status=FAILED')
    await page.getByText('No delivery is in this state').waitFor()
    const resend = page.getByRole('button', { name: 'Resend failed events' })
    expect(await resend.count()).toBe(0)
    await db.$executeRaw`
      update webhook_deliveries set status = 'FAILED' where platform_id = ${platform.id}::uuid and status = 'DELIVERED'
        and id = (select id from webhook_deliveries where platform_id = ${platform.id}::uuid and status = 'DELIVERED' limit 1)`
    await resend.click()
    await page.getByText('1 event is sent again').waitFor()
    await page.getByText('No delivery is in this state').waitFor()
  })

  it('shows the events with their data, and a payment with its events', async () => {
    const page = await open('/developers/events')
    await page.getByRole('button', { name: 'OUTGOING_PAYMENT.PENDING' }).click()
    await page.getByRole('region', { name: 'Data of the event' }).getByText('$hook@bank.example').waitFor()
    await page.getByRole('link', { name: 'What it is about' }).click()
    await page.getByText('To $hook@bank.example').first().waitFor()
    await page.getByRole('cell', { name: 'OUTGOING_PAYMENT.PENDING', exact: true }).waitFor()
    const { length } = receiver.received
    let resends = 0
    page.on('request', (request) => {
      if (request.postDataJSON()?.operationName === 'Resend') resends += 1
    })
    await page.getByRole('button', { name: /^Resend OUTGOING_PAYMENT/ }).dblclick()
    await page.getByText('Sent again, and delivered').waitFor()
    expect(resends).toBe(1)
    expect(receiver.received.length).toBe(length + 1)
  })

  it('keeps the data of the chosen event in view, beside the list or below it', async () => {
    await createTransactions(
      platform,
      Array.from({ length: 25 }, () => outgoing({ status: 'PENDING' })),
    )
    for (const size of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      const page = await open('/developers/events')
      await page.setViewportSize(size)
      await page.locator('.stream button').nth(22).click()
      const top = () =>
        page.getByRole('region', { name: 'Data of the event' }).evaluate((data) => data.getBoundingClientRect().top)
      await expect.poll(async () => (await top()) > 0 && (await top()) < size.height / 2).toBe(true)
      expect(await page.locator('.stream li[aria-current]').count()).toBe(1)
    }
  })

  it('says that there is no event, instead of loading one', async () => {
    const page = await open('/developers/events?group=cards')
    await page.getByText('No events').waitFor()
    await page.getByRole('heading', { level: 2, name: 'Event', exact: true }).waitFor({ state: 'detached' })
    await page.goto(`${dashboard.url}/developers/events?id=${publicId('Webhook', randomUUID())}`)
    await page.getByText('No event has this id').waitFor()
  })

  it('breaks the name of an event that is wider than its panel', async () => {
    const page = await open('/developers/events')
    await page.setViewportSize({ width: 1024, height: 768 })
    const data = page.locator('section', { has: page.getByRole('region', { name: 'Data of the event' }) })
    const [longest = ''] = EVENT_TYPES.toSorted((one, other) => other.length - one.length)
    await data.getByRole('heading').evaluate((heading, name) => {
      heading.textContent = name
    }, longest)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })

  it('every type of event is in one group', async () => {
    const page = await open('/developers/events')
    const buttons = page.getByRole('group', { name: 'Kind' }).getByRole('button')
    await buttons.first().waitFor()
    const types: string[] = []
    for (const name of (await buttons.allTextContents()).slice(1)) {
      const isNew = (asked: readonly string[] | undefined) => asked !== undefined && !types.includes(asked[0] ?? '')
      const request = page.waitForRequest((sent) => isNew(sent.postDataJSON()?.variables?.filter?.types))
      await buttons.filter({ hasText: name }).click()
      types.push(...(await request).postDataJSON().variables.filter.types)
    }
    expect(types.toSorted()).toEqual(EVENT_TYPES.map((type) => type.replaceAll('.', '_')).toSorted())
  })

  it('computes the cost of an operation, and says what is wrong with one', async () => {
    const { page, operations } = await dashboard.open('/developers/cost')
    await page.getByRole('button', { name: 'Compute the cost' }).click()
    await page.getByText(/ of [\d,]+ nodes$/).waitFor()
    await page.getByLabel('Operation').fill('{ nothing }')
    await page.getByRole('button', { name: 'Compute the cost' }).click()
    await page.getByText('No cost').waitFor()
    expect(operations).toEqual(['CostScreen', 'Cost', 'Cost'])
  })

  it('shows every token and every delivery, page by page', async () => {
    for (let made = 0; made < 50; made += 1) {
      const token = { clientId: `${platform.clientId}-${made}`, secret: platform.secret }
      await createToken(platform.id, token, ['VIEW'])
    }
    const page = await open('/developers/tokens')
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText(platform.clientId, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText(`${platform.clientId}-49`, { exact: true }).waitFor()
    await createTransactions(
      platform,
      Array.from({ length: 30 }, (_, index) =>
        outgoing({ destinationUmaAddress: `$many${index}@bank.example`, status: 'PENDING' }),
      ),
    )
    await page.goto(`${dashboard.url}/developers`)
    await expect.poll(() => page.getByRole('button', { name: 'Older' }).isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Older' }).click()
    await page.waitForURL(/after=/)
    await page
      .getByRole('button', { name: /^Resend/ })
      .first()
      .waitFor()
  })

  it('removes the endpoint after a question', async () => {
    const page = await open('/developers')
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('URL').fill('')
    await page.getByRole('dialog').getByRole('button', { name: 'Set the endpoint' }).click()
    await page.getByRole('button', { name: 'Keep' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Set the endpoint' }).click()
    await page.getByRole('button', { name: 'Remove the endpoint' }).click()
    await page.getByText('No endpoint yet').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
