import { Link, useLocation } from 'wouter'
import { useShell } from '../graphql/use-viewer.ts'
import { Icon } from '../parts/icon.tsx'
import { zoneText } from '../parts/zone.ts'
import { PLACES } from './places.ts'
import { ThemeButton } from './theme.tsx'

const ENVIRONMENTS = { PRODUCTION: 'Production', SANDBOX: 'Sandbox, no real money' }

interface Props {
  readonly openPalette: () => void
  readonly openMore: () => void
  readonly openKeys: () => void
}

export const Sidebar = ({ openPalette, openMore, openKeys }: Props) => {
  const [path] = useLocation()
  const shell = useShell()
  const platform = shell?.viewer?.platform
  const isAt = (place: string) => (place === '/' ? path === '/' : path.startsWith(place))
  const waiting = shell?.waiting?.totalCount
  return (
    <div className="side">
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className="brand" role="banner">
        <Icon name="logo" className="logo" />
        <span>
          {platform?.name ?? 'Paygraph'}
          <small>{platform ? ENVIRONMENTS[platform.environment] : <>&nbsp;</>}</small>
        </span>
      </div>
      <button type="button" className="find" onClick={openPalette}>
        <Icon name="find" />
        <span>Search or jump to</span>
        <kbd aria-hidden="true">⌘K</kbd>
      </button>
      <nav className="nav" aria-label="Main">
        <ul>
          {PLACES.map(({ name, path: to, icon }, index) => (
            <li key={to} className={index > 3 ? 'beyond' : ''}>
              <Link href={to} aria-current={isAt(to) ? 'page' : undefined}>
                <Icon name={icon} />
                {name}
                {to === '/approvals' && Boolean(waiting) && (
                  <span className="n">
                    {waiting}
                    <span className="vh"> waiting</span>
                  </span>
                )}
              </Link>
            </li>
          ))}
          <li className="more">
            <button
              type="button"
              onClick={openMore}
              aria-current={PLACES.slice(4).some((place) => isAt(place.path)) ? 'page' : undefined}
            >
              <Icon name="more" />
              More
            </button>
          </li>
        </ul>
      </nav>
      <div className="foot" role="contentinfo">
        <ThemeButton />
        <span>Times in {zoneText}</span>
        <button type="button" className="link" onClick={openKeys}>
          Press <kbd>?</kbd> for all keys
        </button>
      </div>
    </div>
  )
}
