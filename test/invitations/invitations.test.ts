// Invitations over both faces: created by one platform, claimed by another (docs/domain/invitations.md#operations).
import { describe, expect, it } from 'vitest'
import { db, sql } from '#database/db.ts'
import { numberEvents } from '#events/numbering.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { delayed } from '#test/setup/credentials/interleaved.ts'
import { basic } from '#test/setup/faces.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import { changePlatform, createCustomer, createPlatform, type Platform } from '#test/setup/world.ts'

interface Face {
  readonly name: string
  create(by: Platform, input: object): Promise<Answer>
  read(by: Platform, code: string): Promise<Answer>
  claim(by: Platform, code: string, input: object): Promise<Answer>
  cancel(by: Platform, code: string): Promise<Answer>
}

const REST: Face = {
  name: 'REST',
  create: (by, input) => send(by, 'POST', '/invitations', input),
  read: (by, code) => send(by, 'GET', `/invitations/${code}`),
  claim: (by, code, input) => send(by, 'POST', `/invitations/${code}/claim`, input),
  cancel: (by, code) => send(by, 'POST', `/invitations/${code}/cancel`),
}

const FIELDS = `code url inviterUma inviteeUma status: invitationStatus firstName
  amountToSend { amount currency { code name symbol decimals } } createdAt claimedAt expiresAt: claimableUntil`

const withoutNulls = (value: unknown) => JSON.parse(JSON.stringify(value, (_name, member) => member ?? undefined))

const ask = async (by: Platform, document: string, variables: object, status = 200): Promise<Answer> => {
  const { body } = await callGraphQL(basic(by), document, variables)
  const failed = body.errors?.[0]?.extensions ?? (body.data.answer.code && body.data.answer.message && body.data.answer)
  if (failed) return { status: failed.status, body: failed }
  return { status, body: withoutNulls(body.data.answer.invitation ?? body.data.answer) }
}

const mutation = (
  name: string,
) => `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { answer: ${name}(input: $input) {
  ... on ${name[0]?.toUpperCase()}${name.slice(1)}Success { invitation { ${FIELDS} } }
  ... on ApiError { status code message details { field reason } } } }`

const GRAPHQL: Face = {
  name: 'GraphQL',
  create: (by, input) => ask(by, mutation('createInvitation'), { input }, 201),
  read: (by, code) => ask(by, `query ($code: String!) { answer: invitation(code: $code) { ${FIELDS} } }`, { code }),
  claim: (by, code, input) => ask(by, mutation('claimInvitation'), { input: { code, ...input } }),
  cancel: (by, code) => ask(by, mutation('cancelInvitation'), { input: { code } }),
}

const ADA = '$ada@inviter.example'
const GRACE = '$grace@invited.example'

/** Two platforms: Ada is a customer of the first, Grace of the second. */
const createBoth = async () => {
  const [inviting, invited] = [await createPlatform(), await createPlatform()]
  await changePlatform(inviting, { umaDomain: 'inviter.example' })
  await createCustomer(inviting, { umaAddress: ADA, currencies: ['EUR', 'USD'] })
  await createCustomer(invited, { umaAddress: GRACE })
  return { inviting, invited }
}

const codeOf = ({ status, body }: Answer) => [status, body.code, body.details?.reason].filter(Boolean).join(' ')

const eventsOf = ({ id }: Platform) =>
  db.$queryRaw<
    { type: string }[]
  >`select type::text from events where platform_id = ${id}::uuid and type = 'INVITATION.CLAIMED'`

