import { Suspense, useMemo, useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import { HomeDocument, type HomeQuery } from '../gql/graphql.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { agoText, Moment, useNow } from '../parts/moment.tsx'
import { figuresOf, Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { counted } from '../parts/words.ts'
import { newestOf } from '../payments/newest.ts'
import { flowOf, partyOf } from '../payments/party.ts'
import { Boundary } from '../shell/boundary.tsx'
import { late } from '../shell/late.tsx'
import { Screen } from '../shell/screen.tsx'
import { balancesOf, daysOf, heldText, rangeOf } from './figures.ts'
import { Tiles } from './tiles.tsx'

const Chart = late(async () => (await import('./chart.tsx')).Chart)

const TIMES = [7, 30, 90]
const REFRESH_MS = 3_000

export const Home = () => {
  const [query, setQuery] = useSearchParams()
  const time = Number(query.get('days'))
  const days = TIMES.includes(time) ? time : 30
  const currency = query.get('currency')
  const today = new Date().toISOString().slice(0, 10)
  const range = useMemo(() => rangeOf(days, Date.parse(today)), [days, today])
  const { data, failure, failedPaths, reload } = useScreen(HomeDocument, {
    ...range,
    currencies: currency ? [currency] : null,
  })
  useReload(reload, REFRESH_MS)
  const balances = useMemo(() => (data ? balancesOf(data) : undefined), [data])
  const codes = useRef<readonly string[]>([])
  if (balances)
    codes.current = [...new Set([...balances.map(({ code }) => code), ...(currency ? [currency] : [])])].slice(0, 5)
  const set = (name: string, value: string | null) =>
    setQuery((before) => {
      const next = new URLSearchParams(before)
      if (value) next.set(name, value)
      else next.delete(name)
      return next
    })
  const chartDays = useMemo(() => (data ? daysOf(data, range) : undefined), [data, range])
  const end = (
    <>
      <fieldset className="seg">
        <legend className="vh">Currency</legend>
        {codes.current.map((code) => (
          <button key={code} type="button" aria-pressed={currency === code} onClick={() => set('currency', code)}>
            {code}
          </button>
        ))}
        <button type="button" aria-pressed={!currency} onClick={() => set('currency', null)}>
          All<span className="vh"> currencies, counts only</span>
        </button>
      </fieldset>
      <fieldset className="seg">
        <legend className="vh">Time</legend>
        {TIMES.map((choice) => (
          <button
            key={choice}
            type="button"
            aria-pressed={days === choice}
            onClick={() => set('days', choice === 30 ? null : String(choice))}
          >
            {choice} days
          </button>
        ))}
      </fieldset>
    </>
  )
  const isLost = (path: string) => failedPaths.includes(path)
  return (
    <Screen title="Home" end={end}>
      {!data && failure ? (
        <div className="card">
          <Failed what="the overview" failure={failure} retry={reload} />
        </div>
      ) : (
        <div className="home">
          <Tiles data={data} currency={currency} />
          <div className="stack">
            <Todo data={data} />
            <Panel
              title="Payments by day"
              end={<span className="tiny t3">UTC days{currency && `, ${currency}`}</span>}
              className="chart-panel"
            >
              {isLost('days') && failure ? (
                <Failed what="the chart" failure={failure} retry={reload} />
              ) : (
                <Boundary at="" show={(failure) => failure}>
                  <Suspense fallback={<div className="chart-space" />}>
                    {chartDays ? <Chart days={chartDays} /> : <div className="chart-space" aria-busy="true" />}
                  </Suspense>
                </Boundary>
              )}
            </Panel>
          </div>
          <Panel title="Balances" end={<span className="tiny t3">The platform’s own accounts</span>}>
            {!balances && <BoneRows count={4} />}
            {balances?.length === 0 && <Empty icon="list" title="No accounts yet" />}
            <ul className="rows bal">
              {balances?.map((balance) => (
                <li key={balance.code}>
                  <b>{balance.code}</b>
                  <span className="grow sub">{balance.name}</span>
                  <span className="r num">
                    <span className="mo">{figuresOf(balance.available, balance.decimals)}</span>
                    <br />
                    <span className="sub">{heldText(balance)}</span>
                  </span>
                </li>
              ))}
            </ul>
          </Panel>
          <Latest data={data} />
        </div>
      )}
    </Screen>
  )
}

/** What is waiting, failing or about to expire comes first. */
const Todo = ({ data }: { readonly data: HomeQuery | undefined }) => {
  const now = useNow()
  if (!data)
    return (
      <Panel title="Needs a person">
        <BoneRows count={2} />
      </Panel>
    )
  const waiting = data.waiting?.totalCount ?? 0
  const oldest = data.oldest?.nodes[0]
  const authorizations = data.authorizations?.totalCount ?? 0
  const exceptions = data.exceptions?.totalCount ?? 0
  const endpoint = data.webhookEndpoint
  const isFailing = endpoint && (endpoint.failingSince || endpoint.status !== 'ENABLED')
  const isQuiet = !waiting && !authorizations && !exceptions && !isFailing
  return (
    <Panel title="Needs a person">
      {isQuiet && (
        <Empty icon="ok" title="Nothing waits">
          New requests appear here by themselves.
        </Empty>
      )}
      <ul className="rows todo">
        {waiting > 0 && (
          <Task
            to="/approvals"
            tone="wait"
            icon="pause"
            title={`${counted(waiting, 'approval')} ${waiting === 1 ? 'waits' : 'wait'}`}
            detail={oldest ? `oldest ${agoText(oldest.createdAt, now)}` : ''}
          />
        )}
        {authorizations > 0 && (
          <Task
            to="/payments?statuses=PENDING_AUTHORIZATION"
            tone="wait"
            icon="lock"
            title={`${counted(authorizations, 'payment')} ${authorizations === 1 ? 'needs' : 'need'} an authorization`}
            detail="by the customer"
          />
        )}
        {exceptions > 0 && (
          <Task
            to="/payments?statuses=EXCEPTION"
            tone="bad"
            icon="tri"
            title={`${counted(exceptions, 'card settlement')} could not be collected`}
            detail=""
          />
        )}
        {isFailing && (
          <Task
            to="/developers"
            tone="bad"
            icon="oct"
            title={endpoint.status === 'ENABLED' ? 'The webhook endpoint fails' : 'The webhook endpoint is not in use'}
            detail={`${counted(endpoint.waiting ?? 0, 'delivery', 'deliveries')} wait`}
          />
        )}
      </ul>
    </Panel>
  )
}

interface TaskProps {
  readonly to: string
  readonly tone: string
  readonly icon: string
  readonly title: string
  readonly detail: string
}

const Task = ({ to, tone, icon, title, detail }: TaskProps) => (
  <li>
    <span className={`st ${tone}`}>
      <Icon name={icon} />
    </span>
    <Link href={to}>
      <strong>{title}</strong> <span className="t2">{detail}</span>
    </Link>
    <Icon name="sep" />
  </li>
)

const Latest = ({ data }: { readonly data: HomeQuery | undefined }) => (
  <Panel
    title="Latest"
    end={
      <Link href="/payments" className="small">
        All payments
      </Link>
    }
  >
    {!data && <BoneRows count={5} />}
    {data?.latest?.nodes.length === 0 && (
      <Empty icon="list" title="No payments yet">
        New payments appear here by themselves.
      </Empty>
    )}
    <ul className="rows latest">
      {data?.latest?.nodes.map(newestOf).map((row) => (
        <li key={row.id}>
          <Status of={row.status} isQuiet />
          <span className="grow">
            <Link href={`/payments/${row.id}`} className="cut who">
              {partyOf(row).name}
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
