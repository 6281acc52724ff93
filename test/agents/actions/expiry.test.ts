// Late approvals: an expired quote is priced again, and an action that is not decided within a week fails. The same over both faces.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { expireApprovals } from '#agents/actions/expire.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { migrate } from '#database/migrate.ts'
import { expireQuote } from '#quotes/expire.ts'
import {
  type Acting,
  balancesOf,
  changeAgent,
  createActing,
  outliveQuote,
  quoteOf,
  statesOf,
  transferOf,
  usageOf,
  uuidOf,
} from '#test/setup/agents/acting-agents.ts'
import { type ActionFace, actionFaces, type QuoteInput } from '#test/setup/agents/action-faces.ts'
import { callRest } from '#test/setup/agents/agent-faces.ts'
import { createOutside, openSession, payloadOf } from '#test/setup/payments/payers.ts'
import {
  createAgentActions,
  createAuthMethod,
  createInternalAccount,
  createTransactions,
  outgoing,
  paidFrom,
  paidTo,
} from '#test/setup/world.ts'

const DAY_MS = 24 * 3_600_000

/** The service takes more from now on: a thousandth is 10 basis points of what arrives. */
const raiseFee = async ({ platform: { id: platformId } }: Acting, thousandths: number) => {
  const account = { id: randomUUID(), type: 'INTERNAL_FIAT', status: 'ACTIVE', currency: 'USD' } as const
  await db.internalAccount.create({ data: { platformId, ...account } })
  await db.platformFee.create({ data: { platformId, sendingCurrency: 'USD', rate: 1_000 * thousandths } })
}

const priceOf = ({ totalSendingAmount, totalReceivingAmount }: Record<string, number>) => [
  totalSendingAmount,
  totalReceivingAmount,
]

const wait = async (face: ActionFace, acting: Acting, input: QuoteInput = quoteOf(acting, 10_000)) => {
  const { body: quote } = await face.createQuote(acting.agent, input)
  const { body: action } = await face.execute(acting.agent, quote.id)
  expect(action.status).toBe('PENDING_APPROVAL')
  return action
}

/** The action's own deadline has passed. */
const outlive = (id: string) =>
  db.agentAction.updateMany({ where: { id: uuidOf(id) }, data: { approvalExpiresAt: new Date(Date.now() - 1) } })

/** Makes the action wait without regard to its quote. */
const waitAWeek = (id: string) =>
  db.agentAction.updateMany({
    where: { id: uuidOf(id) },
    data: { approvalExpiresAt: new Date(Date.now() + 7 * DAY_MS) },
  })

const migrateAgain = async (name: string) => {
  await db.$executeRaw`delete from _prisma_migrations where migration_name = ${name}`
  await migrate(process.env['DATABASE_DIRECT_URL'] ?? '')
}

const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)

