// The decision tables of sessions, wallets and contact (docs/domain/credentials.md#revocation-and-session-decisions), row by row over
// GraphQL and REST, and the lists.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callRest, credentialFaces, graphql } from '#test/setup/credentials/credential-faces.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { createHousehold, type Household, newPhone } from '#test/setup/credentials/wallet-operations.ts'
import { describeRows, INVALID_INPUT, invalid, NOT_FOUND, OK, type Row } from '#test/setup/credentials/wallet-rows.ts'
import {
  addOauth,
  addOtp,
  addPasskey,
  bornWith,
  expectStatus,
  signedRetry,
} from '#test/setup/credentials/wallet-sessions.ts'
import { ask } from '#test/setup/faces.ts'
import { statementsOf } from '#test/setup/sent-statements.ts'
import { createCustomer, createInternalAccount, createPlatform, createWallet } from '#test/setup/world.ts'

const bare = (id: string) => id.slice(id.indexOf(':') + 1)
const ACCEPTED = { status: 202 }
const NOT_ACTIVE = { status: 401, code: 'UNAUTHORIZED', reason: 'SESSION_NOT_ACTIVE' }
const key = () => newKey().publicKey

const endSession = (id: string, data: object) => db.walletSession.updateMany({ where: { id: bare(id) }, data })
const past = () => new Date(Date.now() - 1_000)

/** A session for the row, active or expired. */
const sessionThat =
  (
    ends: object | null,
    ask: (house: Household, id: string, face: (typeof credentialFaces)[number]) => ReturnType<Row[1]>,
  ): Row[1] =>
  async (house, face) => {
    const { id } = await house.oauth.open()
    if (ends) await endSession(id, ends)
    return ask(house, id, face)
  }

const refresh =
  (input: unknown): Row[1] =>
  ({ platform, oauthSession }, face) =>
    face.refresh(platform, oauthSession.id, input)

describeRows('POST /auth/sessions/{id}/refresh', [
  ['key missing', refresh({}), INVALID_INPUT],
  ['key invalid', refresh({ clientPublicKey: 'zz' }), invalid('clientPublicKey')],
  ['key at infinity', refresh({ clientPublicKey: '00' }), invalid('clientPublicKey')],
  ['key off the curve', refresh({ clientPublicKey: `04${'0'.repeat(128)}` }), invalid('clientPublicKey')],
  [
    'never issued',
    ({ platform }, face) => face.refresh(platform, `Session:${randomUUID()}`, { clientPublicKey: key() }),
    NOT_FOUND,
  ],
  ['malformed id', ({ platform }, face) => face.refresh(platform, 'x', { clientPublicKey: key() }), NOT_FOUND],
  [
    'an invalid key is reported before an unknown id',
    ({ platform }, face) => face.refresh(platform, `Session:${randomUUID()}`, { clientPublicKey: 'zz' }),
    invalid('clientPublicKey'),
  ],
  [
    'expired',
    sessionThat({ expiresAt: past() }, ({ platform }, id, face) =>
      face.refresh(platform, id, { clientPublicKey: key() }),
    ),
    NOT_ACTIVE,
  ],
  [
    'revoked',
    sessionThat({ revokedAt: past() }, ({ platform }, id, face) =>
      face.refresh(platform, id, { clientPublicKey: key() }),
    ),
    NOT_ACTIVE,
  ],
  ['otherwise', refresh({ clientPublicKey: newKey().publicKeyUncompressed }), ACCEPTED],
])

describeRows('DELETE /auth/sessions/{id}', [
  ['never issued', ({ platform }, face) => face.revokeSession(platform, `Session:${randomUUID()}`), NOT_FOUND],
  ['malformed id', ({ platform }, face) => face.revokeSession(platform, 'x'), NOT_FOUND],
  [
    'expired',
    sessionThat({ expiresAt: past() }, ({ platform }, id, face) => face.revokeSession(platform, id)),
    NOT_FOUND,
  ],
  [
    'revoked',
    sessionThat({ revokedAt: past() }, ({ platform }, id, face) => face.revokeSession(platform, id)),
    NOT_FOUND,
  ],
  ['otherwise', sessionThat(null, ({ platform }, id, face) => face.revokeSession(platform, id)), ACCEPTED],
])

