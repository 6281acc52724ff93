// Amounts. They are integers in the smallest unit and are never made into floating point numbers.
import type { AmountFragment } from '../gql/graphql.ts'

export type Amount = Omit<AmountFragment, '__typename' | 'currency'> & {
  readonly currency: { readonly code: string; readonly decimals: number }
}

const MINUS = '−'
const grouping = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 })

/** `-248000` with two decimals as `−2,480.00`. */
export const figuresOf = (amount: number | bigint, decimals: number): string => {
  const digits = BigInt(amount)
  const absolute = (digits < 0n ? -digits : digits).toString().padStart(decimals + 1, '0')
  const whole = grouping.format(BigInt(absolute.slice(0, absolute.length - decimals)))
  const rest = decimals > 0 ? `.${absolute.slice(-decimals)}` : ''
  return `${digits < 0n ? MINUS : ''}${whole}${rest}`
}

export const amountText = ({ amount, currency }: Amount) => `${figuresOf(amount, currency.decimals)} ${currency.code}`

/** Whether money leaves or reaches the customer of the platform. */
export type Flow = 'in' | 'out'

const STILL = new Set(['FAILED', 'REJECTED', 'EXPIRED'])

/** Whether the money of a payment with this status did not move. */
export const isStill = (status: string) => STILL.has(status)

interface Props {
  readonly of: Amount | null | undefined
  /** Shows a sign: minus for money that leaves, plus for money that comes in. */
  readonly flow?: Flow | undefined
  /** Money that did not move is grey. */
  readonly status?: string
  readonly hasCode?: boolean
}

export const Money = ({ of, flow, status, hasCode = true }: Props) => {
  if (!of) return <Unknown />
  const { amount, currency } = of
  const sign = amount === 0 ? '' : flow === 'out' ? MINUS : flow === 'in' ? '+' : ''
  return (
    <span className={`mo${status && isStill(status) ? ' no' : flow === 'in' ? ' plus' : ''}`}>
      {sign}
      {figuresOf(amount, currency.decimals)}
      {hasCode && <span className="cur">{currency.code}</span>}
    </span>
  )
}

/** A dash instead of a zero, because the amount is unknown. */
export const Unknown = ({ what = 'not known' }: { readonly what?: string }) => (
  <span className="t3">
    —<span className="vh">{what}</span>
  </span>
)
