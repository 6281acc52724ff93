import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { flowOf, methodOf } from '../payments/party.ts'
import type { Transaction } from './payment.tsx'
import { Receipt } from './receipt.tsx'

type Payment = Exclude<Transaction, { readonly __typename: 'CardTransaction' }>

/** What the time of settlement is. It is expected while a bank has the payment, and does not come true if the payment fails or is cancelled. */
const settlesOf = ({ status, refund }: Payment) => {
  if (status === 'PROCESSING') return 'Settles'
  return status === 'REFUNDED' || (status === 'COMPLETED' && !refund) ? 'Settled' : undefined
}

export const Details = ({ transaction }: { readonly transaction: Transaction }) => {
  const { id, direction, type, customer, platformCustomerId } = transaction
  const flow = flowOf(transaction)
  const payment = transaction.__typename === 'CardTransaction' ? undefined : transaction
  const card = transaction.__typename === 'CardTransaction' ? transaction.card : undefined
  const settles = payment && settlesOf(payment)
  return (
    <Panel title="Details">
      <div className="body">
        <dl className="facts">
          <Fact name="Id">
            <PublicId id={id} />
          </Fact>
          <Fact name="Direction">
            {type === 'CARD' ? 'Card, money ' : 'Money '}
            {flow}, {sentence(direction).toLowerCase()}
          </Fact>
          <Fact name="Method">{methodOf(transaction)}</Fact>
          {payment?.description && <Fact name="Description">{payment.description}</Fact>}
          {payment?.reconciliationInstructions && (
            <Fact name="Reference">
              <span className="mono">{payment.reconciliationInstructions.reference}</span>
            </Fact>
          )}
          <Fact name="Customer">
            {customer ? (
              <>
                <Link href={`/customers/${customer.id}`}>{customer.customerName ?? 'No name'}</Link>{' '}
                <span className="t3">{platformCustomerId}</span>
              </>
            ) : (
              <span className="t3">The platform itself</span>
            )}
          </Fact>
          {card && (
            <Fact name="Card">
              <Link href={`/cards/${card.id}`}>•••• {card.last4 ?? '????'}</Link>
            </Fact>
          )}
          {payment?.agent && (
            <Fact name="Agent">
              <Link href={`/payments?agentId=${encodeURIComponent(payment.agent.id)}`}>{payment.agent.name}</Link>
            </Fact>
          )}
          {payment?.failureReason && <Fact name="Failed because">{sentence(payment.failureReason)}</Fact>}
          <Fact name="Created">
            <Moment at={transaction.createdAt} as="full" />
          </Fact>
          {payment?.settledAt && settles && (
            <Fact name={settles}>
              <Moment at={payment.settledAt} as="full" />
            </Fact>
          )}
          {payment && (payment.status === 'COMPLETED' || payment.receiptDeliveryConfirmedAt) && (
            <Fact name="Receipt">
              <Receipt payment={payment} />
            </Fact>
          )}
          {payment && (
            <Fact name="Refund">
              {payment.refund ? (
                <>
                  <Status of={payment.refund.status} />{' '}
                  <Moment at={payment.refund.settledAt ?? payment.refund.initiatedAt} />
                  <br />
                  <span className="t2">
                    {payment.refund.reason ? sentence(payment.refund.reason) : 'No reason given'}, reference{' '}
                    <span className="mono">{payment.refund.reference}</span>
                  </span>
                </>
              ) : (
                <span className="t3">None</span>
              )}
            </Fact>
          )}
          {payment?.facts?.map(({ key, value }) => (
            <Fact key={key} name={sentence(key)}>
              {value}
            </Fact>
          ))}
        </dl>
      </div>
    </Panel>
  )
}

export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
