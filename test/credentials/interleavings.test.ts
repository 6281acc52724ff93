// Two concurrent changes to one household: the result is as if one came after the other.
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { type Answer, credentialFaces, type Proof } from '#test/setup/credentials/credential-faces.ts'
import { interleaved } from '#test/setup/credentials/interleaved.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, newPhone, OPERATIONS } from '#test/setup/credentials/wallet-operations.ts'
import {
  addOtp,
  addPasskey,
  expectStatus,
  type OpenSession,
  oauthProof,
  passkeyChallenge,
  prove,
} from '#test/setup/credentials/wallet-sessions.ts'
import { isDistributed } from '#test/setup/distributed.ts'
import { createInternalAccount, createPlatform, createWallet, type Platform } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status)

describe.each(credentialFaces)('over $name', (face) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform()
  })

  /** Prepares the second leg, ready to send. */
  const secondLeg = async ({ key }: OpenSession, send: (proof?: Proof) => Promise<Answer>) => {
    const proof = await prove(key, expectStatus(await send(), 202))
    return () => send(proof)
  }

  /** A customer with two wallets, the second without credentials, and two changes of phone number. */
  const changes = async ({ isTied }: { isTied: boolean }) => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    if (isTied) await addOtp(face, wallet, emailSession, 'SMS_OTP')
    const customerId = bare(wallet.customerId)
    const { id } = await createInternalAccount(platform, { customerId, type: 'EMBEDDED_WALLET', currency: 'USDB' })
    const change = (proof?: Proof) => face.updateCustomer(platform, wallet.customerId, { phoneNumber }, proof)
    const phoneNumber = newPhone()
    return {
      change: isTied ? await secondLeg(emailSession, change) : change,
      register: () => face.register(platform, { type: 'SMS_OTP', accountId: publicId('InternalAccount', id) }),
      addresses: async () => {
        const customer = await db.customer.findFirstOrThrow({ where: { id: customerId } })
        const where = { type: 'SMS_OTP' as const, revokedAt: null, account: { customerId } }
        const methods = await db.authMethod.findMany({ where })
        return new Set([customer.phoneNumber, ...methods.map(({ nickname }) => nickname)])
      },
    }
  }

  it.each([{ isTied: true }, { isTied: false }])(
    'a credential has the current phone number of its customer, tied before: $isTied',
    async (given) => {
      const one = await changes(given)
      expect(statuses(await interleaved('update on customers', one.change, one.register))).toEqual([200, 400])
      expect((await one.addresses()).size).toBe(1)
      const other = await changes(given)
      const [registered, changed] = await interleaved('insert on auth_methods', other.register, other.change)
      expect(registered.status).toBe(201)
      expect(changed.status).toBe(given.isTied ? 409 : 202)
      expect((await other.addresses()).size).toBe(1)
    },
  )

  it('when two customers take an address at the same time, one of them gets it', async () => {
    const phoneNumber = newPhone()
    const take = async () => {
      const { wallet, emailSession } = await createHousehold(face, platform)
      await addOtp(face, wallet, emailSession, 'SMS_OTP')
      return secondLeg(emailSession, (proof) =>
        face.updateCustomer(platform, wallet.customerId, { phoneNumber }, proof),
      )
    }
    expect(statuses(await interleaved('update on customers', await take(), await take()))).toEqual([200, 409])
  })

  it('a credential being revoked opens no session, and a session it is opening ends with it', async () => {
    const ways = {
      OAUTH: async () => {
        const { wallet, oauth, emailSession } = await createHousehold(face, platform)
        const { identity } = oauth
        if (!identity) throw new Error('No identity')
        const verify = () => face.verify(platform, oauth.id, oauthProof(identity, newKey()))
        return { wallet, emailSession, id: oauth.id, verify }
      },
      PASSKEY: async () => {
        const { wallet, emailSession } = await createHousehold(face, platform)
        const { id, authenticator } = await addPasskey(face, wallet, emailSession)
        const { challenge, requestId } = (await passkeyChallenge(face, wallet, id)).body
        const input = { type: 'PASSKEY', assertion: authenticator.get(challenge) }
        return { wallet, emailSession, id, verify: () => face.verify(platform, id, input, { requestId }) }
      },
    }
    const activeOf = (id: string) => db.walletSession.count({ where: { authMethodId: bare(id), revokedAt: null } })
    for (const way of Object.values(ways)) {
      const one = await way()
      const revokeOne = await secondLeg(one.emailSession, (proof) => face.revoke(platform, one.id, proof))
      expect(statuses(await interleaved('update of revoked_at on auth_methods', revokeOne, one.verify))).toEqual([
        204, 404,
      ])
      expect(await activeOf(one.id)).toBe(0)

      const other = await way()
      const revokeOther = await secondLeg(other.emailSession, (proof) => face.revoke(platform, other.id, proof))
      expect(statuses(await interleaved('insert on wallet_sessions', other.verify, revokeOther))).toEqual([200, 204])
      expect(await activeOf(other.id)).toBe(0)
    }
  })

  it('a session created while its credential is being revoked ends with it', async () => {
    const { oauth, emailSession } = await createHousehold(face, platform)
    const { identity } = oauth
    if (!identity) throw new Error('No identity')
    const verify = () => face.verify(platform, oauth.id, oauthProof(identity, newKey()))
    const revoke = await secondLeg(emailSession, (proof) => face.revoke(platform, oauth.id, proof))
    const writes = ['insert on oidc_token_uses', 'update of revoked_at on auth_methods']
    expect(statuses(await interleaved(writes, verify, revoke))).toEqual([200, 204])
    const where = { authMethodId: bare(oauth.id), revokedAt: null }
    expect(await db.walletSession.count({ where })).toBe(0)
  })

  it('only one of two copies of a passkey with the same counter is accepted', async () => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    const { id, authenticator } = await addPasskey(face, wallet, emailSession)
    const copy = async () => {
      const { challenge, requestId } = (await passkeyChallenge(face, wallet, id)).body
      const input = { type: 'PASSKEY', assertion: authenticator.get(challenge, { counter: 7 }) }
      return () => face.verify(platform, id, input, { requestId })
    }
    const [one, other] = await interleaved('update of counter on auth_methods', await copy(), await copy())
    expect(one.status).toBe(200)
    expect(other).toMatchObject({ status: 401, details: { reason: 'ASSERTION_COUNTER' } })
  })

  it('a code issued while its phone number changes is void', async () => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    const { id } = await addOtp(face, wallet, emailSession, 'SMS_OTP')
    const phoneNumber = newPhone()
    const change = await secondLeg(emailSession, (proof) =>
      face.updateCustomer(platform, wallet.customerId, { phoneNumber }, proof),
    )
    await db.otpChallenge.deleteMany({ where: { authMethodId: bare(id) } })
    const challenge = () => face.challenge(platform, id)
    expect(statuses(await interleaved('insert on otp_challenges', challenge, change))).toEqual([200, 200])
    expect(await db.otpChallenge.count({ where: { authMethodId: bare(id) } })).toBe(0)
  })

  // On one Postgres only: other nodes do not have the sequence.
  it.skipIf(isDistributed)('a change of an address is checked in one try while a code is issued to it', async () => {
    const { wallet, email } = await createHousehold(face, platform)
    await face.challenge(platform, email.id)
    // A rollback does not take back the number of a sequence.
    await db.$executeRawUnsafe('create sequence tries')
    await db.$executeRawUnsafe(`create function count_try() returns trigger language plpgsql as
      'begin perform nextval(''tries''); return new; end'`)
    await db.$executeRawUnsafe(
      'create trigger counts_try before update on customers for each row execute function count_try()',
    )
    onTestFinished(async () => {
      await db.$executeRawUnsafe('drop function count_try cascade')
      await db.$executeRawUnsafe('drop sequence tries')
    })
    const issue = () => face.challenge(platform, email.id)
    const change = () => face.updateCustomer(platform, wallet.customerId, { email: `${newPhone()}@mail.example` })
    expect(statuses(await interleaved('insert on otp_challenges', issue, change))).toEqual([200, 202])
    expect(await db.$queryRaw`select last_value::int as tries from tries`).toEqual([{ tries: 1 }])
  })

  it('a passkey being revoked cannot be challenged', async () => {
    const { wallet, emailSession } = await createHousehold(face, platform)
    const { id } = await addPasskey(face, wallet, emailSession)
    const revoke = await secondLeg(emailSession, (proof) => face.revoke(platform, id, proof))
    const challenge = () => face.challenge(platform, id, { clientPublicKey: newKey().publicKey })
    const answers = await interleaved('update of revoked_at on auth_methods', revoke, challenge)
    expect(statuses(answers)).toEqual([204, 404])
    expect(await db.signedRequest.count({ where: { operation: 'ASSERT_PASSKEY', target: id } })).toBe(0)
  })

  /** Runs work that ends before the first operation can read it. */
  const over = async <T>(write: string, table: string, ask: () => Promise<T>): Promise<T> => {
    await db.$executeRawUnsafe(`create function ends_at_once() returns trigger language plpgsql as
      'begin new.revoked_at := now(); return new; end'`)
    await db.$executeRawUnsafe(
      `create trigger ends before ${write} on ${table} for each row execute function ends_at_once()`,
    )
    try {
      return await ask()
    } finally {
      await db.$executeRawUnsafe('drop function ends_at_once cascade')
    }
  }

  it('the result of an operation is returned even if it is revoked before the response', async () => {
    const house = await createHousehold(face, platform)
    const { wallet, emailSession, oauthSession, oauth, email } = house
    if (!oauth.identity) throw new Error('No identity')
    const client = newKey()
    const verifyOauth = oauthProof(oauth.identity, client)
    const refresh = await secondLeg(oauthSession, (proof) =>
      face.refresh(platform, oauthSession.id, { clientPublicKey: client.publicKey }, proof),
    )
    const operation = await OPERATIONS['verify OTP'](house)
    const verifyOtp = await secondLeg({ id: '', key: operation.key }, (proof) => operation.send(proof))
    const registration = (await OPERATIONS['add credential'](house)).send
    const register = await secondLeg(emailSession, (proof) => registration(proof))

    const inserted = (ask: () => Promise<Answer>) => over('insert', 'wallet_sessions', ask)
    expect(expectStatus(await inserted(() => face.verify(platform, oauth.id, verifyOauth)), 200).body.id).toBeTruthy()
    expect(expectStatus(await inserted(refresh), 201).body.encryptedSessionSigningKey).toBeTruthy()
    expect(expectStatus(await inserted(verifyOtp), 200).body.nickname).toBe(wallet.email)
    expect(expectStatus(await over('insert', 'auth_methods', register), 201).body.type).toBe('OAUTH')
    const challenge = () => face.challenge(platform, email.id)
    expectStatus(await over('update of updated_at', 'auth_methods', challenge), 200)
  })

  it('concurrent passkey challenges count towards the twenty pending requests', async () => {
    const house = await createHousehold(face, platform)
    const { id } = await addPasskey(face, house.wallet, house.emailSession)
    const operation = await OPERATIONS['wallet privacy'](house)
    for (let count = 0; count < 20; count += 1) expectStatus(await operation.send(), 202)
    const challenge = () => passkeyChallenge(face, house.wallet, id)
    await interleaved('insert on signed_requests', challenge, challenge)
    const where = { accountId: bare(house.wallet.accountId), consumedAt: null }
    expect(await db.signedRequest.count({ where })).toBe(20)
  })

  it("when a wallet's first two credentials are registered at once, one succeeds and the other needs a signature", async () => {
    const { accountId } = await createWallet(platform, { email: null, phoneNumber: newPhone() })
    await db.customer.updateMany({ where: { platformId: platform.id, email: null }, data: { email: 'a@mail.example' } })
    const register = (type: string) => () => face.register(platform, { type, accountId })
    const answers = await interleaved('insert on auth_methods', register('EMAIL_OTP'), register('SMS_OTP'))
    expect(statuses(answers)).toEqual([201, 202])
  })
})
