// The frame of a screen: its title, its heading with the state of the connection, and what is next to it.
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { BoneRows } from '../parts/panel.tsx'
import { Connection } from './connection.tsx'

interface Props {
  readonly title: string
  /** Replaces the heading; it contains the only `h1`. */
  readonly heading?: ReactNode
  readonly end?: ReactNode
  /** False if events do not tell of everything on the screen. */
  readonly isLive?: boolean
  readonly children: ReactNode
}

/** Stands in for a screen while its code is loaded. */
export const Frame = ({ title }: { readonly title: string }) => (
  <main className="main" id="main" tabIndex={-1} aria-label={title} aria-busy="true">
    <div className="head">
      <h1>{title}</h1>
    </div>
    <div className="card">
      <BoneRows count={12} />
    </div>
  </main>
)

let shown = ''
/** The browser itself restores the place in the page to which the reader goes back. */
let isBack = false
addEventListener('popstate', () => {
  isBack = true
})
addEventListener('pushState', () => {
  isBack = false
})

/** The title changes with the screen, and the focus goes to the heading, so that a screen reader says where it is. */
export const Screen = ({ title, heading, end, isLive = true, children }: Props) => {
  const main = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (shown !== '' && !isBack) scrollTo({ top: 0 })
  }, [])
  useEffect(() => {
    document.title = `${title} · Paygraph`
    const isFirst = shown === ''
    const isOther = shown !== title
    shown = title
    if (isOther && !isFirst) main.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <main className="main" id="main" tabIndex={-1} ref={main} aria-label={title}>
      {heading ?? (
        <div className="head">
          <h1>{title}</h1>
          <Connection isLive={isLive} />
          {end && <div className="end">{end}</div>}
        </div>
      )}
      {children}
    </main>
  )
}
