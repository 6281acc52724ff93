// Customers and external accounts obey the configuration of the platform (docs/domain/platform.md#supported-currencies).
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

const configure = (platform: Platform, changes: object) => send(platform, 'PATCH', '/config', changes)

const usd = () => ({
  currencyCode: 'USD',
  minAmount: 100,
  maxAmount: 50_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['INCOMING', 'OUTGOING'],
})

describe('customers and external accounts', () => {
  const person = (currencies: string[]) => ({
    customerType: 'INDIVIDUAL',
    fullName: 'Ada Lovelace',
    birthDate: '1990-12-10',
    nationality: 'GB',
    address: { line1: '12 St James Square', city: 'London', postalCode: 'SW1Y 4JH', country: 'GB' },
    currencies,
  })
  const refusedAt = (field: string) => ({
    status: 400,
    body: { code: 'INVALID_CURRENCY', details: { field, reason: 'CURRENCY_NOT_SUPPORTED' } },
  })

  it('have supported currencies only, and keep those that are no longer supported', async () => {
    const platform = await createPlatform()
    await configure(platform, { supportedCurrencies: [usd()] })
    expect(await send(platform, 'POST', '/customers', person(['USD', 'GBP']))).toMatchObject(refusedAt('currencies.1'))
    expect(await db.customer.count({ where: { platformId: platform.id } })).toBe(0)
    const { status, body } = await send(platform, 'POST', '/customers', person(['USD']))
    expect(status).toBe(201)
    const change = (currencies: string[]) =>
      send(platform, 'PATCH', `/customers/${body.id}`, { customerType: 'INDIVIDUAL', currencies })
    expect(await change(['USD', 'GBP'])).toMatchObject(refusedAt('currencies.1'))
    await configure(platform, { supportedCurrencies: [{ ...usd(), currencyCode: 'GBP' }] })
    expect((await change(['USD', 'GBP'])).status).toBe(200)
    const account = {
      customerId: body.id,
      currency: 'USD',
      accountInfo: {
        accountType: 'USD_ACCOUNT',
        accountNumber: '123456789',
        routingNumber: '021000021',
        beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Lovelace' },
      },
    }
    const add = () => send(platform, 'POST', '/customers/external-accounts', account)
    expect(await add()).toMatchObject(refusedAt('currency'))
    await configure(platform, { supportedCurrencies: [] })
    expect((await add()).status).toBe(201)
  })

  it.each([
    ['USD', 'nationality'],
    ['USDC', 'fullName'],
  ])('need the facts for %s that the configuration lists', async (currency, field) => {
    const platform = await createPlatform()
    const { body } = await configure(platform, { supportedCurrencies: [{ ...usd(), currencyCode: currency }] })
    const [supported] = body.supportedCurrencies
    const { [field]: _, ...lacking } = person([currency]) as Json
    const answer = await send(platform, 'POST', '/customers', lacking)
    expect(answer.body).toMatchObject({ code: 'MISSING_MANDATORY_USER_INFO', details: { field } })
    expect(supported.providerRequiredCustomerFields).toContain(
      { nationality: 'NATIONALITY', fullName: 'FULL_NAME' }[field],
    )
  })
})
