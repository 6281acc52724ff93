// The deposit addresses for stablecoins: each quote has its own.
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { addressOf } from '#settlement/deposit-address.ts'
import { createPayer, toAccount } from '#test/setup/payments/payers.ts'
import { paymentFaces } from '#test/setup/payments/payment-faces.ts'

const ONE = new Uint8Array(32).fill(1, 31)
/** RFC 8032, 7.1, test 1. */
const SEED = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

it('a known key has its known address', () => {
  for (const network of ['ETHEREUM', 'BASE', 'POLYGON'] as const) {
    expect(addressOf(network, ONE)).toBe('0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf')
  }
  expect(addressOf('TRON', ONE)).toBe('TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC')
  expect(Buffer.from(base58.decode(addressOf('SOLANA', SEED))).toString('hex')).toBe(PUBLIC_KEY)
})

const FORM: Readonly<Record<string, RegExp>> = {
  SOLANA: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  TRON: /^T[1-9A-HJ-NP-Za-km-z]{33}$/,
  POLYGON: /^0x[0-9a-fA-F]{40}$/,
  BASE: /^0x[0-9a-fA-F]{40}$/,
  ETHEREUM: /^0x[0-9a-fA-F]{40}$/,
}

describe.each(paymentFaces)('over $name', ({ createQuote }) => {
  it.each(Object.keys(FORM))('quotes funded on %s never share an address', async (cryptoNetwork) => {
    const { platform, dollars } = await createPayer()
    const currency = cryptoNetwork === 'TRON' ? 'USDT' : 'USDC'
    const input = {
      source: { sourceType: 'REALTIME_FUNDING', currency, cryptoNetwork },
      destination: toAccount(dollars),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 5_000_000,
    }
    const addresses: string[] = []
    for (let round = 0; round < 3; round += 1) {
      const { body } = await createQuote(platform, input)
      const [{ accountOrWalletInfo: info, instructionsNotes }] = body.paymentInstructions
      expect(info).toMatchObject({ accountType: `${cryptoNetwork}_WALLET`, assetType: currency })
      expect(info.address).toMatch(FORM[cryptoNetwork] ?? /^$/)
      expect(info.reference).toMatch(/^[A-Z2-7]{12}$/)
      expect(instructionsNotes).not.toContain('reference')
      addresses.push(info.address)
    }
    expect(new Set(addresses).size).toBe(3)
  })

  it.each(['EUR', 'INR', 'BRL'])(
    'what must be written with a push of %s is a field of its instructions',
    async (currency) => {
      const { platform, dollars } = await createPayer()
      const { body } = await createQuote(platform, {
        source: { sourceType: 'REALTIME_FUNDING', currency },
        destination: toAccount(dollars),
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 500_000,
      })
      const [{ accountOrWalletInfo: info, instructionsNotes }] = body.paymentInstructions
      expect(instructionsNotes).toContain(info.reference)
    },
  )
})
