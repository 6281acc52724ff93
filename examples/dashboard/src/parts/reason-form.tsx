import { type FormEvent, useState } from 'react'

interface Props {
  readonly label: string
  /** What the button does, and what it says in the meantime. */
  readonly action: string
  readonly busy?: string
  readonly isBusy?: boolean
  readonly send: (reason: string) => unknown
  readonly cancel: () => void
}

/** Asks for a reason of one line, which may stay empty. */
export const ReasonForm = ({ label, action, busy = action, isBusy = false, send, cancel }: Props) => {
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    return send(reason.trim())
  }
  return (
    <form className="act" onSubmit={submit}>
      <label className="field grow">
        {label}
        <input
          className="in"
          value={reason}
          maxLength={200}
          onChange={({ target }) => setReason(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // The screen does not handle it, too.
            event.preventDefault()
            cancel()
          }}
          // biome-ignore lint/a11y/noAutofocus: the form opens by the button before it
          autoFocus
        />
      </label>
      <button type="submit" className="btn bad" disabled={isBusy}>
        {isBusy ? busy : action}
      </button>
      <button type="button" className="btn" onClick={cancel} disabled={isBusy}>
        Keep
      </button>
    </form>
  )
}
