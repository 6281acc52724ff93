// One request, with everything that an approver has to know, in the order in which it is needed.
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { type ActionRowFragment, ApprovalContextDocument, ApproveDocument, RejectDocument } from '../gql/graphql.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { useWhyNot, useWrite } from '../graphql/use-write.ts'
import { agoText, leftText, useNow } from '../parts/moment.tsx'
import { amountText, Money } from '../parts/money.tsx'
import { BoneRows, Note, Refusal } from '../parts/panel.tsx'
import { PublicId } from '../parts/public-id.tsx'
import { ReasonForm } from '../parts/reason-form.tsx'
import { Status } from '../parts/status.tsx'
import { useKeys } from '../shell/keys.ts'
import { say } from '../shell/toasts.tsx'
import { agentName, amountOf, flowOf, payeeIdOf, payeeOf, titleOf } from './action.ts'
import { AgentFacts, PayeeFacts } from './context.tsx'
import { Limits } from './limits.tsx'
import { PricePanel } from './price.tsx'
import { usePriceNow } from './price-now.ts'
import { Rule } from './rule.tsx'

interface Props {
  readonly action: ActionRowFragment
  /** It is decided already. */
  readonly isGone: boolean
  /** After it was decided here. */
  readonly leave: (id: string) => void
  readonly reload: () => void
}

