// `idempotencyKey` over GraphQL: a repeated mutation returns what the first one created, in its current state, and creates nothing.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { changeAgent, createActing } from '#test/setup/agents/acting-agents.ts'
import { type Authorization, callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { createPayer, fundsOf } from '#test/setup/payments/payers.ts'
import { mutations, placesIn, questionOf } from '#test/setup/places/schema-queries.ts'
import { createPlatform, createToken, type Platform } from '#test/setup/world.ts'

const TRANSFERRED = '... on TransferSuccess { transaction { ... on TransactionNode { id } } }'

/** The mutations, with their input type and the selection of their success. */
const MUTATIONS = {
  createQuote: ['CreateQuoteInput', '... on CreateQuoteSuccess { quote { id status } }'],
  executeQuote: ['ExecuteQuoteInput', '... on ExecuteQuoteSuccess { quote { id status } }'],
  transferOut: ['TransferOutInput', TRANSFERRED],
  transferIn: ['TransferInInput', TRANSFERRED],
  agentTransferOut: ['TransferOutInput', '... on AgentActionSuccess { agentAction { id status } }'],
} as const

const mutate = async (who: Authorization, name: keyof typeof MUTATIONS, input: object) => {
  const [type, success] = MUTATIONS[name]
  const failure = '... on ApiError { status code message details { field } }'
  const query = `mutation ($input: ${type}!) { answer: ${name}(input: $input) { __typename ${success} ${failure} } }`
  const { body } = await callGraphQL(who, query, { input })
  expect(body.errors).toBeUndefined()
  return body.data.answer
}

const paymentsOf = (platform: Platform) => db.transaction.count({ where: { platformId: platform.id } })
const newKey = () => randomUUID() as string

const createCase = async () => {
  const payer = await createPayer()
  const { platform, dollars, iban, outside } = payer
  const quote = {
    source: { accountId: dollars },
    destination: { accountId: iban },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
  }
  const transfer = { sourceAccountId: dollars, destinationAccountId: outside, amount: 1_000 }
  return { ...payer, who: basic(platform), quote, transfer }
}

describe('a repeated mutation', () => {
  it('returns the same quote in its current state', async () => {
    const { platform, who, quote } = await createCase()
    const input = { ...quote, idempotencyKey: newKey() }
    const first = await mutate(who, 'createQuote', input)
    expect(first).toMatchObject({ __typename: 'CreateQuoteSuccess', quote: { status: 'PENDING' } })
    await mutate(who, 'executeQuote', { id: first.quote.id })
    await passTime(platform.id)
    const again = await mutate(who, 'createQuote', input)
    expect(again).toEqual({ ...first, quote: { id: first.quote.id, status: 'COMPLETED' } })
    expect(await paymentsOf(platform)).toBe(1)
  })

  it('executes a quote once', async () => {
    const { platform, dollars, who, quote } = await createCase()
    const { id } = (await mutate(who, 'createQuote', quote)).quote
    const input = { id, idempotencyKey: newKey() }
    for (const status of ['PROCESSING', 'COMPLETED']) {
      expect(await mutate(who, 'executeQuote', input)).toMatchObject({ quote: { id, status } })
      await passTime(platform.id)
    }
    expect(await mutate(who, 'executeQuote', { id })).toMatchObject({ __typename: 'ConflictError' })
    expect(await fundsOf(platform, dollars)).toEqual([90_000, 90_000])
  })

  it.each(['transferOut', 'transferIn'] as const)('%s creates one transfer', async (name) => {
    const { platform, who, transfer } = await createCase()
    const { sourceAccountId, destinationAccountId } = transfer
    const pulled = { ...transfer, sourceAccountId: destinationAccountId, destinationAccountId: sourceAccountId }
    const input = { ...(name === 'transferOut' ? transfer : pulled), idempotencyKey: newKey() }
    const first = await mutate(who, name, input)
    const again = await mutate(who, name, input)
    expect(first.__typename).toBe('TransferSuccess')
    expect(again.transaction.id).toBe(first.transaction.id)
    expect(await paymentsOf(platform)).toBe(1)
    expect((await mutate(who, name, { ...input, idempotencyKey: null })).transaction.id).not.toBe(first.transaction.id)
  })

  it('repeats an earlier refusal, even if the operation would succeed now', async () => {
    const { platform, who, transfer } = await createCase()
    const input = { ...transfer, amount: 100_001, idempotencyKey: newKey() }
    const first = await mutate(who, 'transferOut', input)
    expect(first).toMatchObject({ __typename: 'BadRequestError', code: 'INVALID_AMOUNT' })
    const { sourceAccountId, destinationAccountId } = transfer
    const pulled = { sourceAccountId: destinationAccountId, destinationAccountId: sourceAccountId, amount: 5_000 }
    await mutate(who, 'transferIn', pulled)
    await passTime(platform.id)
    expect(await mutate(who, 'transferOut', input)).toEqual(first)
    expect(await mutate(who, 'transferOut', { ...input, idempotencyKey: newKey() })).toMatchObject({
      __typename: 'TransferSuccess',
    })
  })

  it('with another input is a conflict; with another token it is a different call', async () => {
    const { platform, who, transfer } = await createCase()
    const input = { ...transfer, idempotencyKey: newKey() }
    await mutate(who, 'transferOut', input)
    expect(await mutate(who, 'transferOut', { ...input, amount: 1_001 })).toMatchObject({
      __typename: 'ConflictError',
      status: 409,
      code: 'CONFLICT',
    })
    const token = { clientId: randomUUID(), secret: randomUUID() }
    await createToken(platform.id, token, ['TRANSACT'])
    expect(await mutate(basic(token), 'transferOut', input)).toMatchObject({ __typename: 'TransferSuccess' })
    expect(await paymentsOf(platform)).toBe(2)
  })

  it('sent eight times at once has one effect', async () => {
    const { platform, dollars, who, transfer } = await createCase()
    const input = { ...transfer, idempotencyKey: newKey() }
    const answers = await Promise.all(Array.from({ length: 8 }, () => mutate(who, 'transferOut', input)))
    const ids = new Set(answers.flatMap(({ transaction }) => transaction?.id ?? []))
    expect(ids.size).toBe(1)
    for (const { __typename } of answers) expect(['TransferSuccess', 'ConflictError']).toContain(__typename)
    expect(await fundsOf(platform, dollars)).toEqual([99_000, 100_000])
  })
})

it('a key has 1 to 255 characters', async () => {
  const { who, transfer } = await createCase()
  for (const idempotencyKey of ['', 'x'.repeat(256)]) {
    expect(await mutate(who, 'transferOut', { ...transfer, idempotencyKey })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'input.idempotencyKey' },
    })
  }
})

