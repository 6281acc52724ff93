import { Suspense, useMemo, useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import { HomeDocument, type HomeQuery } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Moment } from '../parts/moment.tsx'
import { figuresOf, Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { newestOf } from '../payments/newest.ts'
import { flowOf, partyOf } from '../payments/party.ts'
import { Boundary } from '../shell/boundary.tsx'
import { late } from '../shell/late.tsx'
import { Screen } from '../shell/screen.tsx'
import { balancesOf, daysOf, heldText, rangeOf } from './figures.ts'
import { Tiles } from './tiles.tsx'
import { Todo } from './todo.tsx'

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
  const { data, failure, failureAt, reload } = useScreen(HomeDocument, {
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
      <fieldset className="codes" aria-busy={codes.current.length === 0 && !failure && !data}>
        <legend className="vh">Currency</legend>
        <div className="seg">
          {codes.current.map((code) => (
            <button key={code} type="button" aria-pressed={currency === code} onClick={() => set('currency', code)}>
              {code}
            </button>
          ))}
          <button type="button" aria-pressed={!currency} onClick={() => set('currency', null)}>
            All<span className="vh"> currencies, counts only</span>
          </button>
        </div>
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
  const lost = data && { days: failureAt('days'), balances: failureAt('balances') }
  return (
    <Screen title="Home" end={end}>
      {!data && failure ? (
        <div className="card">
          <Failed what="the overview" level="h2" failure={failure} retry={reload} />
        </div>
      ) : (
        <div className="home">
          <Tiles data={data} currency={currency} failureAt={failureAt} />
          <div className="stack">
            <Todo data={data} failureAt={failureAt} reload={reload} />
            <Panel
              title="Payments by day"
              end={<span className="tiny t3">UTC days{currency && `, ${currency}`}</span>}
              className="chart-panel"
            >
              {lost?.days ? (
                <Failed what="the chart" failure={lost.days} retry={reload} />
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
            {lost?.balances ? (
              <Failed what="the balances" failure={lost.balances} retry={reload} />
            ) : (
              balances?.length === 0 && <Empty icon="list" title="No accounts yet" />
            )}
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
          <Latest data={data} failure={data && failureAt('latest')} reload={reload} />
        </div>
      )}
    </Screen>
  )
}

interface LatestProps {
  readonly data: HomeQuery | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

const Latest = ({ data, failure, reload }: LatestProps) => (
  <Panel
    title="Latest"
    end={
      <Link href="/payments" className="small">
        All payments
      </Link>
    }
  >
    {!data && <BoneRows count={5} />}
    {failure && <Failed what="the latest payments" failure={failure} retry={reload} />}
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
