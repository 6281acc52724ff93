// The price then and now: what leaves, the rate, and what arrives.
import type { ActionRowFragment } from '../gql/graphql.ts'
import { clockText } from '../parts/moment.tsx'
import { type Amount, amountText, figuresOf } from '../parts/money.tsx'
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

export const PricePanel = ({ quote, left, now: { price, leaves, arrives, failure }, hasMoved, tolerance }: Props) => {
  const { lockedCurrencySide, totalSending, totalReceiving, exchangeRate, feesIncludedMoney, expiresAt } = quote
  if (left && !isExchanged(quote))
    return (
      <section className="why">
        <h3>The price holds until {clockText(expiresAt)}</h3>
        <p className="small t2">{amountText(totalReceiving)} arrive.</p>
      </section>
    )
  const [asked, now] = lockedCurrencySide === 'SENDING' ? [totalReceiving, arrives] : [totalSending, leaves]
  const change = now && now.amount - asked.amount
  const feesNow = price?.fees.total ?? (left || !isExchanged(quote) ? feesIncludedMoney.amount : undefined)
  const isBeyond =
    leaves &&
    arrives &&
    tolerance !== undefined &&
    BigInt(arrives.amount) * BigInt(totalSending.amount) * 10_000n <
      BigInt(totalReceiving.amount) * BigInt(leaves.amount) * BigInt(10_000 - tolerance)
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
          <AmountRow name={`Leaves, ${totalSending.currency.code}`} asked={totalSending} now={leaves} />
          {feesIncludedMoney.amount !== 0 && (
            <AmountRow
              name="Fees, included"
              asked={feesIncludedMoney}
              now={feesNow === undefined ? undefined : { ...feesIncludedMoney, amount: feesNow }}
            />
          )}
          {isExchanged(quote) && exchangeRate !== null && exchangeRate !== undefined && (
            <tr>
              <th scope="row">Rate, for 1 {totalReceiving.currency.code}</th>
              <td>{exchangeRate}</td>
              <td>{price?.exchangeRate ?? (left ? exchangeRate : '—')}</td>
              <td className="t3">{price ? percentText(price.exchangeRate / exchangeRate - 1) : left ? 'none' : '—'}</td>
            </tr>
          )}
          <AmountRow
            name={`Arrives, ${totalReceiving.currency.code}`}
            asked={totalReceiving}
            now={arrives}
            className="main-row"
          />
        </tbody>
      </table>
      {!left && (
        <p className="small t2">
          {change
            ? `${((Math.abs(change) / asked.amount) * 100).toFixed(2)} % ${change < 0 ? 'less' : 'more'} ${lockedCurrencySide === 'SENDING' ? 'arrives' : 'leaves'} than was asked. `
            : ''}
          {failure && `The current price could not be computed: ${stopped(failure.message)} `}
          {isBeyond
            ? `That is more than the ${toleranceText(tolerance)} that the policy tolerates: approving makes the payment fail, and no money moves.`
            : `Approving prices it again. ${tolerance === undefined ? '' : `If the price is more than ${toleranceText(tolerance)} worse, the payment fails, and no money moves.`}`}
        </p>
      )}
    </section>
  )
}

const AmountRow = ({
  name,
  asked,
  now,
  className,
}: {
  readonly name: string
  readonly asked: Amount
  readonly now: Amount | undefined
  readonly className?: string
}) => {
  const { decimals } = asked.currency
  const change = now && now.amount - asked.amount
  return (
    <tr className={className}>
      <th scope="row">{name}</th>
      <td>{figuresOf(asked.amount, decimals)}</td>
      <td>{now ? figuresOf(now.amount, decimals) : '—'}</td>
      <td className={change === 0 ? 't3' : undefined}>{change === undefined ? '—' : changeText(change, decimals)}</td>
    </tr>
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
