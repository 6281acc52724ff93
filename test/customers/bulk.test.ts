// Imports of customers: the outcome of each row, over both faces, and a process that dies during an import.
import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { basic } from '#test/setup/faces.ts'
import { type GatewayProcess, startGateway } from '#test/setup/gateway-process.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

/** The campaign sets 100000 and 3. */
const ROWS = Number(process.env['BULK_ROWS'] ?? 1_000)
const KILLS = Number(process.env['BULK_KILLS'] ?? 1)

const VERSION = '/2025-10-13'
const HEADER =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,businessLegalName,addressLine1,city,postalCode,country,email,businessTaxId,businessRegistrationNumber,description'

// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of responses.
type Json = any

const send = async (gateway: GatewayProcess, platform: Platform, path: string, init: RequestInit = {}) => {
  const headers = { authorization: basic(platform), ...init.headers }
  const response = await fetch(gateway.url + path, { ...init, headers })
  return { status: response.status, body: (await response.json()) as Json }
}

const ask = async (gateway: GatewayProcess, platform: Platform, query: string, variables: object) => {
  const body = JSON.stringify({ query, variables })
  const headers = { 'content-type': 'application/json' }
  const answer = await send(gateway, platform, '/graphql', { method: 'POST', body, headers })
  if (answer.body.errors) throw new Error(JSON.stringify(answer.body))
  return answer.body.data
}

const upload = (gateway: GatewayProcess, platform: Platform, csv: string) => {
  const form = new FormData()
  form.set('file', new Blob([csv]), 'customers.csv')
  return send(gateway, platform, `${VERSION}/customers/bulk/csv`, { method: 'POST', body: form })
}

const readOverRest = async (gateway: GatewayProcess, platform: Platform, id: string): Promise<Json> =>
  (await send(gateway, platform, `${VERSION}/customers/bulk/jobs/${id}`)).body

interface Face {
  readonly name: string
  start(gateway: GatewayProcess, platform: Platform, csv: string): Promise<string>
  read(gateway: GatewayProcess, platform: Platform, id: string): Promise<Json>
}

const JOB =
  'id jobStatus total processed successful failed errors: rowErrors { correlationId code message details } completedAt'

const faces: readonly Face[] = [
  {
    name: 'REST',
    start: async (gateway, platform, csv) => {
      const { status, body } = await upload(gateway, platform, csv)
      expect([status, body.status]).toEqual([202, 'PENDING'])
      return body.jobId
    },
    read: readOverRest,
  },
  {
    name: 'GraphQL',
    start: async (gateway, platform, csv) => {
      const mutation = `mutation ($input: ImportCustomersInput!) { importCustomers(input: $input) { ... on ImportCustomersSuccess { job { id jobStatus } } } }`
      const { job } = (await ask(gateway, platform, mutation, { input: { csv } })).importCustomers
      expect(job.jobStatus).toBe('PENDING')
      return job.id
    },
    read: async (gateway, platform, id) => {
      const { node } = await ask(
        gateway,
        platform,
        `query ($id: ID!) { node(id: $id) { ... on BulkJob { ${JOB} } } }`,
        { id },
      )
      const { jobStatus: status, total, processed, successful, failed, ...job } = node
      return { ...job, status, progress: { total, processed, successful, failed } }
    },
  },
]

const ended = async (face: Face, gateway: GatewayProcess, platform: Platform, id: string): Promise<Json> => {
  for (;;) {
    const job = await face.read(gateway, platform, id)
    if (['COMPLETED', 'FAILED'].includes(job.status)) return job
    await wait(100)
  }
}

const person = (id: string, cells: Readonly<Record<string, string>> = {}) =>
  rowOf({
    umaAddress: `$${id}@acme.example`,
    platformCustomerId: id,
    customerType: 'INDIVIDUAL',
    fullName: `Ada ${id}x`,
    birthDate: '1990-12-10',
    ...cells,
  })

const rowOf = (cells: Readonly<Record<string, string>>) =>
  HEADER.split(',')
    .map((name) => cells[name] ?? '')
    .map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')

