// What the lists of waiting and of decided requests share.
import { Link } from 'wouter'
import type { LiveEvent } from '../graphql/live.ts'

/** Events that may decide, change or add a request. */
export const mayDecide = ({ eventType }: LiveEvent) =>
  /^(AGENT_ACTION|OUTGOING_PAYMENT|INCOMING_PAYMENT)/.test(eventType)
export const RELOAD_MS = 400
/** There is no event when a request for an external account is decided, or when a request expires. */
export const DECISIONS_MS = 5_000

export const Switch = ({
  waiting,
  isDecided,
}: {
  readonly waiting: number | undefined
  readonly isDecided: boolean
}) => (
  <div className="seg">
    <Link href="/approvals" aria-current={isDecided ? undefined : 'page'}>
      Waiting <span className="count num">{waiting ?? ''}</span>
    </Link>
    <Link href="/approvals?view=decided" aria-current={isDecided ? 'page' : undefined}>
      Decided
    </Link>
  </div>
)
