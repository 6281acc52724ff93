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

/** Asks once before an action that cannot be undone. The first button cancels it, so Enter does. */
export const Confirm = ({ title, action, close, confirm, children }: Props) => (
  <Dialog title={title} close={close}>
    <div className="stack">
      <p className="small t2">{children}</p>
      <div className="wrap end">
        <button type="button" className="btn" onClick={close}>
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
