// A platform deletes its customers, over GraphQL and REST.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { app } from '#app.ts'
import { parseId, publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { createActing } from '#test/setup/agents/acting-agents.ts'
import { callRest as callAsAgent, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import { authorized, createShopper, eventsOf, SOON, simulated } from '#test/setup/cards/shoppers.ts'
import { credentialFaces } from '#test/setup/credentials/credential-faces.ts'
import { interleaved } from '#test/setup/credentials/interleaved.ts'
import { identityToken, newIdentity } from '#test/setup/credentials/oidc-issuer.ts'
import { softwareAuthenticator } from '#test/setup/credentials/software-authenticator.ts'
import { newKey } from '#test/setup/credentials/wallet.ts'
import { newPhone } from '#test/setup/credentials/wallet-operations.ts'
import {
  addOauth,
  addOtp,
  addPasskey,
  bornWith,
  oauthProof,
  otpProof,
  prove,
} from '#test/setup/credentials/wallet-sessions.ts'
import { type CustomerAnswer, customerFaces } from '#test/setup/customers/customer-faces.ts'
import { migrateAgain } from '#test/setup/migrate-again.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createOutside, createPayer, fundsOf, movementsOf, quoteInput } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { createEuropean, enrolPasskey, enrolTotp } from '#test/setup/sca/europeans.ts'
import { callRest, type Json, scaFaces } from '#test/setup/sca/sca-faces.ts'
import {
  createCard,
  createExternalAccount,
  createInternalAccount,
  createPlatform,
  createTransactions,
  outgoing,
  type Platform,
} from '#test/setup/world.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform()
})

const uuidOf = (id: string) => parseId(id)?.uuid ?? ''
const codeOf = ({ status, body }: CustomerAnswer) => `${status} ${body.code}`

const faces = customerFaces.map((face) => {
  const isSame = ({ name }: { readonly name: string }) => name === face.name
  return {
    ...face,
    auth: credentialFaces.find(isSame) as (typeof credentialFaces)[number],
    cards: cardFaces.find(isSame) as (typeof cardFaces)[number],
    sca: scaFaces.find(isSame) as (typeof scaFaces)[number],
  }
})

