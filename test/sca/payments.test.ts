// Payments of customers in an SCA region: the challenge, its proof, and what moves then, over both APIs.
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { callRest as callAsAgent, callGraphQL, connect } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createFundedWallet,
  fundsOf,
  payloadOf,
  quoteInput,
  timelineOf,
  toAccount,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { codeOf, createEuropeanPayer, enrolPasskey, enrolTotp } from '#test/setup/sca/europeans.ts'
import { callRest, type Json, scaFaces } from '#test/setup/sca/sca-faces.ts'
import { createAgent, type Platform } from '#test/setup/world.ts'

const CODE = '123456'
const WRONG = '000000'

const faces = scaFaces.map((sca) => ({
  ...sca,
  pay: paymentFaces.find(({ name }) => name === sca.name) as (typeof paymentFaces)[number],
}))

const challengeOf = async (platform: Platform, quoteId: string): Promise<Json> =>
  (await send(platform, 'GET', `/quotes/${quoteId}`)).body.scaChallenge

/** Makes the challenge as old as if it had been raised this long ago. */
const age = (platform: Platform, interval: string) =>
  db.$executeRaw`
    update sca_challenges set created_at = plus_seconds(created_at, -extract(epoch from ${interval}::interval)::float8),
      sent_at = plus_seconds(sent_at, -extract(epoch from ${interval}::interval)::float8),
      expires_at = plus_seconds(expires_at, -extract(epoch from ${interval}::interval)::float8)
    where platform_id = ${platform.id}::uuid`

