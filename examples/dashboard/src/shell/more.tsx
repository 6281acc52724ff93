// On a phone: the screens that have no place in the bar below, and the theme.
import { Link } from 'wouter'
import { zoneText } from '../parts/zone.ts'
import { Dialog } from './dialog.tsx'
import { PLACES } from './places.ts'
import { ThemeButton } from './theme.tsx'

export const More = ({ close }: { readonly close: () => void }) => (
  <Dialog title="More" close={close} className="bottom">
    <ul className="rows">
      {PLACES.slice(4).map(({ name, path }) => (
        <li key={path}>
          <Link href={path} onClick={close}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
    <ThemeButton />
    <p className="small t2">Times in {zoneText}</p>
  </Dialog>
)
