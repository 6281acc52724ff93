// Payments from another institution arrive on the customer's default account for UMA payments (docs/domain/uma.md#where-money-arrives).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '#core/caller.ts'
import { db } from '#database/db.ts'
import { depositsOf } from '#quotes/receiving/receiver.ts'
import { accountFaces } from '#test/setup/accounts/account-faces.ts'
import { fundsOf, movementsOf, timelineOf } from '#test/setup/payments/payers.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { closeReceiver, lookUp, openDemand, openReceiver, paidMessage, payee, wire } from '#test/setup/uma/receiving.ts'

useSettings({ umaAllowPrivate: true })

beforeAll(openReceiver)
afterAll(closeReceiver)

const account = (currency: 'EUR' | 'GBP', isDefault = true) => ({
  customerId: payee.customerId,
  currency,
  defaultUmaDepositAccount: isDefault,
  accountInfo: {
    ...(currency === 'EUR'
      ? { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000' }
      : { accountType: 'GBP_ACCOUNT', sortCode: '123456', accountNumber: '12345678' }),
    beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Bob Builder', countryOfResidence: 'DE' },
  },
})

describe.each(accountFaces)('over $name', (face) => {
  const payments = paymentFaces.find(({ name }) => name === face.name)
  if (!payments) throw new Error(`No payments over ${face.name}`)

  const addDefault = async (currency: 'EUR' | 'GBP' = 'EUR') => {
    await db.$executeRaw`
      update external_accounts set deleted_at = now(), status = 'INACTIVE', default_uma_deposit_account = false
      where platform_id = ${payee.platform.id}::uuid and deleted_at is null`
    const { status, body } = await face.create(payee.platform, account(currency))
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id as string
  }
  const read = async (id: string) => (await payments.readTransaction(payee.platform, `Transaction:${id}`)).body

  it('money in the currency of the account goes there, and not to the internal account', async () => {
    const bank = await addDefault()
    const before = await fundsOf(payee.platform, payee.euros)
    const demand = await openDemand()
    expect(await read(demand.id)).toMatchObject({ status: 'PROCESSING', destination: { accountId: bank } })
    expect((await wire(demand.path, await paidMessage(demand))).status).toBe(200)
    expect(await read(demand.id)).toMatchObject({
      status: 'COMPLETED',
      receivedAmount: { amount: 5_000, currency: { code: 'EUR' } },
      destination: { destinationType: 'ACCOUNT', accountId: bank },
    })
    expect(await fundsOf(payee.platform, payee.euros)).toEqual(before)
    expect(await movementsOf(payee.platform, `Transaction:${demand.id}`)).toEqual([
      `PAYMENT: SETTLEMENT -${demand.satoshis} BTC, EXCHANGE ${demand.satoshis} BTC, EXCHANGE -5000 EUR, OUTSIDE 5000 EUR`,
    ])
    expect(await db.$queryRaw`select * from ledger_violations`).toEqual([])
  })

  it('money in other currencies goes to internal accounts', async () => {
    await addDefault('GBP')
    const { body } = await lookUp()
    const [first, ...others] = body.currencies.map(({ code }: { code: string }) => code)
    expect([first, ...others.toSorted()]).toEqual(['GBP', 'EUR', 'USD'])
    const demand = await openDemand()
    expect(await read(demand.id)).toMatchObject({ destination: { accountId: payee.euros } })
  })

  it('deleting the account before the payment makes the payment fail, and the payer is notified', async () => {
    const bank = await addDefault()
    const demand = await openDemand()
    await face.delete(payee.platform, bank)
    const { status, body } = await wire(demand.path, await paidMessage(demand))
    expect([status, body.code, body.settlement.demandId]).toEqual([403, 'USER_NOT_READY', demand.demandId])
    expect(await timelineOf(payee.platform, `Transaction:${demand.id}`)).toEqual([
      'CREATED',
      'PENDING',
      'PROCESSING',
      'FAILED OFFRAMP_FAILED',
    ])
    expect(await movementsOf(payee.platform, `Transaction:${demand.id}`)).toEqual([])
    const next = await openDemand()
    expect(await read(next.id)).toMatchObject({ destination: { accountId: payee.euros } })
  })
})

it('production, where no provider pays out yet, has only internal accounts', async () => {
  const [face] = accountFaces
  const { body } = await face.create(payee.platform, {
    ...account('GBP'),
    accountInfo: { ...account('GBP').accountInfo, accountNumber: '87654321' },
  })
  const customerId = payee.customerId.slice('Customer:'.length)
  const outside = async (environment: Environment) =>
    (await depositsOf(payee.platform.id, environment, customerId)).flatMap(
      ({ destinationExternalAccountId }) => destinationExternalAccountId ?? [],
    )
  expect(await outside('SANDBOX')).toEqual([body.id.slice('ExternalAccount:'.length)])
  expect(await outside('PRODUCTION')).toEqual([])
})
