// Keys by which a card pulls from a wallet: three calls, the list, and their end, over both APIs.
import { describe, expect, it } from 'vitest'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import { uuidOf } from '#test/setup/agents/acting-agents.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { openSession } from '#test/setup/payments/payers.ts'
import { type Answer, callRest, type Json, mutate } from '#test/setup/sca/sca-faces.ts'
import { createCard, createPlatform, createWallet } from '#test/setup/world.ts'

interface Proof {
  readonly requestId: string
  readonly signature: string
}

interface Face {
  readonly name: 'GraphQL' | 'REST'
  create(caller: Credentials, input: Input, proof?: Proof): Promise<Answer>
  list(caller: Credentials, accountId: string): Promise<string[]>
  revoke(caller: Credentials, id: string): Promise<Answer>
}

const KEY =
  'id cardId accountId fundingSourceId publicKey nickname: keyName status: keyStatus spendingLimits { currencyCode maxPerTransaction: maxAmount }'

interface Input {
  readonly nickname: string
  readonly spendingLimits: readonly { readonly currencyCode: string; readonly maxPerTransaction: number }[]
}

const limitsOf = ({ spendingLimits }: Input) =>
  spendingLimits.map(({ maxPerTransaction: maxAmount, ...limit }) => ({ ...limit, maxAmount }))

const faces: readonly Face[] = [
  {
    name: 'GraphQL',
    create: async (caller, input, proof) => {
      const signedRetry = proof && { requestId: proof.requestId, walletSignature: proof.signature }
      const { status, body } = await mutate(
        caller,
        'createDelegatedKey',
        { ...input, spendingLimits: limitsOf(input), signedRetry },
        `delegatedKey { ${KEY} }`,
        {
          more: '... on SignedRetryChallenge { payloadToSign requestId }',
        },
      )
      if (status !== 200) return { status, body }
      return body.delegatedKey ? { status: 201, body: body.delegatedKey } : { status: 202, body }
    },
    list: async (caller, accountId) => {
      const { body } = await callGraphQL(
        basic(caller),
        'query ($id: ID!) { delegatedKeys(filter: { accountId: $id }) { nodes { keyStatus } } }',
        { id: accountId },
      )
      return body.data.delegatedKeys.nodes.map(({ keyStatus }: Json) => keyStatus)
    },
    revoke: (caller, id) => mutate(caller, 'revokeDelegatedKey', { id }, `delegatedKey { ${KEY} }`, { status: 204 }),
  },
  {
    name: 'REST',
    create: (caller, input, proof) =>
      callRest(caller, 'POST', '/auth/delegated-keys', input, {
        ...(proof && { 'request-id': proof.requestId, 'service-wallet-signature': proof.signature }),
      }),
    list: async (caller, accountId) => {
      const { body } = await callRest(caller, 'GET', `/auth/delegated-keys?accountId=${accountId}`)
      return body.data.map(({ status }: Json) => status)
    },
    revoke: (caller, id) => callRest(caller, 'DELETE', `/auth/delegated-keys/${id}`),
  },
]

const createFundedCard = async () => {
  const platform = await createPlatform()
  const wallet = await createWallet(platform)
  const { id } = await createCard(platform, {
    customerId: uuidOf(wallet.customerId),
    accountId: uuidOf(wallet.accountId),
  })
  const device = await openSession(platform, wallet)
  const cardId = publicId('Card', id)
  const input = {
    cardId,
    internalAccountId: wallet.accountId,
    nickname: 'Travel',
    // Beyond the `Int` of GraphQL.
    spendingLimits: [{ currencyCode: 'USDB', maxPerTransaction: 3_000_000_000 }],
  }
  const sign = async ({ body }: Answer): Promise<Proof> => ({
    requestId: body.requestId,
    signature: await device.stamp(body.payloadToSign),
  })
  return { platform, wallet, cardId, input, sign }
}

