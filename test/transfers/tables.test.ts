// Refused transfers in one currency: each case over GraphQL and REST, with the same status, code, reason and field; no money moves.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import contract from '#rest/openapi.json' with { type: 'json' }
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import {
  createFundedWallet,
  createOutside,
  createPayer,
  fundsOf,
  type Payer,
  timelineOf,
  transferInput,
} from '#test/setup/payments/payers.ts'
import { type Answer, type PaymentFace, paymentFaces, send } from '#test/setup/payments/payment-faces.ts'

const [graphql, rest] = paymentFaces as readonly [PaymentFace, PaymentFace]

const partsOf = ({ status, body: { code, details } }: Answer) => ({
  status,
  code,
  ...(details?.reason && { reason: details.reason }),
  // GraphQL flattens an object of REST: `source.accountId` is `sourceAccountId`.
  ...(details?.field && {
    field: details.field
      .replace(/^input\./, '')
      .replace(/^(source|destination)AccountId$/, '$1.accountId')
      .replace('destination.paymentRail', 'paymentRail'),
  }),
})

const invalid = (field: string) => ({ status: 400, code: 'INVALID_INPUT', field })
const NO_SOURCE = { status: 404, code: 'REFERENCE_NOT_FOUND', field: 'source.accountId' }
const NO_DESTINATION = { ...NO_SOURCE, field: 'destination.accountId' }
const NOT_READY = { status: 403, code: 'USER_NOT_READY' }
const CURRENCY = { status: 400, code: 'INVALID_CURRENCY', field: 'destination.accountId' }
const MISMATCH = { ...invalid('source.accountId'), reason: 'ACCOUNT_OWNER_MISMATCH' }
const SHORT = { status: 400, code: 'INVALID_AMOUNT', reason: 'INSUFFICIENT_BALANCE' }

type Verb = 'transferOut' | 'transferIn'

const expectRefusal = async ({ platform, dollars }: Payer, verb: Verb, input: object, refusal: object) => {
  const before = await fundsOf(platform, dollars)
  const [asGraphQL, asRest] = [await graphql[verb](platform, input), await rest[verb](platform, input)]
  expect(partsOf(asRest)).toEqual(refusal)
  expect(partsOf(asGraphQL)).toEqual(refusal)
  expect(asGraphQL.body.message.replaceAll('A', 'a')).toBe(asRest.body.message.replaceAll('A', 'a'))
  expect(await fundsOf(platform, dollars)).toEqual(before)
}

const unknown = (kind: string) => `${kind}:${randomUUID()}`
const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)

type Row = readonly [what: string, input: (payer: Payer) => object | Promise<object>, refusal: object]

const OUT: readonly Row[] = [
  ['an unknown source', ({ outside }) => transferInput(unknown('InternalAccount'), outside, 1), NO_SOURCE],
  ['an unknown destination', ({ dollars }) => transferInput(dollars, unknown('ExternalAccount'), 1), NO_DESTINATION],
  [
    "another platform's source",
    async ({ outside }) => transferInput((await createPayer()).dollars, outside, 1),
    NO_SOURCE,
  ],
  [
    "another platform's destination",
    async ({ dollars }) => transferInput(dollars, (await createPayer()).outside, 1),
    NO_DESTINATION,
  ],
  ['a source outside', ({ outside }) => transferInput(outside, outside, 1), invalid('source.accountId')],
  ['a destination here', ({ dollars, euros }) => transferInput(dollars, euros, 1), invalid('destination.accountId')],
  ['another currency', ({ dollars, iban }) => transferInput(dollars, iban, 1), CURRENCY],
  ['an amount of zero', ({ dollars, outside }) => transferInput(dollars, outside, 0), invalid('amount')],
  ['a negative amount', ({ dollars, outside }) => transferInput(dollars, outside, -5), invalid('amount')],
  [
    'an amount above 9e15',
    ({ dollars, outside }) => transferInput(dollars, outside, 9_000_000_000_000_001),
    invalid('amount'),
  ],
  [
    "another customer's bank account",
    async ({ platform, dollars }) => transferInput(dollars, (await createPayer({ platform })).outside, 1),
    MISMATCH,
  ],
  ['more than there is', ({ dollars, outside }) => transferInput(dollars, outside, 100_001), SHORT],
  ['all of nothing', ({ euros, iban }) => transferInput(euros, iban), SHORT],
  [
    'a rail that the account does not have',
    ({ dollars, outside }) => ({
      ...transferInput(dollars, outside, 1),
      destination: { accountId: outside, paymentRail: 'SEPA' },
    }),
    invalid('paymentRail'),
  ],
  [
    'a remittance information of 81 characters',
    ({ dollars, outside }) => transferInput(dollars, outside, 1, { remittanceInformation: 'x'.repeat(81) }),
    invalid('remittanceInformation'),
  ],
]

