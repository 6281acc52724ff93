import type { ReactNode } from 'react'
import type { HomeQuery } from '../gql/graphql.ts'
import { type Amount, figuresOf } from '../parts/money.tsx'
import { Bone } from '../parts/panel.tsx'
import { changeText, figuresIn, percentText } from './figures.ts'

interface Props {
  readonly data: HomeQuery | undefined
  /** Null means all. Then there are only counts, because amounts in different currencies are never added. */
  readonly currency: string | null
}

export const Tiles = ({ data, currency }: Props) => {
  const now = figuresIn(data?.now?.totals, currency)
  const before = figuresIn(data?.before?.totals, currency)
  const isKnown = Boolean(data?.now)
  const text = (amount: Amount | null) => (amount ? figuresOf(amount.amount, amount.currency.decimals) : '0')
  const money = (label: string, amount: Amount | null, earlier: Amount | null) => (
    <Tile
      label={label}
      tag={currency}
      big={isKnown ? text(amount) : undefined}
      change={changeText(amount?.amount ?? 0, earlier?.amount ?? 0)}
      from={text(earlier)}
    />
  )
  const failedPoints = now.failed === null || before.failed === null ? null : (now.failed - before.failed) * 100
  return (
    <ul className="card tiles wide" aria-label="Figures">
      {currency && money('Sent', now.sent, before.sent)}
      {currency && money('Received', now.received, before.received)}
      <Tile
        label="Payments"
        tag={currency}
        big={isKnown ? figuresOf(now.count, 0) : undefined}
        change={changeText(now.count, before.count)}
        from={figuresOf(before.count, 0)}
      />
      <Tile
        label="Failed"
        tag={currency}
        big={isKnown ? (now.failed === null ? '—' : percentText(now.failed)) : undefined}
        change={
          failedPoints === null ? null : `${failedPoints < 0 ? '↓' : '↑'} ${Math.abs(failedPoints).toFixed(1)} points`
        }
        from={before.failed === null ? '' : percentText(before.failed)}
      />
    </ul>
  )
}

interface TileProps {
  readonly label: string
  readonly tag: string | null
  readonly big: ReactNode
  readonly change: string | null
  readonly from: string
}

const Tile = ({ label, tag, big, change, from }: TileProps) => (
  <li>
    <span className="lab">
      {label} {tag && <span className="tag">{tag}</span>}
    </span>
    <span className="big mo">{big ?? <Bone />}</span>
    <span className="tiny t2">
      {big === undefined ? (
        <>&nbsp;</>
      ) : change ? (
        <>
          {change} <span className="t3">from {from}</span>
        </>
      ) : (
        <span className="t3">nothing to compare with</span>
      )}
    </span>
  </li>
)