const fiat = async ({ platform }: Household) => `InternalAccount:${(await createInternalAccount(platform)).id}`
const unknownAccount = () => `InternalAccount:${randomUUID()}`

describeRows('POST /internal-accounts/{id}/export', [
  [
    'unknown',
    ({ platform }, face) => face.exportWallet(platform, unknownAccount(), { clientPublicKey: key() }),
    NOT_FOUND,
  ],
  ['malformed id', ({ platform }, face) => face.exportWallet(platform, 'x', { clientPublicKey: key() }), NOT_FOUND],
  [
    'not a wallet',
    async (house, face) => face.exportWallet(house.platform, await fiat(house), { clientPublicKey: key() }),
    invalid('id'),
  ],
  [
    'an unknown account is reported before an invalid body',
    ({ platform }, face) => face.exportWallet(platform, unknownAccount(), { clientPublicKey: '04' }),
    NOT_FOUND,
  ],
  [
    'an account that is not a wallet is reported before an invalid body',
    async (house, face) => face.exportWallet(house.platform, await fiat(house), { clientPublicKey: '04' }),
    invalid('id'),
  ],
  ['key missing', ({ platform, wallet }, face) => face.exportWallet(platform, wallet.accountId, {}), INVALID_INPUT],
  [
    'key invalid',
    ({ platform, wallet }, face) => face.exportWallet(platform, wallet.accountId, { clientPublicKey: '04' }),
    invalid('clientPublicKey'),
  ],
  [
    'otherwise',
    ({ platform, wallet }, face) => face.exportWallet(platform, wallet.accountId, { clientPublicKey: key() }),
    ACCEPTED,
  ],
])

describeRows('PATCH /internal-accounts/{id}', [
  [
    'unknown',
    ({ platform }, face) => face.updatePrivacy(platform, unknownAccount(), { privateEnabled: true }),
    NOT_FOUND,
  ],
  [
    'not a wallet',
    async (house, face) => face.updatePrivacy(house.platform, await fiat(house), { privateEnabled: true }),
    invalid('id'),
  ],
  ['empty body', ({ platform, wallet }, face) => face.updatePrivacy(platform, wallet.accountId, {}), INVALID_INPUT],
  [
    'not a boolean',
    ({ platform, wallet }, face) => face.updatePrivacy(platform, wallet.accountId, { privateEnabled: 'yes' }),
    invalid('privateEnabled'),
  ],
  [
    'otherwise',
    ({ platform, wallet }, face) => face.updatePrivacy(platform, wallet.accountId, { privateEnabled: true }),
    ACCEPTED,
  ],
])

// GraphQL refuses such a body by its type.
it('PATCH /internal-accounts/{id}: an account that cannot be changed is reported before an invalid body', async () => {
  const platform = await createPlatform()
  const { id } = await createInternalAccount(platform)
  const patch = (accountId: string) =>
    callRest(platform, 'PATCH', `/internal-accounts/${accountId}`, { body: { privateEnabled: 'yes' } })
  expect(await patch(unknownAccount())).toMatchObject(NOT_FOUND)
  expect(await patch(`InternalAccount:${id}`)).toMatchObject({ ...INVALID_INPUT, details: { field: 'id' } })
})

const TAKEN = { status: 409, code: 'EMAIL_OTP_EMAIL_ALREADY_EXISTS' }
const change =
  (input: object): Row[1] =>
  ({ platform, wallet }, face) =>
    face.updateCustomer(platform, wallet.customerId, input)

