import { type ReactNode, useState } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { CustomerDocument, type CustomerQuery, SubmitVerificationDocument } from '../gql/graphql.ts'
import { useReload } from '../graphql/use-reload.ts'
import { type Loaded, useScreen } from '../graphql/use-screen.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel, Refusal } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { Status } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { Fact } from '../payment/details.tsx'
import { newestOf } from '../payments/newest.ts'
import { flowOf, partyOf } from '../payments/party.ts'
import { Connection } from '../shell/connection.tsx'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { say } from '../shell/toasts.tsx'
import { Accounts } from './accounts.tsx'
import { Agents } from './agents.tsx'
import { CreateAccount } from './create-account.tsx'
import { AgentCode, CreateAgent, type MadeAgent } from './create-agent.tsx'
import { CustomerCards } from './customer-cards.tsx'
import { OrderCard } from './order-card.tsx'

export type CustomerDetail = NonNullable<CustomerQuery['customer']>
type Making = 'account' | 'agent' | 'card'

const RELOAD_MS = 700

export const Customer = () => {
  const { id: raw = '' } = useParams()
  const id = decodeURIComponent(raw)
  const [, navigate] = useLocation()
  const [making, setMaking] = useState<Making | undefined>()
  const [agent, setAgent] = useState<MadeAgent | undefined>()
  const { data, failureAt, reload } = useScreen(CustomerDocument, { id })
  useKeys([{ press: 'Escape', does: 'Back to the list', run: () => navigate('/customers') }])
  useReload(reload, RELOAD_MS, ({ customer, transaction, card, internalAccount }) =>
    [customer?.id, transaction?.customer?.id, card?.customerId, internalAccount?.ownerId].includes(id),
  )
  const customer = data?.customer
  const lost = failureAt('customer')
  if (data && !customer && !lost)
    return (
      <Screen title="No such customer">
        <div className="card">
          <Empty
            icon="find"
            title="No customer has this id"
            level="h2"
            actions={
              <Link href="/customers" className="btn go">
                All customers
              </Link>
            }
          />
        </div>
      </Screen>
    )
  const name = customer ? (customer.customerName ?? 'No name yet') : 'Customer'
  const heading = (
    <div className="hero">
      <nav className="crumb" aria-label="Breadcrumb">
        <Link href="/customers">Customers</Link>
        <Icon name="sep" />
        <PublicId id={id} />
        <Connection />
      </nav>
      <h1>
        <bdi>{name}</bdi> {customer && <Status of={customer.verificationStatus} isPill />}
      </h1>
      <p className="t2">
        {customer ? `${sentence(customer.customerType)}, ${customer.platformCustomerId}` : <>&nbsp;</>}
      </p>
    </div>
  )
  const part = { customer, failureAt, reload }
  const made = () => {
    setMaking(undefined)
    reload()
  }
  return (
    <Screen title={name} heading={heading}>
      {lost ? (
        <div className="card">
          <Failed what="this customer" level="h2" failure={lost} retry={reload} />
        </div>
      ) : (
        <div className="two" key={id}>
          <div className="stack">
            <Accounts {...part} add={() => setMaking('account')} />
            <Payments {...part} />
            <Agents {...part} add={() => setMaking('agent')} />
          </div>
          <div className="stack">
            <Onboarding {...part} />
            <Details customer={customer} />
            <CustomerCards {...part} add={() => setMaking('card')} />
          </div>
        </div>
      )}
      {customer && making === 'account' && (
        <CreateAccount customer={customer} close={() => setMaking(undefined)} made={made} />
      )}
      {customer && making === 'agent' && (
        <CreateAgent
          customer={customer}
          close={() => setMaking(undefined)}
          made={(made) => {
            setAgent(made)
            setMaking((now) => (now === 'agent' ? undefined : now))
            reload()
          }}
        />
      )}
      {agent && <AgentCode made={agent} close={() => setAgent(undefined)} />}
      {customer && making === 'card' && (
        <OrderCard customer={customer} close={() => setMaking(undefined)} made={reload} />
      )}
    </Screen>
  )
}

export interface Part extends Pick<Loaded<CustomerQuery>, 'failureAt' | 'reload'> {
  readonly customer: CustomerDetail | null | undefined
}

