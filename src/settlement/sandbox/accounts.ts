// The service's own accounts in the sandbox, where money can be pushed to, by account type (docs/domain/account-types.md#payment-instructions).
import type { PaymentRail } from '#accounts/payment-rail.ts'
import type { AccountFields } from '#settlement/provider.ts'

type Fields = Readonly<Record<string, string>>

const over = (paymentRails: readonly PaymentRail[], fields: Fields) => ({ ...fields, paymentRails })
const bank = (fields: Fields) => over(['BANK_TRANSFER'], { bankName: 'Sandbox Bank', ...fields })
const bankOrPhone = (fields: Fields) =>
  over(['BANK_TRANSFER', 'MOBILE_MONEY'], { bankName: 'Sandbox Bank', accountNumber: '900000000001', ...fields })
const mobile = (phoneNumber: string, fields: Fields = {}) =>
  over(['MOBILE_MONEY'], { phoneNumber, provider: 'Sandbox Mobile', ...fields })

export const SANDBOX_ACCOUNTS: Readonly<Record<string, AccountFields>> = {
  USD_ACCOUNT: over(['ACH', 'WIRE', 'RTP', 'FEDNOW'], {
    bankName: 'Sandbox Bank',
    accountNumber: '900000001',
    routingNumber: '021000021',
  }),
  EUR_ACCOUNT: over(['SEPA', 'SEPA_INSTANT'], { iban: 'DE89370400440532013000', swiftCode: 'COBADEFFXXX' }),
  DKK_ACCOUNT: over(['SEPA', 'SEPA_INSTANT'], { iban: 'DK5000400440116243' }),
  GBP_ACCOUNT: over(['FASTER_PAYMENTS'], { sortCode: '200000', accountNumber: '55779911' }),
  MXN_ACCOUNT: over(['SPEI'], { clabeNumber: '002010077777777771' }),
  BRL_ACCOUNT: over(['PIX'], {
    pixKey: '90000000000001',
    pixKeyType: 'CNPJ',
    taxId: '90000000000001',
    qrCode: '00020126360014br.gov.bcb.pix0114900000000000015204000053039865802BR6009SAO PAULO',
  }),
  INR_ACCOUNT: over(['UPI', 'NEFT', 'RTGS'], { vpa: 'sandbox@bank', bankName: 'Sandbox Bank' }),
  CAD_ACCOUNT: bank({ bankCode: '003', branchCode: '00001', accountNumber: '9000001' }),
  AED_ACCOUNT: over(['BANK_TRANSFER'], { iban: 'AE070331234567890123456' }),
  NGN_ACCOUNT: bank({ accountNumber: '0123456789' }),
  ZAR_ACCOUNT: bank({ accountNumber: '9000000001' }),
  PHP_ACCOUNT: bank({ accountNumber: '900000000001' }),
  HKD_ACCOUNT: bank({ accountNumber: '900000000001', swiftCode: 'HSBCHKHH' }),
  MYR_ACCOUNT: bank({ accountNumber: '900000000001', swiftCode: 'MBBEMYKL' }),
  THB_ACCOUNT: bank({ accountNumber: '9000000001', swiftCode: 'BKKBTHBK' }),
  VND_ACCOUNT: bank({ accountNumber: '9000000001', swiftCode: 'BFTVVNVX' }),
  IDR_ACCOUNT: bank({ accountNumber: '9000000001', swiftCode: 'BRINIDJA', phoneNumber: '+62900000001' }),
  SGD_ACCOUNT: over(['PAYNOW', 'FAST', 'BANK_TRANSFER'], {
    bankName: 'Sandbox Bank',
    accountNumber: '0720123456',
    swiftCode: 'DBSSSGSGXXX',
  }),
  COP_ACCOUNT: bankOrPhone({ bankAccountType: 'CHECKING', paymentUrl: 'https://pay.sandbox.example/cop' }),
  CNY_ACCOUNT: bankOrPhone({}),
  GHS_ACCOUNT: bankOrPhone({}),
  BDT_ACCOUNT: bankOrPhone({ branchCode: '00001' }),
  EGP_ACCOUNT: over(['BANK_TRANSFER', 'MOBILE_MONEY'], {
    bankName: 'Sandbox Bank',
    iban: 'EG380019000500000000263180002',
  }),
  PKR_ACCOUNT: over(['BANK_TRANSFER', 'MOBILE_MONEY'], {
    bankName: 'Sandbox Bank',
    iban: 'PK36SCBL0000001123456702',
  }),
  GTQ_ACCOUNT: bank({ accountNumber: '9000000001', bankAccountType: 'CHECKING' }),
  JMD_ACCOUNT: bank({ accountNumber: '9000000001', branchCode: '00001', bankAccountType: 'CHECKING' }),
  KES_ACCOUNT: mobile('+254900000001'),
  RWF_ACCOUNT: mobile('+250900000001'),
  TZS_ACCOUNT: mobile('+255900000001'),
  ZMW_ACCOUNT: mobile('+260900000001'),
  BWP_ACCOUNT: mobile('+26790000001'),
  MWK_ACCOUNT: mobile('+265900000001'),
  UGX_ACCOUNT: mobile('+256900000001'),
  XAF_ACCOUNT: mobile('+237900000001', { region: 'CM' }),
  XOF_ACCOUNT: mobile('+221900000001', { region: 'SN' }),
  HTG_ACCOUNT: over(['MOBILE_MONEY'], { phoneNumber: '+50990000001' }),
  ARS_ACCOUNT: { accountNumber: '9000000000000000000001' },
}