describeRows('PATCH /customers/{customerId}', [
  [
    'unknown',
    ({ platform }, face) => face.updateCustomer(platform, `Customer:${randomUUID()}`, { email: 'a@b.example' }),
    { status: 404, code: 'USER_NOT_FOUND' },
  ],
  [
    'malformed id',
    ({ platform }, face) => face.updateCustomer(platform, 'x', { email: 'a@b.example' }),
    { status: 404, code: 'USER_NOT_FOUND' },
  ],
  [
    'deleted',
    async ({ platform }, face) => {
      const { id } = await createCustomer(platform, { isDeleted: true })
      return face.updateCustomer(platform, `Customer:${id}`, { email: 'a@b.example' })
    },
    { status: 410, code: 'CUSTOMER_DELETED' },
  ],
  ['email without @', change({ email: 'nobody' }), invalid('email')],
  ['email of 255', change({ email: `${'x'.repeat(243)}@mail.example` }), invalid('email')],
  ['email with NUL', change({ email: 'a\0@mail.example' }), invalid('email')],
  ['phone without +', change({ phoneNumber: '14155550100' }), invalid('phoneNumber')],
  ['phone from 0', change({ phoneNumber: '+04155550100' }), invalid('phoneNumber')],
  [
    'email and phone, both tied',
    async (_shared, face) => {
      const { platform, wallet, emailSession } = await createHousehold(face, await createPlatform())
      await addOtp(face, wallet, emailSession, 'SMS_OTP')
      return face.updateCustomer(platform, wallet.customerId, { email: 'new@mail.example', phoneNumber: newPhone() })
    },
    INVALID_INPUT,
  ],
  [
    'the same email',
    ({ platform, wallet }, face) => face.updateCustomer(platform, wallet.customerId, { email: wallet.email }),
    OK,
  ],
  [
    'the same phone, with a new email',
    async ({ platform, wallet }, face) => {
      const { phoneNumber } = wallet
      return face.updateCustomer(platform, wallet.customerId, { email: 'other@mail.example', phoneNumber })
    },
    ACCEPTED,
  ],
  [
    'email with no credential tied to it',
    async ({ platform }, face) => {
      const { id } = await createCustomer(platform, { email: 'old@mail.example' })
      return face.updateCustomer(platform, `Customer:${id}`, { email: 'new@mail.example' })
    },
    OK,
  ],
  [
    'phone without a tied credential',
    async ({ platform }, face) => {
      const { customerId } = await createWallet(platform, { phoneNumber: newPhone() })
      return face.updateCustomer(platform, customerId, { phoneNumber: newPhone() })
    },
    OK,
  ],
  [
    'email that a credential of another customer has',
    async ({ platform, wallet }, face) => {
      const { email } = await createWallet(platform)
      return face.updateCustomer(platform, wallet.customerId, { email })
    },
    TAKEN,
  ],
  [
    'phone of a credential of another customer',
    async (_shared, face) => {
      const platform = await createPlatform()
      const [one, other] = [await createHousehold(face, platform), await createHousehold(face, platform)]
      await addOtp(face, one.wallet, one.emailSession, 'SMS_OTP')
      await addOtp(face, other.wallet, other.emailSession, 'SMS_OTP')
      return face.updateCustomer(platform, one.wallet.customerId, { phoneNumber: other.wallet.phoneNumber })
    },
    TAKEN,
  ],
  [
    'that email in upper case',
    async ({ platform, wallet }, face) => {
      const { email } = await createWallet(platform)
      return face.updateCustomer(platform, wallet.customerId, { email: email?.toUpperCase() })
    },
    TAKEN,
  ],
  [
    'the same email in upper case',
    ({ platform, wallet }, face) =>
      face.updateCustomer(platform, wallet.customerId, { email: wallet.email?.toUpperCase() }),
    ACCEPTED,
  ],
  [
    'email of another customer whose credential was revoked',
    async ({ platform, wallet }, face) => {
      const { email, oauthSession, wallet: other } = await createHousehold(face, platform)
      expectStatus(await signedRetry(oauthSession.key, (proof) => face.revoke(platform, email.id, proof)), 204)
      return face.updateCustomer(platform, wallet.customerId, { email: other.email })
    },
    ACCEPTED,
  ],
  [
    'email that the OAUTH credential of another customer is called',
    async ({ platform, wallet }, face) => {
      const { oauth } = await createHousehold(face, platform)
      const email = oauth.identity?.email
      expect(await db.authMethod.count({ where: { type: 'OAUTH', nickname: email ?? '' } })).toBe(1)
      return face.updateCustomer(platform, wallet.customerId, { email })
    },
    ACCEPTED,
  ],
  [
    'email that another customer has without a credential',
    async ({ platform, wallet }, face) => {
      await createCustomer(platform, { email: 'theirs@mail.example' })
      return face.updateCustomer(platform, wallet.customerId, { email: 'theirs@mail.example' })
    },
    ACCEPTED,
  ],
  [
    'email of a credential on another platform',
    async ({ platform, wallet }, face) => {
      const { email } = await createWallet(await createPlatform())
      return face.updateCustomer(platform, wallet.customerId, { email })
    },
    ACCEPTED,
  ],
  ['email with a credential tied to it', change({ email: 'fresh@mail.example' }), ACCEPTED],
])

