// Who is paid or pays, and who asks, from their histories.
import type { ApprovalContextQuery } from '../gql/graphql.ts'
import { Moment } from '../parts/moment.tsx'
import { type Flow, Money, Unknown } from '../parts/money.tsx'
import { accountTypeName, sentence } from '../parts/words.ts'
import { Fact } from '../payment/details.tsx'
import { holderOf } from '../payments/party.ts'
import type { AgentContext } from './rule.tsx'

interface PayeeProps {
  readonly name: string
  readonly payee: ApprovalContextQuery['payee'] | undefined
  readonly flow: Flow
}

export const PayeeFacts = ({ name, payee, flow }: PayeeProps) => {
  const account = payee?.__typename === 'ExternalAccount' ? payee : undefined
  const paid = account?.paid?.totalCount
  const last = account?.paid?.nodes ?? []
  const holder = holderOf(account)
  const who = flow === 'out' ? 'Who is paid' : 'Who pays'
  return (
    <div className="stack near">
      <h3>{paid === 0 ? `${who}, for the first time` : who}</h3>
      <dl className="facts">
        {(holder || name !== accountTypeName(account?.accountInfo.accountType ?? '')) && (
          <Fact name="Name">{holder || name || <Unknown />}</Fact>
        )}
        {account && (
          <>
            <Fact name="Account">{accountTypeName(account.accountInfo.accountType)}</Fact>
            <Fact name="Added">
              <Moment at={account.createdAt} as="day" />
            </Fact>
          </>
        )}
        <Fact name={flow === 'out' ? 'Paid before' : 'Taken before'}>
          {paid === undefined || paid === null ? (
            <Unknown />
          ) : paid === 0 ? (
            <strong>Never</strong>
          ) : (
            <span className="num">
              {paid} arrived
              {last.map((payment) => (
                <span key={payment.id} className="t2">
                  <br />
                  <Moment at={payment.createdAt} as="day" /> <Money of={payment.amount} />
                </span>
              ))}
            </span>
          )}
        </Fact>
      </dl>
    </div>
  )
}

export const AgentFacts = ({ name, agent }: { readonly name: string; readonly agent: AgentContext | undefined }) => (
  <div className="stack near">
    <h3>{name}, since it was made</h3>
    <dl className="facts">
      <Fact name="Asked">{times(agent?.asked?.totalCount)}</Fact>
      <Fact name="Approved">{times(agent?.approved?.totalCount)}</Fact>
      <Fact name="Rejected">
        {times(agent?.rejected?.totalCount)}{' '}
        {agent?.rejected?.nodes[0]?.rejectionReason && (
          <span className="t2">“{agent.rejected.nodes[0].rejectionReason}”</span>
        )}
      </Fact>
      <Fact name="May">
        {agent ? agent.policy.permissions.map((permission) => sentence(permission)).join(', ') : <Unknown />}
      </Fact>
      <Fact name="Connected">
        {agent ? (
          <>
            {agent.isConnected ? 'Yes' : 'No'}
            {agent.isPaused && ', paused'}, made <Moment at={agent.createdAt} as="day" />
          </>
        ) : (
          <Unknown />
        )}
      </Fact>
    </dl>
  </div>
)

const times = (count: number | null | undefined) =>
  count === null || count === undefined ? (
    <Unknown />
  ) : (
    <span className="num">{count === 1 ? 'once' : `${count} times`}</span>
  )
