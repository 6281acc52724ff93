// Onboarding in a browser: the fields that currencies need, a change whose answer is lost, and the verification.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { hasBrowser } from '#test/setup/browser.ts'
import { dashboardInBrowser } from '#test/setup/dashboard.ts'
import { createVerification } from '#test/setup/verification/rows.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

describe.skipIf(!hasBrowser)('onboarding', () => {
  let platform: Platform
  const dashboard = dashboardInBrowser(async () => {
    platform = await createPlatform()
    await createCustomer(platform)
    return platform
  })

  const openForm = async () => {
    const { page } = await dashboard.open('/customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    return page
  }
  const create = async (page: Page, given: Record<string, string>) => {
    for (const [label, value] of Object.entries(given)) await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('button', { name: 'Create the customer' }).click()
  }
  /** Waits for the message, and returns the name of the field that has it and the focus. */
  const fieldWith = async (page: Page, message: string) => {
    await page.locator('.field .help.bad', { hasText: message }).waitFor()
    const field = page.locator('.field', { hasText: message }).locator('input:focus[aria-invalid]')
    return field.getAttribute('name')
  }

  it('has a field for everything that a currency needs, and shows there what is missing', async () => {
    const page = await openForm()
    await page.getByRole('button', { name: 'Business' }).click()
    const business = { 'Legal name': 'Acme GmbH', 'Tax id': 'DE123456789', 'Incorporated on': '2015-02-03' }
    await create(page, { ...business, Currencies: 'EUR, ZZZ' })
    expect(await fieldWith(page, 'The currency is unknown')).toBe('currencies')
    await create(page, { Currencies: 'EUR' })
    expect(await fieldWith(page, 'Country of incorporation is required for EUR')).toBe('business.country')
    await create(page, { 'Country of incorporation': 'de' })
    await page.getByRole('heading', { level: 1, name: 'Acme GmbH' }).waitFor()

    const person = await openForm()
    await create(person, { 'Full name': 'Grace Hopper' })
    await person.getByText('Street and number is required for USD').waitFor()
    expect(await fieldWith(person, 'Date of birth is required for USD')).toBe('birthDate')
    await create(person, { 'Date of birth': '1990-12-09', Nationality: 'us' })
    expect(await fieldWith(person, 'Street and number is required for USD')).toBe('line1')
    const address = { 'Street and number': '1 Main Street', 'Postal code': '10001', 'Country of the address': 'us' }
    await create(person, address)
    expect(await fieldWith(person, 'Tax number is required for USD in US')).toBe('taxIdentifier')
    await create(person, { 'Tax number': '123456789' })
    await person.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
  })

  it('shows that it creates the customer, and brings into view that its answer was lost', async () => {
    const page = await openForm()
    await page.setViewportSize({ width: 1280, height: 600 })
    let lose = () => {}
    const isLost = new Promise<void>((resolve) => {
      lose = resolve
    })
    await page.route('**/dashboard/graphql', async (route) => {
      if (route.request().postDataJSON().operationName !== 'CreateCustomer') return route.fallback()
      await isLost
      return route.abort()
    })
    await create(page, { 'Full name': 'Ada Byron' })
    const coloursOf = (name: string) =>
      page.getByRole('button', { name, includeHidden: true }).evaluate((button) => {
        const { color, backgroundColor, borderColor } = getComputedStyle(button)
        return { color, backgroundColor, borderColor }
      })
    await page.getByRole('button', { name: 'Creating it …' }).waitFor()
    await expect.poll(() => coloursOf('Creating it …')).toEqual(await coloursOf('Newer'))
    lose()
    const alert = page.getByRole('alert').filter({ hasText: 'Not known whether it happened' })
    await alert.waitFor()
    const bottomOf = (element: Element) => element.getBoundingClientRect().bottom
    const bottom = await page.locator('.sheet').evaluate(bottomOf)
    await expect.poll(() => alert.evaluate(bottomOf)).toBeLessThanOrEqual(bottom)
  })

  it('offers to submit a verification until it is under review', async () => {
    const open = async (
      verificationStatus: 'UNVERIFIED' | 'PENDING',
      verification: { status?: string; reason?: string },
    ) => {
      const { id: customerId } = await createCustomer(platform, { verificationStatus })
      await createVerification(platform, { customerId, ...verification })
      const { page } = await dashboard.open(`/customers/${publicId('Customer', customerId)}`)
      return page.getByRole('region', { name: 'Onboarding' })
    }
    const submit = { name: 'Submit for verification' }
    const corrected = await open('UNVERIFIED', { reason: 'The name is missing' })
    await corrected.getByText('Correct what is listed, and submit it again.').waitFor()
    await corrected.getByText('The name is missing').waitFor()
    await corrected.getByRole('button', submit).waitFor()
    const reviewed = await open('PENDING', { status: 'PENDING_MANUAL_REVIEW' })
    await reviewed.getByText('Under review').waitFor()
    expect(await reviewed.getByRole('button', submit).count()).toBe(0)
  })
})
