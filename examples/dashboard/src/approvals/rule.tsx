// The rule that stopped the request, in words with both figures.
import type { ApprovalContextQuery } from '../gql/graphql.ts'
import type { Failure } from '../graphql/failure.ts'
import { type Amount, amountText } from '../parts/money.tsx'
import { Bone, Failed, Note } from '../parts/panel.tsx'

export type AgentContext = Extract<NonNullable<ApprovalContextQuery['agent']>, { readonly __typename: 'Agent' }>

interface Props {
  readonly amount: Amount | null
  readonly agent: AgentContext | undefined
  readonly failure: Failure | undefined
  readonly reload: () => void
}

export const Rule = ({ amount, agent, failure, reload }: Props) => {
  if (failure) return <Failed what="the policy of this agent" failure={failure} retry={reload} />
  if (!agent) return <Bone at={2} />
  const threshold = agent.policy.approvalThresholds?.amountMoney
  const isAbove =
    amount && threshold && threshold.currency.code === amount.currency.code && amount.amount > threshold.amount
  if (isAbove)
    return (
      <Note tone="wait" icon="pause" title="Above this agent’s limit for payments without a person">
        {amountText(amount)} asked, {amountText(threshold)} allowed. All other rules let it pass.
      </Note>
    )
  const isAlways = agent.policy.defaultExecutionMode === 'APPROVAL_REQUIRED'
  return (
    <Note
      tone="wait"
      icon="pause"
      title={isAlways ? 'This agent needs a person for every action' : 'The amount or the account needs a person'}
    >
      {!isAlways && threshold && `Without a person this agent pays up to ${amountText(threshold)}. `}
      All other rules let it pass. They are checked again when you approve.
    </Note>
  )
}
