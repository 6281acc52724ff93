// The fields of each type of external account, except accountType (docs/domain/account-types.md#table-of-account-types).
import type { BlockchainNetwork, PaymentRail } from '#generated/prisma/client.ts'
import type { Dice } from './dice.ts'
import type { CurrencyCode } from './rates.ts'

export type Holder = { name: string; isBusiness: boolean; country: string; phone?: string }

type Form = {
  currency: CurrencyCode
  rails: readonly PaymentRail[]
  network?: BlockchainNetwork
  fields: (dice: Dice, holder: Holder) => Record<string, string>
  /** The further details of persons who hold such an account. */
  identity?: (dice: Dice) => Record<string, string>
}

const iban = (country: string, bban: string) => {
  const digits = `${bban}${country}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${bban}`
}

const BANKS: Readonly<Record<string, readonly [string, string]>> = {
  US: ['First Harbor Bank', 'FHBKUS33'],
  DE: ['Hansebank AG', 'HANBDEFF'],
  GB: ['Thames & District Bank', 'TDBKGB2L'],
  NG: ['Lagoon Trust Bank', 'LAGTNGLA'],
  ZA: ['Table Mountain Bank', 'TMBKZAJJ'],
  PH: ['Bangko ng Isla', 'BISLPHMM'],
  HK: ['Victoria Peak Bank', 'VPBKHKHH'],
  SG: ['Straits Commercial Bank', 'STCBSGSG'],
  VN: ['Ngân hàng Sông Hồng', 'NHSHVNVX'],
  CO: ['Banco de los Andes', 'BANDCOBB'],
  CN: ['Pearl River Bank', 'PRRBCNBG'],
  JP: ['Sakura Mirai Bank', 'SKMRJPJT'],
}
const bank = (country: string) => {
  const [bankName, swiftCode] = BANKS[country] ?? ['Pacific Union Bank', 'PUNBUS66']
  return { bankName, swiftCode }
}
const bankName = (country: string) => ({ bankName: bank(country).bankName })

const wallet = (currency: CurrencyCode, network: BlockchainNetwork, address: (dice: Dice) => string): Form => ({
  currency,
  network,
  rails: [],
  fields: (dice) => ({ address: address(dice) }),
})
const evmAddress = (dice: Dice) => `0x${dice.hex(40)}`