describe.each([REST, GRAPHQL])('$name', ({ create, read, claim, cancel }) => {
  it('an invitation is created, and read and claimed by another platform, and its own platform is notified', async () => {
    const { inviting, invited } = await createBoth()
    const created = await create(inviting, {
      inviterUma: ADA,
      firstName: 'Ada',
      amountToSend: 2_500,
      expiresAt: '2100-01-01T00:00:00.000Z',
    })
    expect(created.status, JSON.stringify(created.body)).toBe(201)
    const { code } = created.body
    expect(created.body).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{8}$/),
      url: `https://inviter.example/invitations/${code}`,
      inviterUma: ADA,
      status: 'PENDING',
      firstName: 'Ada',
      amountToSend: { amount: 2_500, currency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 } },
      createdAt: expect.any(String),
      expiresAt: '2100-01-01T00:00:00.000Z',
    })
    expect(await read(invited, code)).toMatchObject({ status: 200, body: created.body })

    const claimed = await claim(invited, code, { inviteeUma: GRACE })
    expect([claimed.status, claimed.body]).toEqual([
      200,
      { ...created.body, status: 'CLAIMED', inviteeUma: GRACE, claimedAt: expect.any(String) },
    ])
    expect([await eventsOf(inviting), await eventsOf(invited)]).toEqual([[{ type: 'INVITATION.CLAIMED' }], []])
    await numberEvents()
    const { body } = await send(inviting, 'GET', '/webhooks/events?type=INVITATION.CLAIMED')
    expect(body.data.map(({ data }: { data: object }) => data)).toEqual([claimed.body])
    expect(codeOf(await claim(invited, code, { inviteeUma: GRACE }))).toBe('400 INVITATION_ALREADY_CLAIMED')
    expect(codeOf(await cancel(inviting, code))).toBe('400 INVITATION_ALREADY_CLAIMED')
  })

  it('addresses ignore case, and are kept as the customers have them', async () => {
    const { inviting, invited } = await createBoth()
    const created = await create(inviting, { inviterUma: ADA.toUpperCase() })
    expect([created.status, created.body.inviterUma]).toEqual([201, ADA])
    const { code } = created.body
    expect(codeOf(await claim(inviting, code, { inviteeUma: ADA.toUpperCase() }))).toBe('400 INVALID_INPUT')
    const claimed = await claim(invited, code, { inviteeUma: GRACE.toUpperCase() })
    expect([claimed.status, claimed.body.inviteeUma]).toEqual([200, GRACE])
  })

  it('customers may have addresses of any length', async () => {
    const { inviting, invited } = await createBoth()
    const longest = (letter: string) => `$${letter.repeat(64)}@${`${'d'.repeat(62)}.`.repeat(3)}${'d'.repeat(64)}`
    for (const [by, letter] of [
      [inviting, 'a'],
      [invited, 'g'],
    ] as const)
      await createCustomer(by, { umaAddress: longest(letter) })
    const created = await create(inviting, { inviterUma: longest('a') })
    expect([created.status, created.body.inviterUma]).toEqual([201, longest('a')])
    const claimed = await claim(invited, created.body.code, { inviteeUma: longest('g') })
    expect([claimed.status, claimed.body.inviteeUma]).toEqual([200, longest('g')])
  })

  it('the inviter cannot claim it with a new address, and whoever has the old one can', async () => {
    const { inviting } = await createBoth()
    const { code } = (await create(inviting, { inviterUma: ADA })).body
    const renamed = '$countess@inviter.example'
    await db.customer.updateMany({ where: { platformId: inviting.id, umaAddress: ADA }, data: { umaAddress: renamed } })
    expect(codeOf(await claim(inviting, code, { inviteeUma: renamed }))).toBe('400 INVALID_INPUT')
    await createCustomer(inviting, { umaAddress: ADA })
    expect((await claim(inviting, code, { inviteeUma: ADA })).status).toBe(200)
  })

  it('only its own platform cancels an invitation, which then cannot be claimed', async () => {
    const { inviting, invited } = await createBoth()
    const { code } = (await create(inviting, { inviterUma: ADA })).body
    expect(codeOf(await cancel(invited, code))).toBe('403 FORBIDDEN')
    expect((await cancel(inviting, code)).body.status).toBe('CANCELLED')
    expect(codeOf(await claim(invited, code, { inviteeUma: GRACE }))).toBe('400 INVITATION_CANCELLED')
    expect(codeOf(await cancel(inviting, code))).toBe('400 INVITATION_CANCELLED')
    expect(await eventsOf(inviting)).toEqual([])
  })

  it('an invitation expires by the clock', async () => {
    const { inviting, invited } = await createBoth()
    const given = { inviterUma: ADA, expiresAt: '2100-01-01T00:00:00Z' }
    const { code } = (await create(inviting, given)).body
    await db.$executeRaw`update invitations set expires_at = now() where code = ${code}`
    expect((await read(invited, code)).body.status).toBe('EXPIRED')
    expect(codeOf(await claim(invited, code, { inviteeUma: GRACE }))).toBe('400 INVALID_INPUT INVITATION_EXPIRED')
    expect(codeOf(await create(inviting, { ...given, expiresAt: '2020-01-01T00:00:00Z' }))).toBe('400 INVALID_INPUT')
  })

  it('an invitation that expires while its claim waits for another call is not claimed', async () => {
    const { inviting, invited } = await createBoth()
    const { code } = (await create(inviting, { inviterUma: ADA })).body
    await db.$executeRaw`update invitations set expires_at = now() + interval '1 second' where code = ${code}`
    const lock = sql`select from invitations where platform_id = ${inviting.id}::uuid and code = ${code} for no key update`
    const answer = await delayed(
      lock,
      () => claim(invited, code, { inviteeUma: GRACE }),
      (holder) => holder.$queryRaw`select pg_sleep(1)::text`,
    )
    expect(codeOf(answer)).toBe('400 INVALID_INPUT INVITATION_EXPIRED')
  })

  it.each([
    ['2100-01-01', '2100-01-01T23:59:59.999Z'],
    ['9999-12-31', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59.999Z'],
  ])('the expiry %s is %s', async (expiresAt, stored) => {
    const { inviting } = await createBoth()
    const created = await create(inviting, { inviterUma: ADA, expiresAt })
    expect([created.status, created.body.expiresAt]).toEqual([201, stored])
  })

  it('refuses platforms without a domain, unknown addresses, and amounts that the platform cannot send', async () => {
    const { inviting, invited } = await createBoth()
    expect(codeOf(await create(invited, { inviterUma: GRACE }))).toBe('400 INVITATIONS_NOT_CONFIGURED')
    expect(codeOf(await create(inviting, { inviterUma: 'ada' }))).toBe('400 INVALID_UMA_ADDRESS')
    expect(codeOf(await create(inviting, { inviterUma: GRACE }))).toBe('404 USER_NOT_FOUND')
    expect(codeOf(await create(inviting, { inviterUma: ADA, amountToSend: 0 }))).toBe('400 INVALID_INPUT')
    await send(inviting, 'PATCH', '/config', {
      supportedCurrencies: [
        {
          currencyCode: 'EUR',
          minAmount: 1,
          maxAmount: 100,
          requiredCounterpartyFields: [],
          enabledTransactionTypes: ['OUTGOING'],
        },
      ],
    })
    expect(codeOf(await create(inviting, { inviterUma: ADA, amountToSend: 101 }))).toBe('400 AMOUNT_OUT_OF_RANGE')

    const { code } = (await create(inviting, { inviterUma: ADA })).body
    expect(codeOf(await claim(invited, code, { inviteeUma: 'grace' }))).toBe('400 INVALID_UMA_ADDRESS')
    expect(codeOf(await claim(invited, code, { inviteeUma: ADA }))).toBe('404 USER_NOT_FOUND')
    expect(codeOf(await claim(inviting, code, { inviteeUma: ADA }))).toBe('400 INVALID_INPUT')
    expect(codeOf(await read(invited, code.toUpperCase().padEnd(9, 'X')))).toBe('404 INVITATION_NOT_FOUND')
  })

  it('is unknown in the other environment, and needs its permissions', async () => {
    const { inviting, invited } = await createBoth()
    const { code } = (await create(inviting, { inviterUma: ADA })).body
    await changePlatform(invited, { environment: 'PRODUCTION' })
    expect(codeOf(await read(invited, code))).toBe('404 INVITATION_NOT_FOUND')
    expect(codeOf(await claim(invited, code, { inviteeUma: GRACE }))).toBe('404 INVITATION_NOT_FOUND')
    expect(codeOf(await cancel(invited, code))).toBe('404 INVITATION_NOT_FOUND')
    const reader = await createPlatform(['VIEW'])
    expect((await read(reader, code)).status).toBe(200)
    expect(codeOf(await claim(reader, code, { inviteeUma: GRACE }))).toBe('403 FORBIDDEN')
    expect(codeOf(await create(reader, { inviterUma: ADA }))).toBe('403 FORBIDDEN')
    expect(codeOf(await read(await createPlatform(['MANAGE']), code))).toBe('403 FORBIDDEN')
  })

  it('limits the codes that a platform can try', async () => {
    const { inviting } = await createBoth()
    const { code } = (await create(inviting, { inviterUma: ADA })).body
    await db.$executeRaw`
      insert into invitation_guesses (platform_id, times) values (${inviting.id}::uuid, array_fill(now(), array[99]))`
    const wrong = code === '00000000' ? '00000001' : '00000000'
    expect((await read(inviting, code)).status).toBe(200)
    expect(codeOf(await read(inviting, wrong))).toBe('404 INVITATION_NOT_FOUND')
    const refused = await read(inviting, code)
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(refused.body.details.retryAfterSeconds).toBeGreaterThan(3_500)
    await db.$executeRaw`
      update invitation_guesses set times = array_fill(now() - interval '1 hour', array[100]) where platform_id = ${inviting.id}::uuid`
    expect((await read(inviting, code)).status).toBe(200)
  })
})