describe.each(faces)('over $name', ({ create, list, revoke }) => {
  it('takes three calls: 202, 202, 201, and each request id once', async () => {
    const { platform, wallet, cardId, input, sign } = await createFundedCard()
    const first = await create(platform, input)
    expect(first.status).toBe(202)
    expect(JSON.parse(first.body.payloadToSign).type).toBe('ACTIVITY_TYPE_CREATE_API_KEYS_V2')
    expect(await list(platform, wallet.accountId)).toEqual([])
    const proof = await sign(first)
    const second = await create(platform, input, proof)
    expect(second.status).toBe(202)
    expect(JSON.parse(second.body.payloadToSign).type).toBe('ACTIVITY_TYPE_CREATE_POLICY_V3')
    expect(await list(platform, wallet.accountId)).toEqual(['PENDING'])
    expect(await create(platform, input, proof)).toMatchObject({
      status: 401,
      body: { details: { reason: 'REQUEST_ID_CONSUMED' } },
    })
    const other = await create(platform, { ...input, nickname: 'Other' }, await sign(second))
    expect(other).toMatchObject({ status: 401, body: { code: 'WALLET_SIGNATURE_BODY_MISMATCH' } })
    const third = await create(platform, input, await sign(second))
    expect(third).toMatchObject({
      status: 201,
      body: {
        status: 'ACTIVE',
        cardId,
        accountId: wallet.accountId,
        nickname: 'Travel',
        spendingLimits: input.spendingLimits,
      },
    })
    expect(third.body.publicKey).toMatch(/^0[23][0-9a-f]{64}$/)
    expect(third.body.fundingSourceId).toMatch(/^CardFundingSource:/)
    const stored = await db.$queryRaw<
      { text: string }[]
    >`select row_to_json(k)::text as text from delegated_keys k where platform_id = ${platform.id}::uuid`
    expect(stored).toHaveLength(1)
    const read = await callRest(platform, 'GET', `/auth/delegated-keys/${third.body.id}`)
    expect(read.body).toMatchObject({ id: third.body.id, status: 'ACTIVE' })
    expect(read.body).not.toHaveProperty('privateKeySealed')
  })

  it('an abandoned key stays PENDING and blocks nothing; a second active one is 409 until the first is revoked', async () => {
    const { platform, wallet, input, sign } = await createFundedCard()
    const make = async () => {
      const second = await create(platform, input, await sign(await create(platform, input)))
      return { second, third: async () => create(platform, input, await sign(second)) }
    }
    await make()
    const [one, two] = [await make(), await make()]
    const active = await one.third()
    expect(active.status).toBe(201)
    expect(await two.third()).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'ACTIVE_KEY_EXISTS' } },
    })
    expect(await create(platform, input)).toMatchObject({ status: 409 })
    expect((await list(platform, wallet.accountId)).sort()).toEqual(['ACTIVE', 'PENDING', 'PENDING'])
    expect((await revoke(platform, active.body.id)).status).toBe(204)
    expect(await revoke(platform, active.body.id)).toMatchObject({
      status: 400,
      body: { details: { reason: 'KEY_NOT_ACTIVE' } },
    })
    expect((await two.third()).status).toBe(201)
  })

  it('a wallet that was frozen since the first call gets no key, and one that was frozen since the second keeps it PENDING', async () => {
    const { platform, wallet, input, sign } = await createFundedCard()
    const become = (status: 'ACTIVE' | 'FROZEN') =>
      db.internalAccount.updateMany({
        where: { platformId: platform.id, id: uuidOf(wallet.accountId) },
        data: { status },
      })
    const details = { field: expect.stringMatching(/^(input\.)?internalAccountId$/) }
    const notActive = { status: 400, body: { code: 'INVALID_INPUT', message: 'The wallet is not active', details } }
    const proof = await sign(await create(platform, input))
    await become('FROZEN')
    expect(await create(platform, input, proof)).toMatchObject(notActive)
    expect(await list(platform, wallet.accountId)).toEqual([])
    await become('ACTIVE')
    const last = await sign(await create(platform, input, proof))
    await become('FROZEN')
    expect(await create(platform, input, last)).toMatchObject(notActive)
    expect(await list(platform, wallet.accountId)).toEqual(['PENDING'])
  })

  it('refuses other signers, cards and accounts', async () => {
    const { platform, input, sign } = await createFundedCard()
    const stranger = await createFundedCard()
    const first = await create(platform, input)
    const stamped = { requestId: first.body.requestId, signature: (await stranger.sign(first)).signature }
    expect(await create(platform, input, stamped)).toMatchObject({
      status: 401,
      body: { code: 'WALLET_SIGNATURE_INVALID' },
    })
    expect((await create(platform, input, await sign(first))).status).toBe(202)
    const wallet = await createWallet(platform)
    const refusals: [object, number, string][] = [
      [{ cardId: stranger.cardId }, 404, 'REFERENCE_NOT_FOUND'],
      [{ internalAccountId: stranger.wallet.accountId }, 404, 'REFERENCE_NOT_FOUND'],
      [{ internalAccountId: wallet.accountId }, 400, 'INVALID_INPUT'],
      [{ nickname: 'n'.repeat(257) }, 400, 'INVALID_INPUT'],
      [{ spendingLimits: [{ currencyCode: 'USDB', maxPerTransaction: 0 }] }, 400, 'INVALID_INPUT'],
      [{ spendingLimits: [{ currencyCode: 'XXX', maxPerTransaction: 1 }] }, 400, 'INVALID_CURRENCY'],
    ]
    for (const [change, status, code] of refusals) {
      expect(await create(platform, { ...input, ...change })).toMatchObject({ status, body: { code } })
    }
    expect(await revoke(platform, `DelegatedKey:${uuidOf(input.cardId)}`)).toMatchObject({ status: 404 })
  })
})

