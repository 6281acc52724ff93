import type { Ref } from 'react'
import { useSearchParams } from 'wouter'
import { DevelopersDocument, ResendAllDocument, ResendDocument, type WebhookDeliveryStatus } from '../gql/graphql.ts'
import { useHeld } from '../graphql/use-held.ts'
import { useRegularReload, useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Moment } from '../parts/moment.tsx'
import { NewRows } from '../parts/new-rows.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed, Note, Panel, Refusal } from '../parts/panel.tsx'
import { counted } from '../parts/words.ts'
import { Answer, EventName, eventName } from '../payment/deliveries.tsx'
import { say } from '../shell/toasts.tsx'
import { Endpoint } from './endpoint.tsx'

const STATES: readonly (readonly [string, string])[] = [
  ['', 'All'],
  ['PENDING', 'Waiting'],
  ['FAILED', 'Failed'],
]
const SIZE = 25
const RELOAD_MS = 700
/** A delivery follows its event, and creates no event itself. */
const DELIVERIES_MS = 3_000

export const Overview = () => {
  const [query, setQuery] = useSearchParams()
  const status = STATES.some(([value]) => value === query.get('status')) ? (query.get('status') ?? '') : ''
  const { data, failureAt, reload } = useScreen(DevelopersDocument, {
    filter: status ? { statuses: [status as WebhookDeliveryStatus] } : null,
    ...windowOf(query, SIZE),
  })
  useReload(reload, RELOAD_MS)
  useValidPlace(failureAt('webhookDeliveries'))
  useRegularReload(reload, DELIVERIES_MS)
  const { ref, rows: deliveries, pageInfo, news, show } = useHeld(data?.webhookDeliveries, query.toString())
  const endpoint = data?.webhookEndpoint
  const lost = { deliveries: failureAt('webhookDeliveries'), endpoint: failureAt('webhookEndpoint') }
  return (
    <div className="two">
      <div className="stack">
        <Panel
          title="Deliveries"
          className="wide"
          end={
            <fieldset className="seg">
              <legend className="vh">State</legend>
              {STATES.map(([value, text]) => (
                <button
                  key={value}
                  type="button"
                  aria-pressed={status === value}
                  onClick={() => setQuery(value ? { status: value } : {})}
                >
                  {text}
                </button>
              ))}
            </fieldset>
          }
        >
          {endpoint?.endpointStatus === 'DISABLED' ? (
            <Note tone="bad" icon="ban" title="The endpoint is disabled">
              {endpoint.disabledReason === 'GONE' ? 'It answered 410. ' : 'Every attempt of 7 days failed. '}
              Nothing is sent to it. Set the endpoint again to resume where it stopped.
            </Note>
          ) : (
            endpoint?.failingSince && (
              <Note tone="bad" icon="oct" title="The endpoint fails">
                Since <Moment at={endpoint.failingSince} as="full" />. Each delivery is tried again for 7 days. Then it
                is listed under “Failed”.
              </Note>
            )
          )}
          {status === 'FAILED' && deliveries && deliveries.length > 0 && <ResendAll reload={reload} />}
          <NewRows count={news} noun="new delivery" plural="new deliveries" show={show} />
          {lost.deliveries ? (
            <Failed what="the deliveries" failure={lost.deliveries} retry={reload} />
          ) : !deliveries ? (
            <BoneRows count={8} />
          ) : deliveries.length === 0 ? (
            <Empty icon="dev" title={status ? 'No delivery is in this state' : 'No deliveries yet'}>
              {endpoint ? 'New deliveries appear here by themselves.' : 'Set an endpoint, and events are sent to it.'}
            </Empty>
          ) : (
            <DeliveryTable deliveries={deliveries} list={ref} reload={reload} />
          )}
          <Pager text="" pageInfo={pageInfo} />
        </Panel>
      </div>
      <div className="stack">
        <Endpoint
          endpoint={endpoint}
          isKnown={data !== undefined && !lost.endpoint}
          failure={lost.endpoint}
          reload={reload}
        />
      </div>
    </div>
  )
}

/** Sends everything again that is kept. Offered only where something failed. */
const ResendAll = ({ reload }: { readonly reload: () => void }) => {
  const { write, isBusy, failure } = useWrite(ResendAllDocument)
  const whyNot = useWhyNot('MANAGE')
  const resend = async () => {
    const { success } = await write({ input: { since: '1970-01-01T00:00:00Z' } })
    if (!success) return
    const { count } = success
    say(
      count === 0
        ? 'No event is failed any more'
        : `${counted(count, 'event')} ${count === 1 ? 'is' : 'are'} sent again`,
    )
    reload()
  }
  return (
    <div className="body stack near">
      <div className="wrap">
        <button type="button" className="btn" disabled={isBusy || whyNot !== undefined} title={whyNot} onClick={resend}>
          Resend failed events
        </button>
        <span className="small t2">Those that were skipped are sent again, too.</span>
      </div>
      {failure && <Refusal title="Not sent again" failure={failure} />}
    </div>
  )
}

type Delivery = NonNullable<
  NonNullable<import('../gql/graphql.ts').DevelopersQuery['webhookDeliveries']>['nodes']
>[number]

const DeliveryTable = ({
  deliveries,
  list,
  reload,
}: {
  readonly deliveries: readonly Delivery[]
  readonly list: Ref<HTMLTableSectionElement>
  readonly reload: () => void
}) => {
  const { write, isBusy, failure } = useWrite(ResendDocument)
  const whyNot = useWhyNot('MANAGE')
  const resend = async (eventId: string) => {
    const { success } = await write({ input: { eventId } })
    if (!success) return
    say(success.delivery.deliveryStatus === 'DELIVERED' ? 'Sent again, and delivered' : 'Sent again')
    reload()
  }
  return (
    <>
      {failure && (
        <div className="body">
          <Refusal title="Not sent again" failure={failure} />
        </div>
      )}
      <table className="tbl dl">
        <caption className="vh">Deliveries, newest first</caption>
        <thead>
          <tr>
            <th scope="col" className="c-to">
              Event
            </th>
            <th scope="col" className="ab">
              About
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
        <tbody ref={list}>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <td className="c-to mono">
                <EventName type={delivery.eventType} />
              </td>
              <td className="ab mono t2">
                {delivery.event?.subjectId ? `…${delivery.event.subjectId.slice(-6)}` : '—'}
              </td>
              <td className="c-st">
                <Answer delivery={delivery} />
              </td>
              <td className="c-am num t2">
                <Moment at={delivery.createdAt} />
              </td>
              <td className="c-at r">
                <button
                  type="button"
                  className={`btn sm${delivery.deliveryStatus === 'FAILED' ? '' : ' bare'}`}
                  disabled={isBusy || whyNot !== undefined}
                  title={whyNot}
                  onClick={() => resend(delivery.eventId)}
                >
                  Resend<span className="vh"> {eventName(delivery.eventType)}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
