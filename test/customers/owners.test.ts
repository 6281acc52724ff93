// A business is created, changed and read together with its beneficial owners, over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { type CustomerAnswer, customerFaces } from '#test/setup/customers/customer-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { migrateAgain } from '#test/setup/migrate-again.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { changePlatform, createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform
let stranger: Platform
beforeAll(async () => {
  ;[platform, stranger] = [await createPlatform(), await createPlatform()]
})

const newCompany = () => ({
  customerType: 'BUSINESS',
  platformCustomerId: randomUUID(),
  businessInfo: { legalName: 'Analytical Engines Ltd', incorporatedOn: '2015-06-01', taxId: '12-3456789' },
})
const PERSON = {
  firstName: 'Nora',
  lastName: 'Lindqvist',
  birthDate: '1980-04-12',
  nationality: 'US',
  address: { line1: '12 Mill Lane', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' },
  idType: 'SSN',
  identifier: '123-45-6789',
}
const NORA = { roles: ['UBO', 'DIRECTOR'], ownershipPercentage: 60, personalInfo: PERSON }
const OMAR = {
  roles: ['CONTROL_PERSON'],
  ownershipPercentage: 40,
  personalInfo: { ...PERSON, firstName: 'Omar', lastName: 'Haddad 001', email: 'omar@mail.example' },
}

const shownPerson = ({ identifier: _, ...shown }: { identifier: string }) => shown
const read = async (of: Platform, id: string) => (await callRest(basic(of), 'GET', `/customers/${id}`)).body
const countOf = (of: Platform) =>
  Promise.all([
    db.customer.count({ where: { platformId: of.id } }),
    db.$queryRaw<{ n: number }[]>`select count(*)::int as n from beneficial_owners where platform_id = ${of.id}::uuid`,
  ]).then(([customers, [owners]]) => [customers, owners?.n])
const failureOf = ({ status, body }: CustomerAnswer) => [status, body.code, body.details?.field]

describe.each(customerFaces)('over $name', (face) => {
  const created = async (owners: readonly object[] = [NORA, OMAR]) => {
    const { status, body } = await face.create(platform, { ...newCompany(), beneficialOwners: owners })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id as string
  }
  const update = (id: string, beneficialOwners: readonly object[], more: object = {}) =>
    face.update(platform, id, { customerType: 'BUSINESS', ...more, beneficialOwners })
  const place = (field: string) => face.place(field, 'BUSINESS')

  it('a business comes with its owners, in their order and without their identifiers', async () => {
    const id = await created()
    const { beneficialOwners } = await read(platform, id)
    expect(beneficialOwners).toEqual([
      expect.objectContaining({ ...NORA, customerId: id, personalInfo: shownPerson(PERSON), kycStatus: 'APPROVED' }),
      expect.objectContaining({ ...OMAR, personalInfo: shownPerson(OMAR.personalInfo), kycStatus: 'PENDING' }),
    ])
    const list = (await callRest(basic(platform), 'GET', `/beneficial-owners?customerId=${id}`)).body
    expect(list.data.toReversed()).toEqual(beneficialOwners)
  })

  it('a business without owners has an empty list', async () => {
    const { body } = await face.create(platform, newCompany())
    expect((await read(platform, body.id)).beneficialOwners).toEqual([])
  })

  it('one invalid owner makes the whole request fail, and its field is named', async () => {
    const platformBefore = await createPlatform()
    const wrong: [object, string][] = [
      [{ ...OMAR, ownershipPercentage: 101 }, 'ownershipPercentage'],
      [{ ...OMAR, roles: [] }, 'roles'],
      [{ ...OMAR, personalInfo: { ...PERSON, identifier: '12' } }, 'personalInfo.identifier'],
      [{ ...OMAR, personalInfo: { ...PERSON, idType: 'PASSPORT' } }, 'personalInfo.countryOfIssuance'],
      [{ ...OMAR, personalInfo: { ...PERSON, birthDate: '1899-12-31' } }, 'personalInfo.birthDate'],
    ]
    for (const [owner, field] of wrong) {
      const answer = await face.create(platformBefore, { ...newCompany(), beneficialOwners: [NORA, owner] })
      expect(failureOf(answer)).toEqual([400, 'INVALID_INPUT', place(`beneficialOwners.1.${field}`)])
    }
    expect(await countOf(platformBefore)).toEqual([0, 0])
  })

  it('a taken platformCustomerId adds neither the business nor its owners', async () => {
    const own = await createPlatform()
    const company = { ...newCompany(), beneficialOwners: [NORA] }
    expect((await face.create(own, company)).status).toBe(201)
    expect((await face.create(own, company)).status).toBe(409)
    expect(await countOf(own)).toEqual([1, 1])
  })

  it('a change merges the owners by id: it changes one, adds one and keeps the others', async () => {
    const id = await created()
    const [nora, omar] = (await read(platform, id)).beneficialOwners
    const zoe = { ...NORA, ownershipPercentage: 5, personalInfo: { ...PERSON, firstName: 'Zoe' } }
    const change = { id: nora.id, ownershipPercentage: 55, personalInfo: { lastName: 'Berg 002' } }
    const { status } = await update(id, [zoe, change], { businessInfo: { doingBusinessAs: 'Engines' } })
    expect(status).toBe(200)
    const after = await read(platform, id)
    expect(after.businessInfo.doingBusinessAs).toBe('Engines')
    expect(after.beneficialOwners).toEqual([
      {
        ...nora,
        ownershipPercentage: 55,
        personalInfo: { ...nora.personalInfo, lastName: 'Berg 002' },
        kycStatus: 'REJECTED',
        updatedAt: expect.any(String),
      },
      omar,
      expect.objectContaining({ personalInfo: expect.objectContaining({ firstName: 'Zoe' }), kycStatus: 'APPROVED' }),
    ])
  })

  it('an address has no fields without a value, also if null was sent', async () => {
    const { line1, state, postalCode, country } = PERSON.address
    const address = { line1, line2: null, city: null, state, postalCode, country }
    const id = await created([{ ...NORA, personalInfo: { ...PERSON, address } }])
    const [before] = (await read(platform, id)).beneficialOwners
    await update(id, [{ id: before.id, personalInfo: { address: { ...address, state: null } } }])
    const [after] = (await read(platform, id)).beneficialOwners
    expect(before.personalInfo.address).toEqual({ line1, state, postalCode, country })
    expect(after.personalInfo.address).toEqual({ line1, postalCode, country })
  })

  it('a change with one wrong owner changes nothing', async () => {
    const [id, other] = [await created(), await created([NORA])]
    const before = await read(platform, id)
    const [nora] = before.beneficialOwners
    const foreign = (await read(platform, other)).beneficialOwners[0].id
    const changed = { id: nora.id, ownershipPercentage: 1 }
    const unknown = publicId('BeneficialOwner', randomUUID())
    const refused: [object[], (string | number | undefined)[]][] = [
      [
        [changed, { id: foreign, ownershipPercentage: 1 }],
        [404, 'REFERENCE_NOT_FOUND', undefined],
      ],
      [
        [changed, { id: unknown, ownershipPercentage: 1 }],
        [404, 'REFERENCE_NOT_FOUND', undefined],
      ],
      [
        [changed, changed],
        [400, 'INVALID_INPUT', place('beneficialOwners.0.id')],
      ],
      [
        [changed, { ...OMAR, personalInfo: undefined }],
        [400, 'INVALID_INPUT', place('beneficialOwners.1.personalInfo')],
      ],
      [
        [changed, { ...OMAR, personalInfo: { firstName: 'Omar' } }],
        [400, 'INVALID_INPUT', place('beneficialOwners.1.personalInfo.lastName')],
      ],
    ]
    for (const [owners, failure] of refused) {
      const answer = await update(id, owners, { businessInfo: { doingBusinessAs: 'Never' } })
      expect(failureOf(answer)).toEqual(failure)
    }
    expect(await read(platform, id)).toEqual(before)
    expect((await read(platform, other)).beneficialOwners[0].ownershipPercentage).toBe(60)
  })

  it('owners under review cannot be changed, and new ones can be added', async () => {
    const id = await created([NORA])
    expect(
      (await callRest(basic(platform), 'POST', '/verifications', { customerId: id })).body.verificationStatus,
    ).toBe('IN_PROGRESS')
    const [{ id: ownerId }] = (await read(platform, id)).beneficialOwners
    const { status, body } = await update(id, [{ id: ownerId, ownershipPercentage: 1 }])
    expect([status, body.details?.reason]).toEqual([409, 'UNDER_REVIEW'])
    expect((await update(id, [OMAR])).status).toBe(200)
    expect((await read(platform, id)).beneficialOwners).toHaveLength(2)
  })

  it('a request and a business have at most 100 owners', async () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ ...NORA, ownershipPercentage: 0 }))
    const refused = await face.create(platform, { ...newCompany(), beneficialOwners: many(101) })
    expect(failureOf(refused)).toEqual([400, 'INVALID_INPUT', place('beneficialOwners')])
    const id = await created(many(99))
    expect(failureOf(await update(id, many(2)))).toEqual([400, 'INVALID_INPUT', place('beneficialOwners')])
    expect((await update(id, many(1))).status).toBe(200)
    const { status, body } = await callRest(basic(platform), 'POST', '/beneficial-owners', { customerId: id, ...NORA })
    expect([status, body.details.field]).toEqual([400, 'customerId'])
    expect((await read(platform, id)).beneficialOwners).toHaveLength(100)
  })

  it('the owners of another platform can be neither changed nor seen', async () => {
    const id = await created([NORA])
    const [{ id: ownerId }] = (await read(platform, id)).beneficialOwners
    const other = await face.create(stranger, { ...newCompany(), beneficialOwners: [OMAR] })
    const answer = await face.update(stranger, other.body.id, {
      customerType: 'BUSINESS',
      beneficialOwners: [{ id: ownerId, ownershipPercentage: 1 }],
    })
    expect(failureOf(answer)).toEqual([404, 'REFERENCE_NOT_FOUND', undefined])
    expect((await read(stranger, other.body.id)).beneficialOwners).toHaveLength(1)
  })
})

