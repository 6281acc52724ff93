// Customers in a browser: search, a new customer, an account by the form of the gateway, an agent that is paused and resumed; and cards.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, untilLive } from '#test/setup/dashboard.ts'
import {
  cardUse,
  createCard,
  createCustomer,
  createInternalAccount,
  createPlatform,
  createTransactions,
  type Platform,
} from '#test/setup/world.ts'

describe.skipIf(!hasBrowser)('customers', () => {
  let platform: Platform
  let customer: { readonly id: string }
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    customer = await createCustomer(platform, { platformCustomerId: 'kelp', email: 'kelp@mail.example' })
    return platform
  })
  const open = async (path: string) => (await dashboard.open(path)).page

  it('creates a customer, shows an error at its field, and finds the customer', async () => {
    const page = await open('/customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    // Their boxes are of one height, although only one has a hint.
    const [email, phone] = await Promise.all(['Email', 'Phone'].map((name) => page.getByLabel(name).boundingBox()))
    expect(email?.height).toBeCloseTo(phone?.height ?? 0)
    await page.getByLabel('Full name').fill('Grace Hopper')
    await page.getByLabel('Your id of the customer').fill('grace')
    await page.getByLabel('Currencies').fill('')
    await page.getByLabel('Phone').fill('not a phone')
    await page.getByRole('button', { name: 'Create the customer' }).click()
    await page.locator('.help.bad').waitFor()
    await page.getByLabel('Phone').fill('+14155550123')
    await page.getByRole('button', { name: 'Create the customer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
    await page.goto(`${dashboard.url}/customers`)
    // No event tells of a customer that was created elsewhere.
    await page.locator('.live').getByText('Connected').waitFor()
    await page.getByLabel('Search customers').fill('gra')
    await page.getByText('1 customer', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.getByText('+14155550123').waitFor()
    expect(await db.customer.count({ where: { platformId: platform.id, platformCustomerId: 'grace' } })).toBe(1)
  })

  it('says that no customer has an id that is not complete', async () => {
    const page = await open('/customers/Customer:1')
    await page.getByText('No customer has this id').waitFor()
  })

  it('asks for the rest of an address of which only the country is given', async () => {
    const page = await open('/customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    await page.getByLabel('Full name').fill('Ada Byron')
    await page.getByLabel('Currencies').fill('')
    await page.getByLabel('Country of the address').fill('GB')
    await page.getByRole('button', { name: 'Create the customer' }).click()
    await page.getByText('Street and number must not be empty').waitFor()
  })

  it('the search field shows what the list is filtered by', async () => {
    const page = await open('/customers')
    await page.getByLabel('Search customers').fill('nobody')
    await page.getByText('No customer matches').waitFor()
    await page.getByRole('link', { name: 'Customers' }).first().click()
    await page.getByRole('table').waitFor()
    expect(await page.getByLabel('Search customers').inputValue()).toBe('')
    await page.getByLabel('Search customers').fill('kelp')
    await page.getByText('1 customer', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'On hold' }).waitFor()
  })

  it('adds an account with the form of its kind', async () => {
    await db.customer.updateMany({
      where: { platformId: platform.id, platformCustomerId: 'kelp' },
      data: { currencies: ['EUR', 'USD'] },
    })
    const page = await open(`/customers/${publicId('Customer', customer.id)}`)
    await page.getByRole('button', { name: 'Add account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Kind of account').selectOption('EUR_ACCOUNT')
    await dialog.locator('input[name="beneficiary.fullName"]').fill('Ada Byron')
    for (const [name, value] of [
      ['birthDate', '1990-12-10'],
      ['nationality', 'DE'],
      ['countryOfResidence', 'DE'],
    ] as const) {
      const field = dialog.locator(`[name="beneficiary.${name}"]`)
      if ((await field.count()) > 0) await field.fill(value)
    }
    await dialog.locator('input[name="account.iban"]').fill('DE00370400440532013000')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await dialog.getByText('IBAN must be an IBAN').waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await dialog.locator('input[name="account.iban"]').fill('DE89370400440532013000')
    await dialog.getByRole('button', { name: 'Add account' }).click()
    await page.getByText('The account is added').waitFor()
    expect(await db.externalAccount.count({ where: { platformId: platform.id, accountType: 'EUR_ACCOUNT' } })).toBe(1)
    await page.locator('main').getByText('EUR account').first().waitFor()
    await page.locator('main').getByText('Ada Byron, Third party, active').waitFor()
  })

  it('creates an agent with a policy, shows its code once, pauses it, and undoes that', async () => {
    const page = await open(`/customers/${publicId('Customer', customer.id)}`)
    await page.getByRole('button', { name: 'Add agent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Invoice runner')
    await dialog.getByLabel('Limit of one payment, USD').fill('250.005')
    await dialog.getByRole('button', { name: 'Create the agent' }).click()
    await dialog.getByText('At most 2 decimals').waitFor()
    // A decimal comma, as many keyboards have it.
    await dialog.getByLabel('Limit of one payment, USD').fill('250,50')
    await dialog.getByRole('button', { name: 'Create the agent' }).click()
    await dialog.getByText('Write decimals after a point').waitFor()
    await dialog.getByLabel('Limit of a day, USD').fill('1,250.50')
    await dialog.getByText('Sent as 125050').waitFor()
    await dialog.getByLabel('Limit of one payment, USD').fill('250.50')
    await dialog.getByRole('button', { name: 'Create the agent' }).click()
    await page.getByText('Invoice runner is created').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    const agent = () => db.agent.findFirstOrThrow({ where: { platformId: platform.id } })
    expect(await agent()).toMatchObject({
      perTransactionLimit: 25_050n,
      dailyLimit: 125_050n,
      limitCurrency: 'USD',
      isPaused: false,
    })
    await page.getByRole('button', { name: 'Pause Invoice runner' }).click()
    await page.getByText('Invoice runner is paused').waitFor()
    expect((await agent()).isPaused).toBe(true)
    await page.keyboard.press('z')
    await page.getByText('Invoice runner is active again').waitFor()
    expect((await agent()).isPaused).toBe(false)
  })

  const shopping = async () => {
    const account = await createInternalAccount(platform, { customerId: customer.id, balance: 10_000n })
    const card = await createCard(platform, { customerId: customer.id, accountId: account.id })
    const stateOf = async () => (await db.card.findFirstOrThrow({ where: { id: card.id } })).state
    return { account, card, stateOf, path: `/cards/${publicId('Card', card.id)}` }
  }

  it('orders a card, and shows its number on a page that opens once', async () => {
    await createInternalAccount(platform, { customerId: customer.id, balance: 10_000n })
    const page = await open(`/customers/${publicId('Customer', customer.id)}`)
    await page.getByRole('button', { name: 'Order card' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Order the card' }).click()
    await page.getByText('The card is ordered').waitFor()
    await page.locator('main').getByText('Active').last().waitFor()
    await page.getByRole('link', { name: /^•••• \d{4}$/ }).click()
    await page.getByRole('button', { name: 'Show number' }).click()
    const link = page.getByRole('link', { name: 'Open the page' })
    // The gateway of the tests does not know its own port.
    const url = new URL(new URL((await link.getAttribute('href')) ?? '').pathname, dashboard.url).href
    await link.click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(url)
    await page.getByText(/\d{4} \d{4} \d{4} \d{4}/).waitFor()
    expect((await fetch(url)).status).toBe(410)
  })

  it('a card is frozen, unfrozen by undo, and closed for good after a confirmation', async () => {
    const { stateOf, path } = await shopping()
    const page = await open(path)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('is frozen. It declines every use.').waitFor()
    expect(await stateOf()).toBe('FROZEN')
    await page.keyboard.press('z')
    await page.getByText('can be used again').waitFor()
    expect(await stateOf()).toBe('ACTIVE')
    await page.getByRole('button', { name: 'Close card' }).click()
    // Enter keeps it.
    await page.getByRole('dialog', { name: /^Close •••• 4242/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await stateOf()).toBe('ACTIVE')
    await page.getByRole('button', { name: 'Close card' }).click()
    await page.getByRole('button', { name: 'Close the card' }).click()
    await page.getByText('•••• 4242 is closed').waitFor()
    expect(await stateOf()).toBe('CLOSED')
    await page.getByRole('button', { name: 'Freeze' }).waitFor({ state: 'detached' })
  })

  it('a failure of one card is not shown at another, and an undo that fails is said on any screen', async () => {
    const [older, newer] = [await shopping(), await shopping()]
    const page = await open(older.path)
    await page.getByRole('button', { name: 'Freeze' }).waitFor()
    await page.keyboard.press('k')
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === newer.path)
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('is frozen. It declines every use.').waitFor()
    await page.route('**/dashboard/graphql', (route) =>
      route.request().postDataJSON().operationName === 'ChangeCard' ? route.abort() : route.fallback(),
    )
    await page.getByRole('button', { name: 'Unfreeze' }).click()
    await page.getByText('Not known whether it happened').waitFor()
    await page.keyboard.press('j')
    await page.getByRole('button', { name: 'Freeze', exact: false }).waitFor()
    await page.waitForURL((url) => decodeURIComponent(url.pathname) === older.path)
    expect(await page.getByText('Not known whether it happened').count()).toBe(0)
    await page.getByRole('link', { name: 'Customers' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    await page.keyboard.press('z')
    await page.getByText('Not known whether it was undone: The gateway did not answer.').waitFor()
  })

  it('changing a card that someone else has closed is a typed conflict', async () => {
    const { card, path } = await shopping()
    const page = await open(path)
    await page.getByRole('button', { name: 'Freeze' }).waitFor()
    // The page does not notice: its stream and its queries stop, but its writes continue.
    await page.route('**/dashboard/graphql', (route) =>
      route.request().postDataJSON().operationName === 'ChangeCard' ? route.continue() : route.abort(),
    )
    // Without an event, because a stream that is already open continues.
    await db.$transaction([
      db.$executeRaw`set local app.events = 'off'`,
      db.card.updateMany({ where: { id: card.id }, data: { state: 'CLOSED', stateReason: 'CLOSED_BY_PLATFORM' } }),
    ])
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('The card was not changed').waitFor()
    await page.getByText(/^ConflictError/).waitFor()
  })

  it('in the sandbox a card is used like at a merchant, from the authorization to the reversal of a return', async () => {
    const { path } = await shopping()
    const page = await open(path)
    const simulate = page.getByRole('button', { name: 'Simulate', exact: true })
    const rows = page.locator('.stream li')
    const payment = rows.filter({ hasText: 'CLOUDHOST FRANKFURT' })
    await page.getByLabel('Category code').fill('48A6')
    await simulate.click()
    await page.locator('.help.bad').waitFor()
    await page.getByLabel('Category code').fill('4816')
    await page.getByLabel('Amount, USD').fill('64.205')
    await simulate.click()
    await page.getByText('At most 2 decimals').waitFor()
    await page.getByLabel('Amount, USD').fill('64.20')
    await page.getByText('Sent as 6420').waitFor()
    await untilLive(page)
    await simulate.click()
    await payment.getByText('Authorized').waitFor()

    await page.getByRole('button', { name: 'Change amount' }).click()
    await page.getByLabel('Amount, USD').last().fill('50.00')
    await page.getByRole('button', { name: 'Change the authorized amount' }).click()
    await page.getByRole('button', { name: 'Clear 50.00' }).waitFor()
    await page.getByRole('button', { name: 'Clear part' }).click()
    await page.getByLabel('Amount, USD').last().fill('20.00')
    await page.getByRole('button', { name: 'Clear a part' }).click()
    await payment.getByText('20.00 USD of 50.00 USD settled').waitFor()
    await page.getByRole('button', { name: 'Clear 30.00' }).click()

    await page.getByRole('button', { name: 'Return', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Return' })
    await dialog.getByLabel('Amount, USD').fill('50.01')
    await dialog.getByRole('button', { name: 'Return', exact: true }).click()
    await dialog.locator('.help.bad, .note.bad').waitFor()
    await dialog.getByLabel('Amount, USD').fill('10.00')
    await dialog.getByRole('button', { name: 'Return', exact: true }).click()
    await payment.getByText('10.00 USD returned').waitFor()
    await page.getByRole('button', { name: 'Reverse the return' }).click()
    await page.getByRole('button', { name: 'Reverse the return' }).waitFor({ state: 'detached' })

    await page.getByLabel('What happens').selectOption('INQUIRY')
    await simulate.click()
    await page.getByText('A balance inquiry changes nothing').waitFor()
    expect(await rows.count()).toBe(1)
  })

  it('a frozen card answers a simulated use, and makes no payment; in production there is no simulator', async () => {
    const { card, path } = await shopping()
    await db.card.updateMany({ where: { id: card.id }, data: { state: 'FROZEN' } })
    const page = await open(path)
    await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
    await page.getByRole('button', { name: 'Simulate', exact: true }).click()
    await page.getByText('unless the issuer declines it').waitFor()
    await page.getByText('Not used yet').waitFor()
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'Cards') return route.continue()
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('"SANDBOX"', '"PRODUCTION"') })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Unfreeze' }).waitFor()
    expect(await page.getByText('Simulator').count()).toBe(0)
  })

  it('a card shows its payments while they happen', async () => {
    const { account, card, path } = await shopping()
    const page = await open('/cards')
    await page.locator(`a[href="${path}"]`).click()
    await page.getByText('Not used yet').waitFor()
    await untilLive(page)
    await createTransactions(platform, [
      cardUse({
        sourceInternalAccountId: account.id,
        cardId: card.id,
        customerId: customer.id,
        platformCustomerId: 'kelp',
      }),
    ])
    await page.getByText('COFFEE BAR').waitFor()
    await page.getByRole('link', { name: /Authorized/ }).click()
    await page.getByText('To COFFEE BAR').first().waitFor()
  })

  it('shows every card: page by page in the list, and on demand on the page of its customer', async () => {
    const account = await createInternalAccount(platform, { customerId: customer.id })
    for (let made = 0; made < 51; made += 1)
      await createCard(platform, { customerId: customer.id, accountId: account.id })
    const where = { platformId: platform.id }
    const [count, { id }] = await Promise.all([
      db.card.count({ where }),
      db.card.findFirstOrThrow({ where, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),
    ])
    const page = await open('/cards')
    const oldest = page.locator(`a[href^="/cards/${publicId('Card', id)}"]`)
    await page.locator('.cards .rows li').nth(49).waitFor()
    expect(await oldest.count()).toBe(0)
    await page.getByRole('button', { name: 'Older' }).click()
    await oldest.click()
    await page.getByText(publicId('Card', id).slice(-6)).first().waitFor()
    expect(new URL(page.url()).searchParams.get('after')).not.toBeNull()

    await page.goto(`${dashboard.url}/customers/${publicId('Customer', customer.id)}`)
    const cards = page.getByRole('region', { name: 'Cards' })
    await cards.locator('a.who').first().waitFor()
    while ((await cards.locator('a.who').count()) < count) {
      const before = await cards.locator('a.who').count()
      await cards.getByRole('button', { name: 'Show more' }).click()
      await cards.locator('a.who').nth(before).waitFor()
    }
    await oldest.waitFor()
    expect(await cards.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  })
})
