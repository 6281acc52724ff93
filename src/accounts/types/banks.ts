// Bank accounts that are reached by number. `docs/domain/account-types.md#table-of-account-types`
import { PIX_KEY_TYPES } from '#accounts/account-info.ts'
import { PAYMENT_RAILS } from '#accounts/payment-rail.ts'
import {
  anyIban,
  bankName,
  bic,
  branch,
  choice,
  digits,
  exact,
  field,
  iban,
  kind,
  number,
  optional,
  phone,
} from './fields.ts'
import type { AccountTypeRule, Fields } from './rule.ts'

type More = Partial<Omit<AccountTypeRule, 'fields' | 'rails' | 'countries'>>

export const bank = (
  currency: string,
  countries: readonly string[],
  rails: AccountTypeRule['rails'],
  fields: Fields,
  more: More = {},
): AccountTypeRule => ({
  family: 'BANK',
  currencies: [currency],
  countries,
  rails,
  fields,
  creatable: true,
  instruction: { reference: true },
  ...more,
})

const TRANSFER = ['BANK_TRANSFER'] as const

const numberAndBic = (currency: string, country: string, example: string): AccountTypeRule =>
  bank(currency, [country], TRANSFER, { bankName, accountNumber: number, swiftCode: bic(example) })

/** The euro area, and others where accounts in euro are usual. For forms only. */
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA ME'.split(' ')

/** An EMV code with the CRC that ends it. */
const PIX_QR_CODE =
  '00020126330014br.gov.bcb.pix0111529982247255204000053039865802BR5907Sandbox6009SAO PAULO62070503***6304DDDD'

const INDIAN_NUMBER = ['accountNumber', 'ifsc'] as const

