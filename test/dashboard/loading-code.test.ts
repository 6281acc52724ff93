// The code of a screen: it is loaded when the screen is first opened, which may take long or fail.
import { describe, it } from 'vitest'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser, hold, untilLive } from '#test/setup/dashboard.ts'
import { createPlatform } from '#test/setup/world.ts'

describe.skipIf(!hasBrowser)('the code of a screen', () => {
  const dashboard = dashboardInBrowser(() => createPlatform())

  it('shows the frame of a screen while its code is loaded', async () => {
    const { page } = await dashboard.open('/payments')
    await untilLive(page)
    const release = await hold(page, '**/assets/customers-*.js')
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('main', { name: 'Customers' }).getByRole('heading', { level: 1, name: 'Customers' }).waitFor()
    release()
    await page.getByRole('button', { name: 'New customer' }).waitFor()
  })

  it('loads a part of Developers again when it is tried again', async () => {
    const { page } = await dashboard.open('/developers')
    await page.route('**/assets/tokens-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByText('This part of the page failed').waitFor()
    await page.unroute('**/assets/tokens-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  })

  it('loads a screen that failed without a network when the network is back', async () => {
    const { page } = await dashboard.open('/payments')
    await untilLive(page)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Wallet' }).click()
    await page.getByText('This part of the page failed').waitFor()
    await page.context().setOffline(false)
    await page.getByText('No wallets yet').waitFor()
  })
})
