// Events with their deliveries to the endpoint, and a button to send them again.
import { Fragment } from 'react'
import { Link } from 'wouter'
import { type EventRowFragment, ResendDocument } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { leftText, Moment, useNow } from '../parts/moment.tsx'
import { BoneRows, Empty, Failed, Panel, Refusal } from '../parts/panel.tsx'
import { lookOf } from '../parts/status.tsx'
import { sentence } from '../parts/words.ts'
import { say } from '../shell/toasts.tsx'

/** `OUTGOING_PAYMENT_COMPLETED` as the webhook says it, `OUTGOING_PAYMENT.COMPLETED`. */
const KINDS =
  /^(OUTGOING_PAYMENT|INCOMING_PAYMENT|CARD_TRANSACTION|CARD|AGENT_ACTION|CUSTOMER|VERIFICATION|INTERNAL_ACCOUNT|INVITATION|BULK_UPLOAD)_/
export const eventName = (type: string) => type.replace(KINDS, '$1.')

/** The name of an event, which breaks only between its words. */
export const EventName = ({ type }: { readonly type: string }) =>
  eventName(type)
    .split(/(?<=[._])/)
    .map((word) => (
      <Fragment key={word}>
        {word}
        <wbr />
      </Fragment>
    ))

interface Props {
  readonly events: readonly EventRowFragment[] | undefined
  /** Whether older events are left out. */
  readonly hasMore: boolean | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

export const Deliveries = ({ events, hasMore, failure, reload }: Props) => (
  <Panel
    title="Events and deliveries"
    className="wide"
    end={
      <Link href="/developers/events" className="small">
        All events
      </Link>
    }
  >
    {failure ? (
      <Failed what="the events" failure={failure} retry={reload} />
    ) : !events ? (
      <BoneRows count={3} />
    ) : events.length === 0 ? (
      <Empty icon="dev" title="No events">
        Events are kept for 30 days.
      </Empty>
    ) : (
      <>
        <EventTable events={events} caption="Events and deliveries" />
        {hasMore && <p className="body small t2">These are the newest. “All events” has the older ones.</p>}
      </>
    )}
  </Panel>
)

export const EventTable = ({
  events,
  caption,
}: {
  readonly events: readonly EventRowFragment[]
  readonly caption: string
}) => {
  const { write, isBusy, failure } = useWrite(ResendDocument)
  const whyNot = useWhyNot('MANAGE')
  const resend = async (eventId: string) => {
    const { success } = await write({ input: { eventId } })
    if (success) say(success.delivery.deliveryStatus === 'DELIVERED' ? 'Sent again, and delivered' : 'Sent again')
  }
  return (
    <>
      {failure && (
        <div className="body">
          <Refusal title="Not sent again" failure={failure} />
        </div>
      )}
      <table className="tbl dl">
        <caption className="vh">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="c-to">
              Event
            </th>
            <th scope="col" className="c-st">
              Last answer
            </th>
            <th scope="col" className="c-am">
              At
            </th>
            <th scope="col" className="c-at">
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ id, eventType, createdAt, delivery }) => (
            <tr key={id}>
              <td className="c-to mono">
                <EventName type={eventType} />
              </td>
              <td className="c-st">
                <Answer delivery={delivery ?? undefined} />
              </td>
              <td className="c-am num t2">
                <Moment at={createdAt} />
              </td>
              <td className="c-at r">
                {delivery && (
                  <button
                    type="button"
                    className={`btn sm${delivery.deliveryStatus === 'FAILED' ? '' : ' bare'}`}
                    disabled={isBusy || whyNot !== undefined}
                    title={whyNot}
                    onClick={() => resend(id)}
                  >
                    Resend<span className="vh"> {eventName(eventType)}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** The answer of the endpoint in words, with one mark for each attempt. */
export const Answer = ({ delivery }: { readonly delivery: EventRowFragment['delivery'] | undefined }) => {
  const now = useNow()
  if (!delivery) return <span className="t3">Not sent</span>
  const { deliveryStatus, attempts, nextAttemptAt } = delivery
  const last = attempts?.at(-1)
  const { tone, icon } = lookOf(last && deliveryStatus === 'PENDING' ? 'FAILED' : deliveryStatus)
  const next = nextAttemptAt && deliveryStatus === 'PENDING' && last ? leftText(nextAttemptAt, now) : null
  return (
    <>
      <span className={`st ${tone}`}>
        <Icon name={icon} />
        {last ? answerText(last) : sentence(deliveryStatus)}
        {next && `, next in ${next}`}
      </span>{' '}
      <span className="tries" aria-hidden="true">
        {attempts?.map(({ at, failure }) => (
          <i key={at} className={failure ? 'x' : ''} />
        ))}
      </span>
    </>
  )
}

type Attempt = NonNullable<NonNullable<EventRowFragment['delivery']>['attempts']>[number]

const answerText = ({ responseStatus, failure, milliseconds }: Attempt) => {
  if (responseStatus) return `${responseStatus} in ${milliseconds} ms`
  if (failure === 'TIMEOUT') return `No answer in ${Math.round(milliseconds / 1000)} s`
  return failure ? sentence(failure) : `${milliseconds} ms`
}
