// Accounts that are reached by phone number, alone or together with an account number at a bank. `docs/domain/account-types.md#table-of-account-types`
import { bank } from './banks.ts'
import { bankName, bic, branch, choice, field, iban, kind, number, optional, phone, provider } from './fields.ts'
import type { AccountTypeRule, Fields } from './rule.ts'

const BOTH = ['BANK_TRANSFER', 'MOBILE_MONEY'] as const
const MOBILE = { family: 'MOBILE_MONEY' } as const

/** A number at a bank, or a phone number. */
const bankOrPhone = (
  currency: string,
  country: string,
  phoneExample: string,
  fields: Fields = {},
  more: Partial<AccountTypeRule> = {},
): AccountTypeRule =>
  bank(
    currency,
    [country],
    BOTH,
    { bankName, accountNumber: optional(number), ...fields, phoneNumber: optional(phone(phoneExample)) },
    {
      oneSetOf: [['accountNumber'], ['phoneNumber']],
      railNeeds: { BANK_TRANSFER: [['accountNumber']], MOBILE_MONEY: [['phoneNumber']] },
      ...more,
    },
  )

const mobile = (
  currency: string,
  countries: readonly string[],
  example: string,
  by: string,
  { prefix, ...fields }: Fields & { readonly prefix?: string } = {},
): AccountTypeRule => {
  const length = (prefix?.length ?? 0) + 9
  const phoneNumber = prefix ? phone(example, `^\\${prefix}\\d{9}$`, [length, length]) : phone(example)
  return bank(currency, countries, ['MOBILE_MONEY'], { phoneNumber, provider: provider(by), ...fields }, MOBILE)
}

export const MOBILE_MONEY = {
  COP_ACCOUNT: bankOrPhone(
    'COP',
    'CO',
    '+573001234567',
    { bankAccountType: optional(kind) },
    {
      individual: { optional: ['documentType', 'documentNumber'] },
      instruction: {
        reference: true,
        fields: { paymentUrl: field('Payment page', 'https://pay.example.com/abc', { maxLength: 2048 }) },
      },
    },
  ),
  CNY_ACCOUNT: bankOrPhone('CNY', 'CN', '+8613800138000'),
  GHS_ACCOUNT: bankOrPhone('GHS', 'GH', '+233241234567'),
  SLV_ACCOUNT: bankOrPhone('USD', 'SV', '+50370123456', {
    bankName: optional(bankName),
    bankAccountType: optional(kind),
  }),
  BDT_ACCOUNT: bankOrPhone('BDT', 'BD', '+8801712345678', {
    branchCode: optional(branch),
    swiftCode: optional(bic('DBBLBDDH')),
  }),
  EGP_ACCOUNT: bank(
    'EGP',
    ['EG'],
    BOTH,
    {
      bankName,
      iban: optional(iban('EG640019000500000000263180019', '^EG\\d{27}$', 29)),
      phoneNumber: optional(phone('+201001234567')),
    },
    {
      oneSetOf: [['iban'], ['phoneNumber']],
      railNeeds: { BANK_TRANSFER: [['iban']], MOBILE_MONEY: [['phoneNumber']] },
    },
  ),
  PKR_ACCOUNT: bank(
    'PKR',
    ['PK'],
    BOTH,
    {
      bankName,
      iban: optional(iban('PK36SCBL0000001123456702', '^PK\\d{2}[A-Z]{4}\\d{16}$', 24)),
      accountNumber: optional(number),
      phoneNumber: optional(phone('+923001234567')),
    },
    {
      oneSetOf: [['iban'], ['accountNumber'], ['phoneNumber']],
      railNeeds: { BANK_TRANSFER: [['iban'], ['accountNumber']], MOBILE_MONEY: [['phoneNumber']] },
    },
  ),
  BWP_ACCOUNT: mobile('BWP', ['BW'], '+26771123456', 'Orange'),
  MWK_ACCOUNT: mobile('MWK', ['MW'], '+265991234567', 'Airtel'),
  UGX_ACCOUNT: mobile('UGX', ['UG'], '+256772123456', 'MTN'),
  KES_ACCOUNT: mobile('KES', ['KE'], '+254712345678', 'M-PESA', { prefix: '+254' }),
  RWF_ACCOUNT: mobile('RWF', ['RW'], '+250788123456', 'MTN', { prefix: '+250' }),
  TZS_ACCOUNT: mobile('TZS', ['TZ'], '+255712345678', 'Vodacom', { prefix: '+255' }),
  ZMW_ACCOUNT: mobile('ZMW', ['ZM'], '+260955123456', 'MTN', { prefix: '+260' }),
  XAF_ACCOUNT: mobile('XAF', ['CM', 'CG'], '+237671234567', 'MTN', { region: choice('Country', ['CM', 'CG']) }),
  XOF_ACCOUNT: mobile('XOF', ['BJ', 'CI', 'SN', 'TG'], '+221771234567', 'Wave', {
    region: choice('Country', ['BJ', 'CI', 'SN', 'TG'], { example: 'SN' }),
  }),
  HTG_ACCOUNT: bank('HTG', ['HT'], ['MOBILE_MONEY'], { phoneNumber: phone('+50934123456') }, MOBILE),
} as const