describe.each(faces)('over $name', ({ pay, authorize, resend, recordEvent, startTrust, confirmTrust }) => {
  /** A quote that waits for its authorization. */
  const createWaiting = async (given: object = {}) => {
    const payer = await createEuropeanPayer(given)
    const { platform, dollars, iban } = payer
    const { body: quote } = await pay.createQuote(platform, quoteInput(dollars, iban))
    const executed = await pay.executeQuote(platform, quote.id)
    expect(executed).toMatchObject({ status: 200, body: { status: 'PENDING_AUTHORIZATION' } })
    return { ...payer, quote }
  }

  it('a quote from an account asks at its execution, and pays when it is authorized', async () => {
    const { platform, dollars, quote } = await createWaiting()
    expect(quote.status).toBe('PENDING')
    const challenge = await challengeOf(platform, quote.id)
    expect(challenge).toMatchObject({ factor: 'SMS_OTP', availableFactors: ['SMS_OTP'], purpose: 'PAYOUT' })
    const life = Date.parse(challenge.expiresAt) - Date.now()
    expect(life).toBeGreaterThan(290_000)
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    const again = await pay.executeQuote(platform, quote.id)
    expect(again).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const { status, body } = await authorize(platform, quote.id, { code: CODE })
    expect({ status, quote: body.status }).toEqual({ status: 200, quote: 'PROCESSING' })
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
    expect(await authorize(platform, quote.id, { code: CODE })).toMatchObject({
      status: 409,
      body: { details: { reason: 'NO_SCA_CHALLENGE' } },
    })
    await passTime(platform.id)
    expect(await timelineOf(platform, quote.transactionId)).toEqual([
      'PENDING',
      'PENDING_AUTHORIZATION',
      'PROCESSING',
      'COMPLETED',
    ])
  })

  it('a quote that is funded in real time withholds its payment instructions until then', async () => {
    const { platform, customerId, iban } = await createEuropeanPayer()
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
    const input = { ...quoteInput('', ''), source, destination: toAccount(iban) }
    const rest = await send(platform, 'POST', '/quotes', input)
    expect({ status: rest.status, quote: rest.body.status }).toEqual({ status: 202, quote: 'PENDING_AUTHORIZATION' })
    const { body: quote } = await pay.createQuote(platform, input)
    expect(quote).not.toHaveProperty('paymentInstructions')
    const { body: events } = await callRest(platform, 'GET', '/webhooks/events')
    expect(JSON.stringify(events)).not.toContain('instructionsNotes')
    const { body } = await authorize(platform, quote.id, { code: CODE })
    expect(body).toMatchObject({ status: 'PENDING' })
    expect(body.paymentInstructions).toHaveLength(1)
    const late = new Date(Date.now() - 1_000)
    await db.quote.updateMany({ where: { platformId: platform.id }, data: { expiresAt: late } })
    await passTime(platform.id, 1_000)
    expect((await pay.readQuote(platform, quote.id)).body.status).toBe('EXPIRED')
  })

  it('the challenge uses the requested factor if the customer has it, otherwise passkey, TOTP or SMS, in that order', async () => {
    const payer = await createEuropeanPayer()
    const { platform, customerId, dollars, iban } = payer
    const { secret } = await enrolTotp(platform, customerId)
    const askedFor = async (scaFactor?: string) => {
      const { body } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban, 1_000))
      await send(platform, 'POST', `/quotes/${body.id}/execute`, scaFactor ? { scaFactor } : undefined)
      return { id: body.id, challenge: await challengeOf(platform, body.id) }
    }
    expect((await askedFor()).challenge.factor).toBe('TOTP')
    expect((await askedFor('SMS_OTP')).challenge.factor).toBe('SMS_OTP')
    const withTotp = await askedFor('PASSKEY')
    expect(withTotp.challenge).toMatchObject({ factor: 'TOTP', availableFactors: ['TOTP', 'SMS_OTP'] })
    expect(await resend(platform, withTotp.id)).toMatchObject({ status: 409 })
    expect((await authorize(platform, withTotp.id, { code: await codeOf(secret) })).status).toBe(200)
    const { device } = await enrolPasskey(platform, customerId)
    const withPasskey = await askedFor()
    const options = withPasskey.challenge.passkeyAssertionOptions
    expect(withPasskey.challenge).toMatchObject({
      factor: 'PASSKEY',
      passkeyAllowedOrigins: ['https://app.example', 'https://pay.app.example'],
    })
    expect(await authorize(platform, withPasskey.id, { code: CODE })).toMatchObject({ status: 400 })
    const passkeyAssertion = device.get('', { challenge: options.challenge })
    const { status } = await authorize(platform, withPasskey.id, { passkeyAssertion, origin: 'https://app.example' })
    expect(status).toBe(200)
    expect((await send(platform, 'POST', `/quotes/${withTotp.id}/execute`, { scaFactor: 'FAX' })).status).toBe(400)
  })

  it('five wrong codes end the challenge, and nothing moves', async () => {
    const { platform, dollars, quote } = await createWaiting()
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await authorize(platform, quote.id, { code: WRONG })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', details: { reason: 'WRONG_CODE' } },
      })
    }
    expect(await authorize(platform, quote.id, { code: CODE })).toMatchObject({ status: 429 })
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })

  it('only five of twenty concurrent guesses are checked, and only one of four concurrent authorizations pays', async () => {
    const guessed = await createWaiting()
    const guesses = Array.from({ length: 20 }, () => authorize(guessed.platform, guessed.quote.id, { code: WRONG }))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    console.log(`judged ${statuses.filter((status) => status === 400).length} of ${statuses.length}`)
    expect(statuses.filter((status) => status === 400)).toHaveLength(5)
    const { platform, dollars, quote } = await createWaiting()
    await Promise.all(Array.from({ length: 4 }, () => authorize(platform, quote.id, { code: CODE })))
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
  })

  it('a code can be sent again after thirty seconds, which does not extend the challenge', async () => {
    const { platform, quote } = await createWaiting()
    const { expiresAt } = await challengeOf(platform, quote.id)
    expect(await resend(platform, quote.id)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    await db.$executeRaw`update sca_challenges set sent_at = plus_seconds(sent_at, -31) where platform_id = ${platform.id}::uuid`
    expect((await resend(platform, quote.id)).status).toBe(204)
    expect((await resend(platform, quote.id)).status).toBe(429)
    expect((await challengeOf(platform, quote.id)).expiresAt).toBe(expiresAt)
    expect((await authorize(platform, quote.id, { code: CODE })).status).toBe(200)
  })

  it('no code is sent again for a challenge that five wrong codes have ended', async () => {
    const { platform, customerId, quote } = await createWaiting()
    for (let tries = 0; tries < 5; tries += 1) await authorize(platform, quote.id, { code: WRONG })
    await recordEvent(platform, { customerId, eventType: 'RESET_PASSWORD_COMPLETED' })
    await age(platform, '1 minute')
    expect(await resend(platform, quote.id)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })

  it('no code is sent again to a number that is no longer verified, or for a challenge that has expired', async () => {
    const changed = await createWaiting()
    await age(changed.platform, '1 minute')
    const where = { platformId: changed.platform.id }
    await db.customer.updateMany({ where, data: { phoneNumber: '+4915112345678' } })
    expect(await resend(changed.platform, changed.quote.id)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'SCA_FACTOR_MISSING' } },
    })
    const expired = await createWaiting()
    await age(expired.platform, '6 minutes')
    expect(await resend(expired.platform, expired.quote.id)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'SCA_CHALLENGE_EXPIRED' } },
    })
  })

  it('a challenge that is not passed in five minutes fails the payment, and nothing moves', async () => {
    const { platform, dollars, quote } = await createWaiting()
    await age(platform, '6 minutes')
    expect(await authorize(platform, quote.id, { code: CODE })).toMatchObject({
      status: 409,
      body: { details: { reason: 'SCA_CHALLENGE_EXPIRED' } },
    })
    await passTime(platform.id, 400)
    expect(await timelineOf(platform, quote.transactionId)).toEqual([
      'PENDING',
      'PENDING_AUTHORIZATION',
      'FAILED QUOTE_EXPIRED',
    ])
    expect((await pay.readQuote(platform, quote.id)).body.status).toBe('FAILED')
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
  })

  it('a short balance is found before the customer is asked, and found afterwards it does not use up the proof', async () => {
    const { platform, dollars, iban, quote } = await createWaiting()
    const { body: large } = await pay.createQuote(platform, quoteInput(dollars, iban, 200_000))
    const short = { status: 400, body: { code: 'INVALID_AMOUNT', details: { reason: 'INSUFFICIENT_BALANCE' } } }
    expect(await pay.executeQuote(platform, large.id)).toMatchObject(short)
    expect((await pay.readQuote(platform, large.id)).body.status).toBe('PENDING')
    const { body: other } = await pay.createQuote(platform, quoteInput(dollars, iban, 95_000))
    await pay.executeQuote(platform, other.id)
    expect((await authorize(platform, other.id, { code: CODE })).status).toBe(200)
    expect(await authorize(platform, quote.id, { code: CODE })).toMatchObject(short)
    expect((await challengeOf(platform, quote.id)).factor).toBe('SMS_OTP')
    const attempts =
      await db.$queryRaw`select failed_attempts from sca_customers where platform_id = ${platform.id}::uuid`
    expect(attempts).toEqual([{ failed_attempts: 0 }])
  })

  it('a customer without any factor, or who is locked, cannot pay', async () => {
    const bare = await createEuropeanPayer({ verifiedPhoneNumber: null })
    const { body: quote } = await pay.createQuote(bare.platform, quoteInput(bare.dollars, bare.iban))
    const refused = await pay.executeQuote(bare.platform, quote.id)
    expect(refused).toMatchObject({ status: 403, body: { code: 'USER_NOT_READY' } })
    const { platform, dollars, iban } = await createWaiting()
    await db.$executeRaw`update sca_customers set failed_attempts = 9 where platform_id = ${platform.id}::uuid`
    const { body: next } = await pay.createQuote(platform, quoteInput(dollars, iban))
    expect(await pay.executeQuote(platform, next.id)).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
  })

  it('payments to a trusted account raise no challenge, until it is no longer trusted', async () => {
    const { platform, dollars, iban, euros } = await createEuropeanPayer()
    expect((await confirmTrust(platform, iban, 'trust', { code: CODE })).status).toBe(409)
    const { body } = await startTrust(platform, iban, 'trust')
    expect(body.scaChallenge).toMatchObject({ factor: 'SMS_OTP' })
    expect((await confirmTrust(platform, iban, 'trust', { code: WRONG })).status).toBe(400)
    expect((await confirmTrust(platform, iban, 'untrust', { code: CODE })).status).toBe(409)
    expect(await confirmTrust(platform, iban, 'trust', { code: CODE })).toMatchObject({
      status: 200,
      body: { trusted: true },
    })
    expect((await startTrust(platform, iban, 'trust')).body).toEqual({})
    const payTo = async (to: string) => {
      const { body: quote } = await pay.createQuote(platform, quoteInput(dollars, to, 1_000))
      return (await pay.executeQuote(platform, quote.id)).body.status
    }
    expect(await payTo(iban)).toBe('PROCESSING')
    expect(await payTo(euros)).toBe('PENDING_AUTHORIZATION')
    await startTrust(platform, iban, 'untrust')
    expect(await confirmTrust(platform, iban, 'untrust', { code: CODE })).toMatchObject({ body: { trusted: false } })
    expect(await payTo(iban)).toBe('PENDING_AUTHORIZATION')
    await db.customer.updateMany({ where: { platformId: platform.id }, data: { region: 'US' } })
    const answers = await Promise.all([
      startTrust(platform, iban, 'trust'),
      confirmTrust(platform, iban, 'trust', { code: CODE }),
    ])
    expect(answers.map(({ status, body: refusal }) => `${status} ${refusal.details.reason}`)).toEqual(
      Array(2).fill('409 NO_SCA_REGION'),
    )
  })

  it('a deleted account can no longer be trusted, even if a challenge is open', async () => {
    const { platform, iban } = await createEuropeanPayer()
    expect((await startTrust(platform, iban, 'trust')).status).toBe(200)
    expect((await callRest(platform, 'DELETE', `/customers/external-accounts/${iban}`)).status).toBe(204)
    const unknown = { status: 404, body: { code: 'REFERENCE_NOT_FOUND' } }
    expect(await confirmTrust(platform, iban, 'trust', { code: CODE })).toMatchObject(unknown)
    expect(await startTrust(platform, iban, 'trust')).toMatchObject(unknown)
    expect(await startTrust(platform, iban, 'untrust')).toMatchObject(unknown)
  })

  it('simultaneous requests to trust an account replace each other', async () => {
    const { platform, iban } = await createEuropeanPayer()
    const answers = await Promise.all(Array.from({ length: 6 }, () => startTrust(platform, iban, 'trust')))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect((await confirmTrust(platform, iban, 'trust', { code: CODE })).status).toBe(200)
  })

  it('an account that another customer trusts still raises a challenge, from an account and with real-time funding', async () => {
    const { platform, iban } = await createEuropeanPayer()
    await startTrust(platform, iban, 'trust')
    expect(await confirmTrust(platform, iban, 'trust', { code: CODE })).toMatchObject({ body: { trusted: true } })
    const { customerId, dollars } = await createEuropeanPayer({}, platform)
    const { body: quote } = await pay.createQuote(platform, quoteInput(dollars, iban))
    expect((await pay.executeQuote(platform, quote.id)).body.status).toBe('PENDING_AUTHORIZATION')
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
    const { body: pushed } = await pay.createQuote(platform, quoteInput('', iban, 10_000, { source }))
    expect(pushed.status).toBe('PENDING_AUTHORIZATION')
    expect(pushed).not.toHaveProperty('paymentInstructions')
  })

  it('wallets, transfers and customers elsewhere get no challenge', async () => {
    const { platform, dollars, outside, iban } = await createEuropeanPayer()
    const wallet = await createFundedWallet(platform)
    await db.customer.updateMany({ where: { platformId: platform.id }, data: { region: 'DE' } })
    const { body: quote } = await pay.createQuote(platform, quoteInput(wallet.accountId, iban, 10_000_000))
    const signed = await pay.executeQuote(platform, quote.id, await wallet.device.stamp(payloadOf(quote)))
    expect(signed).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    expect((await pay.transferOut(platform, transferInput(dollars, outside, 1_000))).body.status).toBe('PENDING')
    await db.customer.updateMany({ where: { platformId: platform.id }, data: { region: 'US' } })
    const { body: plain } = await pay.createQuote(platform, quoteInput(dollars, iban))
    expect((await pay.executeQuote(platform, plain.id)).body.status).toBe('PROCESSING')
    expect(await authorize(platform, plain.id, { code: CODE })).toMatchObject({
      status: 409,
      body: { details: { reason: 'NO_SCA_REGION' } },
    })
    expect((await resend(platform, plain.id)).status).toBe(409)
  })
})

