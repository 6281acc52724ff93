// What developers need: the endpoint, its deliveries, tokens, events, and the cost of a query.
import { Suspense } from 'react'
import { Link, useParams } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { BoneRows } from '../parts/panel.tsx'
import { late } from '../shell/late.tsx'
import { Screen } from '../shell/screen.tsx'
import { Overview } from './overview.tsx'
import { TestButton } from './test-button.tsx'

const Tokens = late(async () => (await import('./tokens.tsx')).Tokens)
const Events = late(async () => (await import('./events.tsx')).Events)
const Cost = late(async () => (await import('./cost.tsx')).Cost)

const VIEWS = [
  ['', 'Overview'],
  ['tokens', 'Tokens'],
  ['events', 'Events'],
  ['cost', 'Query cost'],
] as const

/** The gateway marks the page if it serves GraphiQL. */
const hasGraphiql = 'graphiql' in document.documentElement.dataset

export const Developers = () => {
  const { view = '' } = useParams()
  const name = VIEWS.find(([path]) => path === view)?.[1] ?? 'Overview'
  return (
    <Screen
      title={view ? `Developers, ${name}` : 'Developers'}
      isLive={view !== 'tokens' && view !== 'cost'}
      end={
        <>
          {hasGraphiql && (
            <a className="btn" href="/graphql">
              <Icon name="dev" />
              GraphiQL
            </a>
          )}
          <TestButton />
        </>
      }
    >
      <nav className="views" aria-label="Developers">
        {VIEWS.map(([path, text]) => (
          <Link
            key={path}
            href={path ? `/developers/${path}` : '/developers'}
            aria-current={text === name ? 'page' : undefined}
          >
            {text}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<BoneRows count={8} />}>
        {view === 'tokens' ? <Tokens /> : view === 'events' ? <Events /> : view === 'cost' ? <Cost /> : <Overview />}
      </Suspense>
    </Screen>
  )
}
