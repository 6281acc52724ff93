import { useCallback, useRef, useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { type ActionRowFragment, ApprovalsDocument, OtherRequestDocument } from '../gql/graphql.ts'
import { useRegularReload, useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { leftText, useNow } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { agentName, amountOf, titleOf } from './action.ts'
import { Ask } from './ask.tsx'
import { Decided } from './decided.tsx'
import { DECISIONS_MS, mayDecide, RELOAD_MS, Switch } from './switch.tsx'

export const Approvals = () => {
  const [query] = useSearchParams()
  return query.get('view') === 'decided' ? <Decided /> : <Waiting />
}

const Waiting = () => {
  const { id: raw } = useParams()
  const [, navigate] = useLocation()
  const { data, failureAt, reload } = useScreen(ApprovalsDocument, {})
  useReload(reload, RELOAD_MS, mayDecide)
  useRegularReload(reload, DECISIONS_MS)
  const now = useNow()
  const actions = data?.approvals?.nodes
  const failure = failureAt('approvals')
  const chosen = raw === undefined ? undefined : decodeURIComponent(raw)
  // The request that is being read stays, even when someone else decides it.
  const read = useRef<ActionRowFragment | undefined>(undefined)
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const open = actions?.filter(({ id }) => !decided.has(id))
  const wanted = decided.has(chosen ?? '') ? undefined : (chosen ?? read.current?.id)
  const listed = open?.find(({ id }) => id === wanted)
  const isUnlisted = open !== undefined && wanted !== undefined && !listed
  const other = useScreen(OtherRequestDocument, { id: wanted ?? '' }, { pause: !isUnlisted })
  const unlisted = other.data?.request?.__typename === 'AgentAction' ? other.data.request : undefined
  const lost = other.failureAt('request')
  const isGone = isUnlisted && unlisted?.actionStatus !== 'PENDING_APPROVAL'
  const shown = isUnlisted
    ? (unlisted ?? (read.current?.id === wanted ? read.current : undefined))
    : (listed ?? open?.[0])
  if (shown && !isGone) read.current = shown
  const at = open?.findIndex(({ id }) => id === shown?.id) ?? -1
  const go = (to: number) => {
    const next = open?.[to]
    if (next) navigate(`/approvals/${next.id}`)
  }
  useKeys([
    { press: 'j', does: 'Next request', run: () => go(at + 1) },
    { press: 'k', does: 'Previous request', run: () => go(at - 1) },
    { press: 'Escape', does: 'Back to the list', run: () => (chosen ? navigate('/approvals') : false) },
  ])
  const leave = useCallback(
    (id: string) => {
      setDecided((before) => new Set([...before, id]))
      read.current = undefined
      const rest = open?.filter((action) => action.id !== id) ?? []
      const next = rest[Math.min(at, rest.length - 1)]
      navigate(next && chosen ? `/approvals/${next.id}` : '/approvals')
      reload()
    },
    [open, at, chosen, navigate, reload],
  )
  const newer = Math.max(0, (data?.approvals?.totalCount ?? 0) - (actions?.length ?? 0))
  const waiting = data ? (open?.length ?? 0) + newer : undefined
  const isNothing = open?.length === 0 && !shown && !isUnlisted
  return (
    <Screen title="Approvals" end={<Switch waiting={waiting} isDecided={false} />}>
      {failure ? (
        <div className="card">
          <Failed what="the requests" level="h2" failure={failure} retry={reload} />
        </div>
      ) : isNothing ? (
        <div className="card">
          <Empty icon="inbox" title="Nothing waits" level="h2">
            New requests appear here by themselves.
          </Empty>
        </div>
      ) : (
        <div className={`inbox${chosen ? ' one' : ''}`}>
          <div className="only-s">
            <Link href="/approvals">‹ All</Link>
            <span className="num">{at < 0 ? '' : `${at + 1} of ${waiting ?? ''} waiting`}</span>
            {open?.[at + 1] ? <Link href={`/approvals/${open[at + 1]?.id}`}>Next ›</Link> : <span />}
          </div>
          <Panel
            title="Oldest first"
            className="list"
            end={
              <span className="tiny t3 hide-s" aria-hidden="true">
                <kbd>J</kbd> <kbd>K</kbd> to move
              </span>
            }
          >
            {!actions && <BoneRows count={4} />}
            <ul>
              {open?.map((action) => (
                <li key={action.id}>
                  <Link
                    className="ask"
                    href={`/approvals/${action.id}`}
                    aria-current={action.id === shown?.id ? 'true' : undefined}
                  >
                    <span className="who cut">{agentName(action)}</span>
                    <Money of={amountOf(action)} />
                    <span className="t2 cut">{titleOf(action)}</span>
                    <span className="num tiny t3">{priceText(action, now)}</span>
                  </Link>
                </li>
              ))}
            </ul>
            {newer > 0 && (
              <p className="note t3">
                {newer === 1 ? 'One newer request follows' : `${newer} newer requests follow`} when these are decided.
              </p>
            )}
          </Panel>
          {shown ? (
            <Ask key={shown.id} action={shown} isGone={isGone} leave={leave} reload={reload} />
          ) : (
            <article className="card">
              {lost ? (
                <Failed what="this request" level="h2" failure={lost} retry={other.reload} />
              ) : other.data && isUnlisted ? (
                <Empty icon="find" level="h2" title="No request has this id" />
              ) : (
                <BoneRows count={8} />
              )}
            </article>
          )}
        </div>
      )}
    </Screen>
  )
}

const priceText = ({ quote }: ActionRowFragment, now: number) => {
  if (!quote) return 'no exchange'
  const left = leftText(quote.expiresAt, now)
  return left ? `price expires in ${left}` : 'price expired'
}
