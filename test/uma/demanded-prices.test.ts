// What another institution may demand: the price that its look-up offered, within a tolerance, and each demand once (docs/domain/uma.md#payment-request),
// and facts about the payer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { callRest, createConnectedAgent } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, timelineOf } from '#test/setup/payments/payers.ts'
import { send } from '#test/setup/payments/payment-faces.ts'
import { useSettings } from '#test/setup/settings.ts'
import { type Counterpart, MULTIPLIER, type Spoilable } from '#test/setup/uma/counterpart.ts'
import { closePayer, lookUp, meet, openPayer, payer, quote } from '#test/setup/uma/paying.ts'
import { openTravelRule } from '#uma/travel-rule.ts'

useSettings({ umaAllowPrivate: true })

beforeAll(openPayer)
afterAll(closePayer)

interface Price {
  readonly amount: number
  readonly multiplier: number
  readonly fee: number
}

/** Answers the payment request with another price, whose parts add up to the same millisatoshis. */
const demands = (peer: Counterpart, priceOf: (msats: number, good: Price) => Price) => {
  peer.handlers.payreq = async (_request, response, body) => {
    const { converted: good } = await peer.goodPayreq(body)
    const converted = priceOf(good.amount * good.multiplier + good.fee, good)
    const answer: Spoilable = await peer.goodPayreq(body, { amount: BigInt(converted.amount) })
    response.end(JSON.stringify({ ...answer, converted: { ...answer.converted, ...converted } }))
  }
}

const withFee = (msats: number, amount: number, multiplier: number): Price => ({
  amount,
  multiplier,
  fee: msats - amount * multiplier,
})

const PRICES: readonly (readonly [what: string, (msats: number, good: Price) => Price, reason: string | null])[] = [
  ['of a rate that is 5 % better', (msats, { amount }) => withFee(msats, amount, MULTIPLIER * 0.95), null],
  ['of half the rate', (msats, { amount }) => withFee(msats, amount, MULTIPLIER / 2), 'OTHER_RATE'],
  ['with nearly everything as its fee', (msats) => withFee(msats, 1, MULTIPLIER), 'OTHER_RATE'],
  ['with a fee beyond every amount', (msats, { amount }) => withFee(msats, amount, 1e-12), 'OTHER_AMOUNT'],
  ['of more than its price', (msats) => ({ amount: 2e6, multiplier: msats / 2e6, fee: 0 }), 'OTHER_RATE'],
]