it('GraphQL takes a limit as an Int too, but not both, and writes a larger one as the largest Int', async () => {
  const { platform, input, sign } = await createFundedCard()
  const [graphql] = faces as [Face]
  const legOf = async (limit: object) => {
    const spendingLimits = [{ currencyCode: 'USDB', ...limit }]
    const selection = '... on SignedRetryChallenge { payloadToSign requestId }'
    return mutate(platform, 'createDelegatedKey', { ...input, spendingLimits }, '__typename', { more: selection })
  }
  const { body } = await legOf({ maxPerTransaction: 5 })
  expect(body.requestId).toMatch(/^Request:/)
  for (const limit of [{}, { maxAmount: 5, maxPerTransaction: 5 }, { maxAmount: null }])
    expect(await legOf(limit)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'input.spendingLimits.0.maxAmount' } },
    })
  const second = await graphql.create(platform, input, await sign(await graphql.create(platform, input)))
  const key = await graphql.create(platform, input, await sign(second))
  const text = `query ($id: ID!) { node(id: $id) { ... on DelegatedKey {
    spendingLimits { maxPerTransaction maxAmountMoney { amount currency { code } } }
  } } }`
  const { data } = (await callGraphQL(basic(platform), text, { id: key.body.id })).body
  expect(data.node.spendingLimits).toEqual([
    { maxPerTransaction: 2_147_483_647, maxAmountMoney: { amount: 3_000_000_000, currency: { code: 'USDB' } } },
  ])
})

it('the keys of a card and of a customer can be listed', async () => {
  const { platform, wallet, cardId, input, sign } = await createFundedCard()
  const [graphql] = faces as [Face]
  const second = await graphql.create(platform, input, await sign(await graphql.create(platform, input)))
  const { id: keyId } = (await graphql.create(platform, input, await sign(second))).body
  const other = await createWallet(platform)
  const card = await createCard(platform, { customerId: uuidOf(other.customerId), accountId: uuidOf(other.accountId) })
  const text = `query ($filter: DelegatedKeyFilter, $cards: [ID!]!) {
    delegatedKeys(filter: $filter) { totalCount nodes { id } }
    nodes(ids: $cards) { ... on Card { delegatedKeys(filter: { statuses: [ACTIVE] }) { nodes { id } } } }
  }`
  const listed = async (filter: object) =>
    (await callGraphQL(basic(platform), text, { filter, cards: [cardId, publicId('Card', card.id)] })).body.data
  const [all, none] = [
    { totalCount: 1, nodes: [{ id: keyId }] },
    { totalCount: 0, nodes: [] },
  ]
  const ofCards = await listed({ cardId })
  expect(ofCards.delegatedKeys).toEqual(all)
  expect(ofCards.nodes).toEqual([{ delegatedKeys: { nodes: [{ id: keyId }] } }, { delegatedKeys: { nodes: [] } }])
  expect((await listed({ customerId: wallet.customerId })).delegatedKeys).toEqual(all)
  expect((await listed({ cardId: publicId('Card', card.id) })).delegatedKeys).toEqual(none)
  expect((await listed({ customerId: other.customerId })).delegatedKeys).toEqual(none)
})

it('the list needs a wallet or a funding source, and an unknown key is 404', async () => {
  const { platform, cardId } = await createFundedCard()
  expect((await callRest(platform, 'GET', '/auth/delegated-keys')).status).toBe(400)
  const none = await callRest(
    platform,
    'GET',
    `/auth/delegated-keys?fundingSourceId=CardFundingSource:${uuidOf(cardId)}`,
  )
  expect(none).toMatchObject({ status: 200, body: { data: [] } })
  expect((await callRest(platform, 'GET', `/auth/delegated-keys/DelegatedKey:${uuidOf(cardId)}`)).status).toBe(404)
})
