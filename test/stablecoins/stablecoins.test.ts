// Stablecoins: links, tokens, mints and burns, with the money that they move (docs/domain/stablecoins.md#mint-and-burn).
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { db } from '#database/db.ts'
import { resumeStablecoins } from '#stablecoins/resume.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf } from '#test/setup/payments/payers.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import { createStablecoinIssuer, FAILING_SPARK_ADDRESS, type Issuer, post, quoteBody } from '#test/setup/stablecoins.ts'
import { changePlatform, createExternalAccount, createInternalAccount, createPlatform } from '#test/setup/world.ts'

const codeOf = ({ status, body }: Answer) => [status, body.code, body.details?.reason].filter(Boolean).join(' ')
const uuidOf = (id: string) => id.slice(id.indexOf(':') + 1)
const LINK = { provider: 'BRALE', apiClientId: 'client 001', apiClientSecret: 'very secret indeed' }
const TOKEN = { providerTokenIdentifier: 'ACME', networkTokenIdentifier: 'btkn1acme', network: 'SPARK' }

interface Face {
  readonly name: string
  link(by: Issuer['platform'], input: object, key?: string): Promise<Answer>
  register(by: Issuer['platform'], input: object, key?: string): Promise<Answer>
  quote(issuer: Issuer, type: 'mint' | 'burn', amount?: string, key?: string): Promise<Answer>
  execute(by: Issuer['platform'], id: string, key?: string): Promise<Answer>
  operation(by: Issuer['platform'], id: string): Promise<Answer>
}

const REST: Face = {
  name: 'REST',
  link: (by, input, key) => post(by, '/stablecoin-provider-accounts', input, key),
  register: (by, input, key) => post(by, '/stablecoins', input, key),
  quote: (issuer, type, amount, key) =>
    post(issuer.platform, `/stablecoins/${issuer.coin.id}/${type}-quotes`, quoteBody(issuer, type, amount), key),
  execute: (by, id, key) => post(by, `/stablecoin-quotes/${id}/execute`, {}, key),
  operation: (by, id) => send(by, 'GET', `/stablecoin-operations/${id}`),
}

const PLACES = 'amount: tokenAmount internalAccount { id } externalAccount { id }'
const SHOWN = {
  LINK: 'id provider: stablecoinProvider providerAccountId providerEnvironment status: linkStatus lastVerifiedAt createdAt updatedAt',
  COIN: 'id stablecoinProviderAccountId providerTokenIdentifier networkTokenIdentifier network: tokenNetwork createdAt updatedAt',
  QUOTE: `id stablecoinId operationType ${PLACES} status: stablecoinQuoteStatus createdAt expiresAt`,
  OPERATION: `id stablecoinId quoteId: stablecoinQuoteId operationType status: operationStatus ${PLACES} createdAt updatedAt`,
}

/** In the form that REST uses. */
const bodyOf = ({ internalAccount, externalAccount, ...shown }: Answer['body']) => {
  const body = JSON.parse(JSON.stringify(shown, (_name, member) => member ?? undefined))
  if (!internalAccount) return body
  const [account, wallet] = [{ accountId: internalAccount.id }, { accountId: externalAccount.id }]
  return shown.operationType === 'MINT'
    ? { ...body, source: account, destination: wallet }
    : { ...body, source: wallet, destination: account }
}

