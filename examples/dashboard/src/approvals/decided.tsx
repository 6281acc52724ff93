import { useSearchParams } from 'wouter'
import { DecidedDocument } from '../gql/graphql.ts'
import { useRegularReload, useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Moment } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { Pager, useValidPlace, windowOf } from '../parts/pager.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { Screen } from '../shell/screen.tsx'
import { agentName, amountOf, titleOf } from './action.ts'
import { DECISIONS_MS, mayDecide, RELOAD_MS, Switch } from './switch.tsx'

const SIZE = 50

export const Decided = () => {
  const [query] = useSearchParams()
  const { data, failureAt, reload } = useScreen(DecidedDocument, windowOf(query, SIZE))
  const failure = failureAt('decided')
  useValidPlace(failure)
  useReload(reload, RELOAD_MS, mayDecide)
  useRegularReload(reload, DECISIONS_MS)
  return (
    <Screen title="Approvals" end={<Switch waiting={data?.waiting?.totalCount ?? undefined} isDecided />}>
      <Panel title="Newest first">
        {failure && <Failed what="the decisions" failure={failure} retry={reload} />}
        {!data && !failure && <BoneRows count={6} />}
        {data?.decided?.nodes.length === 0 && <Empty icon="inbox" title="Nothing was decided yet" />}
        <ul className="rows">
          {data?.decided?.nodes.map((action) => (
            <li key={action.id} className="decided">
              <Status of={action.actionStatus} />
              <span className="grow">
                <strong>{agentName(action)}</strong> <span className="t2">{titleOf(action)}</span>
                {(action.rejectionReason || action.failure) && (
                  <>
                    <br />
                    <span className="t2">{action.rejectionReason ?? action.failure?.message}</span>
                  </>
                )}
              </span>
              <Money of={amountOf(action)} />
              <span className="t3 when">
                <Moment at={action.updatedAt} />
              </span>
            </li>
          ))}
        </ul>
        <Pager text="" pageInfo={data?.decided?.pageInfo} />
      </Panel>
    </Screen>
  )
}
