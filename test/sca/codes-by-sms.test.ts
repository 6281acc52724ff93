// Codes by SMS in production, where a job sends them (docs/domain/quotes.md#sca-challenge).
// Own process: runs jobs of the whole database.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { runJobs } from '#database/jobs/jobs.ts'
import { tasks } from '#tasks.ts'
import { quoteInput } from '#test/setup/payments/payers.ts'
import { codeOf, createEuropean, createEuropeanPayer } from '#test/setup/sca/europeans.ts'
import { callRest, scaFaces } from '#test/setup/sca/sca-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { changePlatform, createPlatform } from '#test/setup/world.ts'

interface Sms {
  readonly to: string
  readonly code: string
  readonly response: ServerResponse
  /** How many messages had no answer when this one arrived. */
  readonly open: number
}

const messages: Sms[] = []
let waiting = 0
const server = createServer(async (request, response) => {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  const { to, body } = JSON.parse(text)
  waiting += 1
  response.on('close', () => (waiting -= 1))
  messages.push({ to, code: /\d{6}/.exec(body)?.[0] ?? '', response, open: waiting })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
useSettings({ sms: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'token' } })
afterAll(() => server.close())

/** More than the jobs that a process runs at the same time. */
const CUSTOMERS = 5

it('a silent SMS gateway keeps no worker from other jobs, and the codes log customers in when it answers', async () => {
  const [face] = scaFaces
  const platform = await createPlatform()
  await changePlatform(platform, { environment: 'PRODUCTION' })
  const customers = new Map<string, string>()
  for (let n = 1; n <= CUSTOMERS; n++) {
    const phoneNumber = `+4917000000${n}`
    const { customerId } = await createEuropean({ phoneNumber, verifiedPhoneNumber: phoneNumber }, platform)
    customers.set(phoneNumber, customerId)
    expect(await face?.startLogin(platform, { customerId, factor: 'SMS_OTP' })).toMatchObject({ status: 200 })
  }
  const jobs = await runJobs(tasks)
  try {
    await expect.poll(() => messages.some(({ open }) => open === CUSTOMERS)).toBe(true)
    for (const { response } of messages) response.end()
    const sent = () => db.scaChallenge.count({ where: { platformId: platform.id, codeMac: { not: null } } })
    await expect.poll(sent).toBe(CUSTOMERS)
    for (const [phoneNumber, customerId] of customers) {
      const { code } = messages.findLast(({ to }) => to === phoneNumber) as Sms
      expect(await face?.completeLogin(platform, { customerId, factor: 'SMS_OTP', code })).toMatchObject({
        status: 200,
      })
    }
  } finally {
    await jobs.stop()
  }
})

/** Makes a call during which the gateway answers one message with this status. */
const answering = async <T>(status: number, call: () => Promise<T>): Promise<T> => {
  const before = messages.length
  const answer = call()
  await expect.poll(() => messages.length).toBe(before + 1)
  messages.at(-1)?.response.writeHead(status).end()
  return answer
}

it('a code that the SMS gateway refuses does not count, and another can be sent at once', async () => {
  const [, face] = scaFaces
  const platform = await createPlatform()
  await changePlatform(platform, { environment: 'PRODUCTION' })
  const { customerId } = await createEuropean({ verifiedPhoneNumber: null }, platform)
  const start = async () => (await face?.startContact(platform, customerId, 'PHONE'))?.status
  for (let count = 0; count < 11; count += 1) expect(await answering(500, start)).toBe(503)
  expect(await answering(200, start)).toBe(204)

  const payer = await createEuropeanPayer()
  const { body: quote } = await callRest(payer.platform, 'POST', '/quotes', quoteInput(payer.dollars, payer.iban))
  await callRest(payer.platform, 'POST', `/quotes/${quote.id}/execute`, { scaFactor: 'SMS_OTP' })
  await db.$executeRaw`
    update sca_challenges set sent_at = plus_seconds(sent_at, -60) where platform_id = ${payer.platform.id}::uuid`
  await changePlatform(payer.platform, { environment: 'PRODUCTION' })
  const resend = async () => (await face?.resend(payer.platform, quote.id))?.status
  expect(await answering(500, resend)).toBe(503)
  expect(await answering(200, resend)).toBe(204)
  expect(await resend()).toBe(429)
})

it.each(scaFaces)(
  'over $name, the code of the sandbox is wrong in production, for a contact, SMS and a TOTP',
  async (face) => {
    const magic = '123456'
    const wrong = { status: 400, body: { code: 'INVALID_INPUT', details: { reason: 'WRONG_CODE' } } }
    const platform = await createPlatform()
    await changePlatform(platform, { environment: 'PRODUCTION' })

    const { customerId } = await createEuropean({ verifiedPhoneNumber: null }, platform)
    await answering(200, () => face.startContact(platform, customerId, 'PHONE'))
    expect(await face.confirmContact(platform, customerId, 'PHONE', magic)).toMatchObject(wrong)
    const sent = messages.at(-1)?.code ?? ''
    expect((await face.confirmContact(platform, customerId, 'PHONE', sent)).status).toBe(200)

    await face.startLogin(platform, { customerId, factor: 'SMS_OTP' })
    expect(await face.completeLogin(platform, { customerId, factor: 'SMS_OTP', code: magic })).toMatchObject(wrong)

    const { body: issued } = await face.enrol(platform, { customerId, type: 'TOTP' })
    const confirm = (code: string) => face.confirm(platform, { customerId, secret: issued.secret, code })
    expect(await confirm(magic)).toMatchObject(wrong)
    expect((await confirm(await codeOf(issued.secret))).status).toBe(200)
    await face.startLogin(platform, { customerId, factor: 'TOTP' })
    expect(await face.completeLogin(platform, { customerId, factor: 'TOTP', code: magic })).toMatchObject(wrong)
  },
)
