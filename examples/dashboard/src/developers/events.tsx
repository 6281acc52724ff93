import { eventTypes } from 'virtual:event-types'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { EventDataDocument, EventsDocument, type EventType } from '../gql/graphql.ts'
import { useHeld } from '../graphql/use-held.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { Moment } from '../parts/moment.tsx'
import { NewRows } from '../parts/new-rows.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { lookOf } from '../parts/status.tsx'
import { Answer, EventName } from '../payment/deliveries.tsx'
import { pathOfId } from '../shell/places.ts'

const SIZE = 25
/** The name in the address, the name on the button, and how the types of the group begin. The last group has all other types. */
const GROUPS: readonly (readonly [string, string, RegExp])[] = [
  ['payments', 'Payments', /^(OUTGOING|INCOMING)_PAYMENT_/],
  ['cards', 'Cards', /^CARD_/],
  ['agents', 'Agents', /^AGENT_/],
  ['customers', 'Customers', /^(CUSTOMER|VERIFICATION|INVITATION|BULK_UPLOAD)_/],
  ['accounts', 'Accounts', /^INTERNAL_ACCOUNT_/],
  ['other', 'Other', /^/],
]
const groupOf = (type: EventType) => GROUPS.find(([, , begins]) => begins.test(type))?.[0]
const RELOAD_MS = 500

export const Events = () => {
  const [query, setQuery] = useSearchParams()
  const group = query.get('group')
  const types = eventTypes.filter((type) => groupOf(type) === group)
  const chosen = query.get('id')
  const { data, failureAt, reload } = useScreen(EventsDocument, {
    filter: types.length > 0 ? { types } : null,
    ...windowOf(query, SIZE),
  })
  const isNewest = !query.get('after') && !query.get('before')
  useReload(reload, RELOAD_MS, () => isNewest)
  const {
    ref,
    rows: events,
    pageInfo,
    news,
    show,
  } = useHeld(data?.events, `${group} ${query.get('after')} ${query.get('before')}`, chosen !== null)
  const failure = failureAt('events')
  useValidPlace(failure)
  const shown = chosen ?? events?.[0]?.id
  const isAnyShown = shown !== undefined || (!events && !failure)
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
            <button type="button" aria-pressed={types.length === 0} onClick={() => setQuery({})}>
              All
            </button>
            {GROUPS.map(([name, text]) => (
              <button key={name} type="button" aria-pressed={name === group} onClick={() => setQuery({ group: name })}>
                {text}
              </button>
            ))}
          </fieldset>
        }
      >
        <NewRows count={news} noun="new event" show={show} />
        {failure ? (
          <Failed what="events" failure={failure} retry={reload} />
        ) : !events ? (
          <BoneRows count={12} />
        ) : events.length === 0 ? (
          <Empty icon="dev" title="No events">
            Events appear here by themselves, and are kept for 30 days.
          </Empty>
        ) : (
          <ol className="stream" ref={ref}>
            {events.map(({ id, eventType, createdAt, delivery }) => {
              const { tone, icon } = lookOf(eventType.split('_').at(-1) ?? '')
              return (
                <li key={id} className={tone} aria-current={id === chosen ? 'true' : undefined}>
                  <Icon name={icon} />
                  <span className="grow">
                    <button type="button" className="link mono" onClick={() => open(id)}>
                      <EventName type={eventType} />
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
        <Pager text="Newest first" pageInfo={pageInfo} />
      </Panel>
      {isAnyShown && <Data id={shown} isChosen={chosen !== null} />}
    </div>
  )
}

interface DataProps {
  readonly id: string | undefined
  readonly isChosen: boolean
}

/** The body of the event's webhook: the whole resource as it was then. It comes into view when it is chosen. */
const Data = ({ id, isChosen }: DataProps) => {
  const panel = useRef<HTMLElement>(null)
  const { data, failure, reload } = useScreen(EventDataDocument, { id: id ?? '' }, { pause: !id })
  const [isCopied, setCopied] = useState('')
  const event = data?.node?.__typename === 'Event' ? data.node : undefined
  const text = event ? JSON.stringify(event.data, null, 2) : ''
  useEffect(() => {
    if (isChosen && event?.id) panel.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen, event?.id])
  const path = event?.subjectId ? pathOfId(event.subjectId) : undefined
  return (
    <Panel
      ref={panel}
      className="beside"
      title={event ? <EventName type={event.eventType} /> : 'Event'}
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
      ) : data && !event ? (
        <Empty icon="find" title="No event has this id">
          Events are kept for 30 days.
        </Empty>
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