/** The memory of the process, as the operating system reports it. */
const residentBytes = ({ pid }: GatewayProcess) => Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`])) * 1_024

let gateway: GatewayProcess
beforeAll(async () => {
  gateway = await startGateway()
}, 60_000)
afterAll(() => gateway.kill())

describe.each(faces)('over $name', (face) => {
  const importAll = async (platform: Platform, rows: readonly string[], header = HEADER) =>
    ended(face, gateway, platform, await face.start(gateway, platform, [header, ...rows, ''].join('\n')))

  it('creates a customer from each row that the service accepts, and reports why for the others', {
    timeout: 60_000,
  }, async () => {
    const platform = await createPlatform()
    await createCustomer(platform, { platformCustomerId: 'taken' })
    const address = { addressLine1: '1 Main St', city: 'Paris, "centre"', postalCode: '75001', country: 'FR' }
    const company = {
      customerType: 'BUSINESS',
      fullName: '',
      birthDate: '',
      businessLegalName: 'Acme',
      businessTaxId: '1',
      businessRegistrationNumber: 'R',
    }
    const job = await importAll(platform, [
      person('p1', { ...address, email: 'p1@mail.example', description: 'Ignored' }),
      person('b1', company),
      person('taken'),
      person('p1', { umaAddress: '$other@acme.example' }),
      person('p2', { umaAddress: '$P1@acme.example' }),
      person('p3', { birthDate: '1990-02-30' }),
      person('p4', { ...address, postalCode: '' }),
      person('b2', { ...company, businessLegalName: '' }),
      person('p5', { customerType: 'ROBOT' }),
      person('p6', { umaAddress: 'p6@acme.example' }),
      'a,b',
      person(''),
      person('p7', { fullName: 'Ada 002' }),
      person('p8', { businessTaxId: '1' }),
    ])
    const taken = 'Another customer has this platformCustomerId'
    expect(job).toMatchObject({
      status: 'COMPLETED',
      progress: { total: 14, processed: 14, successful: 3, failed: 11 },
      completedAt: expect.any(String),
    })
    const found = job.errors.map(({ correlationId, code, details }: Json) => [correlationId, code, details.field])
    expect(found).toEqual([
      ['taken', 'CONFLICT', 'platformCustomerId'],
      ['p1', 'CONFLICT', 'platformCustomerId'],
      ['p2', 'UMA_ADDRESS_EXISTS', 'umaAddress'],
      ['p3', 'INVALID_INPUT', 'birthDate'],
      ['p4', 'INVALID_INPUT', 'postalCode'],
      ['b2', 'INVALID_INPUT', 'businessLegalName'],
      ['p5', 'INVALID_INPUT', 'customerType'],
      ['p6', 'INVALID_INPUT', 'umaAddress'],
      ['line 12', 'INVALID_REQUEST_FORMAT', undefined],
      ['line 13', 'INVALID_INPUT', 'platformCustomerId'],
      ['p8', 'INVALID_INPUT', 'businessTaxId'],
    ])
    expect(job.errors[0].message).toBe(taken)
    expect(job.errors[4].message).toBe('postalCode is required')
    const customers = await db.customer.findMany({
      where: { platformId: platform.id, platformCustomerId: { in: ['p1', 'b1', 'p7'] } },
      orderBy: { platformCustomerId: 'asc' },
      select: {
        platformCustomerId: true,
        name: true,
        region: true,
        profile: true,
        verificationStatus: true,
        internalAccounts: { select: { type: true } },
      },
    })
    expect(customers).toEqual([
      {
        platformCustomerId: 'b1',
        name: 'Acme',
        region: null,
        profile: { businessInfo: { taxId: '1', registrationNumber: 'R' } },
        verificationStatus: 'UNVERIFIED',
        internalAccounts: [],
      },
      {
        platformCustomerId: 'p1',
        name: 'Ada p1x',
        region: 'FR',
        profile: {
          birthDate: '1990-12-10',
          address: { line1: '1 Main St', city: 'Paris, "centre"', postalCode: '75001', country: 'FR' },
        },
        verificationStatus: 'APPROVED',
        internalAccounts: [{ type: 'EMBEDDED_WALLET' }],
      },
      {
        platformCustomerId: 'p7',
        name: 'Ada 002',
        region: null,
        profile: { birthDate: '1990-12-10' },
        verificationStatus: 'REJECTED',
        internalAccounts: [],
      },
    ])
    // The file is deleted, and an event reports the end of the import.
    expect(await db.$queryRaw`select id from uploads where platform_id = ${platform.id}::uuid`).toEqual([])
    const events = await db.$queryRaw<{ type: string }[]>`
      select type::text from events where object_id = ${parseId(job.id)?.uuid}::uuid`
    expect(events).toEqual([{ type: 'BULK_UPLOAD.COMPLETED' }])
  })

  it.each([
    ['umaAddress,customerType', [], 'The header lacks platformCustomerId'],
    [HEADER, [person('z1'), `"${person('z2')}`], 'Line 3: A quote is not closed'],
  ])('imports nothing from a file that cannot be read: %#', async (header, rows, message) => {
    const platform = await createPlatform()
    const job = await importAll(platform, rows, header)
    expect(job).toMatchObject({ status: 'FAILED', progress: { processed: 0 } })
    expect(job.errors).toEqual([{ correlationId: 'file', code: 'INVALID_REQUEST_FORMAT', message, details: {} }])
    expect(await db.customer.count({ where: { platformId: platform.id } })).toBe(0)
  })
})

