// The life of a customer over both faces: it is created, gets accounts, changes, and is deleted.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { customerFaces } from '#test/setup/customers/customer-faces.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createPlatform } from '#test/setup/world.ts'

describe.each(customerFaces)('over $name', (face) => {
  it('a person is created with accounts, found, changed and deleted', async () => {
    const platform = await createPlatform()
    const person = {
      customerType: 'INDIVIDUAL',
      fullName: 'Ada Lovelace',
      platformCustomerId: 'ada',
      region: 'US',
      currencies: ['USD', 'BTC'],
      birthDate: '1980-12-10',
      nationality: 'GB',
      address: { line1: '1 Main Street', city: 'Boston', state: 'MA', postalCode: '02110', country: 'US' },
    }
    const { status, body: ada } = await face.create(platform, {
      ...person,
      email: `${randomUUID()}@mail.example`,
      taxIdentifier: '123-45-6789',
    })
    expect({ status, body: ada }).toMatchObject({ status: 201, body: { ...person, kycStatus: 'APPROVED' } })
    const { body: accounts } = await send(platform, 'GET', `/customers/internal-accounts?customerId=${ada.id}`)
    expect(accounts.data.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'EMBEDDED_WALLET',
      'INTERNAL_CRYPTO',
      'INTERNAL_FIAT',
    ])
    expect(await face.read(platform, ada.id)).toEqual({ status: 200, body: ada })
    expect(await face.list(platform, { platformCustomerId: 'ada' })).toEqual([ada.id])

    const change = { customerType: 'INDIVIDUAL', fullName: 'Ada King', birthDate: '1981-12-10' }
    expect(await face.update(platform, ada.id, change)).toMatchObject({ status: 200, body: { ...person, ...change } })
    expect((await face.read(platform, ada.id)).body).toMatchObject(change)

    expect(await face.remove(platform, ada.id)).toMatchObject({ status: 200, body: { id: ada.id, isDeleted: true } })
    expect(await face.list(platform, {})).toEqual([])
    expect(await face.list(platform, { isIncludingDeleted: true })).toEqual([ada.id])
    expect((await face.update(platform, ada.id, change)).body).toMatchObject({ status: 410, code: 'CUSTOMER_DELETED' })
  })

  it('a business is created without accounts, and waits for its verification', async () => {
    const platform = await createPlatform()
    const company = {
      customerType: 'BUSINESS',
      businessInfo: { legalName: 'Acme GmbH', country: 'DE', incorporatedOn: '2020-02-29', taxId: 'DE123456789' },
    }
    const { body: acme } = await face.create(platform, company)
    expect(acme).toMatchObject({ ...company, kybStatus: 'UNVERIFIED' })
    const { body: accounts } = await send(platform, 'GET', `/customers/internal-accounts?customerId=${acme.id}`)
    expect(accounts.data).toEqual([])
    const change = { customerType: 'BUSINESS', businessInfo: { doingBusinessAs: 'Acme' } }
    expect((await face.update(platform, acme.id, change)).body.businessInfo).toEqual({
      ...company.businessInfo,
      ...change.businessInfo,
    })
    expect(await face.remove(platform, acme.id)).toMatchObject({ body: { isDeleted: true } })
  })
})
