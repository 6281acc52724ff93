// Customers of the demo on their way to approval. They are created over REST, because the gateway encrypts what they send.
import { setTimeout as wait } from 'node:timers/promises'

const BUSINESS = {
  platformCustomerId: 'meridian-foods',
  customerType: 'BUSINESS',
  email: 'treasury@meridian-foods.example',
  phoneNumber: '+494055501234',
  currencies: ['EUR'],
  address: { line1: '12 Hafenstraße', city: 'Hamburg', postalCode: '20457', country: 'DE' },
  businessInfo: {
    legalName: 'Meridian Foods GmbH',
    incorporatedOn: '2014-03-17',
    taxId: 'DE812345678',
    country: 'DE',
    // With this suffix, the sandbox checks everything and leaves the decision to a person.
    registrationNumber: 'HRB 148001',
    entityType: 'LLC',
  },
}

const BUSINESS_DOCUMENTS = [
  'CERTIFICATE_OF_INCORPORATION',
  'DIRECTOR_REGISTRY',
  'SHAREHOLDER_REGISTER',
  'PROOF_OF_ADDRESS',
  'GOOD_STANDING_CERTIFICATE',
]

const owner = (firstName: string, lastName: string, roles: readonly string[], ownershipPercentage: number) => ({
  roles,
  ownershipPercentage,
  personalInfo: {
    firstName,
    lastName,
    birthDate: '1979-08-02',
    nationality: 'DE',
    address: { line1: '3 Elbchaussee', city: 'Hamburg', postalCode: '22765', country: 'DE' },
    idType: 'PASSPORT',
    identifier: 'C01X00T47',
    countryOfIssuance: 'DE',
  },
})
const OWNERS = [owner('Jonas', 'Petersen', ['UBO', 'CONTROL_PERSON'], 60), owner('Mira', 'Vogt', ['UBO'], 40)]

/** A customer in the EEA, who gets an authenticator app. In the sandbox its code is 123456. */
const SCA_CUSTOMER = 'anna-schmidt'

const MOST_ATTEMPTS = 30

/** Sends the request again while the gateway is overloaded. It answers 503 then, before it does anything. */
const untilAdmitted = async (send: () => Promise<Response>, attempts = MOST_ATTEMPTS): Promise<Response> => {
  const response = await send()
  if (response.status !== 503 || attempts === 1) return response
  await wait(1_000 * Number(response.headers.get('retry-after') ?? 1))
  return untilAdmitted(send, attempts - 1)
}

type Call = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>

/** Completes the demo. It continues where an earlier call ended. `send` is `fetch` with a path below the gateway's address. */
export const onboardCustomers = async (send: (path: string, init: RequestInit) => Promise<Response>): Promise<void> => {
  const call: Call = async (method, path, body) => {
    const isForm = body instanceof FormData
    const init = {
      method,
      headers: {
        authorization: `Basic ${btoa('demo:demo-secret')}`,
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    }
    const response = await untilAdmitted(() => send(`/2025-10-13${path}`, init))
    const text = await response.text()
    if (!response.ok) throw new Error(`The demo is incomplete. ${method} ${path}: ${text}`)
    return text ? JSON.parse(text) : {}
  }
  await submitBusiness(call)
  await enrolApp(call)
}

/** The first page of a list. No list of the demo is longer. */
const list = async (call: Call, path: string) => (await call('GET', path))['data'] as Record<string, unknown>[]

const submitBusiness = async (call: Call) => {
  const [known] = await list(call, `/customers?platformCustomerId=${BUSINESS.platformCustomerId}`)
  const { id: customerId } = known ?? (await call('POST', '/customers', BUSINESS))
  await addDocuments(call, customerId, BUSINESS_DOCUMENTS)
  const owners = await list(call, `/beneficial-owners?customerId=${customerId}`)
  for (const person of OWNERS) {
    const added = owners.find(({ personalInfo }) => Object(personalInfo).firstName === person.personalInfo.firstName)
    const { id } = added ?? (await call('POST', '/beneficial-owners', { customerId, ...person }))
    await addDocuments(call, id, ['PASSPORT', 'UTILITY_BILL'])
  }
  const submitted = await list(call, `/verifications?customerId=${customerId}`)
  if (submitted.length === 0) await call('POST', '/verifications', { customerId })
}

/** Uploads the documents of these types that the holder does not have yet. */
const addDocuments = async (call: Call, holder: unknown, types: readonly string[]) => {
  const added = await list(call, `/documents?documentHolder=${holder}`)
  const missing = types.filter((type) => added.every(({ documentType }) => documentType !== type))
  for (const type of missing) await call('POST', '/documents', document(holder, type))
}

const document = (documentHolder: unknown, documentType: string) => {
  const form = new FormData()
  const text = `%PDF-1.4\n% ${documentType} of the demo\n%%EOF`
  form.append('file', new Blob([text], { type: 'application/pdf' }), `${documentType.toLowerCase()}.pdf`)
  form.append('documentHolder', String(documentHolder))
  form.append('documentType', documentType)
  form.append('country', 'DE')
  return form
}

const enrolApp = async (call: Call) => {
  const [{ id: customerId } = {}] = await list(call, `/customers?platformCustomerId=${SCA_CUSTOMER}`)
  const { secret } = await call('POST', '/sca/factors', { customerId, type: 'TOTP' })
  await call('POST', '/sca/factors/confirm', { customerId, secret, code: '123456' })
}