const Payments = ({ customer, failureAt, reload }: Part) => {
  const failure = customer && failureAt('customer.transactions')
  return (
    <Panel
      title="Latest payments"
      end={
        customer && (
          <Link className="small" href={`/payments?customerId=${encodeURIComponent(customer.id)}`}>
            All {customer.transactions?.totalCount ?? ''}
          </Link>
        )
      }
    >
      {!customer && <BoneRows count={5} />}
      {failure && <Failed what="the payments" failure={failure} retry={reload} />}
      {customer?.transactions?.nodes.length === 0 && <Empty icon="list" title="No payments yet" />}
      <ul className="rows">
        {customer?.transactions?.nodes.map(newestOf).map((row) => (
          <li key={row.id}>
            <Status of={row.status} isQuiet />
            <span className="grow">
              <Link href={`/payments/${row.id}`} className="cut who">
                {partyOf(row)}
              </Link>
              <span className="tiny t3">
                <Moment at={row.createdAt} />
              </span>
            </span>
            <Money of={row.amount} flow={flowOf(row)} status={row.status} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const STEPS: Readonly<Record<string, string>> = {
  APPROVED: 'The customer may pay and be paid.',
  PENDING: 'The provider checks the customer.',
  UNVERIFIED: 'Nothing was submitted yet.',
  HOLD: 'The check is on hold until a person reviews it.',
  REJECTED: 'The customer cannot be served.',
}

const Onboarding = ({ customer, reload }: Part) => {
  const { write, isBusy, failure } = useWrite(SubmitVerificationDocument)
  const whyNot = useWhyNot('MANAGE')
  const latest = customer?.verifications?.nodes[0]
  const submit = async () => {
    if (!customer) return
    const { success } = await write({ input: { customerId: customer.id } })
    if (success) {
      say('The verification is submitted')
      reload()
    }
  }
  // A verification that is being reviewed does not change when it is submitted again.
  const isReviewed = latest && ['IN_PROGRESS', 'PENDING_MANUAL_REVIEW'].includes(latest.verificationState)
  const isDecided = customer && ['APPROVED', 'REJECTED'].includes(customer.verificationStatus)
  const hasErrors = latest?.verificationState === 'RESOLVE_ERRORS'
  const canSubmit = customer && !customer.isDeleted && !isDecided && !isReviewed
  return (
    <Panel title="Onboarding" end={customer && <Status of={customer.verificationStatus} />}>
      {!customer && <BoneRows count={2} />}
      <div className="body stack near">
        {customer && (
          <p className="small t2">
            {hasErrors ? 'Correct what is listed, and submit it again.' : STEPS[customer.verificationStatus]}
          </p>
        )}
        {latest && (
          <p className="small">
            Verification: <Status of={latest.verificationState} />{' '}
            <span className="t3">
              <Moment at={latest.updatedAt} />
            </span>
          </p>
        )}
        {latest && latest.errors.length > 0 && (
          <ul className="small t2">
            {latest.errors.map(({ type, field, reason }) => (
              <li key={`${type} ${field}`}>
                {field ? `${sentence(field)}: ` : ''}
                {reason}
              </li>
            ))}
          </ul>
        )}
        {failure && <Refusal title="Not submitted" failure={failure} />}
        {canSubmit && (
          <button
            type="button"
            className="btn"
            disabled={isBusy || whyNot !== undefined}
            title={whyNot}
            onClick={submit}
          >
            {isBusy ? 'Submitting …' : 'Submit for verification'}
          </button>
        )}
      </div>
    </Panel>
  )
}

const Details = ({ customer }: Pick<Part, 'customer'>) => {
  const text = (value: string | null | undefined): ReactNode => value ?? <span className="t3">None</span>
  return (
    <Panel title="Details">
      {!customer ? (
        <BoneRows count={5} />
      ) : (
        <div className="body">
          <dl className="facts">
            <Fact name="Your id">{customer.platformCustomerId}</Fact>
            <Fact name="Email">{text(customer.email)}</Fact>
            <Fact name="Phone">{text(customer.phoneNumber)}</Fact>
            <Fact name="UMA address">{text(customer.umaAddress)}</Fact>
            <Fact name="Region">{text(customer.region)}</Fact>
            <Fact name="Currencies">{customer.currencies.join(', ') || text(null)}</Fact>
            <Fact name="Created">
              <Moment at={customer.createdAt} as="full" />
            </Fact>
          </dl>
        </div>
      )}
    </Panel>
  )
}
