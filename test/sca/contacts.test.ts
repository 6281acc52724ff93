// Verification of email addresses and phone numbers, over both APIs.
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { tasks } from '#tasks.ts'
import { whileBusy } from '#test/setup/busy.ts'
import { createEuropean as createOne } from '#test/setup/sca/europeans.ts'
import { callRest, scaFaces } from '#test/setup/sca/sca-faces.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const CODE = '123456'

/** Nothing is verified yet. */
const createEuropean = (given: object = {}, platform?: Platform) =>
  createOne({ verifiedPhoneNumber: null, ...given }, platform)

describe.each(scaFaces)('over $name', ({ startContact, confirmContact }) => {
  it('a contact is verified by the code, once', async () => {
    const { platform, customerId } = await createEuropean()
    expect(await startContact(platform, customerId, 'EMAIL')).toMatchObject({ status: 204, body: null })
    const { status, body } = await confirmContact(platform, customerId, 'EMAIL', CODE)
    expect(status).toBe(200)
    expect(body.contactVerification).toEqual({ email: 'VERIFIED', phone: 'PENDING' })
    const again = await startContact(platform, customerId, 'EMAIL')
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { reason: 'CONTACT_VERIFIED' } } })
    await startContact(platform, customerId, 'PHONE')
    const phone = await confirmContact(platform, customerId, 'PHONE', CODE)
    expect(phone.body.contactVerification).toEqual({ email: 'VERIFIED', phone: 'VERIFIED' })
  })

  it('a contact that changes is no longer verified', async () => {
    const { platform, customerId, id } = await createEuropean()
    await startContact(platform, customerId, 'PHONE')
    await db.customer.updateMany({ where: { platformId: platform.id, id }, data: { phoneNumber: '+4915112345678' } })
    const late = await confirmContact(platform, customerId, 'PHONE', CODE)
    expect(late).toMatchObject({ status: 400, body: { details: { reason: 'CODE_NOT_PENDING' } } })
    await startContact(platform, customerId, 'PHONE')
    await confirmContact(platform, customerId, 'PHONE', CODE)
    await db.customer.updateMany({ where: { platformId: platform.id, id }, data: { phoneNumber: '+4915187654321' } })
    expect(await startContact(platform, customerId, 'PHONE')).toMatchObject({ status: 204 })
  })

  it('a contact that is changed and changed back must be verified again', async () => {
    const { platform, customerId } = await createEuropean()
    await startContact(platform, customerId, 'EMAIL')
    const { body } = await confirmContact(platform, customerId, 'EMAIL', CODE)
    expect(body.contactVerification.email).toBe('VERIFIED')
    const { email } = (await callRest(platform, 'GET', `/customers/${customerId}`)).body
    const change = (to: string) =>
      callRest(platform, 'PATCH', `/customers/${customerId}`, { customerType: 'INDIVIDUAL', email: to })
    await change(`new-${email}`)
    expect((await change(email)).body).toMatchObject({ email, contactVerification: { email: 'PENDING' } })
  })

  it('three wrong codes void the code, and five block the customer for a while', async () => {
    const { platform, customerId } = await createEuropean()
    await startContact(platform, customerId, 'EMAIL')
    const wrong = () => confirmContact(platform, customerId, 'EMAIL', '654321')
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await wrong()).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', details: { reason: 'WRONG_CODE' } },
      })
    }
    const right = await confirmContact(platform, customerId, 'EMAIL', CODE)
    expect(right).toMatchObject({ status: 400, body: { details: { reason: 'CODE_NOT_PENDING' } } })
    await startContact(platform, customerId, 'EMAIL')
    expect([(await wrong()).status, (await wrong()).status]).toEqual([400, 400])
    const stopped = await confirmContact(platform, customerId, 'EMAIL', CODE)
    expect(stopped).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })

  it('wrong codes of a phone number still count after an email address was verified', async () => {
    const { platform, customerId } = await createEuropean()
    const guess = async (count: number) => {
      await startContact(platform, customerId, 'PHONE')
      for (let tries = 0; tries < count; tries += 1) {
        expect((await confirmContact(platform, customerId, 'PHONE', '654321')).status).toBe(400)
      }
    }
    await guess(3)
    await startContact(platform, customerId, 'EMAIL')
    expect((await confirmContact(platform, customerId, 'EMAIL', CODE)).status).toBe(200)
    await guess(2)
    expect(await confirmContact(platform, customerId, 'PHONE', CODE)).toMatchObject({ status: 429 })
  })

  it('a correct code counts as no try when the contact cannot be changed', async () => {
    const { platform, customerId } = await createEuropean()
    await startContact(platform, customerId, 'EMAIL')
    const confirm = () => confirmContact(platform, customerId, 'EMAIL', CODE)
    const statuses = await whileBusy('delete on contact_codes', async () => {
      const answers = []
      for (let count = 0; count < 6; count += 1) answers.push((await confirm()).status)
      return answers
    })
    expect(statuses).toEqual([503, 503, 503, 503, 503, 503])
    expect(await confirm()).toMatchObject({ status: 200, body: { contactVerification: { email: 'VERIFIED' } } })
  })

  it('only three of twenty concurrent guesses are checked', async () => {
    const { platform, customerId } = await createEuropean()
    await startContact(platform, customerId, 'PHONE')
    const guesses = Array.from({ length: 20 }, () => confirmContact(platform, customerId, 'PHONE', '000000'))
    const reasons = (await Promise.all(guesses)).map(({ body }) => body.details?.reason ?? body.code)
    const count = (reason: string) => reasons.filter((each) => each === reason).length
    console.log(`judged ${count('WRONG_CODE')}, void ${count('CODE_NOT_PENDING')}, limited ${count('RATE_LIMITED')}`)
    expect(count('WRONG_CODE')).toBe(3)
    expect(count('WRONG_CODE') + count('CODE_NOT_PENDING') + count('RATE_LIMITED')).toBe(20)
  })

  it('an address gets ten codes in five minutes, whichever customers have it', async () => {
    const { platform, customerId } = await createEuropean({ email: 'shared@mail.example' })
    const other = await createEuropean({ email: 'SHARED@mail.example' }, platform)
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await startContact(platform, sent % 2 ? customerId : other.customerId, 'EMAIL')).status).toBe(204)
    }
    expect((await startContact(platform, customerId, 'EMAIL')).status).toBe(429)
  })

  it.each([
    ['outside the SCA regions', { region: 'US' }, 409, 'CONFLICT'],
    ['without a region', { region: null }, 409, 'CONFLICT'],
    ['without the contact', { email: null }, 400, 'MISSING_MANDATORY_USER_INFO'],
    ['that is deleted', { isDeleted: true }, 410, 'CUSTOMER_DELETED'],
  ])('a customer %s has nothing to verify', async (_case, given, status, code) => {
    const { platform, customerId } = await createEuropean(given)
    expect(await startContact(platform, customerId, 'EMAIL')).toMatchObject({ status, body: { code } })
    expect(await confirmContact(platform, customerId, 'EMAIL', CODE)).toMatchObject({ status, body: { code } })
  })

  it("another platform's customer is unknown, and the permission MANAGE is needed", async () => {
    const { customerId } = await createEuropean()
    const stranger = await createPlatform()
    expect((await startContact(stranger, customerId, 'EMAIL')).status).toBe(404)
    const { customerId: own, platform } = await createEuropean({}, await createPlatform(['VIEW', 'TRANSACT']))
    expect((await startContact(platform, own, 'EMAIL')).status).toBe(403)
    expect((await confirmContact(platform, own, 'EMAIL', CODE)).status).toBe(403)
  })
})

it('an expired code is deleted, because it contains the address', async () => {
  const { platform, customerId, id } = await createEuropean()
  for (const path of ['email', 'phone']) {
    expect((await callRest(platform, 'POST', `/customers/${customerId}/verify-${path}`)).status).toBe(204)
  }
  await db.$executeRaw`update contact_codes set expires_at = now() where customer_id = ${id}::uuid and contact = 'EMAIL'`
  await tasks.find(({ name }) => name === 'forgetExpiredRequests')?.run({} as never)
  const kept = await db.$queryRaw`select contact::text from contact_codes where customer_id = ${id}::uuid`
  expect(kept).toEqual([{ contact: 'PHONE' }])
})
