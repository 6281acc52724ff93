// A native dialog of the browser, which keeps the focus inside and gives it back. It begins at its first field or button.
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from '../parts/icon.tsx'

interface Props {
  readonly title: string
  readonly close: () => void
  readonly children: ReactNode
  readonly className?: string
  readonly isBare?: boolean
  /** It shows what cannot be shown again, so a click beside it does not close it. */
  readonly isOnce?: boolean
}

export const Dialog = ({ title, close, children, className = '', isBare = false, isOnce = false }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget | null>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    // The browser begins at Close. The attribute `autoFocus` comes too early, before the dialog is shown.
    element?.querySelector<HTMLElement>('.sheet > :not(header) :is(input, select, textarea, button, a)')?.focus()
    return () => {
      element?.close()
      // The browser gives the focus back only while the dialog is in the document.
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it, which the browser does
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      {...(isBare ? { 'aria-label': title } : { 'aria-labelledby': id })}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      // A press that began inside, for example to select a text, ends beside the dialog as a click on it.
      onClick={({ target }) => !isOnce && target === dialog.current && pressed.current === target && close()}
    >
      {isBare ? (
        children
      ) : (
        <div className="sheet">
          <header>
            <h2 id={id}>{title}</h2>
            <button type="button" className="btn bare icon" onClick={close} aria-label="Close">
              <Icon name="x" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  )
}
