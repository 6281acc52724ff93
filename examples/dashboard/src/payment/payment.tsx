import { Link, useLocation, useParams } from 'wouter'
import { PaymentDocument, type PaymentQuery } from '../gql/graphql.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { newestOf } from '../payments/newest.ts'
import { agentOf, flowOf, methodOf, partyOf } from '../payments/party.ts'
import { neighbourOf } from '../payments/seen-list.ts'
import { Connection } from '../shell/connection.tsx'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { Actions } from './actions.tsx'
import { Decision } from './decision.tsx'
import { Deliveries } from './deliveries.tsx'
import { Details } from './details.tsx'
import { Ledger } from './ledger.tsx'
import { MoneyPanel } from './money-panel.tsx'
import { Timeline } from './timeline.tsx'

export type Transaction = NonNullable<PaymentQuery['transaction']>

/** Deliveries are created a moment after their event. */
const RELOAD_MS = 700

export const Payment = () => {
  const { id: raw = '' } = useParams()
  const id = decodeURIComponent(raw)
  const [, navigate] = useLocation()
  const { data, failureAt, reload } = useScreen(PaymentDocument, { id })
  useReload(reload, RELOAD_MS, ({ subjectId }) => subjectId === id)
  const go = (by: 1 | -1) => {
    const neighbour = neighbourOf(id, by)
    return neighbour ? navigate(`/payments/${neighbour}`) : false
  }
  useKeys([
    { press: 'j', does: 'Next payment of the list', run: () => go(1) },
    { press: 'k', does: 'Previous payment of the list', run: () => go(-1) },
    { press: 'Escape', does: 'Back to the list', run: () => navigate('/payments') },
  ])
  const found = data?.transaction
  if (data && !found && !failureAt('transaction'))
    return (
      <Screen title="No such payment">
        <div className="card">
          <Empty
            icon="find"
            title="No payment has this id"
            level="h2"
            actions={
              <Link href="/payments" className="btn go">
                All payments
              </Link>
            }
          >
            It may belong to another platform, or the id is not complete.
          </Empty>
        </div>
      </Screen>
    )
  const lost = failureAt('transaction')
  if (!found && lost)
    return (
      <Screen title="Payment">
        <div className="card">
          <Failed what="this payment" level="h2" failure={lost} retry={reload} />
        </div>
      </Screen>
    )
  const transaction = found ? newestOf(found) : undefined
  const title = transaction ? `Payment, ${partyOf(transaction)}` : 'Payment'
  return (
    <Screen title={title} heading={<Heading id={id} transaction={transaction} />}>
      <div className="two" key={id}>
        <div className="stack">
          {transaction ? (
            <>
              <Decision transaction={transaction} />
              {transaction.__typename !== 'CardTransaction' && <Actions payment={transaction} reload={reload} />}
              <MoneyPanel transaction={transaction} />
            </>
          ) : (
            <div className="card">
              <BoneRows count={12} />
            </div>
          )}
          <Ledger
            movements={transaction?.ledgerMovements}
            failure={failureAt('transaction.ledgerMovements')}
            reload={reload}
          />
          <Deliveries
            events={data?.events?.nodes}
            hasMore={data?.events?.pageInfo.hasNextPage}
            failure={failureAt('events')}
            reload={reload}
          />
        </div>
        <div className="stack">
          <Timeline
            changes={transaction?.timeline}
            createdAt={transaction?.createdAt}
            failure={failureAt('transaction.timeline')}
            reload={reload}
          />
          {transaction ? (
            <Details transaction={transaction} />
          ) : (
            <Panel title="Details">
              <BoneRows count={5} />
            </Panel>
          )}
        </div>
      </div>
    </Screen>
  )
}

const Heading = ({ id, transaction }: { readonly id: string; readonly transaction: Transaction | undefined }) => (
  <div className="hero">
    <nav className="crumb" aria-label="Breadcrumb">
      <Link href="/payments">Payments</Link>
      <Icon name="sep" />
      <PublicId id={id} />
      <Connection />
    </nav>
    {transaction ? (
      <Sum transaction={transaction} />
    ) : (
      <>
        <h1>Payment</h1>
        <p>&nbsp;</p>
      </>
    )}
  </div>
)

const Sum = ({ transaction }: { readonly transaction: Transaction }) => {
  const { amount, status, customer } = transaction
  const received = 'receivedAmount' in transaction ? transaction.receivedAmount : null
  // A cancelled payment stays completed, and its money came back.
  const refund = 'refund' in transaction ? transaction.refund : null
  const becomes = received && received.currency.code !== amount.currency.code ? received : null
  const agent = agentOf(transaction)
  const name = partyOf(transaction)
  const method = methodOf(transaction)
  return (
    <>
      <h1>
        <Money of={amount} flow={flowOf(transaction)} status={status} />
        {becomes && (
          <>
            <Icon name="next" className="to-icon" />
            <span className="vh">becomes </span>
            <Money of={becomes} status={status} />
          </>
        )}
        <Status of={status} isPill />
        {refund && status !== 'REFUNDED' && (
          <Status of={refund.status === 'COMPLETED' ? 'REFUNDED' : `REFUND_${refund.status}`} isPill />
        )}
      </h1>
      <p className="t2">
        {flowOf(transaction) === 'out' ? 'To' : 'From'} <bdi>{name}</bdi>
        {method !== name && method !== '—' && ` by ${method}`}
        {customer && (
          <>
            {' '}
            for <Link href={`/customers/${customer.id}`}>{customer.customerName ?? 'a customer'}</Link>
          </>
        )}
        {agent && (
          <>
            , asked by the agent <bdi>{agent.name}</bdi>
          </>
        )}
      </p>
    </>
  )
}
