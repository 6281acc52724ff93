// Device codes: an agent's software exchanges the code that a person typed for its token, once.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { app } from '#app.ts'
import { parseId, publicId } from '#core/ids.ts'
import { db, sql } from '#database/db.ts'
import { type AgentFace, agentFaces, bearer, callGraphQL, callRest } from '#test/setup/agents/agent-faces.ts'
import { delayed } from '#test/setup/credentials/interleaved.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

let platform: Platform
let customerId: string

beforeAll(async () => {
  platform = await createPlatform()
  customerId = publicId('Customer', (await createCustomer(platform)).id)
})

const POLICY = {
  permissions: ['VIEW_TRANSACTIONS', 'EXECUTE_QUOTES'],
  defaultExecutionMode: 'AUTO',
  repriceToleranceBps: 100,
  spendingLimits: { currency: 'USD', perTransactionLimit: 10_000, dailyLimit: null, monthlyLimit: null },
}
const FORM = /^SERVICE-AGENT-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/

/** Each call comes from its own address, unless a test says otherwise. */
const anyAddress = () => `2001:db8:${randomBytes(4).toString('hex').match(/..../g)?.join(':')}::1`

const newAgent = async (face: AgentFace) => {
  const { status, body } = await face.create(platform, { name: 'Buyer', customerId, policy: POLICY })
  expect(status).toBe(201)
  return { id: body.agent.id as string, code: body.deviceCode.code as string, created: body }
}

const age = (agentId: string, seconds: number) =>
  db.$executeRaw`
    update agent_device_codes set expires_at = plus_seconds(expires_at, -${seconds}::float8)
    where agent_id = ${parseId(agentId)?.uuid}::uuid`

