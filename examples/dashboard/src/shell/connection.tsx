// Whether the screen shows live data, and if not, since when.
import { reconnect, useConnection } from '../graphql/live.ts'
import { clockText } from '../parts/moment.tsx'
import { Note } from '../parts/panel.tsx'
import { counted } from '../parts/words.ts'

/** `isLive` is false if events do not tell of everything on the screen, so that it may be old. */
export const Connection = ({ isLive = true }: { readonly isLive?: boolean }) => {
  const { phase, lastSeen, gap } = useConnection()
  const seen = lastSeen ? `, last seen ${clockText(lastSeen)}` : ''
  const [text, look] = {
    connecting: ['Connecting', ' quiet'],
    live: isLive ? [gap ? 'Live again' : 'Live', ''] : ['Connected', ' quiet'],
    reconnecting: ['Reconnecting', ' lost'],
    offline: [`Offline${seen}`, ' lost'],
    refused: ['Not signed in', ' lost'],
    crowded: ['Not live', ' lost'],
  }[phase] as [string, string]
  return (
    <span className={`live${look}`} role="status">
      {text}
    </span>
  )
}

/** Lies over the top of the page, so that nothing below it moves. */
export const ConnectionBanner = () => {
  const { phase, lastSeen, gap, hasExpired } = useConnection()
  const banner = (() => {
    if (phase === 'refused')
      return (
        <Note tone="bad" icon="lock" title="The gateway refuses the credentials of this dashboard" actions={<TryNow />}>
          The login has ended, the API token was deleted, or its secret is wrong. Load the page again to sign in. What
          is shown may be old, and changes are not possible.
        </Note>
      )
    if (phase === 'offline')
      return (
        <Note tone="wait" icon="off" title="There is no connection to the gateway" actions={<TryNow />}>
          {lastSeen ? `This page shows the state at ${clockText(lastSeen)}. ` : ''}Payments continue without this page.
          It fills the gap itself when the connection is back.
        </Note>
      )
    if (phase === 'crowded')
      return (
        <Note tone="wait" icon="pause" title="This page is not updated by itself" actions={<TryNow />}>
          Its token has too many live pages. Close some. Changes are possible.
        </Note>
      )
    if (hasExpired)
      return (
        <Note tone="idle" icon="sand" title="You were away for too long to fill the gap">
          The events of that time are no longer kept, so the view was loaded again.
        </Note>
      )
    if (gap)
      return (
        <Note tone="busy" icon="again" title={`${gap.seconds} s were missed and are filled in`}>
          {counted(gap.events, 'event')}, none doubled.
        </Note>
      )
    return null
  })()
  return (
    <div className="banner" role="status">
      {banner}
    </div>
  )
}

const TryNow = () => (
  <button type="button" className="btn sm" onClick={reconnect}>
    Try now
  </button>
)
