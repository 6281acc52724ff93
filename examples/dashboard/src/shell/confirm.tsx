import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface Props {
  /** Names the object: `Close •••• 4242?` */
  readonly title: string
  /** What the button does. */
  readonly action: string
  readonly close: () => void
  readonly confirm: () => unknown
  readonly children: ReactNode
}

/** Asks once before an action that cannot be undone. Enter cancels it. */
export const Confirm = ({ title, action, close, confirm, children }: Props) => (
  <Dialog title={title} close={close}>
    <div className="stack">
      <p className="small t2">{children}</p>
      <div className="wrap end">
        {/* biome-ignore lint/a11y/noAutofocus: the safe answer is the one that Enter gives */}
        <button type="button" className="btn" onClick={close} autoFocus>
          Keep
        </button>
        <button
          type="button"
          className="btn bad"
          onClick={() => {
            close()
            return confirm()
          }}
        >
          {action}
        </button>
      </div>
    </div>
  </Dialog>
)
