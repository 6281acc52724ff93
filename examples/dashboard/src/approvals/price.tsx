// The price then and now: what leaves, the rate, and what arrives.
import type { ActionRowFragment } from '../gql/graphql.ts'
import { clockText } from '../parts/moment.tsx'
import { figuresOf } from '../parts/money.tsx'
import { Note } from '../parts/panel.tsx'
import { stopped } from '../parts/words.ts'
import { isExchanged, type PriceNow } from './price-now.ts'

interface Props {
  readonly quote: NonNullable<ActionRowFragment['quote']>
  readonly left: string | null
  readonly now: PriceNow
  /** Whether the new figures differ from those that were shown before. */
  readonly hasMoved: boolean
  /** How much less each unit may deliver, in hundredths of a percent. */
  readonly tolerance: number | undefined
}

export const PricePanel = ({ quote, left, now: { price, failure }, hasMoved, tolerance }: Props) => {
  const { totalSending, totalReceiving, exchangeRate, feesIncludedMoney, expiresAt } = quote
  const { decimals } = totalReceiving.currency
  if (left && !isExchanged(quote))
    return (
      <section className="why">
        <h3>The price holds until {clockText(expiresAt)}</h3>
        <p className="small t2">
          {figuresOf(totalReceiving.amount, decimals)} {totalReceiving.currency.code} arrive.
        </p>
      </section>
    )
  const arrives = price?.receiving.amount ?? (left || !isExchanged(quote) ? totalReceiving.amount : undefined)
  const change = arrives === undefined ? undefined : arrives - totalReceiving.amount
  const isBeyond =
    change !== undefined && tolerance !== undefined && change < (-tolerance / 10_000) * totalReceiving.amount
  return (
    <section className="why">
      <h3>{left ? `The price holds until ${clockText(expiresAt)}` : `The price ended at ${clockText(expiresAt)}`}</h3>
      {hasMoved && (
        <Note tone="wait" icon="tri" title="The price moved while you read" role="alert" className="spaced">
          Nothing was approved. These are the new figures.
        </Note>
      )}
      <table className="vs num">
        <thead>
          <tr>
            <th scope="col">
              <span className="vh">What</span>
            </th>
            <th scope="col">Asked</th>
            <th scope="col">Now</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Leaves, {totalSending.currency.code}</th>
            <td>{figuresOf(totalSending.amount, totalSending.currency.decimals)}</td>
            <td>{figuresOf(totalSending.amount, totalSending.currency.decimals)}</td>
            <td className="t3">none</td>
          </tr>
          {feesIncludedMoney.amount !== 0 && (
            <tr>
              <th scope="row">Fees, included</th>
              <td>{figuresOf(feesIncludedMoney.amount, feesIncludedMoney.currency.decimals)}</td>
              <td>{figuresOf(price?.fees.total ?? feesIncludedMoney.amount, feesIncludedMoney.currency.decimals)}</td>
              <td className="t3">
                {changeText(
                  (price?.fees.total ?? feesIncludedMoney.amount) - feesIncludedMoney.amount,
                  feesIncludedMoney.currency.decimals,
                )}
              </td>
            </tr>
          )}
          {isExchanged(quote) && exchangeRate !== null && exchangeRate !== undefined && (
            <tr>
              <th scope="row">Rate, for 1 {totalReceiving.currency.code}</th>
              <td>{exchangeRate}</td>
              <td>{price?.exchangeRate ?? (left ? exchangeRate : '—')}</td>
              <td className="t3">{price ? percentText(price.exchangeRate / exchangeRate - 1) : left ? 'none' : '—'}</td>
            </tr>
          )}
          <tr className="main-row">
            <th scope="row">Arrives, {totalReceiving.currency.code}</th>
            <td>{figuresOf(totalReceiving.amount, decimals)}</td>
            <td>{arrives === undefined ? '—' : figuresOf(arrives, decimals)}</td>
            <td>{change === undefined ? '—' : changeText(change, decimals)}</td>
          </tr>
        </tbody>
      </table>
      {!left && (
        <p className="small t2">
          {change
            ? `${(Math.abs(change / totalReceiving.amount) * 100).toFixed(2)} % ${change < 0 ? 'less' : 'more'} arrives than was asked. `
            : ''}
          {failure && `The current price could not be computed: ${stopped(failure.message)} `}
          {isBeyond
            ? `That is more than the ${toleranceText(tolerance)} that the policy tolerates: approving makes the payment fail, and no money moves.`
            : `Approving prices it again. ${tolerance === undefined ? '' : `Beyond ${toleranceText(tolerance)} less it fails, and no money moves.`}`}
        </p>
      )}
    </section>
  )
}

const toleranceText = (tolerance: number) => `${(tolerance / 100).toFixed(1)} %`

const changeText = (change: number, decimals: number) =>
  change === 0 ? 'none' : `${change > 0 ? '+' : ''}${figuresOf(change, decimals)}`

/** `−0.42 %` */
const percentText = (part: number) => {
  const percent = (Math.abs(part) * 100).toFixed(2)
  return percent === '0.00' ? 'none' : `${part < 0 ? '−' : '+'}${percent} %`
}