it.each(['id', 'customerId', 'kycStatus', 'createdAt', 'updatedAt'])(
  '%s of a new owner cannot be given',
  async (field) => {
    const body = { ...newCompany(), beneficialOwners: [NORA, { ...OMAR, [field]: 'x' }] }
    const answer = await callRest(basic(platform), 'POST', '/customers', body)
    expect(failureOf(answer)).toEqual([400, 'INVALID_INPUT', `beneficialOwners.1.${field}`])
  },
)

it('a page of businesses takes as many statements as one business', async () => {
  const own = await createPlatform()
  const [rest] = customerFaces
  for (let n = 0; n < 4; n += 1) await rest?.create(own, { ...newCompany(), beneficialOwners: [NORA, OMAR] })
  const pageOf = async (limit: number) => {
    const sent = await statementsOf(async () => {
      const { body } = await callRest(basic(own), 'GET', `/customers?limit=${limit}`)
      const counts = body.data.map(({ beneficialOwners }: { beneficialOwners: [] }) => beneficialOwners.length)
      expect(counts).toEqual(Array(limit).fill(2))
    })
    return sent.length
  }
  expect(await pageOf(4)).toBe(await pageOf(1))
})

it('the event of a business has its owners', async () => {
  const own = await createPlatform()
  await changePlatform(own, { isRegulatedFinancialInstitution: true })
  const { body } = await callRest(basic(own), 'POST', '/customers', { ...newCompany(), beneficialOwners: [NORA, OMAR] })
  expect(body.kybStatus).toBe('APPROVED')
  const uuid = parseId(body.id)?.uuid ?? ''
  await numberEvents()
  const { body: events } = await callRest(basic(own), 'GET', '/webhooks/events')
  const approval = events.data.find(({ type }: { type: string }) => type === 'CUSTOMER.KYB_APPROVED')
  expect(approval.data).toEqual({ ...body, updatedAt: approval.data.updatedAt })
  expect(body.beneficialOwners).toHaveLength(2)
  const [{ snapshot } = {}] = await db.$queryRaw<{ snapshot?: object }[]>`
    select snapshot from events where platform_id = ${own.id}::uuid and object_id = ${uuid}::uuid`
  expect(JSON.stringify(snapshot)).not.toMatch(/identifier/)
})

it('an address that an earlier release stored with nulls has no fields without a value after the upgrade', async () => {
  const { body } = await callRest(basic(platform), 'POST', '/customers', { ...newCompany(), beneficialOwners: [NORA] })
  const { beneficialOwners } = await read(platform, body.id)
  await db.$executeRaw`
    update beneficial_owners set personal_info = jsonb_set(personal_info, '{address,line2}', 'null')
    where platform_id = ${platform.id}::uuid and customer_id = ${parseId(body.id)?.uuid}::uuid`
  await migrateAgain('20261129400100_owners_without_nulls')
  expect((await read(platform, body.id)).beneficialOwners).toEqual(beneficialOwners)
})
