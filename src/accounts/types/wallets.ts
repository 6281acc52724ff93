// Addresses on blockchains and on Lightning. `docs/domain/account-types.md#table-of-account-types`
import type { Check } from './check.ts'
import { choice, field, onNetwork, optional } from './fields.ts'
import type { AccountTypeRule, Fields } from './rule.ts'

const chain = (
  assets: readonly [string, ...string[]],
  [example, length, check, pattern]: readonly [string, readonly [number, number], Check, string?],
  more: Fields = {},
): AccountTypeRule => ({
  family: 'WALLET',
  currencies: assets,
  countries: [],
  rails: [],
  fields: { address: onNetwork('Address', example, length, check, pattern) },
  creatable: true,
  instruction: { reference: false, fields: { assetType: choice('Asset', assets), ...more } },
})

const EVM = ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', [42, 42], 'EVM_ADDRESS', '^0x[0-9a-fA-F]{40}$'] as const
const SPARK = 'spark1pgss9xyupdmvk43ew87un0hnrmqxcdtq7vjf6mhfuhvrc4mz2ktwqhm06lpfz2'
const INVOICE =
  'lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06fv3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh'
const OFFER = 'lno1zcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese'
/** The longest text that fits in a QR code. */
const QR_CODE = 7089

export const WALLETS = {
  SPARK_WALLET: chain(['BTC', 'USDB'], [SPARK, [60, 1024], 'SPARK_ADDRESS'], {
    invoice: optional(field('Spark invoice', SPARK, { maxLength: 1024 })),
  }),
  LIGHTNING: {
    family: 'WALLET',
    currencies: ['BTC'],
    countries: [],
    rails: [],
    fields: {
      invoice: optional(onNetwork('Invoice', INVOICE, [1, QR_CODE], 'BOLT11')),
      bolt12: optional(onNetwork('Offer', OFFER, [1, QR_CODE], 'BOLT12')),
      lightningAddress: optional(onNetwork('Lightning address', 'alice@example.com', [3, 254], 'LIGHTNING_ADDRESS')),
    },
    oneSetOf: [['invoice'], ['bolt12'], ['lightningAddress']],
    exactlyOne: true,
    creatable: true,
    instruction: { reference: false, only: ['invoice'] },
  },
  SOLANA_WALLET: chain(
    ['USDC', 'USDT'],
    ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV', [32, 44], 'SOLANA_ADDRESS', '^[A-Za-z0-9]+$'],
  ),
  TRON_WALLET: chain(['USDT'], ['TDv9M3VhvmmGwDLZMFoQrhCN7v7v2xNxr3', [32, 44], 'TRON_ADDRESS', '^[A-Za-z0-9]+$']),
  POLYGON_WALLET: chain(['USDC'], EVM),
  BASE_WALLET: chain(['USDC'], EVM),
  ETHEREUM_WALLET: chain(['USDC'], EVM),
  EMBEDDED_WALLET: {
    family: 'WALLET',
    currencies: ['USDB'],
    countries: [],
    rails: [],
    fields: {},
    creatable: false,
    instruction: {
      reference: false,
      fields: { payloadToSign: field('Payload to sign', '{"type":"…"}', { maxLength: 65_536 }) },
    },
  },
} as const satisfies Readonly<Record<string, AccountTypeRule>>