export const Ask = ({ action, isGone, leave, reload }: Props) => {
  const now = useNow()
  const { id, agent, customer, quote } = action
  const payeeId = payeeIdOf(action)
  const context = useScreen(
    ApprovalContextDocument,
    {
      agentId: agent?.id ?? '',
      payeeId: payeeId ?? agent?.id ?? '',
      hasPayee: payeeId !== null,
      types: [flowOf(action) === 'in' ? 'INCOMING' : 'OUTGOING'],
    },
    { pause: !agent },
  )
  const approval = useWrite(ApproveDocument)
  const rejection = useWrite(RejectDocument)
  const [isRejecting, setRejecting] = useState(false)
  const whyNot = useWhyNot('TRANSACT')
  const button = useRef<HTMLButtonElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const amount = amountOf(action)
  const left = quote ? leftText(quote.expiresAt, now) : null
  const hasEnded = quote !== null && quote !== undefined && left === null
  const priceNow = usePriceNow(quote, hasEnded)
  const leaves = quote ? priceNow.leaves : amount
  const [isChecking, setChecking] = useState(false)
  const [hasMoved, setMoved] = useState(false)
  const isBusy = approval.isBusy || rejection.isBusy || isChecking
  const isOff = whyNot !== undefined || isBusy || isGone
  useEffect(() => {
    if (shownBefore) heading.current?.focus({ preventScroll: true })
    shownBefore = true
  }, [])
  useKeys([
    { press: 'a', does: 'Go to Approve, then press Enter', run: () => button.current?.focus() },
    { press: 'r', does: 'Reject', run: () => (isOff ? false : setRejecting(true)) },
  ])
  const approve = async () => {
    rejection.forget()
    // What the approver has read must still be true.
    setChecking(true)
    const isOther = await priceNow.hasMoved()
    setChecking(false)
    setMoved(isOther)
    if (isOther) return
    const { success } = await approval.write({ input: { agentId: agent?.id ?? '', actionId: id } })
    if (!success) return
    const { agentAction } = success
    if (agentAction.actionStatus === 'FAILED')
      say(`Approved, but it failed: ${agentAction.failure?.message ?? 'no reason given'}`)
    else if (agentAction.repricedFrom && agentAction.quote)
      say(
        agentAction.quote.lockedCurrencySide === 'SENDING'
          ? `Approved at a new price: ${amountText(agentAction.quote.totalReceiving)} arrive`
          : `Approved at a new price: ${amountText(agentAction.quote.totalSending)} leave`,
      )
    else say(`Approved${amount ? ` ${amountText(amount)}` : ''}`)
    leave(id)
  }
  const reject = async (reason: string) => {
    approval.forget()
    const { success } = await rejection.write({
      input: { agentId: agent?.id ?? '', actionId: id, reason: reason || null },
    })
    if (!success) return
    setRejecting(false)
    say(reason ? 'Rejected. The agent can read the reason.' : 'Rejected without a reason')
    leave(id)
  }
  // The request may still wait, for example if the balance was too low.
  const loadAgain = () => {
    approval.forget()
    reload()
  }
  const known = context.data?.agent?.__typename === 'Agent' ? context.data.agent : undefined
  return (
    <article className="card" aria-labelledby="ask">
      <div className="body ask-head">
        <div className="hero">
          <div className="wrap">
            <Status
              of={isGone && action.actionStatus === 'PENDING_APPROVAL' ? 'EXPIRED' : action.actionStatus}
              isPill
            />
            <span className="small t2">
              <strong>{agentName(action)}</strong> asked {agoText(action.createdAt, now)}
              {customer && (
                <>
                  {' '}
                  for <Link href={`/customers/${customer.id}`}>{customer.customerName ?? 'a customer'}</Link>
                </>
              )}
            </span>
          </div>
          <h2 id="ask" tabIndex={-1} ref={heading}>
            {amount ? <Money of={leaves} flow={flowOf(action)} /> : titleOf(action)}
          </h2>
          <p className="t2">
            <bdi>{titleOf(action)}</bdi>
            {quote && (
              <>
                , quote <PublicId id={quote.id} />
              </>
            )}
          </p>
        </div>
      </div>
      <section className="why tight note-space">
        {isGone ? (
          <Note tone="idle" icon="ok" title="This request is already decided" role="status">
            {action.rejectionReason ?? action.failure?.message ?? 'It is listed under Decided.'}
          </Note>
        ) : (
          <Rule amount={amount} agent={known} failure={context.failureAt('agent')} reload={context.reload} />
        )}
      </section>
      {quote && (
        <PricePanel
          quote={quote}
          left={left}
          now={priceNow}
          hasMoved={hasMoved}
          tolerance={known?.policy.repriceToleranceBps}
        />
      )}
      {context.data || context.failure ? (
        <>
          <Limits amount={leaves ?? null} agent={known} />
          <section className="why ctx">
            <div className="pair">
              <PayeeFacts name={payeeOf(action)} payee={context.data?.payee} flow={flowOf(action)} />
              <AgentFacts name={agent?.name ?? 'Agent'} agent={known} />
            </div>
          </section>
        </>
      ) : (
        <section className="why ctx">
          <BoneRows count={8} />
        </section>
      )}
      {approval.failure && (
        <section className="why">
          <Refusal
            title="Not approved"
            failure={approval.failure}
            actions={
              <button type="button" className="btn sm" onClick={loadAgain}>
                Load again
              </button>
            }
          />
        </section>
      )}
      {rejection.failure && (
        <section className="why">
          <Refusal title="Not rejected" failure={rejection.failure} />
        </section>
      )}
      {isRejecting ? (
        <ReasonForm
          label="Reason for the agent, optional"
          action="Reject"
          busy="Rejecting …"
          isBusy={rejection.isBusy}
          send={reject}
          cancel={() => setRejecting(false)}
        />
      ) : (
        <div className="act">
          <button ref={button} type="button" className="btn go" disabled={isOff} title={whyNot} onClick={approve}>
            {approval.isBusy || isChecking
              ? 'Approving …'
              : hasEnded
                ? 'Approve at a new price'
                : `Approve${amount ? ` ${amountText(amount)}` : ''}`}{' '}
            <kbd aria-hidden="true">A</kbd>
          </button>
          <button type="button" className="btn bad" disabled={isOff} title={whyNot} onClick={() => setRejecting(true)}>
            Reject <kbd aria-hidden="true">R</kbd>
          </button>
          <span className="tiny t3 num">
            {whyNot ??
              `${left ? `Price holds for ${left}. ` : ''}${amount ? 'This moves money and cannot be undone.' : 'This cannot be undone.'}`}
          </span>
        </div>
      )}
    </article>
  )
}

let shownBefore = false
