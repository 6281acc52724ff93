// Every secret of the onboarding of customers is searched for in everything that the gateway logs and stores.
// Own process: reads every row.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { canaries, expectNoCanary, hitsInDatabase, keep, written } from '#test/setup/canaries.ts'
import { basic } from '#test/setup/faces.ts'
import { codeOf } from '#test/setup/sca/europeans.ts'
import { formOf, pdf } from '#test/setup/verification/uploads.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const ADDRESS = { line1: '1 Main Street', postalCode: '10115', country: 'DE' }
const DOCUMENT_TEXT = 'document-canary-5511'

/** Every call has an idempotency key, because stored answers may hold secrets too. */
const send = async (platform: Platform, method: string, path: string, body?: object, expected = 201) => {
  const isForm = body instanceof FormData
  const response = await app.fetch(
    new Request(`http://test/2025-10-13${path}`, {
      method,
      headers: {
        authorization: basic(platform),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : (JSON.stringify(body) ?? null),
    }),
  )
  const text = await response.text()
  expect({ path, status: response.status, ...(response.status !== expected && { text }) }).toEqual({
    path,
    status: expected,
  })
  return text ? JSON.parse(text) : {}
}

const addCustomer = (platform: Platform, fullName: string) =>
  send(platform, 'POST', '/customers', {
    customerType: 'INDIVIDUAL',
    fullName,
    birthDate: '1990-01-01',
    nationality: 'DE',
    address: ADDRESS,
    email: `${randomUUID()}@mail.example`,
    phoneNumber: '+4915550100234',
    currencies: ['EUR'],
    taxIdType: 'NON_US_TAX_ID',
    taxIdCountryOfIssuance: 'DE',
    taxIdentifier: 'tax-canary-86095',
  })

const addBusiness = async (platform: Platform) => {
  const businessInfo = {
    legalName: 'Nord GmbH',
    incorporatedOn: '2010-01-01',
    taxId: '12',
    country: 'US',
    registrationNumber: '1',
  }
  const contact = { email: 'nord@mail.example', phoneNumber: '+12025550143' }
  const business = {
    customerType: 'BUSINESS',
    currencies: ['USD'],
    address: { ...ADDRESS, country: 'US' },
    businessInfo,
    ...contact,
  }
  const { id: customerId } = await send(platform, 'POST', '/customers', business)
  await send(platform, 'POST', '/beneficial-owners', {
    customerId,
    roles: ['UBO'],
    ownershipPercentage: 100,
    personalInfo: {
      firstName: 'Nora',
      lastName: 'Lindqvist',
      birthDate: '1980-04-12',
      nationality: 'SE',
      address: ADDRESS,
      idType: 'PASSPORT',
      identifier: 'passport-canary-0815',
      countryOfIssuance: 'SE',
    },
  })
  return customerId as string
}

describe('onboarding', () => {
  let platform: Platform
  let business: string
  beforeAll(async () => {
    platform = await createPlatform()
    keep('API secret', platform.secret)
    keep('tax number', 'tax-canary-86095')
    keep('identifier of an owner', 'passport-canary-0815')
    keep('content of a document', DOCUMENT_TEXT)
    keep('number of a document', 'number-canary-7731')
  })

  it('shows each secret once, or never', async () => {
    const token = await send(platform, 'POST', '/tokens', { name: 'Canary', permissions: ['VIEW'] })
    keep('API secret', token.clientSecret)
    const { webhookSecret } = await send(
      platform,
      'PATCH',
      '/config',
      { webhookEndpoint: 'https://hooks.example/in' },
      200,
    )
    keep('webhook secret', webhookSecret, webhookSecret?.replace(/^whsec_/, ''))

    business = await addBusiness(platform)
    const holder = {
      documentHolder: business,
      documentType: 'OTHER',
      country: 'DE',
      documentNumber: 'number-canary-7731',
    }
    await send(platform, 'POST', '/documents', formOf(pdf(400, DOCUMENT_TEXT), holder))
    const create =
      'mutation { createDocumentUpload(input: { size: 400 }) { ... on CreateDocumentUploadSuccess { upload { url } } } }'
    const { body } = await callGraphQL(basic(platform), create)
    keep('upload address', body.data.createDocumentUpload.upload.url.split('/').at(-1))

    const { id: person } = await addCustomer(platform, 'Nils Holgersson 001')
    const link = await send(platform, 'POST', `/customers/${person}/kyc-link`, {})
    keep('KYC link', link.token, link.kycUrl.split('/').at(-1))

    const factor = { customerId: person, type: 'TOTP' }
    const issued = await send(platform, 'POST', '/sca/factors', factor)
    keep('TOTP secret', issued.secret, issued.secretBase32Encoded, Buffer.from(issued.secret, 'hex').toString('base64'))
    const proof = { customerId: person, secret: issued.secret, code: await codeOf(issued.secret) }
    const { recoveryCodes } = await send(platform, 'POST', '/sca/factors/confirm', proof, 200)
    keep('recovery code', ...recoveryCodes)
    const wrong = { customerId: person, secret: 'ab'.repeat(20), code: '111111' }
    const refused = await send(platform, 'POST', '/sca/factors/confirm', wrong, 400)
    expectNoCanary('an answer', JSON.stringify(refused))
    expect([...canaries].filter(([, secrets]) => secrets.size > 0)).toHaveLength(10)
  })

  it.each(['customers', 'beneficial-owners', 'documents', 'tokens', 'verifications', 'webhooks/events'])(
    'shows none in the list of %s',
    async (list) => {
      const path = list === 'beneficial-owners' ? `/${list}?customerId=${business}` : `/${list}`
      expectNoCanary(list, JSON.stringify(await send(platform, 'GET', path, undefined, 200)))
    },
  )

  it('logs no secret', () => {
    expectNoCanary('the output', written.join(''))
  })

  it('stores no secret', async () => {
    expect(await hitsInDatabase()).toEqual([])
  })
})