const withKey = mutations().filter((field) => placesIn(field).some((path) => path.at(-1) === 'idempotencyKey'))
const ofPlatforms = withKey.filter(({ name }) => !name.startsWith('agent'))

/** The answers of these mutations to an empty key. */
const answersToEmptyKey = (who: Authorization, fields: typeof withKey) =>
  Promise.all(
    fields.map(async (field) => {
      const selection = '{ ... on ApiError { status details { field } } }'
      const { query, variables } = questionOf('mutation', field, selection, ['input', 'idempotencyKey'], '')
      const { status, details } = (await callGraphQL(who, query, variables)).body.data.answer
      return [field.name, status, details?.field]
    }),
  )

it('a token without the permission gets 403 for every mutation, whatever its key', async () => {
  const who = basic(await createPlatform(['VIEW']))
  expect(ofPlatforms.length).toBe(11)
  expect(await answersToEmptyKey(who, ofPlatforms)).toEqual(ofPlatforms.map(({ name }) => [name, 403, undefined]))
})

it('an error about the key names its place in the input, for every mutation', async () => {
  const who = basic(await createPlatform())
  // It reads the amount first, which the test above gives.
  const others = ofPlatforms.filter(({ name }) => name !== 'transferOut')
  const expected = others.map(({ name }) => [name, 400, 'input.idempotencyKey'])
  expect(await answersToEmptyKey(who, others)).toEqual(expected)
})

it('a paused agent does not get the result of an earlier call, nor an error about its key or its amount', async () => {
  const acting = await createActing()
  const { agent, accountId, dollarsId, eurosId } = acting
  const transfer = { sourceAccountId: accountId, destinationAccountId: dollarsId }
  const quote = { source: { accountId }, destination: { accountId: eurosId }, lockedCurrencySide: 'SENDING' }
  const paid = { ...transfer, amount: 1_000, idempotencyKey: newKey() }
  const quoted = { ...quote, lockedCurrencyAmount: 1_000, idempotencyKey: newKey() }
  await mutate(agent, 'agentTransferOut', paid)
  await mutate(agent, 'createQuote', quoted)
  await changeAgent(acting, { isPaused: true })
  for (const input of [paid, { ...paid, amount: 2_000 }, { ...paid, idempotencyKey: '' }, transfer]) {
    expect(await mutate(agent, 'agentTransferOut', input)).toMatchObject({ code: 'FORBIDDEN' })
  }
  expect(await mutate(agent, 'createQuote', quoted)).toMatchObject({ code: 'FORBIDDEN' })
})

it("an agent's repeated call creates one action", async () => {
  const acting = await createActing({ defaultExecutionMode: 'APPROVAL_REQUIRED' })
  const { agent, platform, accountId, dollarsId } = acting
  const transfer = { sourceAccountId: accountId, destinationAccountId: dollarsId, amount: 1_000 }
  const input = { ...transfer, idempotencyKey: newKey() }
  const first = await mutate(agent, 'agentTransferOut', input)
  expect(first).toMatchObject({ agentAction: { status: 'PENDING_APPROVAL' } })
  expect(await mutate(agent, 'agentTransferOut', input)).toEqual(first)
  expect(await db.agentAction.count({ where: { platformId: platform.id } })).toBe(1)
})