const mutate = async (
  by: Issuer['platform'],
  name: string,
  field: string,
  shown: string,
  input: object,
  key?: string,
) => {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}`
  const { body } = await callGraphQL(
    basic(by),
    `mutation ($input: ${type}Input!) { answer: ${name}(input: $input) {
      ... on ${type}Success { ${field} { ${shown} } } ... on ApiError { status code message details { field reason } } } }`,
    { input: { ...input, idempotencyKey: key ?? randomUUID() } },
  )
  const failed = body.errors?.[0].extensions ?? (body.data.answer.code && body.data.answer)
  return failed ? { status: failed.status, body: failed } : { status: 201, body: bodyOf(body.data.answer[field]) }
}

const GRAPHQL: Face = {
  name: 'GraphQL',
  link: (by, input, key) =>
    mutate(by, 'createStablecoinProviderAccount', 'stablecoinProviderAccount', SHOWN.LINK, input, key),
  register: (by, input, key) => mutate(by, 'registerStablecoin', 'stablecoin', SHOWN.COIN, input, key),
  quote: ({ platform, coin, dollars, wallet }, type, amount = '10.50', key) => {
    const name = type === 'mint' ? 'createMintQuote' : 'createBurnQuote'
    const input = { id: coin.id, amount, internalAccountId: dollars, externalAccountId: wallet }
    return mutate(platform, name, 'stablecoinQuote', SHOWN.QUOTE, input, key)
  },
  execute: (by, id, key) => mutate(by, 'executeStablecoinQuote', 'stablecoinOperation', SHOWN.OPERATION, { id }, key),
  operation: async (by, id) => {
    const document = `query ($id: ID!) { node(id: $id) { ... on StablecoinOperation { ${SHOWN.OPERATION} } } }`
    const { body } = await callGraphQL(basic(by), document, { id })
    return { status: body.data.node ? 200 : 404, body: body.data.node ? bodyOf(body.data.node) : {} }
  },
}

const resume = () => resumeStablecoins.run({})

/** Executes a quote, and reads the state after each step. */
const run = async (face: Face, issuer: Issuer, type: 'mint' | 'burn') => {
  const { platform, dollars } = issuer
  const quote = await face.quote(issuer, type)
  const made = await face.execute(platform, quote.body.id)
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const states = [made.body.status]
  const funds = [await fundsOf(platform, dollars)]
  await passTime(platform.id, 240, async () => {
    states.push((await face.operation(platform, made.body.id)).body.status)
    funds.push(await fundsOf(platform, dollars))
  })
  return { quote: quote.body, operation: made.body, states, funds: [funds[0]?.[0], funds.at(-1)?.[0]] }
}

const STEPS = ['CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING']

const movementsOf = async ({ platform }: Issuer) =>
  (
    await db.$queryRaw<{ text: string }[]>`
      select kind || ' ' || sum(amount) filter (where account_id is not null) as text
      from ledger_movements movement join ledger_entries entry
        on entry.platform_id = movement.platform_id and movement_id = movement.id
      where movement.platform_id = ${platform.id}::uuid and kind <> 'OPENING' group by movement.id, kind, movement.created_at
      order by movement.created_at`
  ).map(({ text }) => text)

describe.each([REST, GRAPHQL])('$name', (face) => {
  it('links an account with an encrypted secret, which no response and no row shows', async () => {
    const platform = await createPlatform()
    const { status, body } = await face.link(platform, LINK)
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^StablecoinProviderAccount:/),
        provider: 'BRALE',
        providerAccountId: expect.stringMatching(/^acct_/),
        providerEnvironment: 'SANDBOX',
        status: 'ACTIVE',
        lastVerifiedAt: expect.any(String),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    const stored = await db.$queryRaw<{ row: string; sealed: Uint8Array }[]>`
      select t::text as row, credentials_sealed as sealed from stablecoin_provider_accounts t where platform_id = ${platform.id}::uuid`
    const text = stored.map(({ row, sealed }) => row + Buffer.from(sealed).toString('latin1')).join()
    expect(text).not.toContain(LINK.apiClientSecret)
    expect(codeOf(await face.link(platform, LINK))).toBe('409 CONFLICT ACCOUNT_EXISTS')
    const refused = await face.link(platform, { ...LINK, apiClientId: 'client 002' })
    expect([refused.status, refused.body.status, refused.body.lastVerifiedAt]).toEqual([201, 'INVALID', undefined])
    expect((await send(platform, 'GET', `/stablecoin-provider-accounts/${body.id}`)).body).toEqual(body)
    const active = await send(platform, 'GET', '/stablecoin-provider-accounts?provider=BRALE&status=ACTIVE')
    expect([active.body.data, active.body.totalCount]).toEqual([[body], 1])
  })

  it('registers tokens through the only active link, or through the one that is named', async () => {
    const platform = await createPlatform()
    expect(codeOf(await face.register(platform, TOKEN))).toBe('404 STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND')
    const invalid = (await face.link(platform, { ...LINK, apiClientId: 'client 002' })).body
    expect(codeOf(await face.register(platform, TOKEN))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_INVALID')
    const one = (await face.link(platform, LINK)).body
    const coin = await face.register(platform, TOKEN)
    expect([coin.status, coin.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^Stablecoin:/),
        stablecoinProviderAccountId: one.id,
        ...TOKEN,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(codeOf(await face.register(platform, TOKEN))).toBe('409 CONFLICT STABLECOIN_EXISTS')
    const unissued = { ...TOKEN, networkTokenIdentifier: 'btkn1other', providerTokenIdentifier: 'ACME 002' }
    expect(codeOf(await face.register(platform, unissued))).toBe('400 INVALID_INPUT')

    const revoked = (await face.link(platform, { ...LINK, apiClientId: 'client 003' })).body
    expect(revoked.status).toBe('ACTIVE')
    const other = { ...TOKEN, networkTokenIdentifier: 'btkn1other' }
    expect(codeOf(await face.register(platform, other))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED')
    const through = (link: { id: string }) =>
      face.register(platform, { ...other, stablecoinProviderAccountId: link.id })
    expect(codeOf(await through(invalid))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_INVALID')
    // The provider reports it at the first use, and the link stores it.
    expect(codeOf(await through(revoked))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
    const { body } = await send(platform, 'GET', `/stablecoin-provider-accounts/${revoked.id}`)
    expect(body.status).toBe('REVOKED')
    expect((await through(one)).status).toBe(201)
    expect((await send(platform, 'GET', `/stablecoins/${coin.body.id}`)).body).toEqual(coin.body)
    expect((await send(platform, 'GET', '/stablecoins')).body.totalCount).toBe(2)
  })

  it('a mint debits the dollars at once', async () => {
    const issuer = await createStablecoinIssuer({ suffix: '001' })
    const { quote, operation, states, funds } = await run(face, issuer, 'mint')
    expect(quote).toMatchObject({
      operationType: 'MINT',
      amount: '10.50',
      status: 'PENDING',
      stablecoinId: issuer.coin.id,
    })
    expect(Date.parse(quote.expiresAt) - Date.parse(quote.createdAt)).toBe(300_000)
    expect(operation).toEqual({
      id: expect.stringMatching(/^StablecoinOperation:/),
      stablecoinId: issuer.coin.id,
      quoteId: quote.id,
      operationType: 'MINT',
      status: 'CREATED',
      amount: '10.50',
      source: { accountId: issuer.dollars },
      destination: { accountId: issuer.wallet },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect([states, funds]).toEqual([
      [...STEPS, 'COMPLETED'],
      [98_950, 98_950],
    ])
    expect(await movementsOf(issuer)).toEqual(['MINT -1050'])
    const { body } = await send(issuer.platform, 'GET', `/stablecoins/${issuer.coin.id}/operations`)
    expect([body.totalCount, body.data[0].status]).toEqual([1, 'COMPLETED'])
  })

  it('a burn pays the dollars when the tokens are redeemed', async () => {
    const issuer = await createStablecoinIssuer({ suffix: '001' })
    const { states, funds } = await run(face, issuer, 'burn')
    expect([states, funds]).toEqual([
      [...STEPS, 'COMPLETED'],
      [100_000, 101_050],
    ])
    expect(await movementsOf(issuer)).toEqual(['BURN 1050'])
  })

  it.each(['002', '004', '005'])('a mint to a wallet that ends in %s fails, and is paid back', async (suffix) => {
    const issuer = await createStablecoinIssuer({ suffix })
    const { states, funds } = await run(face, issuer, 'mint')
    expect([states, funds]).toEqual([
      [...STEPS, 'FAILED'],
      [98_950, 100_000],
    ])
    expect(await movementsOf(issuer)).toEqual(['MINT -1050', 'REFUND 1050'])
  })

  it('an operation that is never funded expires after a day, and a mint is paid back', async () => {
    const issuer = await createStablecoinIssuer({ suffix: '003' })
    const mint = await run(face, issuer, 'mint')
    const burn = await run(face, issuer, 'burn')
    expect([mint.states, burn.states]).toEqual(Array(2).fill(['CREATED', 'PENDING_FUNDING']))
    const age = (hours: number) => db.$executeRaw`
      update stablecoin_operations set updated_at = now() - make_interval(hours => ${hours}) where platform_id = ${issuer.platform.id}::uuid`
    await age(23)
    await resume()
    expect((await face.operation(issuer.platform, mint.operation.id)).body.status).toBe('PENDING_FUNDING')
    await age(24)
    await resume()
    await resume()
    const ended = [mint, burn].map(({ operation }) => face.operation(issuer.platform, operation.id))
    expect((await Promise.all(ended)).map(({ body }) => body.status)).toEqual(['EXPIRED', 'EXPIRED'])
    expect(await movementsOf(issuer)).toEqual(['MINT -1050', 'REFUND 1050'])
  })

  it('it also expires when the sandbox lets a day pass', async () => {
    const issuer = await createStablecoinIssuer({ suffix: '003' })
    const { operation } = await run(face, issuer, 'mint')
    const wait = (seconds: number) => send(issuer.platform, 'POST', '/sandbox/advance-time', { seconds })
    const status = async () => (await face.operation(issuer.platform, operation.id)).body.status
    await wait(23 * 3_600)
    expect(await status()).toBe('PENDING_FUNDING')
    await wait(3_600)
    expect([await status(), await movementsOf(issuer)]).toEqual(['EXPIRED', ['MINT -1050', 'REFUND 1050']])
  })

  it('a quote is executed once, and not after five minutes', async () => {
    const issuer = await createStablecoinIssuer()
    const quote = (await face.quote(issuer, 'mint')).body
    const answers = await Promise.all(Array.from({ length: 6 }, () => face.execute(issuer.platform, quote.id)))
    expect(answers.map(codeOf).sort()).toEqual(['201', ...Array(5).fill('409 CONFLICT QUOTE_ALREADY_EXECUTED')])
    expect(await movementsOf(issuer)).toEqual(['MINT -1050'])
    const late = (await face.quote(issuer, 'mint')).body
    await db.$executeRaw`update stablecoin_quotes set expires_at = now() where id = ${uuidOf(late.id)}::uuid`
    expect(codeOf(await face.execute(issuer.platform, late.id))).toBe('409 CONFLICT QUOTE_EXPIRED')
    expect(codeOf(await face.execute(issuer.platform, `StablecoinQuote:${randomUUID()}`))).toBe('404 QUOTE_NOT_FOUND')
    expect(codeOf(await face.execute((await createStablecoinIssuer()).platform, late.id))).toBe('404 QUOTE_NOT_FOUND')
  })

  it('repeats the first answer for the same key', async () => {
    const issuer = await createStablecoinIssuer()
    const key = randomUUID()
    const [one, other] = [await face.quote(issuer, 'mint', '1', key), await face.quote(issuer, 'mint', '1', key)]
    expect(other.body).toEqual(one.body)
    expect(codeOf(await face.quote(issuer, 'mint', '2', key))).toBe('409 CONFLICT')
    const made = [
      await face.execute(issuer.platform, one.body.id, key),
      await face.execute(issuer.platform, one.body.id, key),
    ]
    expect(made.map(({ status, body }) => [status, body.id])).toEqual(Array(2).fill([201, made[0]?.body.id]))
    expect(await movementsOf(issuer)).toEqual(['MINT -100'])
  })

  it('refuses amounts, accounts and owners that do not match', async () => {
    const issuer = await createStablecoinIssuer()
    for (const amount of ['0', '0.00', '-1', '1.234', '1e3', '01', '.5', '90000000000000.01', '']) {
      expect([amount, codeOf(await face.quote(issuer, 'mint', amount))]).toEqual([amount, '400 INVALID_INPUT'])
    }
    const rich = (await face.quote(issuer, 'mint', '1000.01')).body
    expect(codeOf(await face.execute(issuer.platform, rich.id))).toBe('400 INVALID_AMOUNT INSUFFICIENT_BALANCE')
    expect((await face.execute(issuer.platform, rich.id)).status).toBe(400)
    const { platform, customerId } = issuer
    const euros = await createInternalAccount(platform, { customerId: uuidOf(customerId), currency: 'EUR' })
    const withAccount = (id: string) => face.quote({ ...issuer, dollars: `InternalAccount:${id}` }, 'mint')
    const withWallet = (id: string) => face.quote({ ...issuer, wallet: `ExternalAccount:${id}` }, 'burn')
    expect(codeOf(await withAccount(euros.id))).toBe('400 INVALID_CURRENCY')
    const foreign = await withAccount((await createInternalAccount(platform)).id)
    expect(codeOf(foreign)).toBe('400 INVALID_INPUT ACCOUNT_OWNER_MISMATCH')
    const unknown = await withAccount(randomUUID())
    expect(codeOf(unknown)).toBe('404 REFERENCE_NOT_FOUND')
    expect(unknown.body.details?.field).toBe(face === REST ? 'source.accountId' : 'input.internalAccountId')
    const bank = await createExternalAccount(platform, { customerId: uuidOf(customerId) })
    expect(codeOf(await withWallet(bank.id))).toBe('400 INVALID_INPUT')
    expect(codeOf(await withWallet(uuidOf((await createStablecoinIssuer()).wallet)))).toBe('404 REFERENCE_NOT_FOUND')
    const frozen = await createInternalAccount(platform, { customerId: uuidOf(customerId), status: 'FROZEN' })
    expect(codeOf(await withAccount(frozen.id))).toBe('403 USER_NOT_READY ACCOUNT_FROZEN')
  })

  it('a burn whose dollars the account cannot hold is refused, or fails if the account became too full', async () => {
    const issuer = await createStablecoinIssuer({ suffix: '001' })
    const { platform, dollars } = issuer
    const tooMuch = (await face.quote(issuer, 'burn', '90000000000000.00')).body
    expect(codeOf(await face.execute(platform, tooMuch.id))).toBe('400 AMOUNT_OUT_OF_RANGE')
    const fitting = (await face.quote(issuer, 'burn', '89999999999000.00')).body
    const made = (await face.execute(platform, fitting.id)).body
    await send(platform, 'POST', `/sandbox/internal-accounts/${dollars}/fund`, { amount: 1 })
    await passTime(platform.id)
    expect((await face.operation(platform, made.id)).body.status).toBe('FAILED')
    expect(await fundsOf(platform, dollars)).toEqual([100_001, 100_001])
  })

  it('checks the link and the account again when a quote is executed', async () => {
    const issuer = await createStablecoinIssuer()
    const quotes = []
    for (const _ of [1, 2, 3]) quotes.push((await face.quote(issuer, 'mint')).body.id)
    await db.$executeRaw`update internal_accounts set status = 'FROZEN' where id = ${uuidOf(issuer.dollars)}::uuid`
    expect(codeOf(await face.execute(issuer.platform, quotes[0]))).toBe('403 USER_NOT_READY ACCOUNT_FROZEN')
    await db.$executeRaw`update internal_accounts set status = 'ACTIVE' where id = ${uuidOf(issuer.dollars)}::uuid`
    await db.$executeRaw`update external_accounts set deleted_at = now(), status = 'INACTIVE' where id = ${uuidOf(issuer.wallet)}::uuid`
    expect(codeOf(await face.execute(issuer.platform, quotes[2]))).toBe('403 USER_NOT_READY')
    await db.$executeRaw`update external_accounts set deleted_at = null, status = 'ACTIVE' where id = ${uuidOf(issuer.wallet)}::uuid`
    await db.$executeRaw`update stablecoin_provider_accounts set status = 'REVOKED' where id = ${uuidOf(issuer.link.id)}::uuid`
    expect(codeOf(await face.execute(issuer.platform, quotes[1]))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
    expect(codeOf(await face.quote(issuer, 'burn'))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
    expect(await movementsOf(issuer)).toEqual([])
  })

  it('a new link to the account takes the place of a revoked one', async () => {
    const issuer = await createStablecoinIssuer({ suffix: '001' })
    const { platform, link } = issuer
    const quoted = (await face.quote(issuer, 'mint')).body.id
    await db.$executeRaw`update stablecoin_provider_accounts set status = 'REVOKED' where id = ${uuidOf(link.id)}::uuid`
    expect(codeOf(await face.execute(platform, quoted))).toBe('400 STABLECOIN_PROVIDER_ACCOUNT_REVOKED')
    const { providerAccountId } = link
    expect((await face.link(platform, { ...LINK, providerAccountId })).body.status).toBe('ACTIVE')
    expect((await face.execute(platform, quoted)).status).toBe(201)
    expect((await face.quote(issuer, 'burn')).status).toBe(201)
  })

  it('production has no provider yet', async () => {
    const issuer = await createStablecoinIssuer()
    const quote = (await face.quote(issuer, 'mint')).body
    await changePlatform(issuer.platform, { environment: 'PRODUCTION' })
    const answers = [
      await face.link(issuer.platform, { ...LINK, apiClientId: 'client 009' }),
      await face.register(issuer.platform, { ...TOKEN, networkTokenIdentifier: 'btkn1more' }),
      await face.quote(issuer, 'mint'),
      await face.execute(issuer.platform, quote.id),
    ]
    expect(answers.map(codeOf)).toEqual(Array(4).fill('501 NOT_IMPLEMENTED'))
  })
})

it('every POST needs an idempotency key', async () => {
  const issuer = await createStablecoinIssuer()
  const paths = [
    '/stablecoin-provider-accounts',
    '/stablecoins',
    `/stablecoins/${issuer.coin.id}/mint-quotes`,
    `/stablecoins/${issuer.coin.id}/burn-quotes`,
    `/stablecoin-quotes/${issuer.coin.id}/execute`,
  ]
  for (const path of paths) {
    const { status, body } = await send(issuer.platform, 'POST', path, {})
    expect([path, status, body.code, body.details?.field]).toEqual([path, 400, 'INVALID_INPUT', 'Idempotency-Key'])
  }
})

it('a customer is not deleted while a burn is to be paid out', async () => {
  const issuer = await createStablecoinIssuer({ suffix: '004', balance: 0n })
  const { platform, customerId } = issuer
  await REST.execute(platform, (await REST.quote(issuer, 'burn')).body.id)
  const remove = () => send(platform, 'DELETE', `/customers/${customerId}`)
  expect(codeOf(await remove())).toBe('409 CONFLICT PAYMENT_OPEN')
  await passTime(platform.id)
  expect((await remove()).status).toBe(200)
})

it('the suffix of a real Spark address counts', async () => {
  const issuer = await createStablecoinIssuer()
  const { body } = await send(issuer.platform, 'POST', '/customers/external-accounts', {
    customerId: issuer.customerId,
    currency: 'USDB',
    accountInfo: { accountType: 'SPARK_WALLET', address: FAILING_SPARK_ADDRESS },
  })
  expect((await run(REST, { ...issuer, wallet: body.id }, 'mint')).states.at(-1)).toBe('FAILED')
})
