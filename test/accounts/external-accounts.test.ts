// Adding, listing and deleting accounts outside the service, and proving the ownership of a wallet, over both faces.
import { createHash, randomUUID } from 'node:crypto'
import { base58 } from '@scure/base'
import { beforeEach, describe, expect, it } from 'vitest'
import { fieldsOf } from '#accounts/types/table.ts'
import { publicId } from '#core/ids.ts'
import { db, sql } from '#database/db.ts'
import { timeOf } from '#database/unit-of-work.ts'
import { exampleOf } from '#test/setup/accounts/account-examples.ts'
import { type Answer, accountFaces } from '#test/setup/accounts/account-faces.ts'
import { newEvmWallet, newSolanaWallet, signAsEvm, signAsSolana } from '#test/setup/accounts/wallet-keys.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { delayed } from '#test/setup/credentials/interleaved.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { migrateAgain } from '#test/setup/migrate-again.ts'
import { createPayer, transferInput } from '#test/setup/payments/payers.ts'
import { changePlatform, createCustomer, createPlatform, createToken, type Platform } from '#test/setup/world.ts'

let platform: Platform
let customerId: string
beforeEach(async () => {
  platform = await createPlatform()
  customerId = publicId('Customer', (await createCustomer(platform)).id)
})

const dollars = (change: object = {}, more: object = {}) => ({
  customerId,
  currency: 'USD',
  accountInfo: { ...exampleOf('USD_ACCOUNT'), ...change },
  ...more,
})

const outcomeOf = ({ status, body }: Answer) => ({
  status,
  ...(status >= 400 && { code: body.code }),
  ...(body?.details?.reason && { reason: body.details.reason }),
  ...(body?.details?.field && { field: body.details.field }),
})

const get = (path: string) => callRest(basic(platform), 'GET', path)
const listed = async (path = '/customers/external-accounts') =>
  (await get(path)).body.data.map(({ id }: { id: string }) => id)