describe.each(faces)('over $name', (face) => {
  const { auth, cards, sca } = face

  const made = async () => {
    const email = `${randomUUID()}@mail.example`
    return (await face.create(platform, { customerType: 'INDIVIDUAL', fullName: 'Ada', email })).body
  }

  it('deletes a customer once, closes its accounts, and answers later calls with 410', async () => {
    const { id } = await made()
    expect(await face.remove(platform, id)).toMatchObject({ status: 200, body: { id, isDeleted: true } })
    expect(codeOf(await face.remove(platform, id))).toBe('410 CUSTOMER_DELETED')
    expect(codeOf(await face.update(platform, id, { customerType: 'INDIVIDUAL', fullName: 'B' }))).toBe(
      '410 CUSTOMER_DELETED',
    )
    expect(await face.read(platform, id)).toMatchObject({ status: 200, body: { isDeleted: true } })
    const accounts = await db.internalAccount.findMany({ where: { customerId: uuidOf(id) } })
    expect(accounts.map(({ type, status }) => [type, status])).toEqual([['EMBEDDED_WALLET', 'CLOSED']])
  })

  it('does not delete a customer with money or an open payment', async () => {
    const { id, platformCustomerId } = await made()
    await createInternalAccount(platform, { customerId: uuidOf(id), totalBalance: 1n })
    const refused = await face.remove(platform, id)
    expect([codeOf(refused), refused.body.details.reason]).toEqual(['409 CONFLICT', 'ACCOUNT_NOT_EMPTY'])
    const paying = await made()
    await createTransactions(platform, [
      outgoing({ customerId: uuidOf(paying.id), platformCustomerId: paying.platformCustomerId, status: 'PROCESSING' }),
    ])
    expect((await face.remove(platform, paying.id)).body.details.reason).toBe('PAYMENT_OPEN')
    expect(await face.read(platform, id)).toMatchObject({ body: { isDeleted: false, platformCustomerId } })
  })

  it('does not delete a customer whose card transaction has not been settled', async () => {
    const shopper = await createShopper()
    const { platform: own, customerId } = shopper
    const cardTransactionId = await authorized(shopper, 20_000, undefined, cards)
    await passTime(own.id, SOON)
    const reasons: string[] = []
    for (const amount of [8_000, 12_000]) {
      reasons.push((await face.remove(own, customerId)).body.details.reason)
      await simulated(shopper, 'clearing', { cardTransactionId, amount }, cards)
    }
    expect(reasons).toEqual(['PAYMENT_OPEN', 'PAYMENT_OPEN'])
    expect((await face.remove(own, customerId)).status).toBe(200)
  })

  it('ends the wallet that an approval opens while the customer is deleted', async () => {
    const own = await createPlatform()
    const email = `${randomUUID()}@mail.example`
    const { id } = (await face.create(own, { customerType: 'INDIVIDUAL', fullName: 'Ada 003', email })).body
    await face.update(own, id, { customerType: 'INDIVIDUAL', fullName: 'Ada' })
    await callRest(own, 'POST', '/verifications', { customerId: id })
    const [, removed] = await interleaved(
      'insert on internal_accounts',
      () => passTime(own.id, 10),
      () => face.remove(own, id),
    )
    expect(removed.status).toBe(200)
    const [wallet] = await db.internalAccount.findMany({
      where: { customerId: uuidOf(id) },
      include: { authMethods: true },
    })
    expect(wallet).toMatchObject({ status: 'CLOSED', authMethods: [{ revokedAt: expect.any(Date) }] })
  })

  it('rejects the open verification of a deleted customer, which is then not decided', async () => {
    const own = await createPlatform()
    const { id } = (await face.create(own, { customerType: 'INDIVIDUAL', fullName: 'Ada 003' })).body
    await face.update(own, id, { customerType: 'INDIVIDUAL', fullName: 'Ada' })
    const { body: submitted } = await callRest(own, 'POST', '/verifications', { customerId: id })
    expect(submitted.verificationStatus).toBe('IN_PROGRESS')
    expect((await face.remove(own, id)).status).toBe(200)
    expect((await passTime(own.id, 10)).map(({ name }) => name)).toEqual(['decideVerification'])
    const { body } = await callRest(own, 'GET', `/verifications/${submitted.id}`)
    const errors = [{ resourceId: id, type: 'APPLICANT_REJECTED', reason: 'The customer is deleted.' }]
    expect(body).toMatchObject({ verificationStatus: 'REJECTED', errors })
  })

  /** Creates this person, and opens a session of the wallet. */
  const openWallet = async (email: string, phoneNumber: string) => {
    const { body } = await face.create(platform, { customerType: 'INDIVIDUAL', fullName: 'Ada', email, phoneNumber })
    const account = await db.internalAccount.findFirstOrThrow({
      where: { customerId: uuidOf(body.id), type: 'EMBEDDED_WALLET' },
      include: { authMethods: true },
    })
    const accountId = publicId('InternalAccount', account.id)
    const credentialId = publicId('AuthMethod', account.authMethods[0]?.id ?? '')
    const wallet = { platform, email, phoneNumber, customerId: body.id, accountId, credentialId }
    return { wallet, session: await bornWith(auth, wallet).open() }
  }

  it('nothing of a deleted customer signs, verifies, exports, spends or reveals', async () => {
    const { wallet, session } = await openWallet(`${randomUUID()}@mail.example`, newPhone())
    const { accountId, credentialId, customerId } = wallet
    const oauth = await addOauth(auth, wallet, session)
    const passkey = await addPasskey(auth, wallet, session)
    const { id: card } = await createCard(platform, { customerId: uuidOf(customerId), accountId: uuidOf(accountId) })
    const cardId = publicId('Card', card)
    const key = { cardId, internalAccountId: accountId, nickname: 'Travel' }
    const signKey = async (answer?: Json) => {
      const proof = answer && (await prove(session.key, answer))
      const headers = proof && { 'request-id': proof.requestId, 'service-wallet-signature': proof.signature }
      return callRest(platform, 'POST', '/auth/delegated-keys', key, headers)
    }
    expect((await signKey(await signKey(await signKey()))).status).toBe(201)
    const client = { clientPublicKey: newKey().publicKey }
    const waiting = await prove(session.key, await auth.exportWallet(platform, accountId, client))
    const identity = { type: 'OAUTH', accountId, oidcToken: identityToken(newIdentity()) }
    const used = await prove(session.key, await auth.register(platform, identity))
    expect((await auth.register(platform, identity, used)).status).toBe(201)
    const code = await otpProof(auth, wallet, { id: credentialId, type: 'EMAIL_OTP' })
    const { panEmbedUrl } = (await cards.reveal(platform, cardId)).body

    expect((await face.remove(platform, customerId)).status).toBe(200)
    const fresh = await prove(session.key, await auth.exportWallet(platform, accountId, client))
    const refused = await Promise.all([
      auth.exportWallet(platform, accountId, client, waiting),
      auth.exportWallet(platform, accountId, client, fresh),
      auth.register(platform, identity, used),
      auth.refresh(platform, session.id, client),
      auth.challenge(platform, credentialId),
      auth.verify(platform, credentialId, code),
      auth.challenge(platform, passkey.id, client),
      auth.verify(platform, oauth.id, oauthProof(oauth.identity, newKey())),
      auth.register(platform, { type: 'SMS_OTP', accountId }),
      cards.reveal(platform, cardId).then(({ status, body }) => ({ status, code: body.code, details: undefined })),
    ])
    expect(refused.map(({ status, code, details }) => `${status} ${details?.reason ?? code}`)).toEqual([
      '401 REQUEST_ID_UNKNOWN',
      '401 SIGNER_NOT_ALLOWED',
      '401 REQUEST_ID_CONSUMED',
      '401 SESSION_NOT_ACTIVE',
      ...Array(4).fill('404 REFERENCE_NOT_FOUND'),
      '400 INVALID_INPUT',
      '403 FORBIDDEN',
    ])
    const [sessions, credentials] = [auth.listSessions(platform, accountId), auth.listCredentials(platform, accountId)]
    expect([(await sessions).body, (await credentials).body]).toEqual([{ data: [] }, { data: [] }])
    expect((await app.fetch(new Request(panEmbedUrl))).status).toBe(410)
    const { body: keys } = await callRest(platform, 'GET', `/auth/delegated-keys?accountId=${accountId}`)
    expect(keys.data.map(({ status }: { status: string }) => status)).toEqual(['REVOKED'])
    const { body: closed } = await callRest(platform, 'GET', `/cards/${cardId}`)
    expect(closed).toMatchObject({ state: 'CLOSED', stateReason: 'CLOSED_BY_PLATFORM' })
    expect(await eventsOf({ platform }, cardId)).toEqual(['CARD.STATE_CHANGE'])
  })

  it('the same person can be created again, and registers the same email, phone, passkey and identity', async () => {
    const [email, phone] = [`${randomUUID()}@mail.example`, newPhone()]
    const [authenticator, identity] = [softwareAuthenticator(), newIdentity()]
    const register = async () => {
      const { wallet, session } = await openWallet(email, phone)
      await addOtp(auth, wallet, session, 'SMS_OTP')
      await addPasskey(auth, wallet, session, { authenticator })
      await addOauth(auth, wallet, session, identity)
      return wallet
    }
    expect((await face.remove(platform, (await register()).customerId)).status).toBe(200)
    const { accountId } = await register()
    expect((await auth.listCredentials(platform, accountId)).body.data).toHaveLength(4)
  })

  it('second factors, logins, trust and codes of a deleted customer end', async () => {
    const { platform: own, customerId, id } = await createEuropean()
    const { id: account } = await createExternalAccount(own, { customerId: id })
    const accountId = publicId('ExternalAccount', account)
    const proof = { code: '123456' }
    await sca.startTrust(own, accountId, 'trust')
    await sca.confirmTrust(own, accountId, 'trust', proof)
    await enrolTotp(own, customerId)
    await enrolPasskey(own, customerId)
    await sca.startLogin(own, { customerId, factor: 'TOTP' })
    expect((await sca.completeLogin(own, { customerId, factor: 'TOTP', ...proof })).status).toBe(200)
    expect((await sca.startContact(own, customerId, 'EMAIL')).status).toBe(204)
    const kept = () => db.$queryRaw`
      select (select count(*)::int from sca_factors where customer_id = ${id}::uuid) as factors,
        (select count(*)::int from sca_recovery_codes where customer_id = ${id}::uuid) as codes,
        (select count(*)::int from trusted_accounts where external_account_id = ${account}::uuid) as trusted,
        (select count(*)::int from contact_codes where customer_id = ${id}::uuid) as "contactCodes",
        authenticated_until is not null as "isAuthenticated" from sca_customers where id = ${id}::uuid`
    expect(await kept()).toEqual([{ factors: 2, codes: 10, trusted: 1, contactCodes: 1, isAuthenticated: true }])
    expect((await face.remove(own, customerId)).status).toBe(200)
    expect(await kept()).toEqual([{ factors: 0, codes: 0, trusted: 0, contactCodes: 0, isAuthenticated: false }])
    const answers = [
      await sca.startTrust(own, accountId, 'trust'),
      await sca.startLogin(own, { customerId, factor: 'TOTP' }),
    ]
    expect(answers.map(codeOf)).toEqual(Array(2).fill('410 CUSTOMER_DELETED'))
  })

  it('agents of a deleted customer lose access, and what they wait for is rejected', async () => {
    const acting = await createActing({ platform, balance: 0n, defaultExecutionMode: 'APPROVAL_REQUIRED' })
    const { agent, agentId, customerId } = acting
    const accountInfo = { accountType: 'USD_ACCOUNT', accountNumber: '123456001', routingNumber: '021000021' }
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada' }
    const input = { currency: 'USD', accountInfo: { ...accountInfo, beneficiary } }
    expect((await callAsAgent(agent, 'POST', '/agents/me/external-accounts', input)).status).toBe(201)
    expect((await face.remove(platform, customerId)).status).toBe(200)
    expect((await callAsAgent(agent, 'GET', '/agents/me')).status).toBe(401)
    const { body } = await callRest(platform, 'GET', `/agents/${agentId}/actions`)
    expect(body.data).toMatchObject([{ status: 'REJECTED', rejectionReason: 'customer deleted' }])
    const where = { id: uuidOf(body.data[0].externalAccountId) }
    expect(await db.externalAccount.findFirst({ where })).toMatchObject({ status: 'INACTIVE' })
  })

  it('an upgrade ends what acts for customers whom an earlier release has deleted', async () => {
    const { wallet, session } = await openWallet(`${randomUUID()}@mail.example`, newPhone())
    const { accountId, customerId } = wallet
    const [customer, account] = [uuidOf(customerId), uuidOf(accountId)]
    await auth.exportWallet(platform, accountId, { clientPublicKey: newKey().publicKey })
    const { id: card } = await createCard(platform, { customerId: customer, accountId: account })
    const { authorization } = await createConnectedAgent(platform, { customerId: customer })
    const european = await createEuropean()
    await enrolTotp(european.platform, european.customerId)
    await db.$executeRaw`update customers set is_deleted = true where id in (${customer}::uuid, ${european.id}::uuid)`
    await migrateAgain('20261127200000_end_deleted_customers')

    expect((await auth.listSessions(platform, accountId)).body).toEqual({ data: [] })
    expect((await auth.listCredentials(platform, accountId)).body).toEqual({ data: [] })
    expect((await auth.refresh(platform, session.id, { clientPublicKey: newKey().publicKey })).status).toBe(401)
    expect(await db.signedRequest.count({ where: { accountId: account, consumedAt: null } })).toBe(0)
    expect((await callRest(platform, 'GET', `/cards/Card:${card}`)).body.state).toBe('CLOSED')
    expect((await callAsAgent(authorization, 'GET', '/agents/me')).status).toBe(401)
    expect(
      await db.$queryRaw`
      select type::text from sca_factors where customer_id = ${european.id}::uuid
      union all select 'code' from sca_recovery_codes where customer_id = ${european.id}::uuid`,
    ).toEqual([])
  })

  it('a refund that is under way prevents the deletion, and a later one fails instead of paying a closed account', async () => {
    /** What each step of the payment leaves, and the answer to a deletion then. */
    const deletedAfterEachStep = async (suffix: string) => {
      const { customerId, dollars } = await createPayer({ platform, balance: 10_000n })
      const outside = await createOutside(platform, suffix)
      const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, outside))
      await send(platform, 'POST', `/quotes/${quote.id}/execute`)
      const steps: string[] = []
      await passTime(platform.id, 240, async () => {
        const { status, refund } = (await callRest(platform, 'GET', `/transactions/${quote.transactionId}`)).body
        const { body } = await face.remove(platform, customerId)
        steps.push(`${status} ${refund?.status}: ${body.details?.reason ?? body.code ?? 'deleted'}`)
      })
      return { steps, funds: await fundsOf(platform, dollars) }
    }
    expect(await deletedAfterEachStep('002')).toEqual({
      steps: ['FAILED PENDING: PAYMENT_OPEN', 'FAILED COMPLETED: ACCOUNT_NOT_EMPTY'],
      funds: [10_000, 10_000],
    })
    expect(await deletedAfterEachStep('005')).toEqual({
      steps: ['COMPLETED undefined: deleted', 'FAILED PENDING: CUSTOMER_DELETED', 'FAILED FAILED: CUSTOMER_DELETED'],
      funds: [0, 0],
    })
  })

  it('tokens that arrive for a deleted customer stay in suspense, and no account is opened for it', async () => {
    const { customerId } = await createPayer({ platform, balance: 0n })
    const own = await createPayer({ platform })
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USDC', cryptoNetwork: 'SOLANA', customerId }
    const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput('', own.dollars, 10_000, { source }))
    await send(platform, 'POST', '/sandbox/advance-time', { seconds: 15 * 60 })
    expect((await face.remove(platform, customerId)).status).toBe(200)
    const pushed = { quoteId: quote.id, currencyCode: 'USDC' }
    expect((await send(platform, 'POST', '/sandbox/send', pushed)).body.status).toBe('EXPIRED')
    await passTime(platform.id)
    const { body } = await callRest(platform, 'GET', `/transactions/${quote.transactionId}`)
    expect(body).toMatchObject({ status: 'EXPIRED', refund: { status: 'FAILED' } })
    expect(await movementsOf(platform, quote.transactionId)).toEqual([
      'FUNDING: OUTSIDE -10000 USDC, SUSPENSE 10000 USDC',
    ])
    expect(await db.internalAccount.count({ where: { customerId: uuidOf(customerId), currency: 'USDC' } })).toBe(0)
  })
})