describe.each(actionFaces)('over $name', (face) => {
  const start = (policy = {}) => createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED', ...policy })

  it.each([false, true])(
    'an expired quote is priced again, whether or not its expiry was recorded (%s)',
    async (isRecorded) => {
      const acting = await start()
      const { owner, agentId } = acting
      const action = await wait(face, acting)
      await outliveQuote(acting, action.quote.id)
      if (isRecorded) await expireQuote.run({ platformId: acting.platform.id, quoteId: uuidOf(action.quote.id) })
      expect(idsOf((await face.approvals(owner)).body)).toEqual([action.id])
      const { status, body } = await face.approve(owner, agentId, action.id)
      expect([status, body.status, body.failure]).toEqual([200, 'APPROVED', undefined])
      expect(body.repricedFrom).toMatchObject({
        id: action.quote.id,
        status: 'EXPIRED',
        transactionId: action.transaction.id,
      })
      expect(body.quote.id).not.toBe(action.quote.id)
      expect(body.quote).toMatchObject({ status: 'PROCESSING', transactionId: body.transaction.id })
      expect(priceOf(body.quote)).toEqual(priceOf(action.quote))
      expect(body.transaction).toMatchObject({ status: 'PROCESSING', agentId })
      expect((await face.readAction(acting.agent, action.id)).body).toMatchObject({
        quote: { id: body.quote.id },
        repricedFrom: { id: action.quote.id },
      })
      expect(await statesOf(acting, action.transaction.id)).toBe('EXPIRED EXPIRED -')
      expect([await balancesOf(acting), await usageOf(acting)]).toEqual([
        [990_000, 990_000],
        [1, 10_000, 10_000],
      ])
      expect((await face.approveTransaction(owner, action.transaction.id)).body.code).toBe(
        'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL',
      )
    },
  )

  it('approving by the expired transaction returns the new one', async () => {
    const acting = await start()
    const action = await wait(face, acting)
    await outliveQuote(acting, action.quote.id)
    const { status, body } = await face.approveTransaction(acting.owner, action.transaction.id)
    expect([status, body.status, body.id === action.transaction.id]).toEqual([200, 'PROCESSING', false])
  })

  it.each([
    { locked: 'SENDING', thousandths: 9, repriceToleranceBps: 100, outcome: 'APPROVED' },
    { locked: 'SENDING', thousandths: 9, repriceToleranceBps: 90, outcome: 'PRICE_MOVED' },
    { locked: 'SENDING', thousandths: 11, repriceToleranceBps: 100, outcome: 'PRICE_MOVED' },
    { locked: 'SENDING', thousandths: 95, repriceToleranceBps: 1000, outcome: 'APPROVED' },
    { locked: 'SENDING', thousandths: 1, repriceToleranceBps: 0, outcome: 'PRICE_MOVED' },
    { locked: 'RECEIVING', thousandths: 9, repriceToleranceBps: 100, outcome: 'APPROVED' },
    { locked: 'RECEIVING', thousandths: 11, repriceToleranceBps: 100, outcome: 'PRICE_MOVED' },
  ] as const)(
    'a price that is worse by $thousandths thousandths, $locked locked, with a tolerance of $repriceToleranceBps: $outcome',
    async ({ locked, thousandths, repriceToleranceBps, outcome }) => {
      const acting = await start({ repriceToleranceBps })
      const input = { ...quoteOf(acting, 50_000), lockedCurrencySide: locked }
      const action = await wait(face, acting, input)
      await outliveQuote(acting, action.quote.id)
      await raiseFee(acting, thousandths)
      const { status, body } = await face.approve(acting.owner, acting.agentId, action.id)
      const [sent, received] = priceOf(body.quote)
      expect([status, body.failure?.code ?? body.status]).toEqual([200, outcome])
      if (outcome === 'APPROVED') {
        const [wasSent, wasReceived] = priceOf(body.repricedFrom)
        expect(locked === 'SENDING' ? [sent, received !== wasReceived] : [received, sent !== wasSent]).toEqual([
          50_000,
          true,
        ])
        expect(await balancesOf(acting)).toEqual([1_000_000 - Number(sent), 1_000_000 - Number(sent)])
        return
      }
      expect(body).toMatchObject({ status: 'FAILED', quote: { id: action.quote.id, status: 'EXPIRED' } })
      expect(body.repricedFrom).toBeUndefined()
      expect(await statesOf(acting, action.transaction.id)).toBe('EXPIRED EXPIRED FAILED')
      expect(await balancesOf(acting)).toEqual([1_000_000, 1_000_000])
      expect(await db.quote.count({ where: { platformId: acting.platform.id } })).toBe(1)
    },
  )

  it('the limits of the policy apply to the new price', async () => {
    const acting = await start()
    const action = await wait(face, acting, { ...quoteOf(acting, 50_000), lockedCurrencySide: 'RECEIVING' })
    await outliveQuote(acting, action.quote.id)
    await changeAgent(acting, { perTransactionLimit: BigInt(action.quote.totalSendingAmount) })
    await raiseFee(acting, 5)
    const { body } = await face.approve(acting.owner, acting.agentId, action.id)
    expect([body.status, body.failure.code]).toEqual(['FAILED', 'VELOCITY_LIMIT_EXCEEDED'])
  })

  it('a temporary obstacle does not change the expired quote', async () => {
    const acting = await start()
    const action = await wait(face, acting)
    await outliveQuote(acting, action.quote.id)
    await changeAgent(acting, { isPaused: true })
    expect((await face.approve(acting.owner, acting.agentId, action.id)).body.details.reason).toBe('AGENT_PAUSED')
    expect(await statesOf(acting, action.transaction.id)).toBe('PENDING PENDING PENDING_APPROVAL')
    await changeAgent(acting, { isPaused: false })
    expect((await face.approve(acting.owner, acting.agentId, action.id)).body.status).toBe('APPROVED')
  })

  it('an action can be decided for seven days, and then becomes FAILED: APPROVAL_EXPIRED', async () => {
    const acting = await start()
    const { owner, agentId } = acting
    const { body: transfer } = await face.transferOut(acting.agent, transferOf(acting, 1_000))
    const action = await wait(face, acting)
    for (const { approvalExpiresAt, createdAt } of [transfer, action]) {
      expect(Math.abs(Date.parse(approvalExpiresAt) - Date.parse(createdAt) - 7 * DAY_MS)).toBeLessThan(5_000)
    }
    await expireApprovals.run({})
    expect(idsOf((await face.approvals(owner)).body)).toEqual([action.id, transfer.id])
    await outlive(transfer.id)
    expect((await face.approvals(owner)).body).toMatchObject({ totalCount: 1, data: [{ id: action.id }] })
    for (const verb of ['approve', 'reject'] as const) {
      expect((await face[verb](owner, agentId, transfer.id)).body.code).toBe('CONFLICT')
    }
    await expireApprovals.run({})
    expect((await face.readAction(acting.agent, transfer.id)).body).toMatchObject({
      status: 'FAILED',
      failure: { code: 'APPROVAL_EXPIRED' },
      transaction: { status: 'FAILED', failureReason: 'QUOTE_EXECUTION_FAILED' },
    })
    expect(await statesOf(acting, action.transaction.id)).toBe('PENDING PENDING PENDING_APPROVAL')
    expect(await balancesOf(acting)).toEqual([1_000_000, 1_000_000])
  })

  it('if the customer has come to need SCA, a quote waits for a factor and then for its challenge, and a transfer is exempt', async () => {
    const acting = await start()
    const { owner, agentId, customerId } = acting
    const moveTo = (region: string) => db.customer.updateMany({ where: { id: uuidOf(customerId) }, data: { region } })
    const quote = await wait(face, acting)
    const { body: transfer } = await face.transferOut(acting.agent, transferOf(acting, 1_000))
    await moveTo('DE')
    for (const { status, body } of [
      await face.approve(owner, agentId, quote.id),
      await face.approveTransaction(owner, quote.transaction.id),
    ]) {
      expect([status, body.details.reason]).toEqual([409, 'SCA_FACTOR_MISSING'])
    }
    expect(await statesOf(acting, quote.transaction.id)).toBe('PENDING PENDING PENDING_APPROVAL')
    expect((await face.approve(owner, agentId, transfer.id)).body.status).toBe('APPROVED')
    const phone = '+4915112345678'
    await db.customer.updateMany({
      where: { id: uuidOf(customerId) },
      data: { phoneNumber: phone, verifiedPhoneNumber: phone },
    })
    const { body } = await face.approve(owner, agentId, quote.id)
    expect([body.status, body.transaction.status]).toEqual(['APPROVED', 'PENDING_AUTHORIZATION'])
  })

  it('a transfer that has waited for days is expected to settle after its approval', async () => {
    const acting = await start()
    const { platform, accountId, customerId, platformCustomerId } = acting
    const slow = await createOutside(platform, '123', { paymentRails: ['ACH'], ownerId: customerId })
    const [agentId, customer] = [uuidOf(acting.agentId), uuidOf(customerId)]
    const parties = { ...paidFrom(accountId), ...paidTo(slow), destinationCurrency: 'USD' }
    const amounts = { sentAmount: 500n, receivedAmount: 500n, receivedCurrency: 'USD' }
    const createdAt = new Date(Date.now() - 3 * DAY_MS)
    const [payment] = await createTransactions(platform, [
      outgoing({
        ...parties,
        ...amounts,
        status: 'PENDING',
        agentId,
        customerId: customer,
        platformCustomerId,
        createdAt,
      }),
    ])
    const [action] = await createAgentActions(platform, [
      {
        ...{ agentId, customerId: customer, transactionId: payment?.id ?? null },
        ...{ internalAccountId: uuidOf(accountId), externalAccountId: uuidOf(slow) },
      },
    ])
    await face.approve(acting.owner, acting.agentId, publicId('AgentAction', action?.id ?? ''))
    const { status, expectedSettlementAt, settledAt } = await db.transaction.findFirstOrThrow({
      where: { platformId: platform.id, id: payment?.id ?? '' },
    })
    expect([status, settledAt]).toEqual(['PROCESSING', expectedSettlementAt])
    const inDays = (Number(expectedSettlementAt) - Date.now()) / DAY_MS
    expect(Math.abs(inDays - 1)).toBeLessThan(0.01)
  })

  it('an action that is executed at once never expires', async () => {
    const acting = await start({ defaultExecutionMode: 'AUTO' })
    const { body } = await face.transferOut(acting.agent, transferOf(acting, 1_000))
    expect([body.status, body.approvalExpiresAt]).toEqual(['APPROVED', undefined])
  })

  describe('to a UMA address', () => {
    const umaAddress = '$success.usd@any.example'
    const quoteToUma = async ({ agent, owner, customerId }: Acting, source: object, lookedUpFor = customerId) => {
      const { body } = await callRest(owner, 'GET', `/receiver/uma/${umaAddress}?customerId=${lookedUpFor}`)
      return callRest(agent, 'POST', '/agents/me/quotes', {
        source,
        destination: { destinationType: 'UMA_ADDRESS', umaAddress },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 10_000,
        lookupId: body.lookupId,
      })
    }
    const waitForUma = async () => {
      const acting = await start()
      const { body: quote } = await quoteToUma(acting, { sourceType: 'ACCOUNT', accountId: acting.accountId })
      const { body: action } = await face.execute(acting.agent, quote.id)
      return { acting, quote, action }
    }

    it('a quote is not priced again, so the action waits only as long as it', async () => {
      const { acting, quote, action } = await waitForUma()
      expect(action.approvalExpiresAt).toBe(quote.expiresAt)
      expect((await face.approvals(acting.owner)).body.totalCount).toBe(1)
      await outliveQuote(acting, quote.id)
      await outlive(action.id)
      expect((await face.approvals(acting.owner)).body.totalCount).toBe(0)
      expect((await face.approve(acting.owner, acting.agentId, action.id)).status).toBe(409)
    })

    it('an action that has waited since an earlier release is limited by its quote', async () => {
      const { acting, quote, action } = await waitForUma()
      await waitAWeek(action.id)
      await migrateAgain('20261126130000_uma_approvals')
      expect((await face.readAction(acting.agent, action.id)).body.approvalExpiresAt).toBe(quote.expiresAt)
    })

    it('a look-up for another customer is unknown to the agent', async () => {
      const acting = await start()
      const other = await createActing({ platform: acting.platform })
      const sources = [
        { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
        { sourceType: 'ACCOUNT', accountId: acting.accountId },
      ]
      for (const source of sources) {
        const { status, body } = await quoteToUma(acting, source, other.customerId)
        expect([status, body.code]).toEqual([404, 'LOOKUP_REQUEST_NOT_FOUND'])
        expect((await quoteToUma(acting, source)).status).toBe(201)
      }
    })
  })

  describe('from a wallet', () => {
    const startSigned = async (longer = '0') => {
      const acting = await start({ perTransactionLimit: 1_000_000_000n })
      const { platform, customerId, agent } = acting
      const owned = { customerId: uuidOf(customerId), currency: 'USDB', balance: 5_000_000n }
      const wallet = await createInternalAccount(platform, { type: 'EMBEDDED_WALLET', ...owned })
      const credential = await createAuthMethod(platform, { accountId: wallet.id, nickname: 'me@mail.example' })
      const signer = await openSession(platform, {
        accountId: publicId('InternalAccount', wallet.id),
        credentialId: publicId('AuthMethod', credential.id),
      })
      const { body: quote } = await face.createQuote(agent, {
        ...quoteOf(acting, 1_000_000),
        source: { accountId: publicId('InternalAccount', wallet.id) },
        destination: { accountId: acting.dollarsId },
      })
      await db.$executeRaw`
        update quotes set expires_at = plus_seconds(expires_at, extract(epoch from ${longer}::interval)::float8) where id = ${uuidOf(quote.id)}::uuid`
      const stored = await db.quote.findFirstOrThrow({ where: { id: uuidOf(quote.id) } })
      const payload = payloadOf(stored as never)
      const { body: action } = await face.execute(agent, quote.id, await signer.stamp(payload))
      expect(action.status).toBe('PENDING_APPROVAL')
      return { acting, action, signer, expiresAt: stored.expiresAt.toISOString() }
    }

    it('the signature covers one price, so the action waits only as long as its quote', async () => {
      const { acting, action, expiresAt } = await startSigned()
      const { owner, agentId } = acting
      expect(action.approvalExpiresAt).toBe(expiresAt)
      await outliveQuote(acting, action.quote.id)
      await outlive(action.id)
      expect((await face.approvals(owner)).body).toMatchObject({ totalCount: 0, data: [] })
      expect((await face.approve(owner, agentId, action.id)).status).toBe(409)
      await expireApprovals.run({})
      expect((await face.readAction(acting.agent, action.id)).body.failure.code).toBe('APPROVAL_EXPIRED')
    })

    it.each([false, true])(
      'an expired quote is not priced again, whether or not its expiry was recorded (%s)',
      async (isRecorded) => {
        const { acting, action } = await startSigned()
        const { platform, owner, agentId } = acting
        await waitAWeek(action.id)
        await outliveQuote(acting, action.quote.id)
        if (isRecorded) await expireQuote.run({ platformId: platform.id, quoteId: uuidOf(action.quote.id) })
        const { status, body } = await face.approve(owner, agentId, action.id)
        expect([status, body.status, body.failure?.code]).toEqual([200, 'FAILED', 'QUOTE_EXPIRED'])
        expect(await statesOf(acting, action.transaction.id)).toBe('EXPIRED EXPIRED FAILED')
        expect(await db.quote.count({ where: { platformId: platform.id } })).toBe(1)
        expect(await db.internalAccount.count({ where: { platformId: platform.id, balance: 5_000_000n } })).toBe(1)
      },
    )

    it('an action that has waited since an earlier release is limited by its quote, and others are not', async () => {
      const { acting, action, expiresAt } = await startSigned()
      const { body: quote } = await face.createQuote(acting.agent, quoteOf(acting, 1_000))
      const { body: other } = await face.execute(acting.agent, quote.id)
      await waitAWeek(action.id)
      await migrateAgain('20261122001150_wallet_approvals')
      expect((await face.readAction(acting.agent, action.id)).body.approvalExpiresAt).toBe(expiresAt)
      expect((await face.readAction(acting.agent, other.id)).body.approvalExpiresAt).toBe(other.approvalExpiresAt)
    })

    it('a quote that outlives the seven days does not extend them', async () => {
      const { action } = await startSigned('30 days')
      expect(Date.parse(action.approvalExpiresAt)).toBeLessThan(Date.now() + 8 * DAY_MS)
    })

    it('a session that was revoked in the meantime does not stop the approval', async () => {
      const { acting, action, signer } = await startSigned()
      const revoked = { where: { id: signer.sessionId }, data: { revokedAt: new Date() } }
      expect(await db.walletSession.updateMany(revoked)).toEqual({ count: 1 })
      expect((await face.approve(acting.owner, acting.agentId, action.id)).body.status).toBe('APPROVED')
    })
  })
})
