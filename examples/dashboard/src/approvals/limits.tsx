// The limits of the day and of the month: what is used, this request, and the rest.
import { type Amount, amountText, figuresOf } from '../parts/money.tsx'
import type { AgentContext } from './rule.tsx'

interface Props {
  readonly amount: Amount | null
  readonly agent: AgentContext | undefined
}

export const Limits = ({ amount, agent }: Props) => {
  if (!agent || !amount) return null
  const { spendingLimits } = agent.policy
  const { usage } = agent
  return (
    <section className="why">
      <div className="pair">
        <Limit
          name="Today, this agent"
          used={usage.dailySpendMoney}
          limit={spendingLimits.dailyLimitMoney}
          amount={amount}
        />
        <Limit
          name="This month"
          used={usage.monthlySpendMoney}
          limit={spendingLimits.monthlyLimitMoney}
          amount={amount}
        />
      </div>
    </section>
  )
}

const Limit = ({
  name,
  used,
  limit,
  amount,
}: {
  readonly name: string
  readonly used: Amount
  readonly limit: Amount | null | undefined
  readonly amount: Amount
}) => {
  if (!limit) {
    return (
      <div className="stack near">
        <h3>{name}</h3>
        <span className="tiny t2 num">{amountText(used)} used, no limit</span>
      </div>
    )
  }
  // Limits are in one currency. The gateway converts others, the screen does not.
  const isComparable = amount.currency.code === limit.currency.code
  const sum = isComparable ? used.amount + amount.amount : used.amount
  const part = (of: number) => Math.min(100, (of / Math.max(1, limit.amount)) * 100)
  const sumText = `${figuresOf(sum, limit.currency.decimals)} of ${amountText(limit)}${isComparable ? ' with this one' : ' used so far'}`
  return (
    <div className="stack near">
      <h3>{name}</h3>
      <div className="meter" role="img" aria-label={sumText}>
        <i style={{ width: `${part(used.amount)}%` }} />
        {isComparable && <i style={{ width: `${part(amount.amount)}%` }} />}
      </div>
      <span className="tiny t2 num">{sumText}</span>
    </div>
  )
}
