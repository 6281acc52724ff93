// The states of things. The shape of the icon tells them apart, the colour repeats it, the word settles it.
import { Icon } from './icon.tsx'
import { sentence } from './words.ts'

type Tone = 'ok' | 'busy' | 'wait' | 'bad' | 'back' | 'idle'

const LOOKS: Readonly<Record<string, readonly [Tone, icon: string, word?: string]>> = {
  // Payments and card transactions
  CREATED: ['idle', 'dots'],
  PENDING: ['idle', 'clock'],
  PENDING_AUTHORIZATION: ['wait', 'lock', 'Needs authorization'],
  PENDING_APPROVAL: ['wait', 'pause', 'Needs approval'],
  PROCESSING: ['busy', 'busy'],
  AUTHORIZED: ['busy', 'hold'],
  PARTIALLY_SETTLED: ['ok', 'part', 'Partly settled'],
  COMPLETED: ['ok', 'ok'],
  SETTLED: ['ok', 'ok'],
  REFUNDED: ['back', 'ret'],
  REFUND_PENDING: ['back', 'ret'],
  REFUND_FAILED: ['bad', 'oct'],
  EXPIRED: ['idle', 'sand'],
  REJECTED: ['bad', 'ban'],
  FAILED: ['bad', 'oct'],
  EXCEPTION: ['bad', 'tri'],
  // Accounts, customers, cards, deliveries
  ACTIVE: ['ok', 'ok'],
  APPROVED: ['ok', 'ok'],
  ENABLED: ['ok', 'ok'],
  DELIVERED: ['ok', 'ok'],
  FROZEN: ['busy', 'ice'],
  IN_PROGRESS: ['busy', 'busy'],
  PENDING_KYC: ['wait', 'lock', 'Needs identity'],
  HOLD: ['wait', 'pause', 'On hold'],
  SUSPENDED: ['wait', 'tri'],
  UNDER_REVIEW: ['wait', 'pause'],
  PENDING_MANUAL_REVIEW: ['wait', 'pause', 'Under review'],
  PENDING_OWNERSHIP_VERIFICATION: ['wait', 'lock', 'Needs proof of ownership'],
  RESOLVE_ERRORS: ['wait', 'tri', 'Needs corrections'],
  UNVERIFIED: ['idle', 'dots'],
  READY_FOR_VERIFICATION: ['idle', 'clock', 'Ready'],
  INACTIVE: ['idle', 'ban'],
  CLOSED: ['idle', 'ban'],
  DISABLED: ['idle', 'ban'],
  SKIPPED: ['idle', 'next'],
}

export const lookOf = (status: string) => {
  const [tone, icon, word] = LOOKS[status] ?? ['idle', 'dots']
  return { tone, icon, word: word ?? sentence(status) }
}

/** A title shows its state as a pill, a row as icon and word. `isQuiet` keeps the word for assistive technology. */
export const Status = ({
  of,
  isPill = false,
  isQuiet = false,
}: {
  readonly of: string
  readonly isPill?: boolean
  readonly isQuiet?: boolean
}) => {
  const { tone, icon, word } = lookOf(of)
  return (
    <span className={`st ${tone}${isPill ? ' pill' : ''}`}>
      <Icon name={icon} />
      {isQuiet ? <span className="vh">{word}</span> : word}
    </span>
  )
}