describe.each(agentFaces)('over $name', (face) => {
  it('a new agent has a code, valid for 24 hours, that connects it', async () => {
    const { id, code, created } = await newAgent(face)
    expect(code).toMatch(FORM)
    expect(created.deviceCode).toEqual({ code, agentId: id, expiresAt: expect.any(String), redeemed: false })
    const hours = (Date.parse(created.deviceCode.expiresAt) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
    expect(created.agent.isConnected).toBe(false)
    expect(await face.statusOfCode(platform, code)).toMatchObject({ status: 200, body: { code, redeemed: false } })

    const { status, body } = await face.redeem(code.toLowerCase(), anyAddress())
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        agentId: id,
        agentName: 'Buyer',
        accessToken: expect.stringMatching(/^sat_[0-9a-f]{40}$/),
        policy: POLICY,
      },
    })
    expect((await face.read(platform, id)).body.isConnected).toBe(true)
    expect(await face.statusOfCode(platform, code)).toMatchObject({ status: 200, body: { code, redeemed: true } })
    const me = await callRest(bearer(body.accessToken), 'GET', '/agents/me')
    expect([me.status, me.body.id]).toEqual([200, id])
    const viewer = await callGraphQL(bearer(body.accessToken), '{ viewer { scheme subject agent { id name } } }')
    expect(viewer.body).toEqual({ data: { viewer: { scheme: 'AGENT', subject: id, agent: { id, name: 'Buyer' } } } })
  })

  it('a code can be redeemed once, and a connected agent gets no other', async () => {
    const { id, code } = await newAgent(face)
    expect((await face.redeem(code, anyAddress())).status).toBe(200)
    const refused = { status: 400, body: { code: 'INVALID_INPUT' } }
    expect(await face.redeem(code, anyAddress())).toMatchObject(refused)
    expect(await face.issueCode(platform, id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  it('a later code voids the earlier one', async () => {
    const { id, code } = await newAgent(face)
    const later = await face.issueCode(platform, id)
    expect(later).toMatchObject({
      status: 201,
      body: { code: expect.stringMatching(FORM), agentId: id, redeemed: false },
    })
    expect(await face.redeem(code, anyAddress())).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await face.statusOfCode(platform, code)).toMatchObject({ status: 200, body: { redeemed: false } })
    expect((await face.redeem(later.body.code, anyAddress())).status).toBe(200)
  })

  it('an expired code is 400, and the agent can get another', async () => {
    const { id, code } = await newAgent(face)
    await age(id, 24 * 3600 - 5)
    expect(await face.statusOfCode(platform, code)).toMatchObject({ status: 200 })
    await age(id, 5)
    expect(await face.redeem(code, anyAddress())).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    const { body } = await face.issueCode(platform, id)
    expect((await face.redeem(body.code, anyAddress())).status).toBe(200)
  })

  it('a code that expires while its redemption waits for the agent is 400', async () => {
    const { id, code } = await newAgent(face)
    const answer = await delayed(
      sql`select from agents where platform_id = ${platform.id}::uuid and id = ${parseId(id)?.uuid}::uuid for no key update`,
      () => face.redeem(code, anyAddress()),
      () =>
        db.$executeRaw`update agent_device_codes set expires_at = now() where agent_id = ${parseId(id)?.uuid}::uuid`,
    )
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect((await face.read(platform, id)).body.isConnected).toBe(false)
  })

  it('the code of a deleted agent is 400', async () => {
    const { id, code } = await newAgent(face)
    expect((await face.remove(platform, id)).status).toBe(204)
    expect(await face.redeem(code, anyAddress())).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await face.issueCode(platform, id)).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
  })

  it('anything that is not a code of ours is 404', async () => {
    const { code } = await newAgent(face)
    const other = `${code.slice(0, -1)}${code.endsWith('2') ? '3' : '2'}`
    for (const text of [other, 'SERVICE-AGENT-OOOO-1111', code.slice(8), `${code}2`, 'x', ' ']) {
      const unknown = { status: 404, body: { code: 'REFERENCE_NOT_FOUND' } }
      expect(await face.redeem(text, anyAddress()), text).toMatchObject(unknown)
      expect(await face.statusOfCode(platform, text), text).toMatchObject(unknown)
    }
  })

  it("another platform's code has no status; MANAGE and VIEW are required", async () => {
    const { id, code } = await newAgent(face)
    const [stranger, viewer, manager] = await Promise.all([
      createPlatform(),
      createPlatform(['VIEW']),
      createPlatform(['MANAGE']),
    ])
    expect(await face.statusOfCode(stranger, code)).toMatchObject({ status: 404 })
    expect(await face.issueCode(stranger, id)).toMatchObject({ status: 404 })
    expect(await face.issueCode(viewer, id)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await face.statusOfCode(manager, code)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect((await face.redeem(code, anyAddress())).status).toBe(200)
  })

  it('only one of many concurrent redemptions succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, code } = await newAgent(face)
      const answers = await Promise.all(Array.from({ length: 8 }, () => face.redeem(code, anyAddress())))
      const [winner, ...others] = answers.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(7)
      const me = await callRest(bearer(winner?.body.accessToken), 'GET', '/agents/me')
      expect([me.status, me.body.id]).toEqual([200, id])
    }
  })

  it('only one of several codes issued at the same time is valid', async () => {
    const { id, code } = await newAgent(face)
    const issued = await Promise.all(Array.from({ length: 6 }, () => face.issueCode(platform, id)))
    expect(issued.map(({ status }) => status)).toEqual(Array(6).fill(201))
    const codes = [code, ...issued.map(({ body }) => body.code)]
    const statuses: number[] = []
    for (const each of codes) statuses.push((await face.redeem(each, anyAddress())).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })

  it('redeeming a code while the agent is deleted leaves no access', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, code } = await newAgent(face)
      const [redeemed, removed] = await Promise.all([face.redeem(code, anyAddress()), face.remove(platform, id)])
      expect(removed.status).toBe(204)
      expect([200, 400]).toContain(redeemed.status)
      if (redeemed.status === 200) {
        expect((await callRest(bearer(redeemed.body.accessToken), 'GET', '/agents/me')).status).toBe(401)
      }
    }
  })

  it('an address has ten attempts a minute, successful or not, and another address has its own count', async () => {
    const address = `192.0.2.${face.name === 'REST' ? 1 : 2}`
    const { code } = await newAgent(face)
    const tries = await Promise.all(Array.from({ length: 15 }, () => face.redeem('SERVICE-AGENT-AAAA-AAAA', address)))
    expect(tries.filter(({ status }) => status === 404)).toHaveLength(10)
    const refused = tries.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(5)
    for (const { body, retryAfter } of refused) {
      expect(body.code).toBe('RATE_LIMITED')
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(58)
      expect(Number(retryAfter)).toBeLessThanOrEqual(60)
    }
    expect((await face.redeem(code, address)).status).toBe(429)
    const shift = (seconds: number) => db.$executeRaw`
      update device_code_redeems set times = array(select at - make_interval(secs => ${seconds}) from unnest(times) at)
      where client_address = ${address}`
    await shift(57)
    expect((await face.redeem(code, address)).status).toBe(429)
    await shift(4)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect((await face.redeem(code, address)).status).toBe(200)
  })

  it('an address over its limit does not reach the database, however many attempts it makes', async () => {
    const address = `192.0.2.${face.name === 'REST' ? 3 : 4}`
    const tries = (count: number) => Promise.all(Array.from({ length: count }, () => face.redeem('x', address)))
    const first = await statementsOf(() => tries(40))
    expect(first.filter((text) => text.startsWith('insert into device_code_redeems'))).toHaveLength(11)
    const statuses: number[] = []
    const later = await statementsOf(async () => statuses.push(...(await tries(20)).map(({ status }) => status)))
    expect(statuses).toEqual(Array(20).fill(429))
    expect(later).toEqual([])
  })
})

