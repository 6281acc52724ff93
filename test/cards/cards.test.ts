// Ordering, changing and showing cards over both APIs, with the magic values of issuance and of funding sources.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CARD_FUNDING_SOURCES } from '#cards/sandbox/scenario.ts'
import { CARD_TRANSITIONS } from '#cards/state.ts'
import { config } from '#core/config.ts'
import { publicId } from '#core/ids.ts'
import { db } from '#database/db.ts'
import type { CardState } from '#generated/prisma/client.ts'
import { callGraphQL, callRest as send } from '#test/setup/agents/agent-faces.ts'
import { cardFaces } from '#test/setup/cards/card-faces.ts'
import { createShopper, plainUuid, purchase, type Shopper } from '#test/setup/cards/shoppers.ts'
import { basic, type Credentials } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { callRest } from '#test/setup/sca/sca-faces.ts'
import { changePlatform, createCard, createCustomer, createInternalAccount, createToken } from '#test/setup/world.ts'

const STATES = Object.keys(CARD_TRANSITIONS) as CardState[]

const orderOf = ({ customerId, accountId }: Shopper, platformCardId?: string) => ({
  cardholderId: customerId,
  form: 'VIRTUAL',
  fundingSources: [accountId],
  ...(platformCardId !== undefined && { platformCardId }),
})

const readCard = async ({ platform }: Pick<Shopper, 'platform'>, id: string) =>
  (await callRest(platform, 'GET', `/cards/${id}`)).body

const eventsOf = async (id: string) => {
  const rows = await db.$queryRaw<{ type: string }[]>`
    select type::text from events where object_id = ${id.split(':')[1]}::uuid order by recorded`
  return rows.map(({ type }) => type.replace('CARD.', ''))
}

const putInto = (state: CardState) => createShopper({ state })

it('the code and the database have the same transitions', async () => {
  const stored = await db.$queryRaw<{ step: string }[]>`
    select from_state || ' ' || to_state as step from card_transitions order by 1`
  const known = Object.entries(CARD_TRANSITIONS).flatMap(([from, next]) => next.map((to) => `${from} ${to}`))
  expect(stored.map(({ step }) => step)).toEqual(known.sort())
})

it('the database refuses every other transition', async () => {
  const shopper = await createShopper()
  const customerId = shopper.customerId.split(':')[1] ?? ''
  const accountId = shopper.accountId.split(':')[1] ?? ''
  const reasonOf = (state: CardState) => (state === 'CLOSED' ? 'CLOSED_BY_SERVICE' : null)
  for (const from of STATES)
    for (const to of STATES) {
      const { id } = await createCard(shopper.platform, {
        customerId,
        accountId,
        state: from,
        stateReason: reasonOf(from),
      })
      const changed = db.card.update({
        where: { platformId_id: { platformId: shopper.platform.id, id } },
        data: { state: to, stateReason: reasonOf(to) },
      })
      const isAllowed = from === to || CARD_TRANSITIONS[from].includes(to)
      expect([from, to, await changed.then(() => true).catch(() => false)]).toEqual([from, to, isAllowed])
    }
})

