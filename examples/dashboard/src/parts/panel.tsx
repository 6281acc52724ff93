// Panels and the states that each of them has: loading, empty, failed.
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import type { Failure } from '../graphql/failure.ts'
import { Icon } from './icon.tsx'
import { PublicId } from './public-id.tsx'
import { stopped } from './words.ts'

interface PanelProps {
  readonly title: ReactNode
  /** The content at the end of the header. */
  readonly end?: ReactNode
  readonly className?: string
  readonly ref?: Ref<HTMLElement>
  readonly children: ReactNode
}

export const Panel = ({ title, end, className = '', ref, children }: PanelProps) => {
  const id = useId()
  return (
    <section className={`card ${className}`} aria-labelledby={id} ref={ref}>
      <header>
        <h2 id={id}>{title}</h2>
        {end}
      </header>
      {children}
    </section>
  )
}

interface EmptyProps {
  readonly icon: string
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
  readonly level?: 'h2' | 'h3'
}

export const Empty = ({ icon, title, children, actions, level: Heading = 'h3' }: EmptyProps) => (
  <div className="empty">
    <Icon name={icon} />
    <Heading>{title}</Heading>
    {children && <p>{children}</p>}
    {actions && <div className="acts">{actions}</div>}
  </div>
)

/** Shown in place of what could not be loaded. */
export const Failed = ({
  what,
  failure,
  retry,
  level: Heading = 'h3',
}: {
  readonly what: string
  readonly failure: Failure
  readonly retry?: () => void
  /** `h2` where no panel with a title is around it. */
  readonly level?: 'h2' | 'h3'
}) => (
  <div className="empty" role="alert">
    <Icon name={failure.kind === 'FORBIDDEN' ? 'lock' : 'again'} />
    <Heading>{failure.kind === 'FORBIDDEN' ? `This token may not see ${what}` : `Could not load ${what}`}</Heading>
    <p>{stopped(failure.message)} Nothing was changed.</p>
    {retry && (
      <div className="acts">
        <button type="button" className="btn go" onClick={retry}>
          Try again
        </button>
      </div>
    )}
    {failure.traceId && <Trace id={failure.traceId} />}
  </div>
)

const Trace = ({ id }: { readonly id: string }) => (
  <span className="tiny t3">
    trace <PublicId id={id} text={id.slice(0, 8)} />
  </span>
)

interface NoteProps {
  readonly tone: 'bad' | 'wait' | 'idle' | 'busy'
  readonly icon: string
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
  readonly role?: 'alert' | 'status'
  readonly className?: string
  readonly ref?: Ref<HTMLDivElement>
}

export const Note = ({ tone, icon, title, children, actions, role, className = '', ref }: NoteProps) => (
  <div className={`note ${tone} ${className}`} role={role} ref={ref}>
    <Icon name={icon} />
    <div className="grow">
      <strong>{title}</strong>
      {children && <div className="t2">{children}</div>}
    </div>
    {actions}
  </div>
)

/** A refused change: what did not happen, and why. It comes into view, unless a field with a problem has the focus. */
export const Refusal = ({
  title,
  failure,
  actions,
}: {
  readonly title: string
  readonly failure: Failure
  readonly actions?: ReactNode
}) => {
  const note = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each failure comes into view
  useEffect(() => {
    if (!document.activeElement?.matches('[aria-invalid]')) note.current?.scrollIntoView({ block: 'nearest' })
  }, [failure])
  return (
    <Note
      ref={note}
      tone="bad"
      icon="oct"
      role="alert"
      title={failure.isCertain ? title : 'Not known whether it happened'}
      actions={actions}
    >
      <p>
        {failure.isCertain ? failure.message : `${stopped(failure.message)} Load the page again before you repeat it.`}
      </p>
      <p className="tiny t3 mono">
        {failure.kind}
        {failure.reason && ` ${failure.reason}`}
        {failure.traceId && `, trace ${failure.traceId.slice(0, 8)}`}
      </p>
    </Note>
  )
}

/** True after 150 ms, so that content that loads at once does not flash. */
export const useSlow = (isLoading: boolean) => {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), 150)
    return () => clearTimeout(timer)
  }, [isLoading])
  return isSlow
}

const WIDTHS = ['w-7', 'w-5', 'w-9', 'w-6', 'w-8']

/** A bar in place of a text that has not been loaded yet. */
export const Bone = ({ at = 0 }: { readonly at?: number }) => <span className={`bone ${WIDTHS[at % WIDTHS.length]}`} />

/** As many placeholder rows as will be loaded, with the same height. */
export const BoneRows = ({ count }: { readonly count: number }) => (
  <ul className="rows" aria-busy="true">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all are alike
      <li key={index}>
        <Bone at={index} />
      </li>
    ))}
  </ul>
)
