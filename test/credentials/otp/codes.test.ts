// The one-time codes of production customers: random, in the platform's format, and valid for as long as it sets.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { newKey, sealCode } from '#test/setup/credentials/wallet.ts'
import { createHousehold, newPhone as newNumber } from '#test/setup/credentials/wallet-operations.ts'
import { addOtp, expectStatus, prove, signedRetry } from '#test/setup/credentials/wallet-sessions.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { changePlatform, createAuthMethod, createPlatform, createWallet, type Platform } from '#test/setup/world.ts'

const texts: string[] = []
/** Runs `meanwhile` while a message is being delivered. */
const answer = { status: 202, meanwhile: async (): Promise<unknown> => undefined }
const gateway = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  texts.push(JSON.parse(body).body)
  await answer.meanwhile()
  response.writeHead(answer.status).end()
}).listen(0, '127.0.0.1')
await once(gateway, 'listening')
useSettings({ sms: { url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, token: 'token' } })
afterAll(() => gateway.close())

const bare = (id: string) => id.slice(id.indexOf(':') + 1)

describe.each(credentialFaces)('codes over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })
  const wants = (settings: object) => changePlatform(platform, { environment: 'PRODUCTION', ...settings })

  const newPhone = async () => {
    const nickname = newNumber()
    const { accountId } = await createWallet(platform, { phoneNumber: nickname })
    const given = { accountId: bare(accountId), type: 'SMS_OTP', nickname } as const
    return publicId('AuthMethod', (await createAuthMethod(platform, given)).id)
  }
  /** Requests a code and reads it from the phone. */
  const sent = async (id: string) => {
    texts.length = 0
    const { body } = expectStatus(await face.challenge(platform, id), 200)
    const code = /code is (\S+)\./.exec(texts.join())?.[1] ?? ''
    return { code, bundle: body.otpEncryptionTargetBundle }
  }
  const verify = async (id: string, { bundle }: { bundle: unknown }, code: string) => {
    const key = newKey()
    const encryptedOtpBundle = await sealCode(String(bundle), code, key.publicKey)
    const send = (proof?: object) => face.verify(platform, id, { type: 'SMS_OTP', encryptedOtpBundle }, proof)
    const first = await send()
    return first.status === 202 ? send(await prove(key, first)) : first
  }

  it('are six digits by default and never repeat', async () => {
    await wants({ otpLength: 6, otpAlphanumeric: false })
    const codes = new Set<string>()
    for (let phone = 0; phone < 5; phone += 1) {
      const { code } = await sent(await newPhone())
      expect(code).toMatch(/^\d{6}$/)
      codes.add(code)
    }
    expect(codes.size).toBeGreaterThan(3)
  })

  it("have the platform's length and alphabet, and open a session", async () => {
    await wants({})
    const changes = { otpLength: 12, alphanumeric: true, expirationSeconds: 90, appName: 'Acme Pay' }
    expect((await send(platform, 'PATCH', '/config', { embeddedWalletConfig: changes })).status).toBe(200)
    const id = await newPhone()
    const message = await sent(id)
    expect(texts.join()).toContain(`Your Acme Pay verification code is ${message.code}. It is valid for 90 seconds.`)
    expect(message.code).toMatch(/^[0-9A-Z]{12}$/)
    expect(message.code).toMatch(/[A-Z]/)
    expect(await verify(id, message, '000000')).toMatchObject({ status: 401, details: { reason: 'OTP_CODE' } })
    expectStatus(await verify(id, message, message.code), 200)
  })

  it('are void once a new one is issued', async () => {
    await wants({ otpLength: 8, otpAlphanumeric: false })
    const id = await newPhone()
    const earlier = await sent(id)
    // The code is new, whatever lifetime and attempts the earlier one had left.
    await db.otpChallenge.updateMany({ where: { authMethodId: bare(id) }, data: { expiresAt: new Date(), tries: 2 } })
    const fresh = await sent(id)
    expect(fresh.code).not.toBe(earlier.code)
    expect(await verify(id, earlier, fresh.code)).toMatchObject({ status: 401, details: { reason: 'OTP_BUNDLE' } })
    expect(await verify(id, fresh, earlier.code)).toMatchObject({ status: 401, details: { reason: 'OTP_CODE' } })
    expect(await verify(id, fresh, '00000000')).toMatchObject({ status: 401, details: { reason: 'OTP_CODE' } })
    expectStatus(await verify(id, fresh, fresh.code), 200)
  })

  it('update updatedAt of their credential and of no other', async () => {
    const [id, other] = [await newPhone(), await newPhone()]
    const movedAt = async (credential: string) =>
      (await db.authMethod.findFirstOrThrow({ where: { id: bare(credential) } })).updatedAt.getTime()
    const before = [await movedAt(id), await movedAt(other)]
    await sent(id)
    expect(await movedAt(id)).toBeGreaterThan(before[0] ?? 0)
    expect(await movedAt(other)).toBe(before[1])
  })

  it('decrypt with the key created for them, and with no other', async () => {
    const [id, other] = [await newPhone(), await newPhone()]
    const [message, foreign] = [await sent(id), await sent(other)]
    const { targetKeySealed } = await db.otpChallenge.findFirstOrThrow({ where: { authMethodId: bare(other) } })
    await db.otpChallenge.updateMany({ where: { authMethodId: bare(id) }, data: { targetKeySealed } })
    expect(await verify(id, foreign, message.code)).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' })
  })

  it('that could not be sent do not count towards the limit', async () => {
    await wants({})
    const id = await newPhone()
    answer.status = 500
    for (let count = 0; count < 6; count += 1) expectStatus(await face.challenge(platform, id), 503)
    answer.status = 202
    await sent(id)
  })

  it('need not be delivered for the credential to be registered', async () => {
    const own = await createPlatform()
    const { wallet, emailSession } = await createHousehold(face, own)
    await changePlatform(own, { environment: 'PRODUCTION' })
    answer.status = 500
    const input = { type: 'SMS_OTP', accountId: wallet.accountId }
    const registered = await signedRetry(emailSession.key, (proof) => face.register(own, input, proof))
    answer.status = 202
    expect(expectStatus(registered, 201).body.otpEncryptionTargetBundle ?? null).toBeNull()
  })

  /** A phone whose next code is slow: `change` is signed before, and made while the code is on its way. */
  const overtaken = async (change: 'the number' | 'the credential') => {
    const own = await createPlatform()
    const { wallet, emailSession } = await createHousehold(face, own)
    const { id } = await addOtp(face, wallet, emailSession, 'SMS_OTP')
    await changePlatform(own, { environment: 'PRODUCTION' })
    const phoneNumber = newNumber()
    const send = (proof?: object) =>
      change === 'the number'
        ? face.updateCustomer(own, wallet.customerId, { phoneNumber }, proof)
        : face.revoke(own, id, proof)
    const proof = await prove(emailSession.key, expectStatus(await send(), 202))
    answer.meanwhile = async () => {
      answer.meanwhile = async () => undefined
      expectStatus(await send(proof), change === 'the number' ? 200 : 204)
    }
    const challenged = await face.challenge(own, id)
    const codes = await db.otpChallenge.count({ where: { authMethodId: bare(id) } })
    const { challengeTimes } = await db.authMethod.findFirstOrThrow({ where: { id: bare(id) } })
    return { challenged, codes, counted: challengeTimes.length, again: () => face.challenge(own, id) }
  }

  it('are void if the number changed during delivery', async () => {
    const { challenged, codes, counted, again } = await overtaken('the number')
    expect(challenged).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect({ codes, counted }).toEqual({ codes: 0, counted: 1 })
    expectStatus(await again(), 200)
  })

  it('leave nothing on a credential that was revoked during delivery', async () => {
    const { challenged, codes } = await overtaken('the credential')
    expect(challenged).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    expect(codes).toBe(0)
  })

  it('are refused when there is no transport', async () => {
    await wants({})
    const id = await newPhone()
    const { accountId } = await db.authMethod.findFirstOrThrow({ where: { id: bare(id) } })
    await db.authMethod.updateMany({ where: { accountId, type: 'EMAIL_OTP' }, data: { revokedAt: new Date() } })
    const input = { type: 'EMAIL_OTP', accountId: publicId('InternalAccount', accountId) }
    expect(await face.register(platform, input)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
  })

  it('expire as the platform sets', async () => {
    await wants({ otpExpirationSeconds: 120 })
    const id = await newPhone()
    const message = await sent(id)
    expect(texts.join()).toContain('valid for 2 minutes')
    const [pending] = await db.otpChallenge.findMany({ where: { authMethodId: bare(id) } })
    expect(pending?.expiresAt.getTime()).toBeLessThan(Date.now() + 121_000)
    expect(pending?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 60_000)
    await db.otpChallenge.updateMany({ where: { id: pending?.id ?? '' }, data: { expiresAt: new Date() } })
    expect(await verify(id, message, message.code)).toMatchObject({
      status: 401,
      details: { reason: 'OTP_NOT_PENDING' },
    })
  })
})