const IN: readonly Row[] = [
  ['an unknown source', ({ dollars }) => transferInput(unknown('ExternalAccount'), dollars, 1), NO_SOURCE],
  ['an unknown destination', ({ outside }) => transferInput(outside, unknown('InternalAccount'), 1), NO_DESTINATION],
  [
    "another platform's source",
    async ({ dollars }) => transferInput((await createPayer()).outside, dollars, 1),
    NO_SOURCE,
  ],
  [
    "another platform's destination",
    async ({ outside }) => transferInput(outside, (await createPayer()).dollars, 1),
    NO_DESTINATION,
  ],
  ['a source here', ({ dollars }) => transferInput(dollars, dollars, 1), invalid('source.accountId')],
  ['a destination outside', ({ outside }) => transferInput(outside, outside, 1), invalid('destination.accountId')],
  ['another currency', ({ iban, dollars }) => transferInput(iban, dollars, 1), CURRENCY],
  [
    'an account that nobody can pull from',
    ({ iban, euros }) => transferInput(iban, euros, 1),
    invalid('source.accountId'),
  ],
  [
    'an account whose rails only push',
    async ({ platform, dollars, customerId: ownerId }) =>
      transferInput(await createOutside(platform, '001', { paymentRails: ['WIRE', 'RTP'], ownerId }), dollars, 1),
    invalid('source.accountId'),
  ],
  [
    "another customer's bank account",
    async ({ platform, dollars }) => transferInput((await createPayer({ platform })).outside, dollars, 1),
    MISMATCH,
  ],
  [
    "the platform's bank account",
    async ({ platform, dollars }) => transferInput(await createOutside(platform, '001'), dollars, 1),
    MISMATCH,
  ],
  ['an amount of zero', ({ outside, dollars }) => transferInput(outside, dollars, 0), invalid('amount')],
]

describe('a transfer out of', () => {
  it.each(OUT)('%s', async (_what, input, refusal) => {
    const payer = await createPayer()
    await expectRefusal(payer, 'transferOut', await input(payer), refusal)
  })

  it.each([{ amount: null }, {}, { sendAll: false }, { amount: null, sendAll: true }, { amount: 1, sendAll: true }])(
    'an amount that GraphQL cannot tell from %j',
    async (given) => {
      const { platform, dollars, outside } = await createPayer()
      const answer = await callGraphQL(
        basic(platform),
        `mutation ($input: TransferOutInput!) {
          answer: transferOut(input: $input) { __typename ... on ApiError { code details { field } } }
        }`,
        { input: { sourceAccountId: dollars, destinationAccountId: outside, ...given } },
      )
      expect(answer.body.data.answer).toEqual({
        __typename: 'BadRequestError',
        code: 'INVALID_INPUT',
        details: { field: 'input.amount' },
      })
      expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    },
  )

  it('a null amount over REST, because only a missing one means the whole balance', async () => {
    const { platform, dollars, outside } = await createPayer()
    const refused = await send(
      platform,
      'POST',
      '/transfer-out',
      transferInput(dollars, outside, undefined, { amount: null }),
    )
    expect(partsOf(refused)).toEqual(invalid('amount'))
    expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    const { status, body } = await send(platform, 'POST', '/transfer-out', transferInput(dollars, outside))
    expect([status, body.sentAmount.amount]).toEqual([201, 100_000])
  })

  it('a wallet, because it pays with a quote that its owner signs', async () => {
    const payer = await createPayer()
    const { accountId } = await createFundedWallet(payer.platform)
    const outside = await createOutside(payer.platform, '001')
    await db.externalAccount.updateMany({ where: { id: uuidOf(outside) }, data: { currency: 'USDB' } })
    await expectRefusal(payer, 'transferOut', transferInput(accountId, outside, 1), invalid('source.accountId'))
  })
})

