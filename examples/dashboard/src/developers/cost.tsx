import { type FormEvent, useState } from 'react'
import { useClient } from 'urql'
import { CostDocument, type CostQuery, CostScreenDocument } from '../gql/graphql.ts'
import { documentOf } from '../graphql/client.ts'
import { type Failure, failureOfError } from '../graphql/failure.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { figuresOf } from '../parts/money.tsx'
import { Empty, Panel, Refusal } from '../parts/panel.tsx'

const EXAMPLE = `query Payments($after: String) {
  transactions(first: 20, after: $after) {
    nodes {
      ... on TransactionNode {
        id
        status
        amount { formatted }
        customer { customerName }
      }
      ... on PaymentTransaction {
        agent { name }
      }
    }
  }
}`

type Result = NonNullable<CostQuery['queryCost']>

/** Asks what an operation costs, without executing it. */
export const Cost = () => {
  const client = useClient()
  useScreen(CostScreenDocument, {})
  const [cost, setCost] = useState<Result | undefined>()
  const [failure, setFailure] = useState<Failure | undefined>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const document = String(new FormData(event.currentTarget).get('document'))
    setBusy(true)
    const query = client.query(
      documentOf(CostDocument),
      { document, variables: null },
      { requestPolicy: 'network-only' },
    )
    const { data, error } = await query.toPromise()
    setBusy(false)
    setCost(data?.queryCost ?? undefined)
    setFailure(error && failureOfError(error))
  }
  const used = cost ? cost.nodesPerMinute - cost.remainingNodes : 0
  return (
    <div className="two">
      <form className="card" onSubmit={submit}>
        <header>
          <h2>
            <label htmlFor="document">Operation</label>
          </h2>
          <button type="submit" className="btn go" disabled={isBusy}>
            {isBusy ? 'Computing …' : 'Compute the cost'}
          </button>
        </header>
        <textarea id="document" name="document" className="code" spellCheck={false} defaultValue={EXAMPLE} rows={18} />
      </form>
      <Panel title="Cost" end={<span className="tiny t3">In nodes</span>}>
        <div className="body" aria-live="polite">
          {failure ? (
            <Refusal title="No cost" failure={failure} />
          ) : cost ? (
            <div className="stack near">
              <div className="sum num">
                <div>
                  <span className="t2">This operation</span>
                  <span>
                    {figuresOf(cost.nodes, 0)} of {figuresOf(cost.maxNodes, 0)} nodes
                  </span>
                </div>
                <div>
                  <span className="t2">Left now</span>
                  <span>
                    {figuresOf(cost.remainingNodes, 0)} of {figuresOf(cost.nodesPerMinute, 0)}
                  </span>
                </div>
              </div>
              <div className="meter" role="img" aria-label={`${used} of ${cost.nodesPerMinute} nodes are used`}>
                <i style={{ width: `${(used / Math.max(1, cost.nodesPerMinute)) * 100}%` }} />
              </div>
            </div>
          ) : (
            <Empty icon="dev" title="Not computed yet">
              The cost counts the nodes that an operation may return. Nothing is executed.
            </Empty>
          )}
        </div>
      </Panel>
    </div>
  )
}