describe.each(cardFaces)('over $name', (face) => {
  const ISSUED = { state: 'ACTIVE', stateReason: null, brand: 'VISA' }
  it.each([
    ['its own id', 'card-777', [ISSUED, ISSUED], 1],
    [
      '001',
      'card-001',
      [
        { state: 'PROCESSING', stateReason: null },
        { state: 'PROCESSING', stateReason: null },
      ],
      0,
    ],
    ['002', 'card-002', [{ state: 'CLOSED', stateReason: 'ISSUER_REJECTED' }, { state: 'CLOSED' }], 1],
    ['005', 'card-005', [{ state: 'PROCESSING', stateReason: null }, ISSUED], 1],
    ['an email address', 'card-002@shop.example', [{ state: 'CLOSED' }, { state: 'CLOSED' }], 1],
  ] as const)('a card is issued by %s', async (_name, platformCardId, [soon, later], events) => {
    const shopper = await createShopper()
    const { status, body } = await face.create(shopper.platform, orderOf(shopper, platformCardId))
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        ...orderOf(shopper, platformCardId),
        state: 'PROCESSING',
        stateReason: null,
        currency: 'USD',
      }),
    ])
    expect(body.last4).toBeUndefined()
    await passTime(shopper.platform.id, 2)
    expect(await readCard(shopper, body.id)).toMatchObject(soon)
    await passTime(shopper.platform.id, 40)
    const card = await readCard(shopper, body.id)
    expect(card).toMatchObject(later)
    if (card.state === 'ACTIVE') {
      expect(card).toMatchObject({
        last4: expect.stringMatching(/^\d{4}$/),
        expMonth: expect.any(Number),
        expYear: new Date().getUTCFullYear() + 4,
        processorRef: expect.any(String),
        issuerRef: expect.any(String),
      })
    }
    expect(await eventsOf(body.id)).toEqual(Array(events).fill('STATE_CHANGE'))
  })

  it('the id of the cardholder decides if there is no platformCardId', async () => {
    const shopper = await createShopper()
    const { platform } = shopper
    const customerId = `${randomUUID().slice(0, -3)}002`
    await createCustomer(platform, { id: customerId })
    const account = await createInternalAccount(platform, { id: plainUuid(), customerId })
    const order = {
      cardholderId: publicId('Customer', customerId),
      form: 'VIRTUAL',
      fundingSources: [publicId('InternalAccount', account.id)],
    }
    const [refused, issued] = [
      await face.create(platform, order),
      await face.create(platform, { ...order, platformCardId: 'own' }),
    ]
    await passTime(platform.id, 2)
    expect((await readCard(shopper, refused.body.id)).stateReason).toBe('ISSUER_REJECTED')
    expect((await readCard(shopper, issued.body.id)).state).toBe('ACTIVE')
  })

  it('an order is refused for these reasons', async () => {
    const shopper = await createShopper()
    const { platform, customerId } = shopper
    const order = orderOf(shopper)
    const owner = customerId.split(':')[1] ?? ''
    const account = async (given: object) =>
      publicId(
        'InternalAccount',
        (await createInternalAccount(platform, { id: plainUuid(), customerId: owner, ...given })).id,
      )
    const pending = await createCustomer(platform, { verificationStatus: 'PENDING' })
    const deleted = await createCustomer(platform, { isDeleted: true })
    const other = await createShopper({ platform })
    const foreign = await createShopper()
    const ineligible = 'INVALID_INPUT FUNDING_SOURCE_INELIGIBLE'
    const magic = await Promise.all(
      Object.keys(CARD_FUNDING_SOURCES.values).map((suffix) =>
        account({ id: `${randomUUID().slice(0, -3)}${suffix}` }),
      ),
    )
    expect(magic).toHaveLength(2)
    const cases: (readonly [object, number, string])[] = [
      [{ cardholderId: publicId('Customer', pending.id) }, 400, 'INVALID_INPUT CARDHOLDER_KYC_NOT_APPROVED'],
      [{ cardholderId: publicId('Customer', deleted.id) }, 410, 'CUSTOMER_DELETED'],
      [{ cardholderId: publicId('Customer', randomUUID()) }, 404, 'USER_NOT_FOUND'],
      [{ cardholderId: foreign.customerId }, 404, 'USER_NOT_FOUND'],
      [{ fundingSources: [publicId('InternalAccount', randomUUID())] }, 404, 'REFERENCE_NOT_FOUND'],
      [{ fundingSources: [foreign.accountId] }, 404, 'REFERENCE_NOT_FOUND'],
      [{ fundingSources: [other.accountId] }, 400, ineligible],
      [{ fundingSources: [shopper.accountId, other.accountId] }, 400, ineligible],
      [{ fundingSources: [await account({ status: 'FROZEN' })] }, 400, ineligible],
      [{ fundingSources: [await account({ customerId: null })] }, 400, ineligible],
      ...magic.map((id) => [{ fundingSources: [id] }, 400, ineligible] as const),
      [{ fundingSources: [] }, 400, 'INVALID_INPUT'],
      [{ fundingSources: [shopper.accountId, shopper.accountId] }, 400, 'INVALID_INPUT'],
    ]
    for (const [change, status, code] of cases) {
      const answer = await face.create(platform, { ...order, ...change })
      expect([answer.status, [answer.body.code, answer.body.details?.reason].filter(Boolean).join(' ')]).toEqual([
        status,
        code,
      ])
    }
    expect(await db.card.count({ where: { platformId: platform.id, state: 'PROCESSING' } })).toBe(0)
  })

  it.each(STATES.flatMap((from) => (['ACTIVE', 'FROZEN', 'CLOSED'] as const).map((to) => [from, to] as const)))(
    '%s becomes %s or is refused',
    async (from, to) => {
      const shopper = await putInto(from)
      const { status, body } = await face.update(shopper.platform, shopper.cardId, { state: to })
      const unissued = from === 'PROCESSING' || from === 'PENDING_KYC'
      if (from !== to && !unissued && CARD_TRANSITIONS[from].includes(to)) {
        expect([status, body.state, body.stateReason]).toEqual([200, to, to === 'CLOSED' ? 'CLOSED_BY_PLATFORM' : null])
        expect(await eventsOf(shopper.cardId)).toEqual(['STATE_CHANGE'])
        return
      }
      const code =
        from === 'CLOSED' ? 'CARD_ALREADY_CLOSED' : unissued ? 'CARD_NOT_MUTABLE' : 'INVALID_STATE_TRANSITION'
      expect([status, body.code]).toEqual([409, code])
      expect((await readCard(shopper, shopper.cardId)).state).toBe(from)
      expect(await eventsOf(shopper.cardId)).toEqual([])
    },
  )

  it('funding sources are replaced, in order, and the first one decides account and currency', async () => {
    const shopper = await createShopper()
    const { platform, customerId, accountId, cardId } = shopper
    const owner = customerId.split(':')[1] ?? ''
    const euros = publicId(
      'InternalAccount',
      (await createInternalAccount(platform, { id: plainUuid(), customerId: owner, currency: 'EUR' })).id,
    )
    const first = await face.update(platform, cardId, { fundingSources: [accountId, euros] })
    expect([first.status, first.body.fundingSources, first.body.currency]).toEqual([200, [accountId, euros], 'USD'])
    const second = await face.update(platform, cardId, { fundingSources: [euros, accountId], state: 'FROZEN' })
    expect([second.body.fundingSources, second.body.currency, second.body.state]).toEqual([
      [euros, accountId],
      'EUR',
      'FROZEN',
    ])
    await face.update(platform, cardId, { fundingSources: [euros, accountId] })
    // Once for each change, also of a later source; the same list again is no change.
    expect(await eventsOf(cardId)).toEqual(['FUNDING_SOURCE_CHANGE', 'FUNDING_SOURCE_CHANGE', 'STATE_CHANGE'])
    for (const id of [euros, accountId]) {
      const { body } = await callRest(platform, 'GET', `/cards?accountId=${id}`)
      expect(body.data.map((card: { id: string }) => card.id)).toEqual([cardId])
    }
    await expect(
      db.internalAccount.delete({
        where: { platformId_id: { platformId: platform.id, id: euros.split(':')[1] ?? '' } },
      }),
    ).rejects.toThrow()
  })

  it('changes that are empty, contradictory or of read-only fields are refused', async () => {
    const { platform, cardId, accountId } = await createShopper()
    for (const changes of [
      {},
      { state: 'CLOSED', fundingSources: [accountId] },
      { state: 'PROCESSING' },
      { fundingSources: [] },
    ]) {
      const answer = await face.update(platform, cardId, changes)
      expect([changes, answer.status]).toEqual([changes, 400])
    }
    const { message } = (await face.update(platform, cardId, {})).body
    expect(message).toBe('state or fundingSources is required')
    for (const id of [publicId('Card', randomUUID()), (await createShopper()).cardId]) {
      const answer = await face.update(platform, id, { state: 'FROZEN' })
      expect([answer.status, answer.body.code]).toEqual([404, 'REFERENCE_NOT_FOUND'])
    }
  })

  it.each(STATES)('the number of a card that is %s is shown or not', async (state) => {
    const { platform, cardId } = await putInto(state)
    const before = Date.now()
    const { status, body } = await face.reveal(platform, cardId)
    if (state !== 'ACTIVE' && state !== 'FROZEN') {
      expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
      return
    }
    expect(status).toBe(200)
    const token = new RegExp(`^${config.publicUrl}/card-numbers/([\\w-]{86})$`).exec(body.panEmbedUrl)?.[1]
    expect([body.panEmbedUrl, token !== undefined]).toEqual([body.panEmbedUrl, true])
    const lifetime = Date.parse(body.expiresAt) - before
    expect(lifetime).toBeGreaterThan(290_000)
    expect(lifetime).toBeLessThan(330_000)
    const [trace] = await db.$queryRaw<unknown[]>`
      select from events where platform_id = ${platform.id}::uuid and snapshot::text like ${`%${token}%`}`
    expect(trace).toBeUndefined()
  })

  it('needs the permission MANAGE, and an issuer', async () => {
    const shopper = await createShopper()
    const { platform, cardId } = shopper
    const viewer = { clientId: randomUUID(), secret: randomUUID() }
    await createToken(platform.id, viewer, ['VIEW', 'TRANSACT'])
    const calls = [
      (caller: Credentials) => face.create(caller, orderOf(shopper)),
      (caller: Credentials) => face.update(caller, cardId, { state: 'FROZEN' }),
      (caller: Credentials) => face.reveal(caller, cardId),
    ]
    for (const call of calls) expect((await call(viewer)).status).toBe(403)
    await changePlatform(platform, { environment: 'PRODUCTION' })
    for (const call of calls) {
      const answer = await call(platform)
      expect([answer.status, answer.body.code]).toEqual([501, 'NOT_IMPLEMENTED'])
    }
  })
})