it('an agent gets 202 for a quote that waits for authorization, and 423 for a locked customer', async () => {
  const { platform, customerId, dollars, iban } = await createEuropeanPayer()
  const agent = await createAgent(platform, {
    customerId: uuidOf(customerId),
    permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'],
    perTransactionLimit: 100_000n,
  })
  const authorization = await connect(platform, agent.id)
  const post = (path: string, body: object) => callAsAgent(authorization, 'POST', `/agents/me/quotes${path}`, body)
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId }
  expect((await post('', { ...quoteInput('', iban), source })).status).toBe(202)
  const { body: quote } = await post('', quoteInput(dollars, iban))
  await db.$executeRaw`update sca_customers set failed_attempts = 9 where platform_id = ${platform.id}::uuid`
  expect((await post(`/${quote.id}/execute`, {})).status).toBe(423)
})

it('an idempotency key of an authorization moves money once, on both faces', async () => {
  const { platform, dollars, iban } = await createEuropeanPayer()
  const { body: quote } = await send(platform, 'POST', '/quotes', quoteInput(dollars, iban))
  await send(platform, 'POST', `/quotes/${quote.id}/execute`)
  const headers = { 'idempotency-key': 'once' }
  const first = await callRest(platform, 'POST', `/quotes/${quote.id}/authorize`, { code: CODE }, headers)
  const second = await callRest(platform, 'POST', `/quotes/${quote.id}/authorize`, { code: CODE }, headers)
  expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
  const { body } = await callGraphQL(
    basic(platform),
    `mutation ($input: AuthorizeQuoteInput!) { authorizeQuote(input: $input) { __typename } }`,
    { input: { id: quote.id, code: CODE, idempotencyKey: 'once' } },
  )
  expect(body.data.authorizeQuote.__typename).toBe('AuthorizeQuoteSuccess')
  expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
})