export const BANKS = {
  USD_ACCOUNT: bank('USD', ['US'], ['ACH', 'WIRE', 'RTP', 'FEDNOW'], {
    accountNumber: number,
    routingNumber: exact('Routing number', '021000021', '^\\d{9}$', 9, { check: 'ABA_ROUTING' }),
    bankName: optional(bankName),
  }),
  EUR_ACCOUNT: bank(
    'EUR',
    EURO,
    ['SEPA', 'SEPA_INSTANT'],
    { iban: anyIban('DE89370400440532013000'), swiftCode: optional(bic('DEUTDEFF')) },
    { individual: { required: ['countryOfResidence'] } },
  ),
  DKK_ACCOUNT: bank('DKK', ['DK'], ['SEPA', 'SEPA_INSTANT'], {
    iban: iban('DK5000400440116243', '^DK\\d{16}$', 18),
    swiftCode: optional(bic('DABADKKK')),
  }),
  GBP_ACCOUNT: bank('GBP', ['GB'], ['FASTER_PAYMENTS'], {
    sortCode: exact('Sort code', '200000', '^\\d{6}$', 6),
    accountNumber: digits(8, 8, '55779911'),
  }),
  MXN_ACCOUNT: bank('MXN', ['MX'], ['SPEI'], {
    clabeNumber: exact('CLABE', '032180000118359719', '^\\d{18}$', 18, { check: 'CLABE' }),
  }),
  BRL_ACCOUNT: bank(
    'BRL',
    ['BR'],
    ['PIX'],
    {
      pixKey: field('Pix key', '52998224725', { maxLength: 77, check: 'PIX_KEY' }),
      pixKeyType: choice('Kind of Pix key', PIX_KEY_TYPES, { from: PIX_KEY_TYPES }),
      taxId: exact('CPF or CNPJ', '52998224725', '^(\\d{11}|[0-9A-Z]{12}\\d{2})$', [11, 14], { check: 'CPF_OR_CNPJ' }),
    },
    { instruction: { reference: true, fields: { qrCode: field('Pix QR code', PIX_QR_CODE, { maxLength: 1024 }) } } },
  ),
  INR_ACCOUNT: bank(
    'INR',
    ['IN'],
    ['UPI', 'NEFT', 'RTGS'],
    {
      vpa: optional(exact('UPI address', 'asha.rao@okaxis', '^[a-zA-Z0-9.\\-_]+@[a-zA-Z0-9]+$', [3, 255])),
      accountNumber: optional(digits(9, 18, '123456789876')),
      ifsc: optional(exact('IFSC', 'HDFC0000123', '^[A-Z]{4}0[A-Z0-9]{6}$', 11)),
      rail: optional(choice('Rail', ['UPI', 'NEFT', 'RTGS'], { from: PAYMENT_RAILS })),
      bankName: optional(bankName),
    },
    {
      oneSetOf: [['vpa'], INDIAN_NUMBER],
      railNeeds: { UPI: [['vpa']], NEFT: [INDIAN_NUMBER], RTGS: [INDIAN_NUMBER] },
      instruction: { reference: false },
    },
  ),
  CAD_ACCOUNT: bank('CAD', ['CA'], TRANSFER, {
    bankCode: exact('Institution number', '010', '^\\d{3}$', 3),
    branchCode: exact('Transit number', '12345', '^\\d{5}$', 5),
    accountNumber: digits(7, 12, '1234567'),
  }),
  AED_ACCOUNT: bank(
    'AED',
    ['AE'],
    TRANSFER,
    { iban: iban('AE070331234567890123456', '^AE\\d{21}$', 23), swiftCode: optional(bic('EBILAEAD')) },
    { individual: { required: ['address'] } },
  ),
  NGN_ACCOUNT: bank('NGN', ['NG'], TRANSFER, { bankName, accountNumber: digits(10, 10, '0123456789') }),
  ZAR_ACCOUNT: bank('ZAR', ['ZA'], TRANSFER, { bankName, accountNumber: digits(9, 13, '123456789') }),
  PHP_ACCOUNT: bank('PHP', ['PH'], TRANSFER, { bankName, accountNumber: digits(8, 16, '12345678') }),
  HKD_ACCOUNT: numberAndBic('HKD', 'HK', 'HSBCHKHHHKH'),
  MYR_ACCOUNT: numberAndBic('MYR', 'MY', 'MBBEMYKL'),
  THB_ACCOUNT: numberAndBic('THB', 'TH', 'BKKBTHBK'),
  VND_ACCOUNT: numberAndBic('VND', 'VN', 'BFTVVNVX'),
  IDR_ACCOUNT: bank('IDR', ['ID'], TRANSFER, {
    bankName,
    accountNumber: number,
    swiftCode: bic('CENAIDJA'),
    phoneNumber: phone('+6281234567890', '^\\+62\\d{9,12}$', [12, 15]),
  }),
  SGD_ACCOUNT: bank('SGD', ['SG'], ['PAYNOW', 'FAST', ...TRANSFER], {
    bankName: optional(bankName),
    accountNumber: number,
    swiftCode: bic('DBSSSGSG'),
  }),
  GTQ_ACCOUNT: bank(
    'GTQ',
    ['GT'],
    TRANSFER,
    { bankName, accountNumber: number, bankAccountType: kind },
    { individual: { required: ['countryOfResidence', 'phoneNumber'] } },
  ),
  JMD_ACCOUNT: bank(
    'JMD',
    ['JM'],
    TRANSFER,
    { bankName, accountNumber: number, branchCode: branch, bankAccountType: kind },
    { individual: { required: ['address', 'phoneNumber'] } },
  ),
  SWIFT_ACCOUNT: bank(
    '',
    [],
    ['SWIFT'],
    {
      country: exact('Country of the bank', 'JP', '^[A-Z]{2}$', 2, { check: 'COUNTRY' }),
      swiftCode: bic('BOTKJPJT'),
      bankName,
      accountNumber: optional(number),
      iban: optional(anyIban('CH9300762011623852957')),
    },
    { currencies: [], oneSetOf: [['accountNumber'], ['iban']] },
  ),
  ARS_ACCOUNT: bank(
    'ARS',
    ['AR'],
    [],
    { accountNumber: exact('CBU or CVU', '2850590940090418135201', '^\\d{22}$', 22, { check: 'CBU' }) },
    { creatable: false },
  ),
} as const
