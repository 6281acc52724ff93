import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Failure } from '../graphql/failure.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { amountText, Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { lookOf } from '../parts/status.tsx'
import { newestOf, useFresh } from '../payments/newest.ts'
import { flowOf, partyOf } from '../payments/party.ts'
import type { Card } from './cards.tsx'
import { hasNextStep, NextSteps, type Use } from './next-steps.tsx'

interface Props {
  readonly card: Card | undefined
  readonly isSandbox: boolean
  readonly failure: Failure | undefined
  readonly reload: () => void
}

/** The card's payments as they happen, newest first. In the sandbox the newest payment offers its next steps. */
export const Uses = ({ card, isSandbox, failure, reload }: Props) => {
  const fresh = useFresh()
  const [chosen, setChosen] = useState<string | undefined>()
  const rows = useMemo(() => card?.transactions?.nodes.map(newestOf), [card])
  const isOpen = (id: string) => isSandbox && (chosen ?? rows?.find(hasNextStep)?.id) === id
  return (
    <Panel
      title="Card payments"
      end={
        card && (
          <Link className="small" href={`/payments?cardId=${encodeURIComponent(card.id)}`}>
            All {card.transactions?.totalCount ?? ''}
          </Link>
        )
      }
    >
      {failure ? <Failed what="its payments" failure={failure} retry={reload} /> : !rows && <BoneRows count={6} />}
      {rows?.length === 0 && (
        <Empty icon="cardi" title="Not used yet">
          Payments appear here as they happen.
        </Empty>
      )}
      <ol className="stream">
        {rows?.map((row) => {
          const { tone, icon, word } = lookOf(row.status)
          return (
            <li key={row.id} className={`${tone}${fresh.has(row.id) ? ' new' : ''}`}>
              <Icon name={icon} />
              <span>
                <Link href={`/payments/${row.id}`} className="who">
                  {word} <Money of={row.amount} flow={flowOf(row)} status={row.status} />
                </Link>
                <br />
                <span className="t2">
                  {partyOf(row)}
                  {partText(row)}
                </span>
              </span>
              <span className="tiny t3 r">
                <Moment at={row.createdAt} />
                {isSandbox && hasNextStep(row) && !isOpen(row.id) && (
                  <>
                    <br />
                    <button type="button" className="link" onClick={() => setChosen(row.id)}>
                      Simulate<span className="vh"> what follows {partyOf(row)}</span>
                    </button>
                  </>
                )}
              </span>
              {card && isOpen(row.id) && hasNextStep(row) && <NextSteps cardId={card.id} use={row} />}
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

/** How much of it is settled or returned, if that is not the whole amount. */
const partText = ({ status, authorizedAmount, settledAmount, refundedAmount }: Use): string => {
  if (status === 'PARTIALLY_SETTLED' && settledAmount)
    return `, ${amountText(settledAmount)} of ${amountText(authorizedAmount)} settled`
  return status === 'REFUNDED' && refundedAmount ? `, ${amountText(refundedAmount)} returned` : ''
}
