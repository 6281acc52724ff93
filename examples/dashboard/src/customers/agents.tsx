// The agents that act for a customer.
import { Link } from 'wouter'
import { type AgentRowFragment, MoreAgentsOfCustomerDocument, PauseAgentDocument } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { undoBy, useWhyNot, useWrite } from '../graphql/use-write.ts'
import { Icon } from '../parts/icon.tsx'
import { amountText } from '../parts/money.tsx'
import { MoreRows } from '../parts/more-rows.tsx'
import { BoneRows, Empty, Failed, Panel, Refusal } from '../parts/panel.tsx'
import { say } from '../shell/toasts.tsx'
import { AddButton } from './add-button.tsx'
import type { Part } from './customer.tsx'

export const Agents = ({ customer, failureAt, reload, add }: Part & { readonly add: () => void }) => {
  const lost = customer && failureAt('customer.agents')
  const { write, isBusy, failure } = useWrite(PauseAgentDocument)
  const whyNot = useWhyNot('MANAGE')
  const pause = async (id: string, name: string, isPaused: boolean): Promise<Failure | undefined> => {
    const { failure } = await write({ input: { id, isPaused } })
    if (failure) return failure
    reload()
    say(
      `${name} is ${isPaused ? 'paused' : 'active again'}`,
      undoBy(() => pause(id, name, !isPaused)),
    )
    return
  }
  const row = ({ id, name, isPaused, isConnected, usage, policy }: AgentRowFragment) => (
    <li key={id}>
      <span className="ava">
        <Icon name="bot" />
      </span>
      <span className="grow">
        <Link className="who" href={`/payments?agentId=${encodeURIComponent(id)}`}>
          {name}
        </Link>
        <span className="tiny t3 num">
          {isPaused ? 'Paused' : isConnected ? 'Connected' : 'Not connected'}, {amountText(usage.dailySpendMoney)}
          {policy.spendingLimits.dailyLimitMoney && ` of ${amountText(policy.spendingLimits.dailyLimitMoney)}`} today
        </span>
      </span>
      <button
        type="button"
        className="btn sm"
        disabled={isBusy || whyNot !== undefined}
        title={whyNot}
        onClick={() => pause(id, name, !isPaused)}
      >
        {isPaused ? 'Resume' : 'Pause'}
        <span className="vh"> {name}</span>
      </button>
    </li>
  )
  return (
    <Panel title="Agents" end={customer && !customer.isDeleted && <AddButton text="Add agent" add={add} />}>
      {!customer && <BoneRows count={2} />}
      {lost && <Failed what="the agents" failure={lost} retry={reload} />}
      {failure && <Refusal title="Nothing was changed" failure={failure} />}
      {customer?.agents?.nodes.length === 0 && (
        <Empty icon="bot" title="No agents">
          An agent acts for the customer, within a policy.
        </Empty>
      )}
      <ul className="rows">
        {customer?.agents?.nodes.map(row)}
        {customer && (
          <MoreRows
            id={customer.id}
            pageInfo={customer.agents?.pageInfo}
            document={MoreAgentsOfCustomerDocument}
            listIn={({ customer: owner }) => owner?.agents}
            row={row}
          />
        )}
      </ul>
    </Panel>
  )
}
