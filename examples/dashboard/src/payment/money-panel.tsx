// How the money moves: from where to where, with fee and rate; for cards what was authorized, settled and refunded.
import type { ReactNode } from 'react'
import { Icon } from '../parts/icon.tsx'
import { isStill, Money } from '../parts/money.tsx'
import { Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { counted } from '../parts/words.ts'
import { accountName, flowOf, methodOf, partyOf } from '../payments/party.ts'
import type { Transaction } from './payment.tsx'

type Card = Extract<Transaction, { readonly __typename: 'CardTransaction' }>
type Payment = Exclude<Transaction, Card>

export const MoneyPanel = ({ transaction }: { readonly transaction: Transaction }) =>
  transaction.__typename === 'CardTransaction' ? (
    <CardMoney transaction={transaction} />
  ) : (
    <PaymentMoney transaction={transaction} />
  )

const End = ({ label, name, detail }: { readonly label: string; readonly name: string; readonly detail: string }) => (
  <div className="end-pt">
    <span className="tiny t3">{label}</span>
    <strong>{name}</strong>
    <span className="t2">{detail}</span>
  </div>
)

const Path = ({ from, to }: { readonly from: ReactNode; readonly to: ReactNode }) => (
  <div className="path">
    {from}
    <span className="t3 hide-s">
      <Icon name="next" />
    </span>
    {to}
  </div>
)

/** Only money that was sent is called sent. A payment with a refund was sent. It had arrived only if its status is `REFUNDED`. */
const wordsOf = ({ status, refund }: Payment): readonly [sent: string, received: string] => {
  const wasReceived = status === 'REFUNDED' || (status === 'COMPLETED' && !refund)
  const wasSent = wasReceived || refund || status === 'PROCESSING'
  return [
    wasSent ? 'Sent' : isStill(status) ? 'Not sent' : 'To send',
    wasReceived ? 'Received' : isStill(status) || refund ? 'Not received' : 'To receive',
  ]
}

const PaymentMoney = ({ transaction }: { readonly transaction: Payment }) => {
  const { source, destination, customer, quote, exchangeRate } = transaction
  const { sentAmount, receivedAmount, feesMoney, status } = transaction
  const [sent, received] = wordsOf(transaction)
  const party = partyOf(transaction)
  const isOut = flowOf(transaction) === 'out'
  const own = isOut ? source : destination
  const ownName =
    own && 'account' in own ? accountName(own.account) : own && 'umaAddress' in own ? own.umaAddress : 'Just in time'
  const owner = customer?.customerName ?? 'The platform'
  const ownEnd = <End label={isOut ? 'From' : 'To'} name={ownName} detail={owner} />
  const other = isOut ? destination : source
  const account = other && 'account' in other ? [accountName(other.account)] : []
  const details = new Set([...account, methodOf(transaction)])
  details.delete(party)
  const otherEnd = <End label={isOut ? 'To' : 'From'} name={party} detail={[...details].join(', ')} />
  const isExchanged = sentAmount && receivedAmount && sentAmount.currency.code !== receivedAmount.currency.code
  return (
    <Panel
      title="Money"
      end={
        quote && (
          <span className="tiny t3">
            Quote <PublicId id={quote.id} />
          </span>
        )
      }
    >
      <div className="body">
        {isOut ? <Path from={ownEnd} to={otherEnd} /> : <Path from={otherEnd} to={ownEnd} />}
        <div className="sum num">
          {sentAmount && <Line label={sent} value={<Money of={sentAmount} />} />}
          {feesMoney && feesMoney.amount !== 0 && <Line label="Fees, included" value={<Money of={feesMoney} />} />}
          {isExchanged && exchangeRate !== null && exchangeRate !== undefined && (
            <Line
              label={`Rate, for 1 ${receivedAmount.currency.code}`}
              value={
                <span className="mo">
                  {exchangeRate}
                  <span className="cur">{sentAmount.currency.code}</span>
                </span>
              }
            />
          )}
          <Line
            label={receivedAmount ? received : 'Amount'}
            value={<Money of={receivedAmount ?? transaction.amount} status={status} />}
            isTotal
          />
        </div>
      </div>
    </Panel>
  )
}

const Line = ({
  label,
  value,
  isTotal = false,
}: {
  readonly label: string
  readonly value: ReactNode
  readonly isTotal?: boolean
}) => (
  <div className={isTotal ? 'tot' : ''}>
    <span className={isTotal ? '' : 't2'}>{label}</span>
    {value}
  </div>
)

const CardMoney = ({ transaction }: { readonly transaction: Card }) => {
  const { merchant, card, account, authorizedAmount, settledAmount, refundedAmount } = transaction
  const { pullSummary, settlementSummary, refundSummary } = transaction
  const from = (
    <End
      label="Card"
      name={card?.last4 ? `•••• ${card.last4}` : 'Card'}
      detail={account ? `${account.currency.code} account` : 'Closed account'}
    />
  )
  const to = (
    <End
      label="Merchant"
      name={merchant.descriptor}
      detail={[merchant.mcc && `category ${merchant.mcc}`, merchant.country].filter(Boolean).join(', ') || '—'}
    />
  )
  return (
    <Panel title="Money">
      <div className="body">
        {flowOf(transaction) === 'out' ? <Path from={from} to={to} /> : <Path from={to} to={from} />}
        <div className="sum num">
          <Line label="Authorized" value={<Money of={authorizedAmount} />} />
          {pullSummary && (
            <Line
              label={`Pulled from the account, ${counted(pullSummary.count, 'attempt')}${
                pullSummary.pendingCount ? `, ${pullSummary.pendingCount} pending` : ''
              }`}
              value={<Money of={pullSummary.total} />}
            />
          )}
          {refundSummary && refundSummary.count > 0 && (
            <Line label={`Refunded, ${counted(refundSummary.count, 'time')}`} value={<Money of={refundedAmount} />} />
          )}
          <Line
            label={`Settled${settlementSummary ? `, ${counted(settlementSummary.count, 'clearing')}` : ''}`}
            value={<Money of={settledAmount ?? settlementSummary?.total} />}
            isTotal
          />
        </div>
      </div>
    </Panel>
  )
}