describe.each(accountFaces)('over $name', (face) => {
  it('an account has everything that was sent, and the results of its checks', async () => {
    const { status, body } = await face.create(
      platform,
      dollars({}, { platformAccountId: 'mine', ownershipType: 'FIRST_PARTY', defaultUmaDepositAccount: true }),
    )
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^ExternalAccount:/),
        customerId,
        status: 'ACTIVE',
        platformAccountId: 'mine',
        defaultUmaDepositAccount: true,
        ownershipType: 'FIRST_PARTY',
        beneficiaryVerificationStatus: 'MATCHED',
        beneficiaryVerifiedData: { fullName: 'Asha Rao' },
        accountInfo: { ...exampleOf('USD_ACCOUNT'), paymentRails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'] },
      },
    })
    expect((await get(`/customers/external-accounts/${body.id}`)).body).toMatchObject({ id: body.id })
  })

  it("the platform's own account has no customer and no default", async () => {
    const { customerId: _, ...own } = dollars()
    expect((await face.create(platform, own)).body.customerId).toBeUndefined()
    const answer = await face.create(platform, { ...own, defaultUmaDepositAccount: true })
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'INVALID_INPUT', field: 'defaultUmaDepositAccount' })
  })

  it.each([
    [
      'an unknown customer',
      () => ({ customerId: `Customer:${randomUUID()}` }),
      { status: 404, code: 'USER_NOT_FOUND' },
    ],
    ['an unknown currency', () => ({ currency: 'XXX' }), { status: 400, code: 'INVALID_CURRENCY', field: 'currency' }],
    [
      'a currency of another type',
      () => ({ currency: 'EUR' }),
      { status: 400, code: 'INVALID_CURRENCY', field: 'currency' },
    ],
  ])('%s is refused', async (_what, change, refusal) => {
    expect(outcomeOf(await face.create(platform, dollars({}, change())))).toEqual(refusal)
    expect(await listed()).toEqual([])
  })

  it("another platform's customer is unknown", async () => {
    const stranger = await createPlatform()
    expect(outcomeOf(await face.create(stranger, dollars()))).toEqual({ status: 404, code: 'USER_NOT_FOUND' })
    const { body } = await face.create(platform, dollars())
    expect(outcomeOf(await face.delete(stranger, body.id))).toEqual({ status: 404, code: 'REFERENCE_NOT_FOUND' })
  })

  it('a new default replaces the old one', async () => {
    const [first, second] = ['1111111111', '2222222222']
    const { body: before } = await face.create(
      platform,
      dollars({ accountNumber: first }, { defaultUmaDepositAccount: true }),
    )
    const { body: after } = await face.create(
      platform,
      dollars({ accountNumber: second }, { defaultUmaDepositAccount: true }),
    )
    const defaults = (await get('/customers/external-accounts')).body.data
    expect(
      defaults.map(({ id, defaultUmaDepositAccount }: Record<string, unknown>) => [id, defaultUmaDepositAccount]),
    ).toEqual([
      [after.id, true],
      [before.id, false],
    ])
  })

  it('an owner can add an account only once, however it is spelled, until it is deleted', async () => {
    const { body } = await face.create(platform, dollars())
    const twice = (externalAccountId: string) => ({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'ACCOUNT_EXISTS', externalAccountId } },
    })
    for (const other of accountFaces) {
      expect(await other.create(platform, dollars({ bankName: 'Another name' }))).toMatchObject(twice(body.id))
    }
    for (const owner of [{ customerId: publicId('Customer', (await createCustomer(platform)).id) }, {}]) {
      const { customerId: _, ...account } = dollars()
      const own = await face.create(platform, { ...account, ...owner })
      expect(own.status).toBe(201)
      expect(await face.create(platform, { ...account, ...owner })).toMatchObject(twice(own.body.id))
    }
    await face.delete(platform, body.id)
    expect((await face.create(platform, dollars())).status).toBe(201)
  })

  const [, { example: spark = '' } = {}] = fieldsOf('SPARK_WALLET')[0] ?? []
  const addSpark = (address: string, owner = customerId) =>
    face.create(platform, { customerId: owner, currency: 'BTC', accountInfo: { accountType: 'SPARK_WALLET', address } })
  const exists = { status: 409, reason: 'ACCOUNT_EXISTS' }

  it('a Spark address in capitals is the same address', async () => {
    expect((await addSpark(spark.toUpperCase())).status).toBe(201)
    expect(outcomeOf(await addSpark(spark))).toMatchObject(exists)
  })

  it('a Spark address that an earlier release stored in capitals is the same address after the upgrade', async () => {
    const other = publicId('Customer', (await createCustomer(platform)).id)
    for (const owner of [customerId, other]) await addSpark(spark.toUpperCase(), owner)
    const text = JSON.stringify(['SPARK_WALLET', 'BTC', spark.toUpperCase()])
    const fingerprint = new Uint8Array(createHash('sha256').update(text).digest())
    await db.externalAccount.updateMany({ where: { platformId: platform.id }, data: { fingerprint } })
    expect((await addSpark(spark, other)).status).toBe(201)
    await migrateAgain('20261205100200_spark_addresses_without_case')
    expect(outcomeOf(await addSpark(spark))).toMatchObject(exists)
    // An owner who already has it twice keeps both.
    expect(await listed(`/customers/external-accounts?customerId=${other}`)).toHaveLength(2)
  })

  it('concurrent additions of one account leave one', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => face.create(platform, dollars())))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  it('a deleted account is in no list, unknown by id, and still shown by its payments', async () => {
    const { platform: payer, dollars: account, outside } = await createPayer()
    const pay = () => callRest(basic(payer), 'POST', '/transfer-out', transferInput(account, outside, 100))
    const { body: payment } = await pay()
    expect(await face.delete(payer, outside)).toMatchObject({ status: 204 })
    expect(outcomeOf(await face.delete(payer, outside))).toEqual({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    const read = (path: string) => callRest(basic(payer), 'GET', path)
    expect((await read(`/customers/external-accounts/${outside}`)).status).toBe(404)
    expect(JSON.stringify((await read('/customers/external-accounts')).body.data)).not.toContain(outside)
    expect((await pay()).status).toBe(404)
    expect((await read(`/transactions/${payment.id}`)).body.destination.accountId).toBe(outside)
  })

  it.each([
    ['VIEW', 403],
    ['TRANSACT', 201],
    ['MANAGE', 201],
  ] as const)('the permission %s gives %i', async (permission, status) => {
    const token: Credentials = { clientId: randomUUID(), secret: randomUUID() }
    await createToken(platform.id, token, [permission])
    expect((await face.create(token, dollars())).status).toBe(status)
    const { body } = await face.create(platform, dollars({ accountNumber: '3333333333' }))
    expect((await face.delete(token, body.id)).status).toBe(status === 201 ? 204 : 403)
  })

  it.each([
    ['1234567102', 'NOT_MATCHED', undefined],
    ['1234567103', 'PARTIAL_MATCH', { fullName: 'A. Rao' }],
    ['1234567104', 'PENDING', undefined],
    ['1234567106', 'UNSUPPORTED', undefined],
    ['1234567107', 'CHECKED_BY_RECEIVING_FI', undefined],
  ])('the beneficiary of %s is %s', async (accountNumber, beneficiaryVerificationStatus, beneficiaryVerifiedData) => {
    const { body } = await face.create(platform, dollars({ accountNumber }))
    expect(body.beneficiaryVerificationStatus).toBe(beneficiaryVerificationStatus)
    expect(body.beneficiaryVerifiedData).toEqual(beneficiaryVerifiedData)
  })

  it('an account that the bank does not know is refused', async () => {
    const answer = await face.create(platform, dollars({ accountNumber: '1234567105' }))
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'INVALID_BANK_ACCOUNT', field: 'accountInfo.accountNumber' })
  })

  it('production does not check beneficiaries yet, and refuses test networks', async () => {
    await changePlatform(platform, { environment: 'PRODUCTION' })
    const { status, body } = await face.create(platform, dollars())
    expect({ status, check: body.beneficiaryVerificationStatus }).toEqual({ status: 201, check: undefined })
    const accountInfo = { accountType: 'SOLANA_WALLET', address: `${'A'.repeat(33)}002` }
    const answer = await face.create(platform, { customerId, currency: 'USDC', accountInfo })
    expect(outcomeOf(answer)).toMatchObject({ code: 'INVALID_BANK_ACCOUNT', field: 'accountInfo.address' })
  })

  describe('ownership', () => {
    const wallets = {
      SOLANA_WALLET: { make: newSolanaWallet, sign: signAsSolana },
      ETHEREUM_WALLET: { make: newEvmWallet, sign: signAsEvm },
    } as const
    const WALLET = { method: 'WALLET_SIGNATURE' }
    const addWallet = async (accountType: string, address: string, ownershipType = 'FIRST_PARTY') =>
      (
        await face.create(platform, {
          customerId,
          currency: currencyOf(accountType),
          ownershipType,
          accountInfo: { accountType, address },
        })
      ).body
    const currencyOf = (type: string) => (type === 'TRON_WALLET' ? 'USDT' : 'USDC')
    const statusOf = async (id: string) => (await get(`/customers/external-accounts/${id}`)).body.status

    it.each(['SOLANA_WALLET', 'ETHEREUM_WALLET'] as const)(
      '%s is proven by a signature over the newest message',
      async (type) => {
        const { make, sign } = wallets[type]
        const { privateKey, address } = make()
        const { id, status } = await addWallet(type, address)
        expect(status).toBe('PENDING_OWNERSHIP_VERIFICATION')
        const { body: old } = await face.challenge(platform, id, WALLET)
        const { body: challenge } = await face.challenge(platform, id, WALLET)
        expect(challenge).toEqual({
          ...WALLET,
          messageToSign: expect.stringContaining(address),
          expiresAt: expect.any(String),
        })
        expect(outcomeOf(await face.verify(platform, id, { signature: sign(privateKey, old.messageToSign) }))).toEqual({
          status: 400,
          code: 'INVALID_INPUT',
          reason: 'SIGNATURE_INVALID',
          field: 'signature',
        })
        expect(await statusOf(id)).toBe('UNVERIFIED')
        const none = await face.verify(platform, id, { signature: sign(privateKey, challenge.messageToSign) })
        expect(outcomeOf(none)).toEqual({ status: 409, code: 'CONFLICT', reason: 'NO_CHALLENGE' })
        const { body: last } = await face.challenge(platform, id, WALLET)
        const proven = await face.verify(platform, id, { signature: sign(privateKey, last.messageToSign) })
        expect(proven).toMatchObject({ status: 200, body: { id, status: 'ACTIVE' } })
        expect(outcomeOf(await face.challenge(platform, id, WALLET))).toMatchObject({ reason: 'OWNERSHIP_NOT_NEEDED' })
      },
    )

    it.each([
      '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM',
      'Gx9dDNxzpALCowVuZb7pBceBLJugLA8sPa6TJDXrpfeW',
      '3ctC68zTqpRDQShoondiQKDHwZDAUjRyxiPNdg8cD6Pe',
    ])('%s is a point of small order, whose signatures anyone can make', async (address) => {
      const { id } = await addWallet('SOLANA_WALLET', address)
      await face.challenge(platform, id, WALLET)
      // R is the neutral point, and s is 0.
      const signature = base58.encode(Uint8Array.of(1, ...new Uint8Array(63)))
      const forged = await face.verify(platform, id, { signature })
      expect(outcomeOf(forged)).toMatchObject({ status: 400, reason: 'SIGNATURE_INVALID' })
      expect(await statusOf(id)).toBe('UNVERIFIED')
    })

    it('a late signature ends the challenge', async () => {
      const { privateKey, address } = newEvmWallet()
      const { id } = await addWallet('BASE_WALLET', address)
      const { body } = await face.challenge(platform, id, WALLET)
      await db.$executeRaw`update external_accounts set challenge_expires_at = now() where platform_id = ${platform.id}::uuid`
      const late = await face.verify(platform, id, { signature: signAsEvm(privateKey, body.messageToSign, 0) })
      expect(outcomeOf(late)).toMatchObject({ status: 400, reason: 'CHALLENGE_EXPIRED' })
      expect(await statusOf(id)).toBe('UNVERIFIED')
    })

    it('a signature is late if the challenge expires while it waits for the account', async () => {
      const { privateKey, address } = newEvmWallet()
      const { id } = await addWallet('BASE_WALLET', address)
      const { body } = await face.challenge(platform, id, WALLET)
      const ofPlatform = sql`platform_id = ${platform.id}::uuid`
      const late = await delayed(
        sql`select from external_accounts where ${ofPlatform} for no key update`,
        () => face.verify(platform, id, { signature: signAsEvm(privateKey, body.messageToSign, 0) }),
        async (holder) =>
          holder.$executeRaw`update external_accounts set challenge_expires_at = ${await timeOf(db)} where ${ofPlatform}`,
      )
      expect(outcomeOf(late)).toMatchObject({ status: 400, reason: 'CHALLENGE_EXPIRED' })
    })

    it.each(['', '0x', '0xzz', '🦊', `0x${'ff'.repeat(65)}`, '1'.repeat(88)])(
      '%j is no signature',
      async (signature) => {
        const { id } = await addWallet('BASE_WALLET', newEvmWallet().address)
        await face.challenge(platform, id, WALLET)
        expect((await face.verify(platform, id, { signature })).status).toBe(400)
      },
    )

    it('does not apply to accounts of others, to wallets that cannot sign, and to liveness', async () => {
      const theirs = await addWallet('BASE_WALLET', newEvmWallet().address, 'THIRD_PARTY')
      expect(theirs.status).toBe('ACTIVE')
      expect(outcomeOf(await face.challenge(platform, theirs.id, WALLET))).toMatchObject({
        status: 409,
        reason: 'OWNERSHIP_NOT_NEEDED',
      })
      const [, tron] = fieldsOf('TRON_WALLET')[0] ?? []
      const own = await addWallet('TRON_WALLET', tron?.example ?? '')
      expect(outcomeOf(await face.challenge(platform, own.id, WALLET))).toMatchObject({
        status: 409,
        reason: 'OWNERSHIP_METHOD_NOT_AVAILABLE',
      })
      expect(outcomeOf(await face.challenge(platform, own.id, { method: 'LIVENESS' }))).toMatchObject({ status: 501 })
    })
  })
})