it('shows an import only to its own platform, and starts none without MANAGE or a file', async () => {
  const [platform, stranger, viewer] = [await createPlatform(), await createPlatform(), await createPlatform(['VIEW'])]
  const { body } = await upload(gateway, platform, `${HEADER}\n`)
  expect((await readOverRest(gateway, stranger, body.jobId)).code).toBe('BULK_UPLOAD_JOB_NOT_FOUND')
  expect((await readOverRest(gateway, platform, 'BulkJob:x')).code).toBe('BULK_UPLOAD_JOB_NOT_FOUND')
  expect((await upload(gateway, viewer, `${HEADER}\n`)).status).toBe(403)
  expect((await upload(gateway, platform, '')).body).toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'file' },
  })
})

it(`${ROWS} rows with 1 % wrong ones, killed ${KILLS} times: each row counts once, and memory stays flat`, {
  timeout: 1_800_000,
}, async () => {
  const platform = await createPlatform()
  const isBad = (index: number) => index % 100 === 50
  const rows = Array.from({ length: ROWS }, (_row, index) =>
    person(`u${index}`, {
      ...(isBad(index) && { birthDate: 'soon' }),
      ...(index % 2 === 0 && { email: `u${index}@mail.example` }),
    }),
  )
  const [rest] = faces as [Face]
  await gateway.kill()
  let measured = await startGateway()
  const atRest = residentBytes(measured)
  const id = await rest.start(measured, platform, [HEADER, ...rows, ''].join('\n'))
  const samples: { done: number; bytes: number }[] = []
  let kills = 0
  for (;;) {
    const { status, progress } = await rest.read(measured, platform, id)
    samples.push({ done: progress.processed / ROWS, bytes: residentBytes(measured) })
    if (status === 'COMPLETED') break
    expect(status).not.toBe('FAILED')
    if (kills < KILLS && progress.processed >= (ROWS * (kills + 1)) / (KILLS + 2)) {
      await measured.kill()
      kills += 1
      measured = await startGateway()
    }
    await wait(50)
  }
  const highestWhen = (isIn: (done: number) => boolean) =>
    Math.max(...samples.filter(({ done }) => isIn(done)).map(({ bytes }) => bytes))
  const [early, late] = [highestWhen((done) => done <= 0.5), highestWhen((done) => done >= 0.5)]
  const bad = rows.filter((_row, index) => isBad(index)).length
  const job = await rest.read(measured, platform, id)
  await measured.kill()
  gateway = await startGateway()
  const [counted] = await db.$queryRaw<Json[]>`
    select count(*)::int as customers, count(distinct platform_customer_id)::int as distinct, count(*) filter (where verification_status = 'APPROVED')::int as approved,
      (select count(*)::int from internal_accounts where platform_id = ${platform.id}::uuid) as wallets,
      (select count(*)::int from auth_methods where platform_id = ${platform.id}::uuid) as credentials,
      (select count(*)::int from events where platform_id = ${platform.id}::uuid and type = 'CUSTOMER.KYC_APPROVED') as events
    from customers where platform_id = ${platform.id}::uuid`
  console.log(
    `bulk: rows ${ROWS}, wrong ${job.progress.failed}, customers ${counted.customers}, killed ${kills} times, memory ${[atRest, early, late].map((bytes) => Math.round(bytes / 1e6)).join(', ')} MB at rest, in the first half, in the second`,
  )
  const good = ROWS - bad
  expect(job.progress).toEqual({ total: ROWS, processed: ROWS, successful: good, failed: bad })
  expect(job.errors).toHaveLength(Math.min(bad, 1_000))
  const emails = rows.filter((_row, index) => index % 2 === 0 && !isBad(index)).length
  expect(counted).toEqual({
    customers: good,
    distinct: good,
    approved: good,
    wallets: good,
    credentials: emails,
    events: good,
  })
  expect(kills).toBe(KILLS)
  // Garbage of the import, which does not grow with the number of rows.
  expect(late).toBeLessThan(1.25 * early)
  expect(early - atRest).toBeLessThan(400e6)
})
