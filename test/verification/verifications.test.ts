// A customer on its way to approval: owners, documents, verifications and links, over both faces, as the sandbox decides them.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db, pool } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { rest } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { formOf, pdf } from '#test/setup/verification/uploads.ts'
import { type Json, type Reply, verificationFaces } from '#test/setup/verification/verification-faces.ts'
import { changePlatform, createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'
import { deleteOldKycLinks } from '#verification/kyc-link.ts'

const ADDRESS = { line1: '1 Main Street', postalCode: '10115', country: 'DE' }
const PERSON = {
  firstName: 'Nora',
  lastName: 'Lindqvist',
  birthDate: '1980-04-12',
  nationality: 'SE',
  address: ADDRESS,
  idType: 'PASSPORT',
  identifier: 'P-CANARY-0815',
  countryOfIssuance: 'SE',
}
const OWNER_INPUT = { roles: ['UBO', 'CONTROL_PERSON'], ownershipPercentage: 51, personalInfo: PERSON }

/** A business with everything that a review needs except owners and documents. */
const createBusiness = (platform: Platform, registrationNumber: string) =>
  createCustomer(platform, {
    customerType: 'BUSINESS',
    verificationStatus: 'UNVERIFIED',
    name: 'Nord GmbH',
    currencies: ['EUR'],
    profile: {
      address: ADDRESS,
      businessInfo: { incorporatedOn: '2010-01-01', taxId: '12', country: 'DE', registrationNumber, entityType: 'LLC' },
    },
  })

const createPerson = (platform: Platform, name: string, status: 'UNVERIFIED' | 'PENDING' = 'PENDING') =>
  createCustomer(platform, {
    verificationStatus: status,
    name,
    currencies: ['EUR'],
    email: `${randomUUID()}@mail.example`,
    profile: { birthDate: '1990-01-01', nationality: 'DE', address: ADDRESS },
  })

const customerIdOf = ({ id }: { id: string }) => publicId('Customer', id)

const upload = async (platform: Platform, documentHolder: string, documentType: string, side?: string) => {
  const form = formOf(pdf(200), { documentHolder, documentType, country: 'DE', ...(side && { side }) })
  const { status, body } = await rest<Json>(platform, '/documents', { method: 'POST', body: form })
  expect(status).toBe(201)
  return body.id as string
}

const statusOf = async ({ id }: { id: string }) =>
  (await db.customer.findFirstOrThrow({ where: { id }, select: { verificationStatus: true } })).verificationStatus

const typesOf = ({ body }: Reply) => body.errors.map(({ type }: Json) => type)

const stateOf = async (platform: Platform, customerId: string) => {
  const { body } = await rest<Json>(platform, `/verifications?customerId=${customerId}`)
  expect(body.totalCount).toBe(1)
  return body.data[0]
}

/** The types of the platform's events about verifications and customers, in order. */
const eventsOf = async (platform: Platform) => {
  await numberEvents()
  const { body } = await rest<Json>(platform, '/webhooks/events?sortOrder=asc&limit=100')
  return body.data.map(({ type }: Json) => type).filter((type: string) => /^(VERIFICATION|CUSTOMER)/.test(type))
}

describe.each(verificationFaces)('over $name', (face) => {
  it.each([
    ['001', 'PENDING'],
    ['002', 'REJECTED'],
    ['003', 'APPROVED'],
  ])('the last name of an owner decides: %s', async (suffix, kycStatus) => {
    const platform = await createPlatform()
    const customerId = customerIdOf(await createBusiness(platform, 'HRB 7'))
    const personalInfo = { ...PERSON, lastName: `Lindqvist ${suffix}` }
    const { status, body } = await face.createOwner(platform, { ...OWNER_INPUT, customerId, personalInfo })
    expect([status, body]).toMatchObject([
      201,
      { customerId, roles: ['UBO', 'CONTROL_PERSON'], ownershipPercentage: 51, kycStatus },
    ])
    const changed = await face.updateOwner(platform, body.id, {
      personalInfo: { lastName: 'Lind 001', middleName: 'M' },
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { kycStatus: 'PENDING', personalInfo: { firstName: 'Nora', lastName: 'Lind 001' } },
    })
    const read = await rest<Json>(platform, `/beneficial-owners/${body.id}`)
    expect(read.body.personalInfo).toEqual({ ...PERSON, lastName: 'Lind 001', middleName: 'M', identifier: undefined })
    const rows = await pool.query('select t::text as row from beneficial_owners t where platform_id = $1', [
      platform.id,
    ])
    expect(JSON.stringify([read.body, rows.rows])).not.toContain('CANARY')
  })

  it.each([
    ['roles', { roles: [] }],
    ['roles', { roles: ['UBO', 'UBO'] }],
    ['ownershipPercentage', { ownershipPercentage: -1 }],
    ['ownershipPercentage', { ownershipPercentage: 101 }],
    ['personalInfo.birthDate', { personalInfo: { ...PERSON, birthDate: '1899-12-31' } }],
    ['personalInfo.birthDate', { personalInfo: { ...PERSON, birthDate: '2999-01-01' } }],
    ['personalInfo.nationality', { personalInfo: { ...PERSON, nationality: 'UK' } }],
    ['personalInfo.phoneNumber', { personalInfo: { ...PERSON, phoneNumber: '0151' } }],
    ['personalInfo.email', { personalInfo: { ...PERSON, email: 'a,b@c.com' } }],
    ['personalInfo.firstName', { personalInfo: { ...PERSON, firstName: ' ' } }],
    ['personalInfo.identifier', { personalInfo: { ...PERSON, idType: 'SSN', identifier: '12' } }],
    ['personalInfo.countryOfIssuance', { personalInfo: { ...PERSON, countryOfIssuance: null } }],
    ['personalInfo.address.country', { personalInfo: { ...PERSON, address: { ...ADDRESS, country: 'XX' } } }],
  ])('an owner with a wrong %s is refused', async (field, wrong) => {
    const platform = await createPlatform()
    const customerId = customerIdOf(await createBusiness(platform, 'HRB 7'))
    const { status, body } = await face.createOwner(platform, { ...OWNER_INPUT, customerId, ...wrong })
    expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
    expect(body.details.field.replace(/^input\./, '')).toBe(field)
  })

  it('only a business has owners', async () => {
    const platform = await createPlatform()
    const person = customerIdOf(await createPerson(platform, 'Ada'))
    const stranger = customerIdOf(await createBusiness(await createPlatform(), 'HRB 7'))
    expect(await face.createOwner(platform, { ...OWNER_INPUT, customerId: person })).toMatchObject({ status: 400 })
    const unknown = { status: 404, body: { code: 'USER_NOT_FOUND' } }
    expect(await face.createOwner(platform, { ...OWNER_INPUT, customerId: stranger })).toMatchObject(unknown)
  })

  it('a business gets a list of what is missing, until a person reviews it', async () => {
    const platform = await createPlatform()
    const business = await createBusiness(platform, 'HRB 001')
    const customerId = customerIdOf(business)
    const first = await face.submit(platform, customerId)
    expect(first).toMatchObject({ status: 200, body: { customerId, verificationStatus: 'RESOLVE_ERRORS' } })
    expect(typesOf(first)).toEqual([
      'MISSING_LEGAL_PRESENCE_DOCUMENT',
      'MISSING_CONTROL_STRUCTURE_DOCUMENT',
      'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
      'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
      'MISSING_GOOD_STANDING_DOCUMENT',
      'MISSING_BENEFICIAL_OWNER',
      'MISSING_CONTROL_PERSON',
    ])
    expect(first.body.errors[4]).toEqual({
      resourceId: customerId,
      type: 'MISSING_GOOD_STANDING_DOCUMENT',
      acceptedDocumentTypes: ['GOOD_STANDING_CERTIFICATE'],
      reason: 'A certificate of good standing is missing.',
      ...(face.name === 'GraphQL' && { field: null }),
    })
    expect(await statusOf(business)).toBe('UNVERIFIED')

    for (const type of ['CERTIFICATE_OF_INCORPORATION', 'DIRECTOR_REGISTRY', 'SHAREHOLDER_REGISTER', 'UTILITY_BILL'])
      await upload(platform, customerId, type)
    const { body: owner } = await face.createOwner(platform, { ...OWNER_INPUT, customerId })
    await passTime(platform.id, 60)
    expect((await stateOf(platform, customerId)).errors.map(({ type }: Json) => type)).toEqual([
      'MISSING_GOOD_STANDING_DOCUMENT',
      'MISSING_IDENTITY_DOCUMENT',
    ])
    await upload(platform, customerId, 'GOOD_STANDING_CERTIFICATE')
    const front = await upload(platform, owner.id, 'NATIONAL_ID', 'FRONT')
    await passTime(platform.id, 60)
    expect(await stateOf(platform, customerId)).toMatchObject({
      verificationStatus: 'RESOLVE_ERRORS',
      errors: [{ resourceId: front, type: 'INCOMPLETE_DOCUMENT', acceptedDocumentTypes: ['NATIONAL_ID'] }],
    })
    const back = await upload(platform, owner.id, 'NATIONAL_ID', 'BACK')
    await passTime(platform.id, 60)
    expect(await stateOf(platform, customerId)).toMatchObject({
      verificationStatus: 'READY_FOR_VERIFICATION',
      errors: [],
    })

    expect(await face.submit(platform, customerId)).toMatchObject({
      status: 200,
      body: { id: first.body.id, verificationStatus: 'PENDING_MANUAL_REVIEW', errors: [] },
    })
    expect(await statusOf(business)).toBe('PENDING')
    const again = await face.submit(platform, customerId)
    expect(again.body).toMatchObject({ id: first.body.id, verificationStatus: 'PENDING_MANUAL_REVIEW' })
    const conflict = { status: 409, body: { code: 'CONFLICT', details: { reason: 'UNDER_REVIEW' } } }
    expect(await face.deleteDocument(platform, back)).toMatchObject(conflict)
    expect(await face.updateOwner(platform, owner.id, { ownershipPercentage: 1 })).toMatchObject(conflict)
    expect(await eventsOf(platform)).toEqual([
      'VERIFICATION.RESOLVE_ERRORS',
      'VERIFICATION.READY_FOR_VERIFICATION',
      'VERIFICATION.PENDING_MANUAL_REVIEW',
      'CUSTOMER.KYB_PENDING',
    ])
  })

  it.each([
    ['HRB 002', 'REJECTED'],
    ['HRB 123', 'APPROVED'],
  ] as const)('the registration number of a business decides: %s', async (registrationNumber, outcome) => {
    const platform = await createPlatform()
    const business = await createBusiness(platform, registrationNumber)
    const customerId = customerIdOf(business)
    expect(await face.submit(platform, customerId)).toMatchObject({
      status: 200,
      body: { verificationStatus: 'IN_PROGRESS' },
    })
    expect(await statusOf(business)).toBe('PENDING')
    expect((await passTime(platform.id, 60)).map(({ name }) => name)).toEqual(['decideVerification'])
    expect(await stateOf(platform, customerId)).toMatchObject({ verificationStatus: outcome })
    expect(await statusOf(business)).toBe(outcome)
    const accounts = await rest<Json>(platform, `/customers/internal-accounts?customerId=${customerId}`)
    const opened = accounts.body.data.map(({ type }: Json) => type).toSorted()
    expect(opened).toEqual(outcome === 'APPROVED' ? ['EMBEDDED_WALLET', 'INTERNAL_FIAT'] : [])
    expect(await eventsOf(platform)).toEqual([
      'VERIFICATION.IN_PROGRESS',
      'CUSTOMER.KYB_PENDING',
      `VERIFICATION.${outcome}`,
      `CUSTOMER.KYB_${outcome}`,
    ])
    const decided = { status: 400, body: { code: 'INVALID_INPUT', details: { reason: `CUSTOMER_${outcome}` } } }
    expect(await face.submit(platform, customerId)).toMatchObject(decided)
    expect(await face.createLink(platform, customerId)).toMatchObject(decided)
  })

  it('the name with which a person was submitted decides, even if it changes before the decision', async () => {
    const platform = await createPlatform()
    const given = { verificationStatus: 'UNVERIFIED' as const, name: 'Ada 002', currencies: [] }
    const person = customerIdOf(await createCustomer(platform, given))
    expect((await face.submit(platform, person)).body.verificationStatus).toBe('IN_PROGRESS')
    const renamed = await send(platform, 'PATCH', `/customers/${person}`, {
      customerType: 'INDIVIDUAL',
      fullName: 'Ada',
    })
    expect(renamed.status).toBe(200)
    await passTime(platform.id, 60)
    expect(await stateOf(platform, person)).toMatchObject({ verificationStatus: 'REJECTED' })
  })

  it('a person needs two documents, and one of poor quality is not enough', async () => {
    const platform = await createPlatform()
    const person = customerIdOf(await createPerson(platform, 'Ada 001'))
    expect(typesOf(await face.submit(platform, person))).toEqual([
      'MISSING_IDENTITY_DOCUMENT',
      'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    ])
    await upload(platform, person, 'PASSPORT')
    await upload(platform, person, 'BANK_STATEMENT')
    expect((await face.submit(platform, person)).body).toMatchObject({
      verificationStatus: 'PENDING_MANUAL_REVIEW',
      errors: [],
    })

    const poor = customerIdOf(await createPerson(platform, 'Bob 003', 'UNVERIFIED'))
    const passport = await upload(platform, poor, 'PASSPORT')
    await upload(platform, poor, 'BANK_STATEMENT')
    const { body } = await face.submit(platform, poor)
    expect(body.verificationStatus).toBe('RESOLVE_ERRORS')
    expect(body.errors.map(({ type }: Json) => type)).toEqual(['POOR_QUALITY_DOCUMENT'])
    expect(passport).toContain('Document:')
    await passTime(platform.id, 60)
    expect(await stateOf(platform, poor)).toMatchObject({ verificationStatus: 'RESOLVE_ERRORS' })
  })

  it('many concurrent submissions make one verification', async () => {
    const platform = await createPlatform()
    const customerId = customerIdOf(await createBusiness(platform, 'HRB 5'))
    const replies = await Promise.all(Array.from({ length: 8 }, () => face.submit(platform, customerId)))
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
  })

  it('a link is created once per key, and stored encrypted', async () => {
    const platform = await createPlatform()
    const customerId = customerIdOf(await createBusiness(platform, 'HRB 001'))
    const key = randomUUID()
    const input = { redirectUri: 'http://localhost/done' }
    const link = await face.createLink(platform, customerId, input, key)
    expect(link).toMatchObject({ status: 201, body: { provider: 'SUMSUB', token: expect.any(String) } })
    expect(new URL(link.body.kycUrl).searchParams.get('redirectUri')).toBe('http://localhost/done')
    expect(Date.parse(link.body.expiresAt)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    expect((await face.createLink(platform, customerId, input, key)).body).toEqual(link.body)
    const other = await face.createLink(platform, customerId, input)
    expect(other.body.token).not.toBe(link.body.token)
    expect(await face.createLink(platform, customerId, {}, key)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    })
    const { rows } = await pool.query(
      'select (select string_agg(t::text, $2) from kyc_links t where platform_id = $1) || (select string_agg(t::text, $2) from idempotent_replies t where platform_id = $1) as text',
      [platform.id, ' '],
    )
    expect(rows[0].text).not.toContain(link.body.token)
    for (const redirectUri of ['javascript:alert(1)', 'ftp://a.example', 'x']) {
      const refused = await face.createLink(platform, customerId, { redirectUri })
      expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
  })

  it('a link is returned again after the sandbox has advanced its time by days', async () => {
    const platform = await createPlatform()
    const customerId = customerIdOf(await createBusiness(platform, 'HRB 001'))
    const key = randomUUID()
    const link = await face.createLink(platform, customerId, {}, key)
    const advanced = await send(platform, 'POST', '/sandbox/advance-time', { seconds: 3 * 86_400 })
    expect(advanced.status).toBe(200)
    await deleteOldKycLinks.run({})
    const again = await face.createLink(platform, customerId, {}, key)
    expect(again).toMatchObject({ status: 201, body: { kycUrl: link.body.kycUrl, token: link.body.token } })
  })

  it('without a provider, production says so', async () => {
    const platform = await createPlatform()
    await changePlatform(platform, { environment: 'PRODUCTION' })
    const customerId = customerIdOf(await createBusiness(platform, 'HRB 5'))
    const absent = { status: 501, body: { code: 'NOT_IMPLEMENTED' } }
    expect(await face.submit(platform, customerId)).toMatchObject(absent)
    expect(await face.createLink(platform, customerId)).toMatchObject(absent)
    const owner = await face.createOwner(platform, { ...OWNER_INPUT, customerId })
    expect(owner).toMatchObject({ status: 201, body: { kycStatus: 'UNVERIFIED' } })
    const viewer = await createPlatform(['VIEW', 'TRANSACT'])
    const theirs = customerIdOf(await createBusiness(viewer, 'HRB 5'))
    for (const reply of [await face.submit(viewer, theirs), await face.createLink(viewer, theirs)]) {
      expect(reply).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    }
  })
})

it('a business that was created over the API is approved, and gets its accounts', async () => {
  const platform = await createPlatform()
  const businessInfo = {
    legalName: 'Nord GmbH',
    incorporatedOn: '2010-01-01',
    taxId: '12',
    registrationNumber: 'HRB 7',
    country: 'DE',
    entityType: 'LLC',
  }
  const contact = { email: 'office@nord.example', phoneNumber: '+4930123456' }
  const input = { customerType: 'BUSINESS', currencies: ['EUR'], address: ADDRESS, businessInfo, ...contact }
  const headers = { 'content-type': 'application/json' }
  const created = await rest<Json>(platform, '/customers', { method: 'POST', body: JSON.stringify(input), headers })
  expect(created).toMatchObject({ status: 201, body: { kybStatus: 'UNVERIFIED' } })
  const body = JSON.stringify({ customerId: created.body.id })
  expect(await rest(platform, '/verifications', { method: 'POST', body, headers })).toMatchObject({ status: 200 })
  await passTime(platform.id, 60)
  const { body: customer } = await rest<Json>(platform, `/customers/${created.body.id}`)
  expect(customer.kybStatus).toBe('APPROVED')
})
