// A platform creates, reads, changes and deletes its customers, over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseId, publicId } from '#core/ids.ts'
import { readTaxIdentifier } from '#customers/profile/tax-identifier.ts'
import { setVerificationStatus } from '#customers/provisioning.ts'
import { db } from '#database/db.ts'
import { inTransaction } from '#database/unit-of-work.ts'
import { type CustomerAnswer, customerFaces } from '#test/setup/customers/customer-faces.ts'
import { changePlatform, createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform
let stranger: Platform
beforeAll(async () => {
  ;[platform, stranger] = [await createPlatform(), await createPlatform()]
})

const uuidOf = (id: string) => parseId(id)?.uuid ?? ''
const codeOf = ({ status, body }: CustomerAnswer) => `${status} ${body.code}`
const unknownId = publicId('Customer', '00000000-0000-7000-8000-000000000000')

const ADDRESS = {
  line1: '1 Main St',
  line2: 'Floor 2',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'US',
}
const PERSON = {
  customerType: 'INDIVIDUAL',
  fullName: 'Ada Lovelace',
  birthDate: '1990-12-10',
  nationality: 'GB',
  address: ADDRESS,
  taxIdType: 'SSN',
  taxIdentifier: '123-45-6789',
  taxIdCountryOfIssuance: 'US',
  sourceOfFundsCategories: ['SALARY', 'OTHER'],
  sourceOfFundsOtherDescription: 'Lectures',
  sourceOfWealthCategories: ['INHERITANCE'],
  sourceOfWealthOtherDescription: 'An estate',
  purposeOfAccount: 'SAVINGS',
  purposeOfAccountOtherDescription: 'A rainy day',
  expectedMonthlyTransactionCount: 'COUNT_UNDER_10',
  expectedMonthlyTransactionVolume: 'VOLUME_UNDER_10K',
  annualIncomeRange: '50K_TO_100K',
  netWorthRange: 'UNDER_1M',
  pepStatus: 'NONE',
  currencies: ['USD', 'BTC'],
  phoneNumber: '+14155550123',
} as const
const INFO = {
  legalName: 'Analytical Engines Ltd',
  incorporatedOn: '2015-06-01',
  taxId: '12-3456789',
  doingBusinessAs: 'Engines',
  country: 'US',
  registrationNumber: 'RN-1',
  entityType: 'LLC',
  countriesOfOperation: ['US', 'GB'],
  businessType: 'SOFTWARE',
  purposeOfAccount: 'CONTRACTOR_PAYOUTS',
  sourceOfFunds: 'Sales',
  sourceOfFundsCategories: ['REVENUE'],
  expectedMonthlyTransactionCount: 'COUNT_10_TO_100',
  expectedMonthlyTransactionVolume: 'VOLUME_UNDER_1M',
  expectedRecipientJurisdictions: ['MX'],
  expectedCounterpartyCountries: ['BR'],
  naicsCode: '541511',
}
const COMPANY = { customerType: 'BUSINESS', address: ADDRESS, businessInfo: INFO, currencies: ['USD'] } as const

const newName = () => randomUUID().slice(0, 8)
const newEmail = () => `${newName()}@mail.example`

const accountsOf = async (id: string) => {
  const accounts = await db.internalAccount.findMany({
    where: { customerId: uuidOf(id) },
    include: { authMethods: true },
  })
  return accounts
    .map(({ type, status, currency, authMethods }) =>
      [type, status, currency, ...authMethods.map((method) => `${method.type} ${method.nickname}`)].join(' '),
    )
    .sort()
}
const eventsOf = async (id: string) => {
  const rows = await db.$queryRaw<{ type: string }[]>`
    select type::text from events where object_id = ${uuidOf(id)}::uuid order by recorded`
  return rows.map(({ type }) => type)
}

describe.each(customerFaces)('over $name', (face) => {
  const made = async (body: object = {}) => {
    const answer = await face.create(platform, { customerType: 'INDIVIDUAL', fullName: 'Ada', ...body })
    expect(answer).toMatchObject({ status: 201 })
    return answer.body
  }

  it('creates a person with every field, approved in the sandbox, with its accounts and its wallet', async () => {
    const email = newEmail()
    const { taxIdentifier, ...shown } = PERSON
    const { body } = await face.create(platform, { ...PERSON, email })
    expect(body).toEqual({
      ...shown,
      email,
      id: expect.stringMatching(/^Customer:[0-9a-f-]{36}$/),
      platformCustomerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      umaAddress: expect.stringMatching(/^\$[0-9a-f]{16}@/),
      region: 'US',
      kycStatus: 'APPROVED',
      isDeleted: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await face.read(platform, body.id)).toEqual({ status: 200, body })
    expect(await accountsOf(body.id)).toEqual([
      `EMBEDDED_WALLET ACTIVE USDB EMAIL_OTP ${email}`,
      'INTERNAL_CRYPTO ACTIVE BTC',
      'INTERNAL_FIAT ACTIVE USD',
    ])
    expect(await eventsOf(body.id)).toEqual(['CUSTOMER.KYC_APPROVED'])
    expect(await readTaxIdentifier(db, platform.id, uuidOf(body.id))).toBe(taxIdentifier)
    const stored = await db.$queryRaw<{ text: string }[]>`
      select to_jsonb(c)::text || to_jsonb(s)::text || e.snapshot::text as text from customers c
      join customer_secrets s on s.platform_id = c.platform_id and s.customer_id = c.id
      join events e on e.platform_id = c.platform_id and e.object_id = c.id where c.id = ${uuidOf(body.id)}::uuid`
    expect(stored).toHaveLength(1)
    expect(stored[0]?.text).not.toMatch(/123-45-6789|123456789/)
  })

  it('creates a business with every field, not verified yet', async () => {
    const { body } = await face.create(platform, {
      ...COMPANY,
      umaAddress: `$b${newName()}@acme.example`,
    })
    expect(body).toMatchObject({ ...COMPANY, kybStatus: 'UNVERIFIED', region: 'US' })
    expect(await face.read(platform, body.id)).toEqual({ status: 200, body })
    expect([await accountsOf(body.id), await eventsOf(body.id)]).toEqual([[], []])
  })

  it.each([
    ['Ada', 'APPROVED', ['CUSTOMER.KYC_APPROVED']],
    ['Ada 001', 'PENDING', ['CUSTOMER.KYC_PENDING']],
    ['Ada 002', 'REJECTED', ['CUSTOMER.KYC_REJECTED']],
    ['Ada 003', 'UNVERIFIED', []],
    [undefined, 'UNVERIFIED', []],
  ])('in the sandbox the name %s is verified as %s', async (fullName, kycStatus, events) => {
    const body = await made({ fullName })
    expect(body.kycStatus).toBe(kycStatus)
    expect(await eventsOf(body.id)).toEqual(events)
    expect(await accountsOf(body.id)).toHaveLength(kycStatus === 'APPROVED' ? 1 : 0)
  })

  it('a production platform creates customers that are not verified', async () => {
    const production = await createPlatform()
    await changePlatform(production, { environment: 'PRODUCTION' })
    const { body } = await face.create(production, { customerType: 'INDIVIDUAL', fullName: 'Ada' })
    expect(body.kycStatus).toBe('UNVERIFIED')
    expect(codeOf(await face.create(production, { customerType: 'INDIVIDUAL', email: 'ada@localhost' }))).toBe(
      '400 INVALID_INPUT',
    )
  })

  it('a regulated financial institution has verified its customers, and its domain is in their addresses', async () => {
    const bank = await createPlatform()
    await changePlatform(bank, { isRegulatedFinancialInstitution: true, umaDomain: 'bank.example' })
    const { body } = await face.create(bank, { ...COMPANY, customerType: 'BUSINESS' })
    expect([body.kybStatus, body.umaAddress.split('@')[1]]).toEqual(['APPROVED', 'bank.example'])
    expect(await accountsOf(body.id)).toEqual(['EMBEDDED_WALLET ACTIVE USDB', 'INTERNAL_FIAT ACTIVE USD'])
  })

  it('uses only currencies that the platform supports', async () => {
    const own = await createPlatform()
    await db.$executeRaw`
      insert into platform_currencies (platform_id, currency, place, min_amount, max_amount, enabled_transaction_types, required_counterparty_fields)
      values (${own.id}::uuid, 'USDC', 0, 0, 1000, '{OUTGOING}', '[]')`
    const { body } = await face.create(own, { customerType: 'INDIVIDUAL', fullName: 'Ada', currencies: ['USDC'] })
    const refused = await face.update(own, body.id, { customerType: 'INDIVIDUAL', currencies: ['USDC', 'BTC'] })
    expect([codeOf(refused), refused.body.details.field]).toEqual(['400 INVALID_CURRENCY', face.place('currencies.1')])
  })

  const LONG = 'x'.repeat(256)
  it.each([
    ['birthDate', { birthDate: '1990-02-30' }, undefined],
    ['birthDate', { birthDate: '2999-01-01' }, undefined],
    ['birthDate', { birthDate: '1899-12-31' }, undefined],
    ['fullName', { fullName: LONG }, { maxLength: 255 }],
    ['fullName', { fullName: ' ' }, { pattern: expect.any(String) }],
    ['nationality', { nationality: 'UK' }, { format: 'iso3166-1-alpha-2' }],
    ['region', { region: 'de' }, { format: 'iso3166-1-alpha-2' }],
    ['address.postalCode', { address: { ...ADDRESS, postalCode: '1'.repeat(17) } }, { maxLength: 16 }],
    ['address.country', { address: { ...ADDRESS, country: 'XK' } }, { format: 'iso3166-1-alpha-2' }],
    ['taxIdentifier', { taxIdType: 'SSN', taxIdentifier: '12345678' }, { pattern: expect.any(String) }],
    ['taxIdentifier', { taxIdType: 'ITIN', taxIdentifier: '123-45-6789' }, { pattern: expect.any(String) }],
    ['taxIdentifier', { taxIdType: 'EIN', taxIdentifier: '1-23456789' }, { pattern: expect.any(String) }],
    ['sourceOfFundsCategories', { sourceOfFundsCategories: Array.from({ length: 21 }, () => 'A') }, undefined],
    ['phoneNumber', { phoneNumber: '+0123' }, { pattern: '^\\+[1-9]\\d{1,14}$' }],
    ['phoneNumber', { phoneNumber: '+1234567890123456' }, { maxLength: 16 }],
    ['email', { email: 'a,b@c.com' }, { pattern: expect.any(String) }],
    ['umaAddress', { umaAddress: 'ada@bank.example' }, { pattern: expect.any(String) }],
    ['platformCustomerId', { platformCustomerId: '' }, { minLength: 1 }],
    ['platformCustomerId', { platformCustomerId: LONG }, { maxLength: 255 }],
  ])('refuses a wrong %s', async (field, change, constraint) => {
    const { status, body } = await face.create(platform, { customerType: 'INDIVIDUAL', fullName: 'Ada', ...change })
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_INPUT', face.place(field)])
    if (constraint) expect(body.details.constraint).toEqual(constraint)
  })

  it.each([
    ['businessInfo.incorporatedOn', { incorporatedOn: '2999-01-01' }],
    ['businessInfo.naicsCode', { naicsCode: '1' }],
    ['businessInfo.naicsCode', { naicsCode: '54151a' }],
    ['businessInfo.countriesOfOperation.1', { countriesOfOperation: ['US', 'ZZ'] }],
    ['businessInfo.taxId', { taxId: '' }],
  ])('refuses a wrong %s', async (field, change) => {
    const { status, body } = await face.create(platform, { ...COMPANY, businessInfo: { ...INFO, ...change } })
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_INPUT', face.place(field, 'BUSINESS')])
  })

  it('names an unknown currency', async () => {
    const { status, body } = await face.create(platform, { customerType: 'INDIVIDUAL', currencies: ['USDB', 'XYZ'] })
    expect([status, body.code, body.details.field]).toEqual([400, 'INVALID_CURRENCY', face.place('currencies.1')])
  })

  it.each([
    ['USD', { address: ADDRESS }, ['fullName', 'birthDate', 'nationality', 'taxIdentifier']],
    ['USD', { address: { ...ADDRESS, country: 'MX' } }, ['fullName', 'birthDate', 'nationality']],
    [
      'EUR',
      { address: { ...ADDRESS, country: 'DE' } },
      ['fullName', 'birthDate', 'nationality', 'email', 'phoneNumber'],
    ],
    ['BRL', {}, ['fullName', 'birthDate', 'nationality', 'taxIdentifier']],
    ['USDB', {}, ['fullName']],
    ['BTC', { fullName: 'Ada' }, []],
  ])('names the fields that %s needs from a person with %o', async (currency, given, missing) => {
    const { status, body } = await face.create(platform, {
      customerType: 'INDIVIDUAL',
      currencies: [currency],
      ...given,
    })
    if (missing.length === 0) return expect(status).toBe(201)
    expect(codeOf({ status, body })).toBe('400 MISSING_MANDATORY_USER_INFO')
    const fields = body.details.errors.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(missing.map((field) => face.place(field)))
    expect(body.details.field).toBe(fields[0])
  })

  it('allows a platformCustomerId and a UMA address for only one customer that is not deleted', async () => {
    const [platformCustomerId, umaAddress] = [`user-${newName()}`, `$u${newName()}@acme.example`]
    const { id } = await made({ platformCustomerId, umaAddress })
    const again = await face.create(platform, { customerType: 'INDIVIDUAL', platformCustomerId })
    expect([codeOf(again), again.body.details.field]).toEqual(['409 CONFLICT', face.place('platformCustomerId')])
    const upper = umaAddress.toUpperCase()
    expect(codeOf(await face.create(platform, { customerType: 'INDIVIDUAL', umaAddress: upper }))).toBe(
      '409 UMA_ADDRESS_EXISTS',
    )
    const other = await made()
    expect(codeOf(await face.update(platform, other.id, { customerType: 'INDIVIDUAL', umaAddress }))).toBe(
      '409 UMA_ADDRESS_EXISTS',
    )
    await face.remove(platform, id)
    await made({ platformCustomerId, umaAddress })
    expect((await face.create(stranger, { customerType: 'INDIVIDUAL', platformCustomerId, umaAddress })).status).toBe(
      201,
    )
  })

  it('a new type of tax number is compared with the stored number', async () => {
    const { id } = await made({ taxIdType: 'NON_US_TAX_ID', taxIdentifier: 'A-17' })
    const retype = (changes: object) => face.update(platform, id, { customerType: 'INDIVIDUAL', ...changes })
    expect(await retype({ taxIdType: 'SSN' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: expect.stringMatching(/taxIdentifier$/) } },
    })
    expect((await retype({ taxIdType: 'SSN', taxIdentifier: '123-45-6789' })).status).toBe(200)
    expect((await retype({ taxIdType: 'NON_US_TAX_ID' })).body.taxIdType).toBe('NON_US_TAX_ID')
    expect((await retype({ taxIdType: 'SSN', taxIdentifier: null })).status).toBe(200)
  })

  it('merges changes: omitted fields are kept, null clears a field, an address is replaced', async () => {
    const { id } = await made({ ...PERSON, email: newEmail() })
    const address = { line1: '2 Side St', postalCode: '10115', country: 'FR' }
    const { body } = await face.update(platform, id, {
      customerType: 'INDIVIDUAL',
      pepStatus: 'FOREIGN',
      netWorthRange: null,
      address,
      taxIdType: null,
      taxIdentifier: null,
      currencies: ['USD', 'EUR', 'EUR'],
    })
    const { taxIdentifier: _, taxIdType: _type, netWorthRange: _worth, ...kept } = PERSON
    expect(body).toMatchObject({ ...kept, address, pepStatus: 'FOREIGN', region: 'FR', currencies: ['USD', 'EUR'] })
    expect(body).not.toHaveProperty('netWorthRange')
    expect(body).not.toHaveProperty('taxIdType')
    expect(body.address).toEqual(address)
    expect(await readTaxIdentifier(db, platform.id, uuidOf(id))).toBeNull()
    expect((await accountsOf(id)).map((account) => account.split(' ').slice(0, 3).join(' '))).toEqual([
      'EMBEDDED_WALLET ACTIVE USDB',
      'INTERNAL_CRYPTO ACTIVE BTC',
      'INTERNAL_FIAT ACTIVE EUR',
      'INTERNAL_FIAT ACTIVE USD',
    ])
    expect(await face.read(platform, id)).toEqual({ status: 200, body })
    const unchanged = await face.update(platform, id, { customerType: 'INDIVIDUAL' })
    expect(unchanged).toEqual({ status: 200, body })
    const cleared = await face.update(platform, id, { customerType: 'INDIVIDUAL', fullName: null })
    expect([codeOf(cleared), cleared.body.details.field]).toEqual([
      '400 MISSING_MANDATORY_USER_INFO',
      face.place('fullName'),
    ])
  })

  it('merges the business by its fields', async () => {
    const { body: before } = await face.create(platform, COMPANY)
    const changes = { legalName: 'Engines Inc', naicsCode: null, countriesOfOperation: ['DE'] }
    const { body } = await face.update(platform, before.id, { customerType: 'BUSINESS', businessInfo: changes })
    const { naicsCode: _, ...kept } = INFO
    expect(body).toEqual({
      ...before,
      businessInfo: { ...kept, legalName: 'Engines Inc', countriesOfOperation: ['DE'] },
      updatedAt: expect.any(String),
    })
  })

  it('refuses a change of the type, of an unknown customer, and of one of another platform', async () => {
    const { id } = await made()
    const wrong = await face.update(platform, id, { ...COMPANY, currencies: [] })
    expect(codeOf(wrong)).toBe('400 INVALID_INPUT')
    for (const [caller, target] of [
      [stranger, id],
      [platform, unknownId],
      [platform, 'Customer:x'],
    ] as const) {
      expect(codeOf(await face.update(caller, target, { customerType: 'INDIVIDUAL', fullName: 'B' }))).toBe(
        '404 USER_NOT_FOUND',
      )
      expect(codeOf(await face.remove(caller, target))).toBe('404 USER_NOT_FOUND')
    }
  })

  it('lists customers by every filter', async () => {
    const own = await createPlatform()
    const create = async (body: object) => (await face.create(own, body as never)).body
    const person = await create({ ...PERSON, platformCustomerId: 'p', umaAddress: '$p@acme.example' })
    const company = await create({ ...COMPANY, region: 'DE' })
    const gone = await create({ customerType: 'INDIVIDUAL', fullName: 'Gone' })
    await face.remove(own, gone.id)
    const [all, past, future] = [[company.id, person.id], '2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z']
    const expected: [filter: Record<string, unknown>, ids: string[]][] = [
      [{}, all],
      [{ isIncludingDeleted: true }, [gone.id, ...all]],
      [{ platformCustomerId: 'p' }, [person.id]],
      [{ customerType: 'BUSINESS' }, [company.id]],
      [{ region: 'DE' }, [company.id]],
      [{ currency: 'BTC' }, [person.id]],
      [{ umaAddress: '$P@acme.example' }, [person.id]],
      [{ createdAfter: person.createdAt, createdBefore: person.createdAt }, [person.id]],
      [{ updatedAfter: company.updatedAt, updatedBefore: company.updatedAt }, [company.id]],
      [{ createdAfter: future }, []],
      [{ updatedBefore: past }, []],
    ]
    for (const [filter, ids] of expected) expect([filter, await face.list(own, filter)]).toEqual([filter, ids])
  })

  it('clears the region, which then follows the address', async () => {
    const { id } = await made({ address: { ...ADDRESS, country: 'MX' }, region: 'DE' })
    const change = (changes: object) => face.update(platform, id, { customerType: 'INDIVIDUAL', ...changes })
    expect((await change({ address: { ...ADDRESS, country: 'CO' } })).body.region).toBe('DE')
    expect((await change({ region: null })).body.region).toBe('CO')
    expect((await change({ address: { ...ADDRESS, country: 'PE' } })).body.region).toBe('PE')
  })

  it('needs the permission MANAGE', async () => {
    const viewer = await createPlatform(['VIEW', 'TRANSACT'])
    for (const answer of [
      await face.create(viewer, { customerType: 'INDIVIDUAL' }),
      await face.update(viewer, unknownId, { customerType: 'INDIVIDUAL' }),
      await face.remove(viewer, unknownId),
    ]) {
      expect(codeOf(answer)).toBe('403 FORBIDDEN')
    }
  })
})

it('approves a customer once, however many calls there are, even concurrent ones', async () => {
  const [rest] = customerFaces
  const { body } = (await rest?.create(platform, { ...COMPANY, email: newEmail() })) ?? { body: {} }
  const owner = { platformId: platform.id, environment: 'SANDBOX' } as const
  await Promise.all(
    Array.from({ length: 8 }, () =>
      inTransaction((tx) => setVerificationStatus(tx, owner, uuidOf(body.id), 'APPROVED')),
    ),
  )
  expect(await accountsOf(body.id)).toEqual([
    `EMBEDDED_WALLET ACTIVE USDB EMAIL_OTP ${body.email}`,
    'INTERNAL_FIAT ACTIVE USD',
  ])
  expect(await eventsOf(body.id)).toEqual(['CUSTOMER.KYB_APPROVED'])
})
