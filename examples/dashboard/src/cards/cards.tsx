import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { type CardState, CardsDocument, type CardsQuery } from '../gql/graphql.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { lookOf, Status } from '../parts/status.tsx'
import { counted } from '../parts/words.ts'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { Detail } from './detail.tsx'
import { Simulator } from './simulator.tsx'
import { Uses } from './uses.tsx'

export type Card = Extract<NonNullable<CardsQuery['card']>, { readonly __typename: 'Card' }>

const STATES: readonly CardState[] = ['ACTIVE', 'FROZEN', 'PROCESSING', 'PENDING_KYC', 'CLOSED']
const RELOAD_MS = 500
const SIZE = 50

export const Cards = () => {
  const { id: raw } = useParams()
  const id = raw === undefined ? undefined : decodeURIComponent(raw)
  const [query, setQuery] = useSearchParams()
  const [, navigate] = useLocation()
  const state = STATES.find((known) => known === query.get('state'))
  const { data, failureAt, reload } = useScreen(CardsDocument, {
    filter: state ? { states: [state] } : null,
    ...windowOf(query, SIZE),
    id: id ?? '',
    hasCard: id !== undefined,
  })
  const cards = data?.cards?.nodes
  const lost = { cards: failureAt('cards'), card: failureAt('card'), uses: data && failureAt('card.transactions') }
  useValidPlace(lost.cards)
  const place = query.size > 0 ? `?${query}` : ''
  const at = cards?.findIndex((card) => card.id === id) ?? -1
  const open = (to: number) => {
    const next = cards?.[Math.min(Math.max(to, 0), cards.length - 1)]
    if (next) navigate(`/cards/${next.id}${place}`)
  }
  useKeys([
    { press: 'j', does: 'Next card', run: () => open(at + 1) },
    { press: 'k', does: 'Previous card', run: () => open(at - 1) },
    { press: 'Escape', does: 'Close the card', run: () => (id ? navigate(`/cards${place}`) : false) },
  ])
  const detail = data?.card?.__typename === 'Card' ? data.card : undefined
  // A change of only the held amount is an event of the account, not of the card.
  useReload(reload, RELOAD_MS, ({ card, transaction, internalAccount }) =>
    Boolean(card || (transaction && 'card' in transaction) || (detail && internalAccount?.id === detail.account?.id)),
  )
  const total = data?.cards?.totalCount
  const isSandbox = data?.viewer?.platform?.environment === 'SANDBOX'
  return (
    <Screen
      title="Cards"
      end={
        <span className="t2 small num match">
          {total === null || total === undefined ? '' : counted(total, 'card')}
        </span>
      }
    >
      <nav className="views" aria-label="State of the cards">
        <button type="button" aria-current={state ? undefined : 'page'} onClick={() => setQuery({})}>
          All
        </button>
        {STATES.map((known) => (
          <button
            key={known}
            type="button"
            aria-current={state === known ? 'page' : undefined}
            onClick={() => setQuery({ state: known })}
          >
            {lookOf(known).word}
          </button>
        ))}
      </nav>
      <div className={id === undefined ? 'cards' : 'cards one'}>
        <Panel title="All cards">
          {lost.cards && <Failed what="cards" failure={lost.cards} retry={reload} />}
          {!cards && !lost.cards && <BoneRows count={6} />}
          {cards?.length === 0 && (
            <Empty icon="cardi" title={state ? 'No card is in this state' : 'No cards yet'}>
              Order one on the page of a customer.
            </Empty>
          )}
          <ul className="rows">
            {cards?.map((card) => (
              <li key={card.id} className={card.id === id ? 'chosen' : undefined}>
                <span className="ava">
                  <Icon name="cardi" />
                </span>
                <span className="grow cut">
                  <Link
                    className="over-row"
                    href={`/cards/${card.id}${place}`}
                    aria-current={card.id === id ? 'true' : undefined}
                  >
                    {card.last4 ? `•••• ${card.last4}` : 'No number yet'}
                  </Link>{' '}
                  <span className="t2">{card.customer?.customerName ?? 'No customer'}</span>
                </span>
                <Status of={card.state} />
              </li>
            ))}
          </ul>
          <Pager text={cards ? counted(cards.length, 'card') : ''} pageInfo={data?.cards?.pageInfo} />
        </Panel>
        <div className="open">
          {id === undefined ? (
            <Panel title="No card is open" className="hide-s">
              <Empty icon="cardi" title="Choose a card">
                Its account and its payments appear here.
              </Empty>
            </Panel>
          ) : data && lost.card ? (
            <Panel title="Card">
              <Failed what="this card" failure={lost.card} retry={reload} />
            </Panel>
          ) : data && !detail ? (
            <Panel title="No such card">
              <Empty icon="find" title="No card has this id" />
            </Panel>
          ) : (
            <div className="stack">
              <Detail card={detail} />
              {isSandbox && detail && <Simulator key={detail.id} card={detail} />}
            </div>
          )}
          {id !== undefined && (!data || detail) && (
            <Uses card={detail} isSandbox={isSandbox} failure={lost.uses} reload={reload} />
          )}
        </div>
      </div>
    </Screen>
  )
}