it('an operator switches cards off', async () => {
  const shopper = await createShopper()
  config.hasCards = false
  try {
    for (const face of cardFaces) {
      const answers = [
        await face.create(shopper.platform, orderOf(shopper)),
        await face.update(shopper.platform, shopper.cardId, { state: 'FROZEN' }),
        await face.simulate(shopper.platform, shopper.cardId, 'authorization', purchase(1)),
      ]
      expect(answers.map(({ body }) => body.code)).toEqual(['NOT_IMPLEMENTED', 'NOT_IMPLEMENTED', 'NOT_IMPLEMENTED'])
    }
  } finally {
    config.hasCards = true
  }
  expect((await readCard(shopper, shopper.cardId)).state).toBe('ACTIVE')
})

it('the answer that shows a number is not stored by caches', async () => {
  const { platform, cardId } = await createShopper()
  const rest = await send(basic(platform), 'POST', `/cards/${cardId}/reveal`)
  const text = 'mutation ($id: ID!) { revealCard(input: { id: $id }) { ... on RevealCardSuccess { expiresAt } } }'
  const graphql = await callGraphQL(basic(platform), text, { id: cardId })
  expect([rest.headers.get('cache-control'), graphql.headers.get('cache-control')]).toEqual(['no-store', 'no-store'])
})

it('fields that cannot be changed are named', async () => {
  const { platform, cardId } = await createShopper()
  const { status, body } = await callRest(platform, 'PATCH', `/cards/${cardId}`, {
    state: 'FROZEN',
    last4: '1111',
    cardholderId: 'x',
  })
  expect([status, body.details.errors.map(({ field }: { field: string }) => field).sort()]).toEqual([
    400,
    ['cardholderId', 'last4'],
  ])
})
