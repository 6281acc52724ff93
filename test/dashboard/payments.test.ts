// The list of payments in a browser: filters, pages both ways, keys, export, and one payment.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser } from '#test/setup/dashboard.ts'
import { createOutside, createPayer, type Payer, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform, createTransactions, incoming, outgoing, type Platform } from '#test/setup/world.ts'

if (!hasBrowser) console.warn('the dashboard in a browser: not run: no Chromium')

describe.skipIf(!hasBrowser)('payments', () => {
  let platform: Platform
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    const at = Date.parse('2026-01-01T00:00:00Z')
    const rows = Array.from({ length: 60 }, (_, index) => ({
      createdAt: new Date(at + index * 1000),
      description: `payment ${index}`,
    }))
    await createTransactions(
      platform,
      rows.map((row, index) =>
        index % 3 === 0
          ? incoming({ ...row, sourceUmaAddress: `$sender${index}@bank.example` })
          : outgoing({
              ...row,
              destinationUmaAddress: `$payee${index}@bank.example`,
              status: index % 3 === 1 ? 'COMPLETED' : 'PENDING',
            }),
      ),
    )
    // The pages would receive later events while they are open.
    await numberEvents()
    return platform
  })

  const { open } = dashboard
  const namesIn = (page: Page) => page.locator('.pay a.to').allTextContents()
  const expected = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => from - index).map((at) =>
      at % 3 === 0 ? `$sender${at}@bank.example` : `$payee${at}@bank.example`,
    )
  const untilFirst = (page: Page, name: string) => page.locator('.pay tbody tr').first().getByText(name).waitFor()

  it('pages by cursor to the end and back, with one operation a page', async () => {
    const { page, operations, complaints } = await open('/payments')
    await untilFirst(page, '$payee59')
    expect(await namesIn(page)).toEqual(expected(59, 35))
    await page.getByText('60 match').waitFor()
    await page.getByRole('button', { name: 'Older' }).click()
    await untilFirst(page, '$payee34')
    expect(page.url()).toContain('after=')
    await page.getByRole('button', { name: 'Older' }).click()
    await untilFirst(page, '$sender9')
    expect(await namesIn(page)).toEqual(expected(9, 0))
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Newer' }).click()
    await untilFirst(page, '$payee34')
    expect(page.url()).toContain('before=')
    expect(await namesIn(page)).toEqual(expected(34, 10))
    expect(operations).toEqual(Array(4).fill('Payments'))
    expect(complaints).toEqual([])
  })

  it('filters are in the address, survive a reload, and can be removed one by one', async () => {
    const { page } = await open('/payments')
    await untilFirst(page, '$payee59')
    await page.keyboard.press('f')
    await page.getByRole('checkbox', { name: 'Pending', exact: true }).check()
    await page.getByRole('button', { name: 'Show payments' }).click()
    await page.getByText('20 match').waitFor()
    expect(new URL(page.url()).searchParams.get('statuses')).toBe('PENDING')
    await page.keyboard.press('/')
    await page.keyboard.type('payment 59')
    await page.getByText('1 match').waitFor()
    await page.reload()
    await page.getByText('1 match').waitFor()
    expect(await namesIn(page)).toEqual(['$payee59@bank.example'])
    await page.getByLabel('Remove filter: status').click()
    await page.getByText('1 match').waitFor()
    await page.getByLabel('Search payments').fill('nothing has this name')
    await page.getByText('Nothing matches this filter').waitFor()
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByText('60 match').waitFor()
  })

  it('a day, a status, a kind and a direction that do not exist are ignored in a link', async () => {
    const unknown = await open('/payments?statuses=PAID&types=CHEQUE&direction=UP')
    await unknown.page.getByText('60 match').waitFor()
    expect(await unknown.page.locator('.chip b').allTextContents()).toEqual([])
    const { page, complaints } = await open('/payments?startDate=2025-13-01&direction=DEBIT')
    await page.getByText('40 match').waitFor()
    expect(await page.locator('.chip b').allTextContents()).toEqual(['debit'])
    expect(complaints).toEqual([])
  })

  it('a view keeps its filters exactly, and is removed, which can be undone', async () => {
    const { page } = await open('/payments?search=A%26B%3D1&statuses=PENDING')
    await page.getByRole('button', { name: 'Save view' }).click()
    // A view without a name would be a link that nobody sees.
    await page.getByLabel('Name').fill('  ')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.getByLabel('Name').fill('All')
    await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
    const own = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'All' }).last()
    await page.getByRole('link', { name: 'Money in' }).click()
    await page.getByText('20 match').waitFor()
    await own.click()
    await page.getByText('Nothing matches these 2 filters').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ search: 'A&B=1', statuses: 'PENDING' })
    expect(await own.getAttribute('aria-current')).toBe('page')
    await page.getByRole('button', { name: 'Forget the view All' }).click()
    await page.getByRole('button', { name: 'Save view' }).waitFor()
    expect(await page.getByRole('link', { name: 'All', exact: true }).count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await own.and(page.locator('[aria-current]')).waitFor()
  })

  it('a link with a cursor of another list begins at the newest payment, and says so', async () => {
    const { page } = await open('/payments?after=nonsense')
    await page.getByText('This page of the list is no longer kept').waitFor()
    await untilFirst(page, '$payee59')
  })

  it('keys move, select, open and go back', async () => {
    const { page } = await open('/payments')
    await untilFirst(page, '$payee59')
    for (const key of ['j', 'j', 'x', 'j', 'k']) await page.keyboard.press(key)
    await page.getByText('1 selected').waitFor()
    expect(await page.locator('tr.cur-row a.to').textContent()).toBe('$payee58@bank.example')
    await page.keyboard.press('Escape')
    await page.getByText('Newest first', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: '10.00' }).waitFor()
    expect(decodeURIComponent(page.url())).toMatch(/\/payments\/OutgoingTransaction:|\/payments\/Transaction:/)
    await page.keyboard.press('j')
    await page.getByText('From $sender57@bank.example').first().waitFor()
    await page.keyboard.press('Escape')
    await untilFirst(page, '$payee59')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Select the row').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('tr.cur-row').count()).toBe(0)
  })

  it('Escape closes the palette over a payment, and the payment stays open', async () => {
    const { page } = await open('/payments')
    await page.locator('.pay a.to', { hasText: '$payee58' }).click()
    await page.getByText('To $payee58@bank.example').first().waitFor()
    const address = page.url()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
  })

  it('exports every payment of the filter, with raw values', async () => {
    const { page } = await open('/payments?direction=DEBIT')
    await page.getByText('40 match').waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const download = await downloading
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines[0]).toBe(
      'id,type,status,direction,amount,currency,decimals,counterparty,method,description,customerId,customer,agentId,createdAt,updatedAt',
    )
    expect(lines).toHaveLength(41)
    expect(lines[1]).toMatch(
      /^Transaction:[0-9a-f-]{36},OUTGOING,PENDING,DEBIT,1000,USD,2,\$payee59@bank\.example,UMA,payment 59,/,
    )
    await page.getByText('40 payments exported').waitFor()
  })

  it('exports no formula, and each text in one cell', async () => {
    const { page } = await open('/payments?direction=DEBIT')
    await page.getByText('40 match').waitFor()
    const written = {
      '=1+1': `'=1+1`,
      'x;=1+1': `"x;'=1+1"`,
      'a\r\n@SUM(1)': `"a\r\n'@SUM(1)"`,
      '\t=1+1': `"'\t'=1+1"`,
      '＝1+1': `'＝1+1`,
      '-2+3': `'-2+3`,
      'a\r\nb; "c" - d': `"a\r\nb; ""c"" - d"`,
      '+49 30 1234567': '+49 30 1234567',
      '-12.50': '-12.50',
    }
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'PaymentsForExport') return route.fallback()
      const response = await route.fetch()
      const { data } = await response.json()
      for (const [index, description] of Object.keys(written).entries())
        data.transactions.nodes[index].description = description
      await route.fulfill({ response, json: { data } })
    })
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const text = readFileSync(await (await downloading).path(), 'utf8')
    for (const cell of Object.values(written)) expect(text).toContain(`,UMA,${cell},,,,`)
  })

  it('exports nothing when a field of a payment could not be loaded', async () => {
    const { page } = await open('/payments')
    await page.getByText('60 match').waitFor()
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'PaymentsForExport') return route.fallback()
      const response = await route.fetch()
      const { data } = await response.json()
      data.transactions.nodes[0].customer = null
      const error = {
        message: 'It failed',
        path: ['transactions', 'nodes', 0, 'customer'],
        extensions: { status: 500, code: 'INTERNAL_ERROR' },
      }
      await route.fulfill({ response, json: { data, errors: [error] } })
    })
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByText('Not exported after 0 payments: It failed').waitFor()
  })

  it('the palette finds a payment, and opens a pasted id', async () => {
    const { page } = await open('/')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    // On a slow device, letters arrive while the palette is loading and while it appears.
    const protocol = await page.context().newCDPSession(page)
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: 10 })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('payment 44', { delay: 50 })
    await page.getByRole('option', { name: /payee44/ }).waitFor()
    await protocol.detach()
    await page.keyboard.press('Enter')
    await page.getByText('To $payee44@bank.example').first().waitFor()
    const id = decodeURIComponent(page.url()).split('/payments/')[1] ?? ''
    await page.goto(`${dashboard.url}/cards`)
    await page.getByRole('heading', { name: 'Cards', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    // It was chosen before, and is loaded anew: the browser keeps only its id.
    await page.getByRole('option', { name: /payee44/ }).waitFor()
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('payee44')
    await page.keyboard.insertText(id)
    await page.getByRole('option', { name: id }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('To $payee44@bank.example').first().waitFor()
  })

  it('a step of a timeline shows its date if it is not that of the payment', async () => {
    const rows = [outgoing({ createdAt: new Date('2026-01-05T12:00:00Z'), status: 'PENDING' })]
    const [payment] = await createTransactions(platform, rows)
    await db.$executeRaw`update transactions set status = 'PROCESSING' where id = ${payment?.id}::uuid`
    const { page } = await open(`/payments/${publicId('Transaction', payment?.id ?? '')}`)
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await timeline.getByText('Processing').waitFor()
    const [processing, pending] = await timeline.locator('time').allTextContents()
    expect(processing).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d$/)
    expect(pending).toMatch(/^\d\d:\d\d:\d\d$/)
  })

  it('an unknown payment is not an error', async () => {
    for (const id of [publicId('Transaction', randomUUID()), 'no-id']) {
      const { page, complaints } = await open(`/payments/${id}`)
      await page.getByText('No payment has this id').waitFor()
      expect(complaints).toEqual([])
    }
  })

  it('a payment shows its ledger, is cancelled at the bank, and its receipt is confirmed', async () => {
    const payer = await createPayer({ platform })
    const id = await withBank(payer)
    const { page } = await open(`/payments/${id}`)
    await page.getByText('Balanced in USD').waitFor()
    const ledger = page.getByRole('table', { name: 'Ledger movements, oldest first' })
    expect(await ledger.getByRole('row').nth(2).textContent()).toContain('USD account100.00USD')
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByLabel('Reason for the timeline, optional').fill('Ordered twice')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByText('The money is on its way back').waitFor()
    await page.getByText('Ordered twice').waitFor()
    await ledger.getByText('Refund').waitFor()
    await page.getByRole('button', { name: 'Confirm receipt' }).click()
    await page.getByText('The customer received it on').waitFor()
    const stored = await db.transaction.findFirstOrThrow({ where: { id: id.split(':')[1] ?? '' } })
    expect([stored.status, stored.refundReason]).toEqual(['COMPLETED', 'USER_CANCELLATION'])
    expect(stored.receiptDeliveryConfirmedAt).not.toBeNull()
  })

  it('a cancellation that comes too late is a typed conflict', async () => {
    const id = await withBank(await createPayer({ platform }))
    const { page } = await open(`/payments/${id}`)
    await page.getByRole('button', { name: 'Cancel payment' }).waitFor()
    // The page does not notice: its stream and its queries stop, but its writes continue.
    await page.route('**/dashboard/graphql', (route) =>
      route.request().postDataJSON().operationName === 'CancelPayment' ? route.continue() : route.abort(),
    )
    expect((await send(platform, 'POST', `/transactions/${id}/cancel`)).status).toBe(200)
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByText('The payment was not changed').waitFor()
    await page.getByText(/^ConflictError/).waitFor()
  })

  it('a failure of one payment is not shown at another', async () => {
    const [older, newer] = [
      await withBank(await createPayer({ platform })),
      await withBank(await createPayer({ platform })),
    ]
    const { page } = await open('/payments')
    await page.route('**/dashboard/graphql', (route) =>
      route.request().postDataJSON().operationName === 'CancelPayment' ? route.abort() : route.fallback(),
    )
    // The cache knows the other payment, so that it is shown at once.
    await page.locator(`tr[data-id="${older}"] a.to`).click()
    await page.getByRole('button', { name: 'Cancel payment' }).waitFor()
    await page.goBack()
    await page.locator(`tr[data-id="${newer}"] a.to`).click()
    await page.getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click()
    await page.getByText('Not known whether it happened').waitFor()
    await page.keyboard.press('j')
    await page.waitForURL((url) => decodeURIComponent(url.pathname).endsWith(older))
    await page.getByRole('button', { name: 'Cancel payment' }).waitFor()
    expect(await page.getByText('Not known whether it happened').count()).toBe(0)
  })

  it('an incoming payment that waits is approved, and another one rejected with a reason', async () => {
    const waiting = await createTransactions(platform, [
      incoming({ status: 'PENDING' }),
      incoming({ status: 'PENDING' }),
    ])
    const [first, second] = waiting.map((row) => `/payments/${publicId('Transaction', row.id)}`)
    const { page } = await open(first ?? '')
    await page.getByText('This payment waits for you').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved. The customer is credited.').waitFor()
    await page.getByText('This payment waits for you').waitFor({ state: 'detached' })
    await page.goto(dashboard.url + second)
    await page.getByRole('button', { name: 'Reject' }).click()
    // Escape closes the dialog, and the payment stays.
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(decodeURIComponent(page.url())).toBe(dashboard.url + second)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByLabel('Reason for the timeline, optional').fill('Unknown sender')
    await page.keyboard.press('Enter')
    await page.getByText('Unknown sender').waitFor()
    await page.locator('h1').getByText('Rejected').waitFor()
  })

  it('a payment taken from a bank account of the customer counts as incoming, although its direction is debit', async () => {
    const { dollars, customerId } = await createPayer({ platform })
    const bank = await createOutside(platform, '005', { ownerId: customerId })
    const { body } = await send(platform, 'POST', '/transfer-in', transferInput(bank, dollars, 700))
    expect(body).toMatchObject({ type: 'INCOMING', direction: 'DEBIT' })
    const { page } = await open(`/payments/${body.id}`)
    await page.getByRole('heading', { level: 1, name: '+7.00' }).waitFor()
    await page.getByText('From USD account for').waitFor()
  })

  it('Space opens the row beside the list, and Escape closes it', async () => {
    const { page } = await open('/payments')
    const panel = page.getByRole('complementary', { name: 'Chosen payment' })
    await page.locator('.pay tbody tr a.to').first().waitFor()
    expect(await panel.isVisible()).toBe(false)
    for (const key of ['j', 'j', ' ']) await page.keyboard.press(key)
    await panel.getByText('Changed').waitFor()
    const second = await page.locator('.pay tbody tr a.to').nth(1).textContent()
    expect(await panel.getByRole('heading').textContent()).toBe(second)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    expect(await page.locator('tr.cur-row a.to').textContent()).toBe(second)
  })
})

/** The id of a payment that stays with a bank for six minutes. */
const withBank = async ({ platform, dollars }: Payer) => {
  const outside = await createOutside(platform, '003', { paymentRails: ['ACH'] })
  const { body } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
  await send(platform, 'POST', `/quotes/${body.id}/execute`)
  return body.transactionId as string
}
