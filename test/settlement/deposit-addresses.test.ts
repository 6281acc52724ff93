// Where quotes are funded in stablecoins and in BTC: each has an address or an invoice of its own.
import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { base58, bech32, bech32m } from '@scure/base'
import { decode } from 'light-bolt11-decoder'
import { describe, expect, it } from 'vitest'
import { addressOf } from '#accounts/funding/deposit-address.ts'
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

type Section = ReturnType<typeof decode>['sections'][number]
const isPaymentHash = (section: Section): section is Extract<Section, { name: 'payment_hash' }> =>
  section.name === 'payment_hash'

/** The public key that signed an invoice (BOLT 11): over the prefix and the data, padded to whole bytes. */
const nodeOf = (invoice: string): string => {
  const { prefix, words } = bech32.decode(invoice as `${string}1${string}`, false)
  const bits = words
    .slice(0, -104)
    .map((word) => word.toString(2).padStart(5, '0'))
    .join('')
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(8 * index, 8 * index + 8).padEnd(8, '0'), 2),
  )
  const hash = createHash('sha256').update(prefix).update(Uint8Array.from(bytes)).digest()
  const signature = bech32.fromWords(words.slice(-104))
  const recovered = Uint8Array.from([signature[64] ?? 0, ...signature.slice(0, 64)])
  return Buffer.from(secp256k1.recoverPublicKey(recovered, hash, { prehash: false })).toString('hex')
}

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
      expect(info).toEqual({
        accountType: `${cryptoNetwork}_WALLET`,
        assetType: currency,
        address: expect.stringMatching(FORM[cryptoNetwork] ?? /^$/),
      })
      expect(instructionsNotes).not.toContain('reference')
      addresses.push(info.address)
    }
    expect(new Set(addresses).size).toBe(3)
  })

  const inBitcoin = async (amount: number, cryptoNetwork?: string) => {
    const { platform, dollars } = await createPayer()
    const { body } = await createQuote(platform, {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'BTC', cryptoNetwork },
      destination: toAccount(dollars),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: amount,
    })
    const [{ accountOrWalletInfo }] = body.paymentInstructions
    const lifeSeconds = (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 1_000
    return { quote: body, info: accountOrWalletInfo, lifeSeconds }
  }

  it.each([
    [100_000_000, '1'],
    [200_000, '2m'],
    [12_300, '123u'],
    [12_345, '123450n'],
  ])('%i satoshis are funded by a Lightning invoice over %s of a bitcoin', async (amount, written) => {
    const { quote, info, lifeSeconds } = await inBitcoin(amount)
    expect(info).toEqual({ accountType: 'LIGHTNING', invoice: expect.stringMatching(`^lnbcrt${written}1`) })
    expect(lifeSeconds).toBe(60)
    const { sections } = decode(info.invoice)
    const parts = Object.fromEntries(
      sections.map(({ name, ...section }) => [name, 'value' in section && section.value]),
    )
    expect(parts).toMatchObject({
      amount: String(amount * 1_000),
      timestamp: Math.floor(Date.parse(quote.createdAt) / 1_000),
      description: quote.id,
      payment_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      payment_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(Math.abs(Number(parts['expiry']) - 60)).toBeLessThanOrEqual(1)
    expect(parts['feature_bits']).toMatchObject({ payment_secret: 'required', var_onion_optin: 'required' })
  })

  it('invoices are signed by one node and are never the same', async () => {
    const invoices = [await inBitcoin(50_000), await inBitcoin(50_000)].map(({ info }) => String(info.invoice))
    expect(new Set(invoices.map(nodeOf)).size).toBe(1)
    expect(new Set(invoices.map((invoice) => decode(invoice).sections.find(isPaymentHash)?.value)).size).toBe(2)
  })

  it('BTC over Spark is sent to an address of its own', async () => {
    const quotes = [await inBitcoin(50_000, 'SPARK'), await inBitcoin(50_000, 'SPARK')]
    for (const { info, lifeSeconds } of quotes) {
      expect(info).toEqual({ accountType: 'SPARK_WALLET', assetType: 'BTC', address: expect.any(String) })
      const { prefix, bytes } = bech32m.decodeToBytes(info.address, 1024)
      expect({ prefix, head: [...bytes.subarray(0, 2)] }).toEqual({ prefix: 'sparkrt', head: [0x0a, 0x21] })
      expect(secp256k1.Point.fromBytes(bytes.subarray(2)).toBytes(true)).toEqual(bytes.subarray(2))
      expect(lifeSeconds).toBe(15 * 60)
    }
    expect(new Set(quotes.map(({ info }) => info.address)).size).toBe(2)
  })

  it.each([
    ['BTC', 'SOLANA'],
    ['USD', 'LIGHTNING'],
    ['USDC', 'SPARK'],
  ])('%s is not pushed over %s', async (currency, cryptoNetwork) => {
    const { platform, dollars } = await createPayer()
    const { status, body } = await createQuote(platform, {
      source: { sourceType: 'REALTIME_FUNDING', currency, cryptoNetwork },
      destination: toAccount(dollars),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 50_000,
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_INPUT' })
  })

  const overBank = async (currency: string) => {
    const { platform, dollars } = await createPayer()
    const { body } = await createQuote(platform, {
      source: { sourceType: 'REALTIME_FUNDING', currency },
      destination: toAccount(dollars),
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 500_000,
    })
    return body.paymentInstructions[0]
  }

  it.each(['EUR', 'BRL'])(
    'the reference to include with a push of %s is a field of its instructions',
    async (currency) => {
      const { accountOrWalletInfo: info, instructionsNotes } = await overBank(currency)
      expect(info.reference).toMatch(/^[A-Z2-7]{12}$/)
      expect(instructionsNotes).toContain(info.reference)
    },
  )

  it('a push of INR needs no reference', async () => {
    const { accountOrWalletInfo: info, instructionsNotes } = await overBank('INR')
    expect([info.accountType, info.reference, instructionsNotes]).toEqual(['INR_ACCOUNT', undefined, undefined])
  })
})