it.each([0, 90])('concurrent guesses do not exceed the limit, after %i others', async (before) => {
  const platform = await createPlatform()
  if (before > 0) {
    await db.$executeRaw`
      insert into invitation_guesses (platform_id, times) values (${platform.id}::uuid, array_fill(now(), array[${before}::int]))`
  }
  const guess = async (from: number) => {
    const aliases = Array.from(
      { length: 20 },
      (_, nth) => `c${nth}: invitation(code: "${`${from + nth}`.padStart(8, '0')}") { code }`,
    )
    const { body } = await callGraphQL(basic(platform), `{ ${aliases.join(' ')} }`, {})
    return (body.errors as { extensions: { code: string } }[]).map(({ extensions }) => extensions.code)
  }
  const codes = (await Promise.all([0, 20, 40, 60, 80, 100].map(guess))).flat()
  expect(codes.filter((code) => code === 'INVITATION_NOT_FOUND')).toHaveLength(100 - before)
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(20 + before)
})

it('only one of many concurrent claims succeeds', async () => {
  const { inviting, invited } = await createBoth()
  const { code } = (await REST.create(inviting, { inviterUma: ADA })).body
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0 ? REST.cancel(inviting, code) : REST.claim(invited, code, { inviteeUma: GRACE }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const { body } = await REST.read(inviting, code)
  expect(await eventsOf(inviting)).toHaveLength(body.status === 'CLAIMED' ? 1 : 0)
})
