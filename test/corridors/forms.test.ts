// Banks, VASPs and withdrawal fees over both faces (docs/domain/corridors.md#discoveries).
import { describe, expect, it } from 'vitest'
import { depositAddress } from '#accounts/funding/deposit-address.ts'
import { BANK_DIRECTORY, BANK_SOURCES } from '#accounts/types/bank-directory.ts'
import { publicId } from '#core/ids.ts'
import { VASPS } from '#corridors/vasp-directory.ts'
import { callGraphQL } from '#test/setup/agents/agent-faces.ts'
import { basic } from '#test/setup/faces.ts'
import { type Answer, send } from '#test/setup/payments/payment-faces.ts'
import { changePlatform, createInternalAccount, createPlatform, type Platform } from '#test/setup/world.ts'

const graphql = async (platform: Platform, document: string, variables: object = {}): Promise<Answer> => {
  const { status, body } = await callGraphQL(basic(platform), document, variables)
  const failed = body.errors?.[0].extensions
  return failed ? { status: failed.status, body: failed } : { status, body: body.data }
}

describe('banks', () => {
  it('are found by country and currency, the same over both faces', async () => {
    const platform = await createPlatform()
    for (const [query, args] of [
      ['', ''],
      ['?country=NG', '(country: "NG")'],
      ['?currency=USD', '(currency: "USD")'],
      ['?country=SV&currency=USD', '(country: "SV", currency: "USD")'],
    ]) {
      const overRest = await send(platform, 'GET', `/discoveries${query}`)
      const { body } = await graphql(
        platform,
        `{ discoveries${args} { bankName displayName country currency { code } paymentRails } }`,
      )
      const same = body.discoveries.map((bank: Answer['body']) => ({
        bankName: bank.bankName,
        displayName: bank.displayName,
        country: bank.country,
        currency: bank.currency.code,
      }))
      expect(overRest.body.data).toEqual(same)
      expect(body.discoveries.filter((bank: Answer['body']) => bank.paymentRails.length === 0)).toEqual([])
    }
    const { body } = await send(platform, 'GET', '/discoveries?country=SV&currency=USD')
    expect(body.data[0]).toEqual({
      bankName: 'Banco Agrícola',
      displayName: 'Banco Agrícola',
      country: 'SV',
      currency: 'USD',
    })
    expect(body.data).toHaveLength(8)
  })

  it('each has a source, and is listed once', () => {
    const keys = BANK_DIRECTORY.map(({ country, bankName }) => `${country} ${bankName}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(BANK_DIRECTORY.filter(({ country }) => !BANK_SOURCES.get(country))).toEqual([])
    console.log(`banks ${keys.length}, countries ${BANK_SOURCES.size}`)
  })

  it('are the options of bankName in account forms, and other names are accepted', async () => {
    const platform = await createPlatform()
    const { body } = await graphql(
      platform,
      '{ accountRequirements(currency: "NGN") { accountType fields { name options } } }',
    )
    const [form] = body.accountRequirements
    const options = form.fields.find(({ name }: { name: string }) => name === 'bankName').options
    const { body: found } = await send(platform, 'GET', '/discoveries?currency=NGN')
    expect(options).toEqual(found.data.map(({ bankName }: { bankName: string }) => bankName))
    for (const bankName of [options[0], 'Another Bank']) {
      const account = await send(platform, 'POST', '/platform/external-accounts', {
        currency: 'NGN',
        accountInfo: {
          accountType: 'NGN_ACCOUNT',
          bankName,
          accountNumber: bankName === 'Another Bank' ? '0123456780' : '0123456789',
          beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Ada Obi' },
        },
      })
      expect(account.status, account.text).toBe(201)
    }
  })

  it('refuses unknown countries and currencies, and callers without VIEW', async () => {
    const platform = await createPlatform()
    const codeOf = async (query: string, by = platform) => {
      const { status, body } = await send(by, 'GET', `/discoveries?${query}`)
      return `${status} ${body.code}`
    }
    expect(await codeOf('country=XX')).toBe('400 INVALID_INPUT')
    expect(await codeOf('country=ng')).toBe('400 INVALID_INPUT')
    expect(await codeOf('currency=XXX')).toBe('400 INVALID_CURRENCY')
    expect(await codeOf('', await createPlatform(['MANAGE', 'TRANSACT']))).toBe('403 FORBIDDEN')
  })
})

describe('VASPs', () => {
  const NAMES = VASPS.map(([name]) => name)

  it('are read page by page, forward and backward, each once', async () => {
    const platform = await createPlatform()
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await send(platform, 'GET', `/vasps?limit=7${cursor && `&cursor=${cursor}`}`)
      expect([body.totalCount, body.hasMore]).toEqual([NAMES.length, 'nextCursor' in body])
      seen.push(...body.data.map(({ vaspName }: { vaspName: string }) => vaspName))
      cursor = body.nextCursor ?? ''
    } while (cursor)
    expect(seen).toEqual(NAMES)

    const page = `{ totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } nodes { vaspName url } }`
    const walked: string[] = []
    let after: string | null = null
    for (let hasNext = true; hasNext; ) {
      const { body } = await graphql(
        platform,
        `query ($after: String) { vasps(first: 9, after: $after, sortOrder: ASC) ${page} }`,
        { after },
      )
      walked.push(...body.vasps.nodes.map(({ vaspName }: { vaspName: string }) => vaspName))
      hasNext = body.vasps.pageInfo.hasNextPage
      after = body.vasps.pageInfo.endCursor
    }
    expect(walked).toEqual(NAMES)
    const back = await graphql(
      platform,
      `query ($before: String) { vasps(last: 5, before: $before, sortOrder: ASC) ${page} }`,
      { before: after },
    )
    expect(back.body.vasps.nodes.map(({ vaspName }: { vaspName: string }) => vaspName)).toEqual(NAMES.slice(-6, -1))
  })

  it('refuses cursors of other platforms and sizes out of range', async () => {
    const [platform, other] = [await createPlatform(), await createPlatform()]
    const { body } = await send(platform, 'GET', '/vasps?limit=1')
    const codeOf = async (query: string) => (await send(other, 'GET', `/vasps?${query}`)).body.code
    expect(await codeOf(`cursor=${body.nextCursor}`)).toBe('INVALID_INPUT')
    expect(await codeOf('limit=101')).toBe('INVALID_INPUT')
    expect((await send(await createPlatform(['TRANSACT']), 'GET', '/vasps')).body.code).toBe('FORBIDDEN')
  })
})

describe('withdrawal fees', () => {
  const FEES = 'networkFee networkFeeAsset applicationFee totalFee netAmount'

  const create = async (currency: string) => {
    const platform = await createPlatform()
    const { id } = await createInternalAccount(platform, { currency, type: 'INTERNAL_CRYPTO' })
    const input = (more: object = {}) => ({
      internalAccountId: publicId('InternalAccount', id),
      currency,
      cryptoNetwork: 'SOLANA',
      amount: 5_000_000,
      destinationAddress: depositAddress('SOLANA', id),
      ...more,
    })
    const ask = async (given: object = {}, by = platform): Promise<Answer> => {
      const overRest = await send(by, 'POST', '/crypto/estimate-withdrawal-fee', input(given))
      const overGraphQL = await graphql(
        by,
        `query ($input: EstimateWithdrawalFeeInput!) { fee: estimateWithdrawalFee(input: $input) { ${FEES} } }`,
        { input: input(given) },
      )
      expect(overGraphQL.status === 200 ? overGraphQL.body.fee : overGraphQL.body.code).toEqual(
        overRest.status === 200 ? overRest.body : overRest.body.code,
      )
      return overRest
    }
    return { platform, id, ask }
  }

  it('are the fee of the network, and the rest arrives', async () => {
    const { id, ask } = await create('USDC')
    const of = async (cryptoNetwork: 'SOLANA' | 'BASE' | 'POLYGON' | 'ETHEREUM') =>
      (await ask({ cryptoNetwork, destinationAddress: depositAddress(cryptoNetwork, id) })).body
    expect(await of('SOLANA')).toEqual({
      networkFee: 10_000,
      networkFeeAsset: 'USDC',
      applicationFee: 0,
      totalFee: 10_000,
      netAmount: 4_990_000,
    })
    expect((await of('ETHEREUM')).networkFee).toBe(2_500_000)
    const bitcoin = await create('BTC')
    const lightning = { cryptoNetwork: 'LIGHTNING', destinationAddress: 'alice@wallet.example', amount: 12_345 }
    expect((await bitcoin.ask(lightning)).body).toMatchObject({ networkFee: 13, netAmount: 12_332 })
  })

  it('refuses withdrawals that are not possible', async () => {
    const { platform, id, ask } = await create('USDC')
    const codeOf = async (given: object, by?: Platform) => {
      const { status, body } = await ask(given, by)
      return [status, body.code, body.details?.field].filter(Boolean).join(' ')
    }
    expect(await codeOf({ cryptoNetwork: 'TRON' })).toBe('400 INVALID_INPUT cryptoNetwork')
    expect(await codeOf({ destinationAddress: 'nowhere' })).toBe('400 INVALID_INPUT destinationAddress')
    expect(await codeOf({ cryptoNetwork: 'BASE' })).toBe('400 INVALID_INPUT destinationAddress')
    expect(await codeOf({ currency: 'XXX' })).toBe('400 INVALID_CURRENCY currency')
    expect(await codeOf({ currency: 'USDT' })).toBe('400 INVALID_CURRENCY currency')
    expect(await codeOf({ currency: 'USD' })).toBe('400 INVALID_CURRENCY currency')
    expect(await codeOf({ amount: 10_000 })).toBe('400 INVALID_AMOUNT amount')
    expect(await codeOf({ internalAccountId: publicId('InternalAccount', platform.id) })).toBe(
      '404 REFERENCE_NOT_FOUND',
    )
    expect(await codeOf({}, await createPlatform())).toBe('404 REFERENCE_NOT_FOUND')
    expect(await codeOf({}, await createPlatform(['TRANSACT', 'MANAGE']))).toBe('403 FORBIDDEN')
    await changePlatform(platform, { environment: 'PRODUCTION' })
    expect(await codeOf({ destinationAddress: depositAddress('SOLANA', id) })).toBe('501 NOT_IMPLEMENTED')
  })
})
