// Payments to wallets and over Lightning end in the sandbox as their suffix says (docs/domain/sandbox.md#magic-values). A payout on a blockchain
// has its hash.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addressOf, type DepositNetwork } from '#accounts/funding/deposit-address.ts'
import { publicId } from '#core/ids.ts'
import { passTime } from '#test/setup/payments/due-jobs.ts'
import { fundsOf, quoteInput, transferInput } from '#test/setup/payments/payers.ts'
import { paymentFaces, send } from '#test/setup/payments/payment-faces.ts'
import { FAILING_SPARK_ADDRESS } from '#test/setup/stablecoins.ts'
import { createCustomer, createInternalAccount, createPlatform } from '#test/setup/world.ts'

const EVM = '0x52908400098527886e0f7030069857d2e4169'
const OTHER = 'paygraphsandboxaddressofawalletxx'

interface Destination {
  readonly accountType: string
  readonly currency: string
  readonly arrives: object
  readonly fails: object
}

/** Always the same one. An address of a random key may end in a magic suffix. */
const arrivingAddress = (network: DepositNetwork) => addressOf(network, createHash('sha256').update(network).digest())

const wallet = (network: DepositNetwork, currency: string, fails: string): Destination => ({
  accountType: `${network}_WALLET`,
  currency,
  arrives: { address: arrivingAddress(network) },
  fails: { address: fails },
})

const DESTINATIONS: readonly Destination[] = [
  wallet('SOLANA', 'USDC', `${OTHER}002`),
  wallet('TRON', 'USDT', `${OTHER}002`),
  wallet('POLYGON', 'USDC', `${EVM}002`),
  wallet('BASE', 'USDC', `${EVM}002`),
  wallet('ETHEREUM', 'USDC', `${EVM}002`),
  wallet('SPARK', 'BTC', FAILING_SPARK_ADDRESS),
  {
    accountType: 'LIGHTNING',
    currency: 'BTC',
    arrives: { lightningAddress: 'ada@wallet.example' },
    fails: { lightningAddress: 'ada002@wallet.example' },
  },
]

const createSender = async ({ accountType, currency }: Destination) => {
  const platform = await createPlatform()
  const customerId = publicId('Customer', (await createCustomer(platform)).id)
  const { id } = await createInternalAccount(platform, {
    customerId: customerId.slice(customerId.indexOf(':') + 1),
    type: 'INTERNAL_CRYPTO',
    currency,
    balance: 10_000_000n,
  })
  const account = publicId('InternalAccount', id)
  const outside = async (address: object): Promise<string> => {
    const { status, body } = await send(platform, 'POST', '/customers/external-accounts', {
      customerId,
      currency,
      accountInfo: { accountType, ...address },
    })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.id
  }
  return { platform, account, outside }
}

describe.each(paymentFaces)('$name', ({ createQuote, executeQuote, readQuote, transferOut, readTransaction }) => {
  it.each(DESTINATIONS)('$accountType', async (destination) => {
    const { platform, account, outside } = await createSender(destination)
    const [good, bad] = [await outside(destination.arrives), await outside(destination.fails)]
    const ends: unknown[] = []
    const hashes: unknown[] = []
    const network = destination.accountType.replace('_WALLET', '')
    const hasHash = network !== 'LIGHTNING'
    for (const to of [good, bad]) {
      const quote = await createQuote(platform, quoteInput(account, to, 1_000_000))
      const { createdAt, expiresAt } = quote.body
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(hasHash ? 300_000 : 60_000)
      expect((await executeQuote(platform, quote.body.id)).status).toBe(200)
      const transfer = await transferOut(platform, transferInput(account, to, 1_000_000))
      await passTime(platform.id)
      ends.push((await readQuote(platform, quote.body.id)).body.status)
      ends.push((await readTransaction(platform, transfer.body.id)).body.status)
      for (const id of [quote.body.transactionId, transfer.body.id]) {
        hashes.push((await readTransaction(platform, id)).body.destination.onChainTransaction)
      }
    }
    expect(ends).toEqual(['COMPLETED', 'COMPLETED', 'FAILED', 'FAILED'])
    const payout = hasHash ? { transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/), network } : undefined
    expect(hashes).toEqual([payout, payout, undefined, undefined])
    if (hasHash) expect(hashes[0]).not.toEqual(hashes[1])
    // Failed payments were paid back.
    expect(await fundsOf(platform, account)).toEqual([8_000_000, 8_000_000])
  })
})