export const FORMS = {
  USD_ACCOUNT: {
    currency: 'USD',
    rails: ['ACH', 'WIRE', 'RTP', 'FEDNOW'],
    fields: (dice) => ({
      accountNumber: dice.digits(10),
      routingNumber: dice.pick(['021000089', '121042882', '026009593']),
      ...bankName('US'),
    }),
  },
  EUR_ACCOUNT: {
    currency: 'EUR',
    rails: ['SEPA', 'SEPA_INSTANT'],
    fields: (dice) => ({ iban: iban('DE', dice.digits(18)), swiftCode: bank('DE').swiftCode }),
  },
  DKK_ACCOUNT: {
    currency: 'DKK',
    rails: ['SEPA', 'SEPA_INSTANT'],
    fields: (dice) => ({ iban: iban('DK', dice.digits(14)) }),
  },
  GBP_ACCOUNT: {
    currency: 'GBP',
    rails: ['FASTER_PAYMENTS'],
    fields: (dice) => ({ sortCode: dice.digits(6), accountNumber: dice.digits(8) }),
  },
  MXN_ACCOUNT: {
    currency: 'MXN',
    rails: ['SPEI'],
    fields: (dice) => ({ clabeNumber: `012180${dice.digits(12)}` }),
  },
  BRL_ACCOUNT: {
    currency: 'BRL',
    rails: ['PIX'],
    fields: (dice) => {
      const taxId = dice.digits(11)
      return { pixKey: taxId, pixKeyType: 'CPF', taxId }
    },
  },
  INR_ACCOUNT: {
    currency: 'INR',
    rails: ['UPI', 'NEFT', 'RTGS'],
    fields: (dice, { name }) => ({
      vpa: `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@okbank`,
      accountNumber: dice.digits(12),
      ifsc: `HDFC0${dice.digits(6)}`,
    }),
  },
  NGN_ACCOUNT: {
    currency: 'NGN',
    rails: ['BANK_TRANSFER'],
    fields: (dice) => ({ ...bankName('NG'), accountNumber: dice.digits(10) }),
  },
  ZAR_ACCOUNT: {
    currency: 'ZAR',
    rails: ['BANK_TRANSFER'],
    fields: (dice) => ({ ...bankName('ZA'), accountNumber: dice.digits(11) }),
  },
  PHP_ACCOUNT: {
    currency: 'PHP',
    rails: ['BANK_TRANSFER'],
    fields: (dice) => ({ ...bankName('PH'), accountNumber: dice.digits(12) }),
  },
  CAD_ACCOUNT: {
    currency: 'CAD',
    rails: ['BANK_TRANSFER'],
    fields: (dice) => ({
      bankCode: '003',
      branchCode: dice.digits(5),
      accountNumber: dice.digits(9),
    }),
  },
  HKD_ACCOUNT: {
    currency: 'HKD',
    rails: ['BANK_TRANSFER'],
    fields: (dice) => ({ ...bank('HK'), accountNumber: dice.digits(12) }),
  },
  SGD_ACCOUNT: {
    currency: 'SGD',
    rails: ['PAYNOW', 'FAST', 'BANK_TRANSFER'],
    fields: (dice) => ({ ...bank('SG'), accountNumber: dice.digits(10) }),
  },
  VND_ACCOUNT: {
    currency: 'VND',
    rails: ['BANK_TRANSFER'],
    fields: (dice) => ({ ...bank('VN'), accountNumber: dice.digits(13) }),
  },
  COP_ACCOUNT: {
    currency: 'COP',
    rails: ['BANK_TRANSFER', 'MOBILE_MONEY'],
    fields: (dice) => ({
      ...bankName('CO'),
      accountNumber: dice.digits(11),
      bankAccountType: 'SAVINGS',
    }),
    identity: (dice) => ({ documentType: 'CC', documentNumber: dice.digits(10) }),
  },
  CNY_ACCOUNT: {
    currency: 'CNY',
    rails: ['BANK_TRANSFER', 'MOBILE_MONEY'],
    fields: (dice) => ({ ...bankName('CN'), accountNumber: dice.digits(16) }),
  },
  KES_ACCOUNT: {
    currency: 'KES',
    rails: ['MOBILE_MONEY'],
    fields: (dice) => ({ phoneNumber: `+254${dice.digits(9)}`, provider: 'M-PESA' }),
  },
  SWIFT_ACCOUNT: {
    currency: 'JPY',
    rails: ['SWIFT'],
    fields: (dice) => ({ country: 'JP', ...bank('JP'), accountNumber: dice.digits(11) }),
  },
  SPARK_WALLET: wallet('BTC', 'SPARK', (dice) => `spark1p${dice.base32(56).toLowerCase()}`),
  LIGHTNING: {
    currency: 'BTC',
    network: 'BITCOIN',
    rails: [],
    fields: (_dice, { name }) => ({
      lightningAddress: `${name.toLowerCase().replace(/[^a-z]+/g, '')}@sats.example`,
    }),
  },
  SOLANA_WALLET: wallet('USDC', 'SOLANA', (dice) => dice.base58(44)),
  TRON_WALLET: wallet('USDT', 'TRON', (dice) => `T${dice.base58(33)}`),
  POLYGON_WALLET: wallet('USDC', 'POLYGON', evmAddress),
  BASE_WALLET: wallet('USDC', 'BASE', evmAddress),
  ETHEREUM_WALLET: wallet('USDC', 'ETHEREUM', evmAddress),
} as const satisfies Record<string, Form>

export type ExternalType = keyof typeof FORMS

export const formOf = (type: ExternalType): Form => FORMS[type]

export const accountInfo = (type: ExternalType, dice: Dice, holder: Holder) => {
  const { rails, fields, identity } = formOf(type)
  if (rails.length === 0) return fields(dice, holder)
  const known = { ...fields(dice, holder), paymentRails: [...rails] }
  return { ...known, beneficiary: { ...beneficiary(holder), ...(holder.isBusiness ? {} : identity?.(dice)) } }
}

const beneficiary = ({ name, isBusiness, country }: Holder) =>
  isBusiness
    ? { beneficiaryType: 'BUSINESS', legalName: name, countryOfResidence: country }
    : { beneficiaryType: 'INDIVIDUAL', fullName: name, countryOfResidence: country }

/** Instructions to fund a quote: the service's account of that type, and the payment reference. */
export const paymentInstructions = (type: ExternalType, dice: Dice, reference: string) => {
  const service = { name: 'Paygraph Settlement', isBusiness: true, country: 'US' }
  const { rails, fields } = formOf(type)
  return [
    {
      accountOrWalletInfo: {
        accountType: type,
        ...fields(dice, service),
        ...(rails.length > 0 ? { paymentRails: [...rails] } : { assetType: 'USDC' }),
        reference,
      },
      instructionsNotes: `Send the exact amount and name the reference ${reference}.`,
      isPlatformAccount: false,
    },
  ]
}
