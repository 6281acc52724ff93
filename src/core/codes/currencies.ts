// The currencies. The database checks codes with its function `is_currency`, and a test compares both.

/** `decimals` is the number of digits after the decimal point. Amounts are integers in the smallest unit. */
export interface Currency {
  readonly code: string
  readonly name: string
  readonly symbol: string
  readonly decimals: number
}

const define = (code: string, name: string, symbol: string, decimals: number): [string, Currency] => [
  code,
  { code, name, symbol, decimals },
]

export const CURRENCIES: ReadonlyMap<string, Currency> = new Map([
  define('USD', 'US Dollar', '$', 2),
  define('EUR', 'Euro', '€', 2),
  define('GBP', 'Pound Sterling', '£', 2),
  define('MXN', 'Mexican Peso', '$', 2),
  define('BRL', 'Brazilian Real', 'R$', 2),
  define('INR', 'Indian Rupee', '₹', 2),
  define('PHP', 'Philippine Peso', '₱', 2),
  define('NGN', 'Nigerian Naira', '₦', 2),
  define('KES', 'Kenyan Shilling', 'KSh', 2),
  define('COP', 'Colombian Peso', '$', 2),
  define('CNY', 'Chinese Yuan', '¥', 2),
  define('JPY', 'Japanese Yen', '¥', 0),
  define('CAD', 'Canadian Dollar', 'C$', 2),
  define('DKK', 'Danish Krone', 'kr', 2),
  define('HKD', 'Hong Kong Dollar', 'HK$', 2),
  define('IDR', 'Indonesian Rupiah', 'Rp', 2),
  define('MYR', 'Malaysian Ringgit', 'RM', 2),
  define('SGD', 'Singapore Dollar', 'S$', 2),
  define('THB', 'Thai Baht', '฿', 2),
  define('VND', 'Vietnamese Dong', '₫', 0),
  define('AED', 'UAE Dirham', 'د.إ', 2),
  define('MWK', 'Malawian Kwacha', 'MK', 2),
  define('RWF', 'Rwandan Franc', 'FRw', 0),
  define('TZS', 'Tanzanian Shilling', 'TSh', 2),
  define('UGX', 'Ugandan Shilling', 'USh', 0),
  define('XOF', 'West African CFA Franc', 'CFA', 0),
  define('XAF', 'Central African CFA Franc', 'FCFA', 0),
  define('ZAR', 'South African Rand', 'R', 2),
  define('ZMW', 'Zambian Kwacha', 'ZK', 2),
  define('BWP', 'Botswana Pula', 'P', 2),
  define('BDT', 'Bangladeshi Taka', '৳', 2),
  define('ARS', 'Argentine Peso', '$', 2),
  define('EGP', 'Egyptian Pound', 'E£', 2),
  define('GHS', 'Ghanaian Cedi', 'GH₵', 2),
  define('GTQ', 'Guatemalan Quetzal', 'Q', 2),
  define('HTG', 'Haitian Gourde', 'G', 2),
  define('JMD', 'Jamaican Dollar', 'J$', 2),
  define('PKR', 'Pakistani Rupee', '₨', 2),
  define('BTC', 'Bitcoin', '₿', 8),
  define('USDC', 'USD Coin', 'USDC', 6),
  define('USDT', 'Tether USD', 'USDT', 6),
  define('USDB', 'USD wallet token', 'USDB', 6),
])

/** Throws for an unknown code, which the database's foreign keys rule out. */
export const currencyOf = (code: string): Currency => {
  const currency = CURRENCIES.get(code)
  if (!currency) throw new Error(`Unknown currency ${code}`)
  return currency
}