describe('a demand', () => {
  it.each(PRICES)('%s', async (_what, priceOf, reason) => {
    const peer = await meet()
    const { body } = await lookUp(peer.address)
    demands(peer, priceOf)
    const answer = await quote(peer.address, body.lookupId)
    expect([answer.status, answer.body.code, answer.body.details?.reason]).toEqual(
      reason ? [400, 'INVALID_PAYREQ_RESPONSE', reason] : [201, undefined, undefined],
    )
  })

  it('of a fair price for an amount outside the range of the look-up: the amount is out of range', async () => {
    const peer = await meet()
    const [min, max] = [5_000, 8_000]
    peer.handlers.lookup = async (request, response) => {
      const { currencies, ...answer } = await peer.goodLookup(request.url ?? '')
      response.end(JSON.stringify({ ...answer, currencies: [{ ...currencies[0], convertible: { min, max } }] }))
    }
    const { body } = await lookUp(peer.address)
    for (const lockedCurrencyAmount of [2_000, 10_000]) {
      const answer = await quote(peer.address, body.lookupId, { lockedCurrencyAmount })
      expect([answer.status, answer.body]).toMatchObject([
        400,
        {
          code: 'AMOUNT_OUT_OF_RANGE',
          details: { field: 'lockedCurrencyAmount', currencyCode: 'EUR', minAmount: min, maxAmount: max },
        },
      ])
    }
    expect(peer.calls.filter((path) => path.startsWith('/uma/payreq/'))).toHaveLength(2)
    expect((await quote(peer.address, body.lookupId, { lockedCurrencyAmount: 7_000 })).status).toBe(201)
  })

  it('of a rate that is too small to be stored, although the look-up offered it', async () => {
    const peer = await meet()
    // 5 cents without the least fee are 33 satoshis.
    const [amount, msats] = [3e13, 33_000]
    const dong = { code: 'VND', decimals: 0, multiplier: msats / amount, convertible: { min: 1, max: amount } }
    peer.handlers.lookup = async (request, response) => {
      const { currencies, ...answer } = await peer.goodLookup(request.url ?? '')
      response.end(JSON.stringify({ ...answer, currencies: [{ ...currencies[0], ...dong }] }))
    }
    const price = { currencyCode: 'VND', currencyDecimals: 0, amount, multiplier: dong.multiplier, fee: 0 }
    peer.handlers.payreq = async (_request, response, body) => {
      const answer: Spoilable = await peer.goodPayreq(body, { amount: BigInt(amount), currency: 'VND' })
      response.end(JSON.stringify({ ...answer, converted: { ...answer.converted, ...price } }))
    }
    const { body } = await lookUp(peer.address)
    const answer = await quote(peer.address, body.lookupId, { lockedCurrencyAmount: 5 })
    expect([answer.status, answer.body.code, answer.body.details?.reason]).toEqual([
      400,
      'INVALID_PAYREQ_RESPONSE',
      'OTHER_RATE',
    ])
  })

  it('is for one quote, and refused when that expires', async () => {
    const peer = await meet()
    const { body } = await lookUp(peer.address)
    let first: Spoilable
    peer.handlers.payreq = async (_request, response, text) => {
      const answer = await peer.goodPayreq(text, first && { invoice: first.pr })
      first ??= answer
      response.end(JSON.stringify(answer))
    }
    const { body: made } = await quote(peer.address, body.lookupId)
    const repeated = await quote(peer.address, body.lookupId)
    expect([repeated.status, repeated.body.code, repeated.body.details?.reason]).toEqual([
      400,
      'INVALID_PAYREQ_RESPONSE',
      'DEMAND_USED',
    ])
    await db.$executeRaw`update quotes set expires_at = now() where id = ${made.id.slice('Quote:'.length)}::uuid`
    await passTime(payer.platform.id)
    expect(await timelineOf(payer.platform, made.transactionId)).toEqual(['PENDING', 'EXPIRED'])
    const transactionId = made.transactionId.slice('Transaction:'.length)
    const { status, refusal } = await db.umaDemand.findFirstOrThrow({ where: { transactionId } })
    expect([status, refusal]).toEqual(['REFUSED', 'QUOTE_EXPIRED'])
  })

  it('is refused when the agent is deleted whose action waits for approval', async () => {
    const customerId = payer.customerId.slice('Customer:'.length)
    const { agent, authorization } = await createConnectedAgent(payer.platform, {
      customerId,
      permissions: ['CREATE_QUOTES', 'EXECUTE_QUOTES'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      perTransactionLimit: 100_000n,
    })
    const peer = await meet()
    const { body } = await lookUp(peer.address)
    const { body: made } = await callRest(authorization, 'POST', '/agents/me/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: payer.dollars },
      destination: { destinationType: 'UMA_ADDRESS', umaAddress: peer.address },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
      lookupId: body.lookupId,
    })
    const { body: action } = await callRest(authorization, 'POST', `/agents/me/quotes/${made.id}/execute`, {})
    expect(action.status).toBe('PENDING_APPROVAL')
    expect((await callRest(basic(payer.platform), 'DELETE', `/agents/Agent:${agent.id}`)).status).toBe(204)
    expect(await timelineOf(payer.platform, made.transactionId)).toEqual(['PENDING', 'FAILED QUOTE_EXECUTION_FAILED'])
    const transactionId = made.transactionId.slice('Transaction:'.length)
    const { status, refusal } = await db.umaDemand.findFirstOrThrow({ where: { transactionId } })
    expect([status, refusal]).toEqual(['REFUSED', 'QUOTE_EXPIRED'])
  })
})

it('of a business, the day and country of its incorporation and its address are told', async () => {
  const { platform } = payer
  const [company, peer] = await Promise.all([createPayer({ platform }), meet()])
  const umaAddress = '$mill@ours.example'
  const address = {
    line1: '12 Mill Lane',
    line2: 'Floor 2',
    city: 'Austin',
    state: 'TX',
    postalCode: '78701',
    country: 'US',
  }
  const businessInfo = { incorporatedOn: '2010-05-04', country: 'IE' }
  await db.customer.update({
    where: { platformId_id: { platformId: platform.id, id: company.customerId.slice('Customer:'.length) } },
    data: { customerType: 'BUSINESS', umaAddress, name: 'Mill Ltd', profile: { address, businessInfo } },
  })
  peer.handlers.lookup = async (request, response) => {
    const answer = await peer.goodLookup(request.url ?? '')
    const asked = ['birthDate', 'nationality', 'postalAddress'].map((name) => [name, { mandatory: true }])
    response.end(JSON.stringify({ ...answer, payerData: { ...answer.payerData, ...Object.fromEntries(asked) } }))
  }
  let told: Spoilable
  peer.handlers.payreq = async (_request, response, body) => {
    told = JSON.parse(body).payerData
    response.end(JSON.stringify(await peer.goodPayreq(body, { payer: umaAddress })))
  }
  const path = `/receiver/uma/${encodeURIComponent(peer.address)}?customerId=${company.customerId}`
  const { body } = await send(platform, 'GET', path)
  const source = { sourceType: 'ACCOUNT', accountId: company.dollars }
  const answer = await quote(peer.address, body.lookupId, { source })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  const postalAddress = '12 Mill Lane, Floor 2, Austin, TX, 78701, US'
  expect(told).toMatchObject({ birthDate: '2010-05-04', nationality: 'IE', postalAddress })
  const { originator } = JSON.parse(openTravelRule(peer.encryption.bytes, told.compliance.encryptedTravelRuleInfo))
  expect(originator.originatorPersons).toMatchObject([
    {
      legalPerson: {
        countryOfRegistration: 'IE',
        geographicAddress: [{ addressType: 'BIZZ', addressLine: [postalAddress], country: 'US' }],
      },
    },
  ])
})
