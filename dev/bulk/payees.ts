// The demo's external account types and rates as SQL rows.
import type { PaymentRail } from '#generated/prisma/client.ts'
import { serviceFeeOf } from '#quotes/price.ts'
import { rateOf, rateText, SANDBOX_RATES } from '#quotes/rates/rate.ts'
import { isInstant, settlementSeconds } from '#settlement/rails.ts'
import { accountInfo, type ExternalType, FORMS, formOf } from '../demo/account-info.ts'
import { Dice } from '../demo/dice.ts'
import { type CurrencyCode, milliSatoshis, unit } from '../demo/rates.ts'

const FIRST: readonly ExternalType[] = ['USD_ACCOUNT', 'MXN_ACCOUNT']
/** The cast expects 25 of them, with the dollar account first. */
const TYPES = [...FIRST, ...(Object.keys(FORMS) as ExternalType[]).filter((type) => !FIRST.includes(type))]

/** Payment rails that no account type has (docs/domain/account-types.md#table-of-account-types). */
const MORE_RAILS: Partial<Record<ExternalType, readonly PaymentRail[]>> = {
  PHP_ACCOUNT: ['INSTAPAY', 'PESONET'],
  COP_ACCOUNT: ['ACH_COLOMBIA', 'BRE_B'],
  CNY_ACCOUNT: ['CIPS', 'UNIONPAY'],
}

export const PAYEE_TYPES = TYPES.map((type, place) => {
  const { currency, network = null } = formOf(type)
  const rails = [...formOf(type).rails, ...(MORE_RAILS[type] ?? [])]
  return {
    place,
    account_type: type,
    currency,
    rails,
    own_rail: rails.find(isInstant) ?? rails[0] ?? null,
    network: type === 'LIGHTNING' ? null : network,
  }
})

const INFOS_PER_TYPE = 16

export const PAYEE_INFOS = TYPES.flatMap((type, place) =>
  Array.from({ length: INFOS_PER_TYPE }, (_, variant) => ({
    place,
    variant,
    info: accountInfo(type, new Dice(`bulk/${type}/${variant}`), {
      name: `Payee ${variant + 1}`,
      isBusiness: false,
      country: 'US',
    }),
  })),
)

export const RAILS = [...new Set(PAYEE_TYPES.flatMap(({ rails }) => rails))].map((rail) => ({
  rail,
  is_instant: isInstant(rail),
  seconds: settlementSeconds(rail),
}))

const SENDING = ['USD', 'EUR', 'GBP', 'INR', 'MXN', 'USDB', 'USDC'] as const
const RECEIVING: readonly CurrencyCode[] = [
  ...new Set([...TYPES.map((type) => formOf(type).currency), 'USDB' as const]),
]

/** A price in integers: receive = floor(net × numerator ÷ denominator). */
export const PAIRS = SENDING.flatMap((sending) =>
  RECEIVING.map((receiving) => {
    const rate = rateOf(SANDBOX_RATES, sending, receiving)
    return {
      sending,
      receiving,
      // Rates are in millionths.
      bps: Number(serviceFeeOf(sending, receiving).rate / 100n),
      rate: rateText(rate),
      numerator: String(unit(receiving) * 10n ** 18n),
      denominator: String(unit(sending) * rate.scaled),
      sending_multiplier: milliSatoshis(sending),
      receiving_multiplier: milliSatoshis(receiving),
    }
  }),
)