describe.each(credentialFaces)('the lists over $name', (face) => {
  let house: Household
  beforeAll(async () => {
    house = await createHousehold(face, await createPlatform())
  })

  it('are newest first and not paged', async () => {
    const { platform, wallet, emailSession } = house
    const passkey = await addPasskey(face, wallet, emailSession)
    const another = await addOauth(face, wallet, emailSession)
    const { body } = expectStatus(await face.listCredentials(platform, wallet.accountId), 200)
    const ids = body.data.map(({ id }) => id)
    expect(ids.toSorted()).toEqual([wallet.credentialId, house.oauth.id, passkey.id, another.id].toSorted())
    const opened = [await passkey.open(), await another.open()]
    const { body: listed } = expectStatus(await face.listSessions(platform, wallet.accountId), 200)
    const all = [house.emailSession, house.oauthSession, ...opened].map(({ id }) => id).toReversed()
    expect(listed.data.map(({ id }) => id)).toEqual(all)
    for (const session of listed.data) expect(session.encryptedSessionSigningKey).toBeUndefined()
  })

  it('contain only active sessions and live credentials', async () => {
    const { platform, wallet, emailSession, oauth } = await createHousehold(face, house.platform)
    const [over, gone] = [await oauth.open(), await oauth.open()]
    await endSession(over.id, { expiresAt: past() })
    expectStatus(await signedRetry(gone.key, (proof) => face.revokeSession(platform, gone.id, proof)), 204)
    expectStatus(await signedRetry(emailSession.key, (proof) => face.revoke(platform, oauth.id, proof)), 204)
    const { body } = await face.listSessions(platform, wallet.accountId)
    expect(body.data.map(({ id }) => id)).toEqual([emailSession.id])
    const { body: credentials } = await face.listCredentials(platform, wallet.accountId)
    expect(credentials.data.map(({ id }) => id)).toEqual([bornWith(face, wallet).id])
  })

  it('are empty for an unknown account, and 400 for a malformed id', async () => {
    for (const list of [face.listCredentials, face.listSessions]) {
      const accountId = unknownAccount()
      expect(await list(house.platform, accountId)).toMatchObject({ status: 200, body: { data: [] } })
      for (const malformed of ['', 'x', bare(accountId), accountId.toUpperCase()]) {
        expect(await list(house.platform, malformed)).toMatchObject(INVALID_INPUT)
      }
    }
  })
})

it('a credential lists the active sessions that it issued, in two statements for any number of credentials', async () => {
  const house = await createHousehold(graphql, await createPlatform())
  const { platform, wallet, email, emailSession, oauth, oauthSession } = house
  const [over, later] = [await oauth.open(), await oauth.open()]
  await endSession(over.id, { expiresAt: past() })
  const document = `query ($id: ID!) {
    account: node(id: $id) {
      ... on InternalAccount { authMethods { nodes { id sessions { totalCount nodes { id authMethod { id } } } } } }
    }
  }`
  const { data } = await ask(platform, document, { id: wallet.accountId })
  const sessionsOf = (id: string, ...ids: string[]) => ({
    id,
    sessions: { totalCount: ids.length, nodes: ids.map((session) => ({ id: session, authMethod: { id } })) },
  })
  expect(data).toEqual({
    account: {
      authMethods: {
        nodes: [sessionsOf(oauth.id, later.id, oauthSession.id), sessionsOf(email.id, emailSession.id)],
      },
    },
  })
  const sent = await statementsOf(() => ask(platform, document, { id: wallet.accountId }))
  expect(sent.filter((text) => text.includes('active_sessions'))).toHaveLength(2)
})
