import type { ReactNode } from 'react'
import type { HomeQuery } from '../gql/graphql.ts'
import type { Loaded } from '../graphql/use-screen.ts'
import { figuresOf, Unknown } from '../parts/money.tsx'
import { Bone } from '../parts/panel.tsx'
import { changeText, figuresIn, percentText, type Sum } from './figures.ts'

interface Props extends Pick<Loaded<HomeQuery>, 'data' | 'failureAt'> {
  /** Null means all. Then there are only counts, because amounts in different currencies are never added. */
  readonly currency: string | null
}

export const Tiles = ({ data, currency, failureAt }: Props) => {
  const now = figuresIn(data?.now?.totals, currency)
  const before = figuresIn(data?.before?.totals, currency)
  const isKnown = Boolean(data?.now)
  const isLost = data !== undefined && failureAt('now') !== undefined
  const none = data && (isLost || failureAt('before')) ? 'change not known' : 'nothing to compare with'
  const figure = (text: string) => (isLost ? <Unknown /> : isKnown ? text : undefined)
  const text = (sum: Sum | null) => (sum ? figuresOf(sum.amount, sum.decimals) : '0')
  const money = (label: string, amount: Sum | null, earlier: Sum | null) => (
    <Tile
      label={label}
      tag={currency}
      big={figure(text(amount))}
      none={none}
      change={isLost ? null : changeText(amount?.amount ?? 0, earlier?.amount ?? 0)}
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
        big={figure(figuresOf(now.count, 0))}
        none={none}
        change={isLost ? null : changeText(now.count, before.count)}
        from={figuresOf(before.count, 0)}
      />
      <Tile
        label="Failed"
        tag={currency}
        big={figure(now.failed === null ? '—' : percentText(now.failed))}
        none={none}
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
  /** The change from the time before, or why there is none. */
  readonly change: string | null
  readonly none: string
  readonly from: string
}

const Tile = ({ label, tag, big, change, none, from }: TileProps) => (
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
        <span className="t3">{none}</span>
      )}
    </span>
  </li>
)
