import { useCallback, useRef, useState } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'wouter'
import { type ActionRowFragment, ApprovalsDocument, DecidedDocument } from '../gql/graphql.ts'
import type { LiveEvent } from '../graphql/live.ts'
import { useReload } from '../graphql/use-reload.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { leftText, Moment, useNow } from '../parts/moment.tsx'
import { Money } from '../parts/money.tsx'
import { BoneRows, Empty, Failed, Panel } from '../parts/panel.tsx'
import { Status } from '../parts/status.tsx'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { amountOf, titleOf } from './action.ts'
import { Ask } from './ask.tsx'

/** Events that may decide, change or add a request. */
const mayDecide = ({ eventType }: LiveEvent) => /^(AGENT_ACTION|OUTGOING_PAYMENT|INCOMING_PAYMENT)/.test(eventType)
const RELOAD_MS = 400

export const Approvals = () => {
  const [query] = useSearchParams()
  return query.get('view') === 'decided' ? <Decided /> : <Waiting />
}

const Switch = ({ waiting, isDecided }: { readonly waiting: number | undefined; readonly isDecided: boolean }) => (
  <div className="seg">
    <Link href="/approvals" aria-current={isDecided ? undefined : 'page'}>
      Waiting {waiting ?? ''}
    </Link>
    <Link href="/approvals?view=decided" aria-current={isDecided ? 'page' : undefined}>
      Decided
    </Link>
  </div>
)

const Waiting = () => {
  const { id: raw } = useParams()
  const [, navigate] = useLocation()
  const { data, failure, reload } = useScreen(ApprovalsDocument, {})
  useReload(reload, RELOAD_MS, mayDecide)
  const now = useNow()
  const actions = data?.approvals?.nodes
  const chosen = raw === undefined ? undefined : decodeURIComponent(raw)
  // The request that is being read stays, even when someone else decides it.
  const read = useRef<ActionRowFragment | undefined>(undefined)
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const open = actions?.filter(({ id }) => !decided.has(id))
  const found = chosen ? open?.find(({ id }) => id === chosen) : open?.[0]
  const isGone =
    !found &&
    read.current !== undefined &&
    (chosen === undefined || chosen === read.current.id) &&
    !decided.has(read.current.id)
  const shown = found ?? (isGone ? read.current : undefined) ?? (decided.has(chosen ?? '') ? open?.[0] : undefined)
  if (found) read.current = found
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
  const waiting = data
    ? (open?.length ?? 0) + Math.max(0, (data.approvals?.totalCount ?? 0) - (actions?.length ?? 0))
    : undefined
  const isNothing = open?.length === 0 && !shown
  return (
    <Screen title="Approvals" end={<Switch waiting={waiting} isDecided={false} />}>
      {!data && failure ? (
        <div className="card">
          <Failed what="the requests" failure={failure} retry={reload} />
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
            <span className="num">
              {at + 1} of {waiting ?? ''} waiting
            </span>
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
                    <span className="who cut">{action.agent?.name ?? 'Deleted agent'}</span>
                    <Money of={amountOf(action)} />
                    <span className="t2 cut">{titleOf(action)}</span>
                    <span className="num tiny t3">{priceText(action, now)}</span>
                  </Link>
                </li>
              ))}
            </ul>
          </Panel>
          {shown ? (
            <Ask key={shown.id} action={shown} isGone={isGone} leave={leave} reload={reload} />
          ) : (
            <article className="card">
              <BoneRows count={8} />
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

const Decided = () => {
  const { data, failure, reload } = useScreen(DecidedDocument, {})
  useReload(reload, RELOAD_MS, mayDecide)
  return (
    <Screen title="Approvals" end={<Switch waiting={data?.waiting?.totalCount ?? undefined} isDecided />}>
      <Panel title="Newest first">
        {!data && failure && <Failed what="the decisions" failure={failure} retry={reload} />}
        {!data && !failure && <BoneRows count={6} />}
        {data?.decided?.nodes.length === 0 && <Empty icon="inbox" title="Nothing was decided yet" />}
        <ul className="rows">
          {data?.decided?.nodes.map((action) => (
            <li key={action.id} className="decided">
              <Status of={action.actionStatus} />
              <span className="grow">
                <strong>{action.agent?.name ?? 'Deleted agent'}</strong> <span className="t2">{titleOf(action)}</span>
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
      </Panel>
    </Screen>
  )
}
