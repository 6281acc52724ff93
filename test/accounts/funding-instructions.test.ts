// How money is paid into an internal account, over both faces.
import { describe, expect, it } from 'vitest'
import { ACCOUNT_TYPE_RULES } from '#accounts/types/table.ts'
import { publicId } from '#core/ids.ts'
import { createShopper } from '#test/setup/cards/shoppers.ts'
import { ask } from '#test/setup/faces.ts'
import { callRest, type Json } from '#test/setup/sca/sca-faces.ts'
import {
  changePlatform,
  createCustomer,
  createInternalAccount,
  createPlatform,
  createWallet,
  type Platform,
} from '#test/setup/world.ts'

interface Instruction {
  readonly accountOrWalletInfo: Readonly<Record<string, unknown>>
  readonly instructionsNotes?: string
  readonly isPlatformAccount: boolean
}

/** In the order of the types, with the fields of the account as text. */
const faces = [
  {
    name: 'REST',
    read: async (platform: Platform, id: string, isOwn: boolean): Promise<Instruction[]> => {
      const owner = isOwn ? 'platform' : 'customers'
      const { body } = await callRest(platform, 'GET', `/${owner}/internal-accounts`)
      return body.data.find((account: Json) => account.id === id).fundingPaymentInstructions
    },
  },
  {
    name: 'GraphQL',
    read: async (platform: Platform, id: string): Promise<Instruction[]> => {
      const answer = await ask(
        platform,
        `query ($id: ID!) { node(id: $id) { ... on InternalAccount { fundingPaymentInstructions {
          accountOrWalletInfo { accountType fields { key value } } instructionsNotes isPlatformAccount } } } }`,
        { id },
      )
      return (answer.data as Json).node.fundingPaymentInstructions.map(
        ({ accountOrWalletInfo: { accountType, fields }, instructionsNotes, isPlatformAccount }: Json) => ({
          accountOrWalletInfo: {
            accountType,
            ...Object.fromEntries(
              fields
                .filter(({ key }: Json) => key !== 'accountType')
                .map(({ key, value }: Json) => [key, value.startsWith('[') ? JSON.parse(value) : value]),
            ),
          },
          ...(instructionsNotes !== null && { instructionsNotes }),
          isPlatformAccount,
        }),
      )
    },
  },
]

const accountOf = async (platform: Platform, given: Parameters<typeof createInternalAccount>[1]) =>
  publicId('InternalAccount', (await createInternalAccount(platform, given)).id)

describe.each(faces)('over $name', ({ read }) => {
  it.each(['USD', 'EUR', 'BRL', 'MXN', 'INR', 'KES'])(
    '%s is paid into a bank account with a reference of the account',
    async (currency) => {
      const platform = await createPlatform()
      const { id: customerId } = await createCustomer(platform)
      const ids = [
        await accountOf(platform, { customerId, currency }),
        await accountOf(platform, { customerId, currency }),
      ]
      const [[one], [other]] = [await read(platform, ids[0] ?? '', false), await read(platform, ids[1] ?? '', false)]
      const accountType = `${currency}_ACCOUNT` as keyof typeof ACCOUNT_TYPE_RULES
      const { rails, instruction } = ACCOUNT_TYPE_RULES[accountType]
      expect(one).toMatchObject({ accountOrWalletInfo: { accountType, paymentRails: rails }, isPlatformAccount: false })
      const references = [one, other].map((each) => each?.accountOrWalletInfo['reference'])
      if (!instruction.reference) return expect(references).toEqual([undefined, undefined])
      for (const reference of references) expect(reference).toMatch(/^[A-Z2-7]{12}$/)
      expect(references[0]).not.toBe(references[1])
      expect(one?.instructionsNotes).toBe(`Include the reference ${references[0]} with each payment.`)
      expect(await read(platform, ids[0] ?? '', false)).toEqual([one])
    },
  )

  it('a stablecoin can be sent over each of its networks, to an address of the account', async () => {
    const platform = await createPlatform()
    const { id: customerId } = await createCustomer(platform)
    const seen = new Set<unknown>()
    for (const [currency, types] of [
      ['USDC', ['SOLANA_WALLET', 'POLYGON_WALLET', 'BASE_WALLET', 'ETHEREUM_WALLET']],
      ['USDT', ['SOLANA_WALLET', 'TRON_WALLET']],
      ['BTC', ['SPARK_WALLET']],
    ] as const) {
      const found = await read(
        platform,
        await accountOf(platform, { customerId, currency, type: 'INTERNAL_CRYPTO' }),
        false,
      )
      expect(found.map(({ accountOrWalletInfo: { accountType, assetType } }) => [accountType, assetType])).toEqual(
        types.map((type) => [type, currency]),
      )
      for (const { accountOrWalletInfo } of found) seen.add(accountOrWalletInfo['address'])
    }
    expect(seen.size).toBe(7)
  })

  it('a wallet has an address on Spark', async () => {
    const platform = await createPlatform()
    const { accountId } = await createWallet(platform)
    const found = await read(
      platform,
      accountId.includes(':') ? accountId : publicId('InternalAccount', accountId),
      false,
    )
    expect(found).toMatchObject([{ accountOrWalletInfo: { accountType: 'SPARK_WALLET', assetType: 'USDB' } }])
    expect(found[0]?.accountOrWalletInfo['address']).toMatch(/^sparkrt1/)
  })

  it("the platform's own account says so", async () => {
    const platform = await createPlatform()
    expect(await read(platform, await accountOf(platform, {}), true)).toMatchObject([{ isPlatformAccount: true }])
  })

  it.each(['PENDING', 'CLOSED', 'FROZEN', 'FAILED'] as const)(
    'an account that is %s has no instructions',
    async (status) => {
      const platform = await createPlatform()
      const { id: customerId } = await createCustomer(platform)
      expect(await read(platform, await accountOf(platform, { customerId, status }), false)).toEqual([])
    },
  )

  it('there are none in production', async () => {
    const platform = await createPlatform()
    const { id: customerId } = await createCustomer(platform)
    const id = await accountOf(platform, { customerId })
    await changePlatform(platform, { environment: 'PRODUCTION' })
    expect(await read(platform, id, false)).toEqual([])
  })
})

it('the funding sources of a card say how to fund it', async () => {
  const { platform, cardId, accountId } = await createShopper()
  const { data } = await ask(
    platform,
    `query ($id: ID!) { node(id: $id) { ... on Card { fundingSources { fundingPaymentInstructions { accountOrWalletInfo {
      ... on UsdAccountInfo { accountNumber routingNumber reference } } } } } } }`,
    { id: cardId },
  )
  const [source] = (data as Json).node.fundingSources
  const { accountOrWalletInfo } = source.fundingPaymentInstructions[0]
  const { body: funded } = await callRest(platform, 'POST', `/sandbox/internal-accounts/${accountId}/fund`, {
    amount: 1,
  })
  expect(funded.fundingPaymentInstructions).toMatchObject([{ accountOrWalletInfo }])
})
