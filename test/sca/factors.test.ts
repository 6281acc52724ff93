// Second factors, logins by them, lockout and resets, over both APIs.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db, sql } from '#database/db.ts'
import { delayed, interleaved } from '#test/setup/credentials/interleaved.ts'
import { codeOf, createEuropean, enrolPasskey, enrolTotp, ORIGINS } from '#test/setup/sca/europeans.ts'
import { callRest, scaFaces } from '#test/setup/sca/sca-faces.ts'
import { changePlatform, createExternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

const WRONG = '000000'

const unlock = (platform: Platform) =>
  db.$executeRaw`update sca_customers set locked_until = now() - interval '1 second' where platform_id = ${platform.id}::uuid`

describe.each(scaFaces)('over $name', (face) => {
  const start = async (platform: Platform, customerId: string, factor: string) => {
    const { status, body } = await face.startLogin(platform, { customerId, factor })
    expect({ status, login: body.status }).toEqual({ status: 200, login: 'CHALLENGED' })
    return body.scaChallenge
  }
  const logOut = (platform: Platform) =>
    db.$executeRaw`update sca_customers set authenticated_until = null where platform_id = ${platform.id}::uuid`
  /** Answers a new challenge. */
  const logIn = async (platform: Platform, customerId: string, factor: string, proof: object) => {
    await logOut(platform)
    await start(platform, customerId, factor)
    return face.completeLogin(platform, { customerId, factor, ...proof })
  }

  it('a TOTP is enrolled with its secret and its code, once', async () => {
    const { platform, customerId } = await createEuropean()
    const { status, body: issued } = await face.enrol(platform, { customerId, type: 'TOTP' })
    expect(status).toBe(201)
    expect(issued.secret).toMatch(/^[0-9a-f]{40}$/)
    expect(issued.totpUri).toContain(`secret=${issued.secretBase32Encoded}&`)
    const confirm = (secret: string, code: string) => face.confirm(platform, { customerId, secret, code })
    expect(await confirm(issued.secret, WRONG)).toMatchObject({
      status: 400,
      body: { details: { field: expect.stringMatching(/code$/), reason: 'WRONG_CODE' } },
    })
    const foreign = await confirm('00'.repeat(20), await codeOf('00'.repeat(20)))
    expect(foreign).toMatchObject({ status: 400, body: { details: { reason: 'ENROLMENT_NOT_PENDING' } } })
    const code = await codeOf(issued.secret)
    const { body } = await confirm(issued.secret, code)
    expect(new Set(body.recoveryCodes).size).toBe(10)
    expect(body.factor).toMatchObject({ type: 'TOTP', credentialId: expect.stringMatching(/^ScaFactor:/) })
    expect((await face.factors(platform, customerId)).body).toEqual(['TOTP'])
    // The code of the enrolment is used up.
    expect(await logIn(platform, customerId, 'TOTP', { code })).toMatchObject({
      status: 400,
      body: { details: { reason: 'CODE_USED' } },
    })
    const second = await face.enrol(platform, { customerId, type: 'TOTP' })
    expect(second).toMatchObject({ status: 409, body: { details: { reason: 'TOTP_ALREADY_ENROLLED' } } })
    expect((await face.remove(platform, customerId, body.factor.credentialId)).status).toBe(204)
    expect((await face.remove(platform, customerId, body.factor.credentialId)).status).toBe(404)
    expect((await face.factors(platform, customerId)).body).toEqual([])
    expect((await face.enrol(platform, { customerId, type: 'TOTP' })).status).toBe(201)
  })

  it('a code is accepted one step early or late, and only once', async () => {
    const { platform, customerId } = await createEuropean()
    const { secret } = await enrolTotp(platform, customerId)
    const answers = []
    for (const steps of [-2, -1, -1, 0, 1, 2]) {
      const { status, body } = await logIn(platform, customerId, 'TOTP', { code: await codeOf(secret, steps) })
      answers.push([steps, status, body.details?.reason ?? body.status])
    }
    console.log(answers.map((answer) => answer.join(' ')).join(', '))
    expect(answers).toEqual([
      [-2, 400, 'WRONG_CODE'],
      [-1, 200, 'AUTHENTICATED'],
      [-1, 400, 'CODE_USED'],
      [0, 200, 'AUTHENTICATED'],
      [1, 200, 'AUTHENTICATED'],
      [2, 400, 'WRONG_CODE'],
    ])
  })

  it('only one of ten concurrent uses of one code succeeds', async () => {
    const { platform, customerId } = await createEuropean()
    const { secret } = await enrolTotp(platform, customerId)
    await start(platform, customerId, 'TOTP')
    const code = await codeOf(secret)
    const uses = Array.from({ length: 10 }, () => face.completeLogin(platform, { customerId, factor: 'TOTP', code }))
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toEqual([200])
  })

  it('each recovery code replaces the app once', async () => {
    const { platform, customerId } = await createEuropean()
    const { recoveryCodes } = await enrolTotp(platform, customerId)
    const [first = '', second = ''] = recoveryCodes
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    expect((await logIn(platform, customerId, 'TOTP', { code: typed })).status).toBe(200)
    expect(await logIn(platform, customerId, 'TOTP', { code: first })).toMatchObject({
      status: 400,
      body: { details: { reason: 'WRONG_CODE' } },
    })
    await logOut(platform)
    await start(platform, customerId, 'TOTP')
    const uses = Array.from({ length: 5 }, () =>
      face.completeLogin(platform, { customerId, factor: 'TOTP', code: second }),
    )
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toEqual([200])
    const [{ count } = { count: 0 }] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from sca_recovery_codes where platform_id = ${platform.id}::uuid`
    expect(count).toBe(8)
  })

  it('a passkey is enrolled and logs in, with every check that wallets make', async () => {
    const { platform, customerId } = await createEuropean()
    const unset = await face.enrol(platform, { customerId, type: 'PASSKEY' })
    expect(unset).toMatchObject({ status: 409, body: { details: { reason: 'PASSKEY_ORIGINS_NOT_SET' } } })
    await changePlatform(platform, { passkeyOrigins: ORIGINS })
    const { body: issued } = await face.enrol(platform, { customerId, type: 'PASSKEY' })
    expect(issued).toMatchObject({
      allowedOrigins: ORIGINS,
      relyingPartyId: 'app.example',
      options: { rp: { id: 'app.example' } },
    })
    const { device, answer } = await enrolPasskey(platform, customerId)
    expect(answer).toMatchObject({ status: 200, body: { factor: { type: 'PASSKEY' } } })
    const again = await face.enrol(platform, { customerId, type: 'PASSKEY' })
    expect(again).toMatchObject({ status: 409, body: { code: 'PASSKEY_ALREADY_ENROLLED' } })
    const challenge = await start(platform, customerId, 'PASSKEY')
    const options = challenge.passkeyAssertionOptions
    expect(options.allowCredentials).toMatchObject([{ id: device.credentialId }])
    const complete = (twist: object, origin = ORIGINS[0]) =>
      face.completeLogin(platform, {
        customerId,
        factor: 'PASSKEY',
        challengeId: challenge.id,
        origin,
        passkeyAssertion: device.get('', { challenge: options.challenge, ...twist }),
      })
    const reasons = []
    for (const [twist, origin] of [
      [{ challenge: 'AAAA' }],
      [{ origin: 'https://evil.example' }, 'https://evil.example'],
      [{}, ORIGINS[1]],
      [{ flags: 0x01 }],
    ] as [object, string?][]) {
      const { status, body } = await complete(twist, origin)
      reasons.push(`${status} ${body.details.reason}`)
    }
    expect(reasons).toEqual([
      '400 ASSERTION_CHALLENGE',
      '400 ASSERTION_ORIGIN',
      '400 ASSERTION_ORIGIN',
      '400 ASSERTION_PRESENCE',
    ])
    expect(await complete({})).toMatchObject({ status: 200, body: { status: 'AUTHENTICATED' } })
    const stale = await logIn(platform, customerId, 'PASSKEY', { passkeyAssertion: device.get('', { challenge: 'x' }) })
    expect(stale.status).toBe(400)
  })

  it("a challenge names exactly those of the platform's origins where the passkey is accepted", async () => {
    const { platform, customerId } = await createEuropean()
    const { device } = await enrolPasskey(platform, customerId)
    const others = ['https://app.test', 'http://localhost:3000', `android:apk-key-hash:${'A'.repeat(43)}`]
    await changePlatform(platform, { passkeyOrigins: [...ORIGINS, ...others] })
    const accepted = []
    for (const origin of [...others, ...ORIGINS]) {
      await logOut(platform)
      const { passkeyAssertionOptions, passkeyAllowedOrigins } = await start(platform, customerId, 'PASSKEY')
      expect(passkeyAllowedOrigins).toEqual(ORIGINS)
      const passkeyAssertion = device.get('', { challenge: passkeyAssertionOptions.challenge, origin })
      const { status } = await face.completeLogin(platform, { customerId, factor: 'PASSKEY', passkeyAssertion })
      if (status === 200) accepted.push(origin)
    }
    expect(accepted).toEqual(ORIGINS)
  })

  it('a login is valid for 180 days, and ends with its factor', async () => {
    const { platform, customerId } = await createEuropean()
    const { factorId } = await enrolTotp(platform, customerId)
    const { body } = await logIn(platform, customerId, 'TOTP', { code: '123456' })
    const days = (Date.parse(body.authenticatedUntil) - Date.now()) / 86_400_000
    expect(Math.round(days * 1_000) / 1_000).toBe(180)
    const held = await face.startLogin(platform, { customerId, factor: 'TOTP' })
    expect(held.body).toEqual({ status: 'AUTHENTICATED', authenticatedUntil: body.authenticatedUntil })
    const late = await face.completeLogin(platform, { customerId, factor: 'TOTP', code: '123456' })
    expect(late).toMatchObject({ status: 409, body: { details: { reason: 'NO_SCA_CHALLENGE' } } })
    await face.remove(platform, customerId, factorId)
    expect((await face.startLogin(platform, { customerId, factor: 'SMS_OTP' })).body.status).toBe('CHALLENGED')
    const lacking = await face.startLogin(platform, { customerId, factor: 'TOTP' })
    expect(lacking).toMatchObject({ status: 409, body: { details: { reason: 'SCA_FACTOR_MISSING' } } })
  })

  it('failed logins lock for longer and longer, then suspend; a password reset clears the count', async () => {
    const { platform, customerId } = await createEuropean()
    const record = (eventType: string) => face.recordEvent(platform, { customerId, eventType })
    const ladder: string[] = []
    for (let failures = 1; failures <= 9; failures += 1) {
      const { status, body } = await record('FAILED_LOGIN_ATTEMPT')
      const minutes = body.lockedUntil ? Math.round((Date.parse(body.lockedUntil) - Date.now()) / 60_000) : null
      ladder.push(`${status} ${body.failedAttempts} ${body.suspended ? 'suspended' : minutes}`)
      if (minutes) {
        const locked = { code: 'ACCOUNT_LOCKED', details: { suspended: false, failedAttempts: failures } }
        expect(await record('FAILED_LOGIN_ATTEMPT')).toMatchObject({ status: 423, body: locked })
        expect(await face.enrol(platform, { customerId, type: 'TOTP' })).toMatchObject({ status: 423, body: locked })
      }
      await unlock(platform)
    }
    console.log(ladder.join(', '))
    expect(ladder).toEqual([
      '200 1 null',
      '200 2 null',
      '200 3 null',
      '200 4 null',
      '200 5 15',
      '200 6 30',
      '200 7 60',
      '200 8 1440',
      '200 9 suspended',
    ])
    const suspended = await face.startLogin(platform, { customerId, factor: 'SMS_OTP' })
    expect([suspended.status, suspended.body.details]).toEqual([
      423,
      { reason: 'SCA_LOCKED', suspended: true, failedAttempts: 9 },
    ])
    const cleared = await record('RESET_PASSWORD_COMPLETED')
    expect(cleared.body).toEqual({
      eventType: 'RESET_PASSWORD_COMPLETED',
      suspended: false,
      // REST omits a field without a value.
      ...(face.name !== 'REST' && { lockedUntil: null }),
      failedAttempts: 0,
    })
    expect((await face.startLogin(platform, { customerId, factor: 'SMS_OTP' })).status).toBe(200)
  })

  it('five wrong proofs end the challenge and lock the customer, and a correct one clears the count', async () => {
    const { platform, customerId } = await createEuropean()
    await start(platform, customerId, 'SMS_OTP')
    const complete = (code: string) => face.completeLogin(platform, { customerId, factor: 'SMS_OTP', code })
    for (let tries = 0; tries < 4; tries += 1) expect((await complete(WRONG)).status).toBe(400)
    expect((await complete('123456')).status).toBe(200)
    await logOut(platform)
    await start(platform, customerId, 'SMS_OTP')
    for (let tries = 0; tries < 5; tries += 1) expect((await complete(WRONG)).status).toBe(400)
    expect(await complete('123456')).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect((await face.startLogin(platform, { customerId, factor: 'SMS_OTP' })).status).toBe(423)
  })

  it('only five of twenty concurrent guesses are checked', async () => {
    const { platform, customerId } = await createEuropean()
    await start(platform, customerId, 'SMS_OTP')
    const guesses = Array.from({ length: 20 }, () =>
      face.completeLogin(platform, { customerId, factor: 'SMS_OTP', code: WRONG }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    const count = (status: number) => statuses.filter((each) => each === status).length
    console.log(`judged ${count(400)}, limited ${count(429)}, locked ${count(423)}, busy ${count(503)}`)
    expect(count(400)).toBe(5)
    expect(count(200)).toBe(0)
  })

  it('a reset of the phone number ends the login, and the code that was sent to the lost phone is refused', async () => {
    const { platform, customerId } = await createEuropean()
    const account = await createExternalAccount(platform, { customerId: customerId.slice('Customer:'.length) })
    const accountId = publicId('ExternalAccount', account.id)
    expect((await logIn(platform, customerId, 'SMS_OTP', { code: '123456' })).status).toBe(200)
    expect((await face.startTrust(platform, accountId, 'trust')).status).toBe(200)
    const { body } = await face.startReset(platform, { customerId, factor: 'SMS_OTP' })
    const mobile = { countryCode: '+49', number: '15112345678' }
    expect((await face.completeReset(platform, body.resetId, { customerId, mobile })).status).toBe(204)
    const confirm = () => face.confirmTrust(platform, accountId, 'trust', { code: '123456' })
    expect(await confirm()).toMatchObject({ status: 400, body: { details: { reason: 'WRONG_CODE' } } })
    await face.startContact(platform, customerId, 'PHONE')
    expect((await face.confirmContact(platform, customerId, 'PHONE', '123456')).status).toBe(200)
    expect(await confirm()).toMatchObject({ status: 400, body: { details: { reason: 'WRONG_CODE' } } })
    await start(platform, customerId, 'SMS_OTP')
    expect((await face.startTrust(platform, accountId, 'trust')).status).toBe(200)
    expect((await confirm()).status).toBe(200)
  })

  it('a new phone number ends the login, but neither the same number again nor a new email address does', async () => {
    const { platform, customerId } = await createEuropean()
    const { phoneNumber } = (await callRest(platform, 'GET', `/customers/${customerId}`)).body
    await logIn(platform, customerId, 'SMS_OTP', { code: '123456' })
    const loginAfter = async (change: object) => {
      const body = { customerType: 'INDIVIDUAL', ...change }
      expect((await callRest(platform, 'PATCH', `/customers/${customerId}`, body)).status).toBe(200)
      const login = await face.startLogin(platform, { customerId, factor: 'SMS_OTP' })
      return login.body.details?.reason ?? login.body.status
    }
    expect(await loginAfter({ phoneNumber })).toBe('AUTHENTICATED')
    expect(await loginAfter({ email: 'new@mail.example' })).toBe('AUTHENTICATED')
    expect(await loginAfter({ phoneNumber: '+4915112345678' })).toBe('SCA_FACTOR_MISSING')
  })

  it('simultaneous logins replace each other, and the last one can be completed', async () => {
    const { platform, customerId } = await createEuropean()
    const logins = Array.from({ length: 6 }, () => face.startLogin(platform, { customerId, factor: 'SMS_OTP' }))
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await face.completeLogin(platform, { customerId, factor: 'SMS_OTP', code: '123456' })).status).toBe(200)
  })

  it('simultaneous requests to trust an account replace each other, and the last one can be confirmed', async () => {
    const { platform, customerId } = await createEuropean()
    const account = await createExternalAccount(platform, { customerId: customerId.slice('Customer:'.length) })
    const accountId = publicId('ExternalAccount', account.id)
    const requests = Array.from({ length: 6 }, () => face.startTrust(platform, accountId, 'trust'))
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await face.confirmTrust(platform, accountId, 'trust', { code: '123456' })).status).toBe(200)
  })

  it('a customer that is deleted while it confirms a factor gets none', async () => {
    const { platform, customerId, id } = await createEuropean()
    const { body } = await face.enrol(platform, { customerId, type: 'TOTP' })
    const [removed, confirmed] = await interleaved(
      'update on customers',
      () => callRest(platform, 'DELETE', `/customers/${customerId}`),
      () => face.confirm(platform, { customerId, secret: body.secret, code: '123456' }),
    )
    expect([removed.status, confirmed.status]).toEqual([200, 410])
    expect(await db.$queryRaw`select from sca_factors where customer_id = ${id}::uuid`).toEqual([])
  })

  it('a reset replaces a lost factor, at most five a day', async () => {
    const { platform, customerId, id } = await createEuropean()
    await enrolTotp(platform, customerId)
    const { status, body } = await face.startReset(platform, { customerId, factor: 'TOTP' })
    // The sandbox does not check liveness, so it returns no link.
    expect({ status, fields: Object.keys(body).sort() }).toEqual({ status: 201, fields: ['expiresAt', 'resetId'] })
    expect((await face.readReset(platform, customerId, body.resetId)).body).toMatchObject({
      status: 'LIVENESS_PASSED',
      factor: 'TOTP',
    })
    expect((await face.completeReset(platform, body.resetId, { customerId })).status).toBe(204)
    expect((await face.factors(platform, customerId)).body).toEqual([])
    expect((await face.readReset(platform, customerId, body.resetId)).body).toMatchObject({ status: 'COMPLETED' })
    expect((await face.completeReset(platform, body.resetId, { customerId })).status).toBe(409)
    const sms = await face.startReset(platform, { customerId, factor: 'SMS_OTP' })
    expect((await face.completeReset(platform, sms.body.resetId, { customerId })).status).toBe(400)
    const mobile = { countryCode: '+49', number: '15112345678' }
    expect((await face.completeReset(platform, sms.body.resetId, { customerId, mobile })).status).toBe(204)
    const customer = await db.customer.findFirstOrThrow({ where: { platformId: platform.id, id } })
    expect(customer).toMatchObject({ phoneNumber: '+4915112345678', verifiedPhoneNumber: null })
    for (let resets = 3; resets <= 5; resets += 1) {
      expect((await face.startReset(platform, { customerId, factor: 'TOTP' })).status).toBe(201)
    }
    expect((await face.startReset(platform, { customerId, factor: 'TOTP' })).status).toBe(429)
  })

  it('a reset that expires while its completion waits for the customer changes nothing', async () => {
    const { platform, customerId, id } = await createEuropean()
    await enrolTotp(platform, customerId)
    const { resetId } = (await face.startReset(platform, { customerId, factor: 'TOTP' })).body
    const answer = await delayed(
      sql`select from customers where platform_id = ${platform.id}::uuid and id = ${id}::uuid for no key update`,
      () => face.completeReset(platform, resetId, { customerId }),
      () => db.$executeRaw`update sca_factor_resets set expires_at = now() where customer_id = ${id}::uuid`,
    )
    expect(answer).toMatchObject({ status: 409, body: { details: { reason: 'RESET_NOT_READY' } } })
    expect((await face.factors(platform, customerId)).body).toHaveLength(1)
  })

  it('a customer outside the SCA regions has none of this', async () => {
    const { platform, customerId } = await createEuropean({ region: 'US' })
    const answers = await Promise.all([
      face.enrol(platform, { customerId, type: 'TOTP' }),
      face.confirm(platform, { customerId, secret: 'x', code: '123456' }),
      face.remove(platform, customerId, `ScaFactor:${customerId.slice(-36)}`),
      face.startLogin(platform, { customerId, factor: 'TOTP' }),
      face.completeLogin(platform, { customerId, factor: 'TOTP', code: '123456' }),
      face.recordEvent(platform, { customerId, eventType: 'FAILED_LOGIN_ATTEMPT' }),
      face.startReset(platform, { customerId, factor: 'TOTP' }),
      face.completeReset(platform, `TwoFactorReset:${customerId.slice(-36)}`, { customerId }),
    ])
    expect(answers.map(({ status, body }) => `${status} ${body.details?.reason}`)).toEqual(
      Array(8).fill('409 NO_SCA_REGION'),
    )
    const stranger = await createPlatform()
    expect((await face.enrol(stranger, { customerId, type: 'TOTP' })).status).toBe(404)
  })
})

it.each(['GET /sca/factors', 'GET /sca/factors/reset/x', 'DELETE /sca/factors/x'])(
  'a caller without the permission gets 403 from %s, whatever the query',
  async (operation) => {
    const [method = '', path = ''] = operation.split(' ')
    const platform = await createPlatform(['TRANSACT'])
    expect((await callRest(platform, method, `${path}?unknown=1`)).status).toBe(403)
  },
)