describe('a transfer in of', () => {
  it.each(IN)('%s', async (_what, input, refusal) => {
    const payer = await createPayer()
    await expectRefusal(payer, 'transferIn', await input(payer), refusal)
  })

  it('no amount, as the contract says, because the balance of an external account is not known', async () => {
    expect(contract.components.schemas.TransferInRequest.required).toEqual(['source', 'destination', 'amount'])
    const { platform, dollars, outside } = await createPayer()
    for (const source of [outside, unknown('ExternalAccount')]) {
      const answer = await send(platform, 'POST', '/transfer-in', transferInput(source, dollars))
      expect(partsOf(answer)).toEqual(invalid('amount'))
    }
  })
})

describe('an account or customer that is not ready:', () => {
  const reasons: Readonly<Record<string, string>> = {
    FROZEN: 'ACCOUNT_FROZEN',
    PENDING: 'ACCOUNT_PENDING',
    UNDER_REVIEW: 'ACCOUNT_PENDING',
    HOLD: 'CUSTOMER_UNDER_REVIEW',
  }
  const inBothDirections = async (payer: Payer, status = '') => {
    const { dollars, outside } = payer
    const refusal = { ...NOT_READY, ...(reasons[status] && { reason: reasons[status] }) }
    await expectRefusal(payer, 'transferOut', transferInput(dollars, outside, 1), refusal)
    await expectRefusal(payer, 'transferIn', transferInput(outside, dollars, 1), refusal)
  }

  it.each(['PENDING', 'CLOSED', 'FROZEN', 'FAILED'] as const)('an internal account that is %s', async (status) => {
    const payer = await createPayer()
    await db.internalAccount.updateMany({ where: { id: uuidOf(payer.dollars) }, data: { status } })
    await inBothDirections(payer, status)
  })

  it.each(['PENDING', 'UNDER_REVIEW', 'INACTIVE'] as const)('an external account that is %s', async (status) => {
    const payer = await createPayer()
    await db.externalAccount.updateMany({ where: { id: uuidOf(payer.outside) }, data: { status } })
    await inBothDirections(payer, status)
  })

  it.each(['UNVERIFIED', 'REJECTED', 'HOLD'] as const)('a customer who is %s', async (status) => {
    const payer = await createPayer()
    const where = { id: uuidOf(payer.customerId) }
    await db.customer.updateMany({ where, data: { verificationStatus: status } })
    await inBothDirections(payer, status)
  })
})

describe.each(['transferOut', 'transferIn'] as const)(
  'a waiting %s fails, and no money moves, if in the meantime',
  (verb) => {
    it.each<[what: string, change: (payer: Payer) => Promise<unknown>]>([
      [
        'the internal account is frozen',
        ({ dollars }) => db.internalAccount.updateMany({ where: { id: uuidOf(dollars) }, data: { status: 'FROZEN' } }),
      ],
      [
        'the external account is no longer active',
        ({ outside }) =>
          db.externalAccount.updateMany({ where: { id: uuidOf(outside) }, data: { status: 'INACTIVE' } }),
      ],
      [
        'the customer is on hold',
        ({ customerId }) =>
          db.customer.updateMany({ where: { id: uuidOf(customerId) }, data: { verificationStatus: 'HOLD' } }),
      ],
    ])('%s', async (_what, change) => {
      const payer = await createPayer()
      const { platform, dollars, outside } = payer
      const [from, to] = verb === 'transferOut' ? [dollars, outside] : [outside, dollars]
      const { body } = await rest[verb](platform, transferInput(from, to, 10_000))
      await change(payer)
      await passTime(platform.id)
      expect(await timelineOf(platform, body.id)).toEqual(['PENDING', 'FAILED QUOTE_EXECUTION_FAILED'])
      expect(await fundsOf(platform, dollars)).toEqual([100_000, 100_000])
    })
  },
)

it.each([
  ['transfer-out', 'no source', { destination: {} }, 'source'],
  ['transfer-out', 'no destination', { source: { accountId: unknown('InternalAccount') } }, 'destination'],
  ['transfer-in', 'no source', {}, 'source'],
  ['transfer-in', 'half a cent', { amount: 1.5 }, 'amount'],
  ['transfer-out', 'an amount as text', { amount: '1' }, 'amount'],
])('REST %s with %s', async (path, _what, body, field) => {
  const { platform, dollars, outside } = await createPayer()
  const [from, to] = path === 'transfer-out' ? [dollars, outside] : [outside, dollars]
  const whole = 'amount' in body ? { ...transferInput(from, to), ...body } : body
  const answer = await send(platform, 'POST', `/${path}`, whole)
  expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', details: { field } } })
})