it("without trusted proxies, the limit counts the socket's address, whatever the headers say", async () => {
  const server = createServer(app.listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const statuses: number[] = []
  for (let index = 0; index < 12; index += 1) {
    const headers = {
      'x-forwarded-for': `192.0.2.${index}`,
      'x-real-ip': `192.0.2.${index}`,
      forwarded: `for=192.0.2.${index}`,
    }
    const path = '/2025-10-13/agents/device-codes/SERVICE-AGENT-AAAA-AAAA/redeem'
    const query = 'mutation { redeemAgentDeviceCode(input: { code: "x" }) { ... on ApiError { status } } }'
    const [url, body] = index % 2 === 0 ? [path, null] : ['/graphql', JSON.stringify({ query })]
    const type = { 'content-type': 'application/json', ...headers }
    const response = await fetch(`http://127.0.0.1:${port}${url}`, { method: 'POST', headers: type, body })
    const text = await response.text()
    statuses.push(Number(/"status":(\d+)/.exec(text)?.[1]))
  }
  server.close()
  expect(statuses).toEqual([...Array(10).fill(404), 429, 429])
})

it('redeeming needs no credentials, and REST ignores invalid ones', async () => {
  const rest = agentFaces.find(({ name }) => name === 'REST') as AgentFace
  const { code } = await newAgent(rest)
  const path = `/agents/device-codes/${code}/redeem`
  expect((await callRest('Basic x', 'POST', path, undefined, anyAddress())).status).toBe(200)
  expect((await callRest(null, 'GET', path, undefined, anyAddress())).status).toBe(401)
})

it('nothing but redeeming is public', async () => {
  const redeem = 'redeemAgentDeviceCode(input: { code: "x" }) { __typename }'
  for (const query of [
    `mutation { ${redeem} deleteAgent(input: { id: "x" }) { __typename } }`,
    `mutation { redeemAgentDeviceCode: deleteAgent(input: { id: "x" }) { __typename } }`,
    `mutation A { ${redeem} } query B { viewer { subject } }`,
  ]) {
    expect((await callGraphQL(null, query, {}, anyAddress())).status, query).toBe(401)
  }
  const twice = await callGraphQL(null, `mutation { a: ${redeem} b: ${redeem} }`, {}, anyAddress())
  expect(twice.text).not.toContain('NotFoundError')
})

it('no code or token is stored in the clear', async () => {
  const [face] = agentFaces
  if (!face) throw new Error('No face')
  const { code } = await newAgent(face)
  const { body } = await face.redeem(code, anyAddress())
  const rows = await db.$queryRaw<{ row: string }[]>`
    select to_jsonb(t)::text as row from agents t union all select to_jsonb(t)::text from agent_device_codes t`
  const plain = [code, code.slice(14), body.accessToken, body.accessToken.slice(4)]
  const hashes = plain.slice(0, 2).map((text) => createHash('sha256').update(text).digest('hex'))
  expect(rows.filter(({ row }) => [...plain, ...hashes].some((secret) => row.includes(secret)))).toEqual([])
  const stored = createHash('sha256').update(body.accessToken).digest('hex')
  expect(rows.filter(({ row }) => row.includes(stored))).toHaveLength(1)
})

it('codes use all letters of their alphabet evenly', async () => {
  const [face] = agentFaces
  if (!face) throw new Error('No face')
  const codes = await Promise.all(Array.from({ length: 60 }, async () => (await newAgent(face)).code))
  expect(new Set(codes).size).toBe(60)
  const letters = new Set(codes.flatMap((code) => [...code.slice(14).replace('-', '')]))
  console.log(`${letters.size} of 31 letters in 60 codes`)
  expect(letters.size).toBeGreaterThan(28)
  expect([...letters].filter((letter) => '01OIL'.includes(letter))).toEqual([])
})
