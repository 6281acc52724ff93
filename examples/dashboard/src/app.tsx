// The shell around all screens. Each screen, the palette and the help are loaded when they are first opened.
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { Link, Route, Switch, useLocation } from 'wouter'
import { ShellOnlyDocument } from './gql/graphql.ts'
import { client, documentOf } from './graphql/client.ts'
import type { LiveEvent } from './graphql/live.ts'
import { useReload } from './graphql/use-reload.ts'
import { Empty } from './parts/panel.tsx'
import { Boundary } from './shell/boundary.tsx'
import { ConnectionBanner } from './shell/connection.tsx'
import { useKeys } from './shell/keys.ts'
import { late } from './shell/late.tsx'
import { PLACES } from './shell/places.ts'
import { Frame, Screen } from './shell/screen.tsx'
import { Sidebar } from './shell/sidebar.tsx'
import { Toasts } from './shell/toasts.tsx'
import { TypedAhead } from './shell/typed-ahead.tsx'

/** Shows its frame at once, while its code is loaded. */
const screen = (title: string, load: () => Promise<ComponentType>) => {
  const Loaded = late(load)
  return () => (
    <Suspense fallback={<Frame title={title} />}>
      <Loaded />
    </Suspense>
  )
}

const Home = screen('Home', async () => (await import('./home/home.tsx')).Home)
const Payments = screen('Payments', async () => (await import('./payments/payments.tsx')).Payments)
const Payment = screen('Payment', async () => (await import('./payment/payment.tsx')).Payment)
const Approvals = screen('Approvals', async () => (await import('./approvals/approvals.tsx')).Approvals)
const Customers = screen('Customers', async () => (await import('./customers/customers.tsx')).Customers)
const Customer = screen('Customer', async () => (await import('./customers/customer.tsx')).Customer)
const Cards = screen('Cards', async () => (await import('./cards/cards.tsx')).Cards)
const Developers = screen('Developers', async () => (await import('./developers/developers.tsx')).Developers)
const Wallet = screen('Wallet', async () => (await import('./wallet/wallet.tsx')).Wallet)
const Palette = late(async () => (await import('./shell/palette.tsx')).Palette)
const More = late(async () => (await import('./shell/more.tsx')).More)
const KeysHelp = late(async () => (await import('./shell/keys-help.tsx')).KeysHelp)

type Overlay = 'palette' | 'keys' | 'more'

export const App = () => {
  const [overlay, setOverlay] = useState<Overlay | undefined>()
  const [path, navigate] = useLocation()
  const close = () => setOverlay(undefined)
  useKeys([
    { press: '/', does: 'Search', run: () => setOverlay('palette') },
    { press: '?', does: 'Show all keys', run: () => setOverlay('keys') },
    ...PLACES.map((place) => ({ press: `g ${place.key}`, does: place.name, run: () => navigate(place.path) })),
  ])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setOverlay((current) => (current === 'palette' ? undefined : 'palette'))
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes what lies over the old one
  useEffect(close, [path])
  useReload(countWaiting, COUNT_MS, mayWait)
  return (
    <>
      <div className="app">
        <Sidebar
          openPalette={() => setOverlay('palette')}
          openMore={() => setOverlay('more')}
          openKeys={() => setOverlay('keys')}
        />
        <Boundary
          at={path}
          show={(failure) => (
            <Screen title="Failed">
              <div className="card">{failure}</div>
            </Screen>
          )}
        >
          <Switch>
            <Route path="/" component={Home} />
            <Route path="/payments" component={Payments} />
            <Route path="/payments/:id" component={Payment} />
            <Route path="/approvals/:id?" component={Approvals} />
            <Route path="/customers" component={Customers} />
            <Route path="/customers/:id" component={Customer} />
            <Route path="/cards/:id?" component={Cards} />
            <Route path="/developers/:view?" component={Developers} />
            <Route path="/wallet/:id?" component={Wallet} />
            <Route component={NoScreen} />
          </Switch>
        </Boundary>
      </div>
      <ConnectionBanner />
      <Toasts />
      <Boundary
        at={`${path} ${overlay}`}
        show={(failure) =>
          overlay && (
            <div className="banner">
              <div className="card">{failure}</div>
            </div>
          )
        }
      >
        <Suspense fallback={overlay === 'palette' && <TypedAhead />}>
          {overlay === 'palette' && <Palette close={close} />}
          {overlay === 'keys' && <KeysHelp close={close} />}
          {overlay === 'more' && <More close={close} />}
        </Suspense>
      </Boundary>
    </>
  )
}

const NoScreen = () => (
  <Screen title="No such screen">
    <div className="card">
      <Empty
        icon="find"
        title="Nothing is at this address"
        level="h2"
        actions={
          <Link href="/" className="btn go">
            Home
          </Link>
        }
      />
    </div>
  </Screen>
)

const COUNT_MS = 1_000

/** Whether the event may change the number of waiting requests. */
const mayWait = ({ eventType }: LiveEvent) =>
  /^(AGENT_ACTION|OUTGOING_PAYMENT_(PENDING|PROCESSING|FAILED|EXPIRED)|INCOMING_PAYMENT_(PENDING|COMPLETED|FAILED))/.test(
    eventType,
  )

const countWaiting = () =>
  void client.query(documentOf(ShellOnlyDocument), {}, { requestPolicy: 'network-only' }).toPromise()
