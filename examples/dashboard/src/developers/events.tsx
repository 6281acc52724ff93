import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { EventDataDocument, EventsDocument, type EventType } from '../gql/graphql.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { lookOf } from '../parts/status.tsx'
import { Answer, eventName } from '../payment/deliveries.tsx'
import { pathOfId } from '../shell/places.ts'

const SIZE = 25
const GROUPS: readonly (readonly [string, string, readonly EventType[]])[] = [
  ['', 'All', []],
  [
    'payments',
    'Payments',
    [
      'OUTGOING_PAYMENT_PENDING',
      'OUTGOING_PAYMENT_PENDING_AUTHORIZATION',
      'OUTGOING_PAYMENT_PROCESSING',
      'OUTGOING_PAYMENT_COMPLETED',
      'OUTGOING_PAYMENT_FAILED',
      'OUTGOING_PAYMENT_EXPIRED',
      'INCOMING_PAYMENT_PENDING',
      'INCOMING_PAYMENT_COMPLETED',
      'INCOMING_PAYMENT_FAILED',
    ],
  ],
  [
    'cards',
    'Cards',
    [
      'CARD_TRANSACTION_AUTHORIZED',
      'CARD_TRANSACTION_PARTIALLY_SETTLED',
      'CARD_TRANSACTION_SETTLED',
      'CARD_TRANSACTION_REFUNDED',
      'CARD_TRANSACTION_EXCEPTION',
      'CARD_STATE_CHANGE',
      'CARD_FUNDING_SOURCE_CHANGE',
    ],
  ],
  ['agents', 'Agents', ['AGENT_ACTION_PENDING_APPROVAL']],
  ['accounts', 'Accounts', ['INTERNAL_ACCOUNT_BALANCE_UPDATED', 'INTERNAL_ACCOUNT_STATUS_UPDATED']],
]
const RELOAD_MS = 500

export const Events = () => {
  const [query, setQuery] = useSearchParams()
  const group = GROUPS.find(([name]) => name === (query.get('group') ?? '')) ?? GROUPS[0]
  const types = group?.[2] ?? []
  const chosen = query.get('id')
  const { data, failureAt, reload } = useScreen(EventsDocument, {
    filter: types.length > 0 ? { types: [...types] } : null,
    ...windowOf(query, SIZE),
  })
  const isNewest = !query.get('after') && !query.get('before')
  useReload(reload, RELOAD_MS, () => isNewest)
  const events = data?.events?.nodes
  const failure = failureAt('events')
  useValidPlace(failure)
  const open = (id: string) =>
    setQuery((now) => {
      const next = new URLSearchParams(now)
      next.set('id', id)
      return next
    })
  return (
    <div className="two">
      <Panel
        title="Events"
        end={
          <fieldset className="seg">
            <legend className="vh">Kind</legend>
            {GROUPS.map(([name, text]) => (
              <button
                key={name}
                type="button"
                aria-pressed={name === group?.[0]}
                onClick={() => setQuery(name ? { group: name } : {})}
              >
                {text}
              </button>
            ))}
          </fieldset>
        }
      >
        {failure ? (
          <Failed what="events" failure={failure} retry={reload} />
        ) : !events ? (
          <BoneRows count={12} />
        ) : events.length === 0 ? (
          <Empty icon="dev" title="No events">
            Events appear here by themselves, and are kept for 30 days.
          </Empty>
        ) : (
          <ol className="stream">
            {events.map(({ id, eventType, createdAt, delivery }) => {
              const { tone, icon } = lookOf(eventType.split('_').at(-1) ?? '')
              return (
                <li key={id} className={tone} aria-current={id === chosen ? 'true' : undefined}>
                  <Icon name={icon} />
                  <span className="grow">
                    <button type="button" className="link mono" onClick={() => open(id)}>
                      {eventName(eventType)}
                    </button>
                    <br />
                    <span className="t2">
                      <Answer delivery={delivery} />
                    </span>
                  </span>
                  <span className="tiny t3">
                    <Moment at={createdAt} />
                  </span>
                </li>
              )
            })}
          </ol>
        )}
        <Pager text="Newest first" pageInfo={data?.events?.pageInfo} />
      </Panel>
      <Data id={chosen ?? events?.[0]?.id} />
    </div>
  )
}

/** The body of the event's webhook: the whole resource as it was then. */
const Data = ({ id }: { readonly id: string | undefined }) => {
  const { data, failure, reload } = useScreen(EventDataDocument, { id: id ?? '' }, { pause: !id })
  const [isCopied, setCopied] = useState('')
  const event = data?.node?.__typename === 'Event' ? data.node : undefined
  const text = event ? JSON.stringify(event.data, null, 2) : ''
  const path = event?.subjectId ? pathOfId(event.subjectId) : undefined
  return (
    <Panel
      title={event ? eventName(event.eventType) : 'Event'}
      end={
        event && (
          <button
            type="button"
            className="btn sm bare"
            onClick={async () => {
              await navigator.clipboard.writeText(text)
              setCopied(event.id)
            }}
          >
            <Icon name={isCopied === event.id ? 'tick' : 'copy'} />
            Copy
          </button>
        )
      }
    >
      {failure && !event ? (
        <Failed what="the event" failure={failure} retry={reload} />
      ) : !event ? (
        <BoneRows count={6} />
      ) : (
        <>
          <p className="body small">
            <PublicId id={event.id} /> <Moment at={event.createdAt} as="full" />{' '}
            {path && <Link href={path}>What it is about</Link>}
          </p>
          <pre className="code" tabIndex={0} role="region" aria-label="Data of the event">
            {text}
          </pre>
        </>
      )}
    </Panel>
  )
}
