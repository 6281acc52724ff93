// Rows of two platforms may share a UUID. An operation on one never reads or changes the other.
import { beforeEach, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { credentialFaces, type Proof } from '#test/setup/credentials/credential-faces.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import {
  createHousehold,
  type Household,
  newPhone,
  OPERATION_NAMES,
  OPERATIONS,
} from '#test/setup/credentials/wallet-operations.ts'
import {
  addOtp,
  addPasskey,
  expectStatus,
  otpProof,
  passkeyChallenge,
  prove,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { createPlatform, type Platform } from '#test/setup/world.ts'

const TABLES = [
  'customers',
  'internal_accounts',
  'auth_methods',
  'otp_challenges',
  'wallet_sessions',
  'signed_requests',
  'wallet_keys',
]

/** Creates a second platform whose rows have the same UUIDs. */
const twinOf = async ({ id: platformId }: Platform): Promise<Platform> => {
  const twin = await createPlatform()
  for (const table of TABLES) {
    await db.$executeRawUnsafe(
      `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || jsonb_build_object('platform_id', $2::text))).*
       from ${table} t where platform_id = $1::uuid`,
      platformId,
      twin.id,
    )
  }
  return twin
}

const rowsOf = async ({ id }: Platform): Promise<string> => {
  const tables = TABLES.map(async (table) =>
    db.$queryRawUnsafe(`select to_jsonb(t)::text as row from ${table} t where platform_id = $1::uuid order by 1`, id),
  )
  return JSON.stringify(await Promise.all(tables))
}

describe.each(credentialFaces)('over $name', (face) => {
  let house: Household
  beforeEach(async () => {
    house = await createHousehold(face, await createPlatform())
  })

  it.each(OPERATION_NAMES)("%s leaves the other platform's row unchanged", async (name) => {
    const { send, key, success } = await OPERATIONS[name](house)
    const first = expectStatus(await send(), 202)
    const twin = await twinOf(house.platform)
    const before = await rowsOf(twin)
    expect(await send(await prove(key, first))).toMatchObject({ status: success })
    expect(await rowsOf(twin)).toBe(before)
  })

  it("valid and invalid challenges and verifications leave the other platform's rows unchanged", async () => {
    const { platform, wallet, email, oauth, emailSession } = house
    const passkey = await addPasskey(face, wallet, emailSession)
    const pending = await passkeyChallenge(face, wallet, passkey.id)
    const wrong = await otpProof(face, wallet, email, { code: '123456' })
    const twin = await twinOf(platform)
    const before = await rowsOf(twin)

    for (const reason of ['OTP_CODE', 'OTP_CODE', 'OTP_CODE', 'OTP_NOT_PENDING']) {
      expect(await face.verify(platform, email.id, wrong)).toMatchObject({ status: 401, details: { reason } })
    }
    await email.open()
    await oauth.open()
    const assertion = passkey.authenticator.get(pending.body.challenge, { counter: 1 })
    const { requestId } = pending.body
    expectStatus(await face.verify(platform, passkey.id, { type: 'PASSKEY', assertion }, { requestId }), 200)
    expect(await rowsOf(twin)).toBe(before)
  })

  it("the wait of a rate limit comes from the platform's own row", async () => {
    const { platform, email } = house
    const twin = await twinOf(platform)
    await db.authMethod.updateMany({ where: { platformId: twin.id }, data: { challengeTimes: [] } })
    let answer = await face.challenge(platform, email.id)
    while (answer.status === 200) answer = await face.challenge(platform, email.id)
    expect(answer).toMatchObject({ status: 429 })
    expect(answer.details?.retryAfterSeconds).toBeGreaterThan(200)
  })

  it("another platform's credential with the same UUID does not replace a revoked one", async () => {
    const { platform, wallet, email, oauth, emailSession, oauthSession } = house
    const sms = await addOtp(face, wallet, emailSession, 'SMS_OTP')
    await twinOf(platform)
    const setPrivate = (proof?: Proof) =>
      face.updatePrivacy(platform, wallet.accountId, { privateEnabled: true }, proof)
    const revoke = (id: string, proof?: Proof) => face.revoke(platform, id, proof)
    const [one, other] = [await setPrivate(), await revoke(oauth.id)]
    expectStatus(await signedRetry(emailSession.key, (proof) => revoke(oauth.id, proof)), 204)

    const bySessionThatEnded = await setPrivate(await prove(oauthSession.key, one))
    expect(bySessionThatEnded).toMatchObject({ code: 'WALLET_SIGNATURE_INVALID' })
    const refresh = await face.refresh(platform, oauthSession.id, { clientPublicKey: newKey().publicKey })
    expect(refresh).toMatchObject({ details: { reason: 'SESSION_NOT_ACTIVE' } })
    expect(await revoke(oauth.id)).toMatchObject({ status: 404 })
    expect(await revoke(oauth.id, await prove(emailSession.key, other))).toMatchObject({ status: 404 })

    expectStatus(await signedRetry(emailSession.key, (proof) => revoke(sms.id, proof)), 204)
    expectStatus(await face.updateCustomer(platform, wallet.customerId, { phoneNumber: newPhone() }), 200)
    expectStatus(await face.register(platform, { type: 'SMS_OTP', accountId: wallet.accountId }), 202)
    expect(await revoke(email.id)).toMatchObject({ details: { reason: 'LAST_CREDENTIAL' } })
  })

  it("whether a credential is its wallet's first does not depend on another platform", async () => {
    const { platform, wallet, emailSession } = house
    const deleteAll = async ({ id: platformId }: Platform) => {
      await db.walletSession.deleteMany({ where: { platformId } })
      await db.authMethod.deleteMany({ where: { platformId } })
    }
    await deleteAll(await twinOf(platform))
    await addOtp(face, wallet, emailSession, 'SMS_OTP')

    await twinOf(platform)
    await deleteAll(platform)
    expectStatus(await face.register(platform, { type: 'EMAIL_OTP', accountId: wallet.accountId }), 201)
  })
})