it("an agent's payment waits for the customer's authorization, which the agent cannot give", async () => {
  const { platform, customerId, dollars, iban } = await createEuropeanPayer()
  const permissions = ['VIEW_TRANSACTIONS', 'CREATE_QUOTES', 'EXECUTE_QUOTES'] as const
  const { id } = await createAgent(platform, { customerId: uuidOf(customerId), permissions: [...permissions] })
  const authorization = await connect(platform, id)
  const mutation = async (name: string, input: object, selection: string) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    const { body } = await callGraphQL(
      authorization,
      `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) { __typename ${selection} ... on ApiError { code } } }`,
      { input },
    )
    return body.data.answer
  }
  const { source: _, destination: __, ...amount } = quoteInput('', '')
  const input = { ...amount, source: { accountId: dollars }, destination: { accountId: iban } }
  const { quote } = await mutation('createQuote', input, '... on CreateQuoteSuccess { quote { id } }')
  const { body: acted } = await callGraphQL(
    authorization,
    `mutation ($input: ExecuteQuoteInput!) { agentExecuteQuote(input: $input) {
      ... on AgentActionSuccess { agentAction { actionStatus transaction { ... on TransactionNode { status } } quote { status scaChallenge { id } } } }
      ... on ApiError { code message } } }`,
    { input: { id: quote.id } },
  )
  expect(acted.data.agentExecuteQuote.agentAction).toMatchObject({
    actionStatus: 'APPROVED',
    transaction: { status: 'PENDING_AUTHORIZATION' },
    quote: { status: 'PENDING_AUTHORIZATION', scaChallenge: null },
  })
  expect(await mutation('authorizeQuote', { id: quote.id, code: CODE }, '')).toMatchObject({ code: 'FORBIDDEN' })
  const authorized = await callRest(platform, 'POST', `/quotes/${quote.id}/authorize`, { code: CODE })
  expect(authorized).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
})
