// What is waiting, failing or about to expire.
import { Link } from 'wouter'
import type { HomeQuery } from '../gql/graphql.ts'
import type { Loaded } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { agoText, useNow } from '../parts/moment.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { counted } from '../parts/words.ts'

const SHOWN = [
  'webhookEndpoint',
  ...['waiting', 'authorizations', 'exceptions'].flatMap((list) => [list, `${list}.totalCount`]),
]

type Props = Pick<Loaded<HomeQuery>, 'data' | 'failureAt' | 'reload'>

export const Todo = ({ data, failureAt, reload }: Props) => {
  const now = useNow()
  if (!data)
    return (
      <Panel title="Needs a person">
        <div className="todo-room">
          <BoneRows count={4} />
        </div>
      </Panel>
    )
  const waiting = data.waiting?.totalCount ?? 0
  const oldest = data.oldest?.nodes[0]
  const authorizations = data.authorizations?.totalCount ?? 0
  const exceptions = data.exceptions?.totalCount ?? 0
  const endpoint = data.webhookEndpoint
  const isFailing = endpoint && (endpoint.failingSince || endpoint.endpointStatus !== 'ENABLED')
  const failure = SHOWN.map(failureAt).find(Boolean)
  const isQuiet = !failure && !waiting && !authorizations && !exceptions && !isFailing
  return (
    <Panel title="Needs a person">
      <div className="todo-room">
        {isQuiet && (
          <Empty icon="ok" title="Nothing waits">
            New requests appear here by themselves.
          </Empty>
        )}
        {failure && <Failed what="everything that waits" failure={failure} retry={reload} />}
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
              title={
                endpoint.endpointStatus === 'ENABLED'
                  ? 'The webhook endpoint fails'
                  : 'The webhook endpoint is not in use'
              }
              detail={
                typeof endpoint.waiting === 'number'
                  ? `${counted(endpoint.waiting, 'delivery', 'deliveries')} ${endpoint.waiting === 1 ? 'waits' : 'wait'}`
                  : ''
              }
            />
          )}
        </ul>
      </div>
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
