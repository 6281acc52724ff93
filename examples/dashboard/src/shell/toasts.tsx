// Says for eight seconds what was done, with an undo button if it can be undone.
import { useSyncExternalStore } from 'react'
import { useKeys } from './keys.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo?: (() => unknown) | undefined
}

const SHOWN_MS = 8_000
let toast: Toast | undefined
let timer = 0
let count = 0
const watchers = new Set<() => void>()

const show = (next: Toast | undefined) => {
  toast = next
  for (const watch of watchers) watch()
}

const hideLater = () => {
  clearTimeout(timer)
  timer = window.setTimeout(() => show(undefined), SHOWN_MS)
}

export const say = (text: string, undo?: () => unknown) => {
  show({ id: ++count, text, undo })
  hideLater()
}

const subscribe = (watch: () => void) => {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

export const Toasts = () => {
  const current = useSyncExternalStore(subscribe, () => toast)
  const undo = () => {
    if (!current?.undo) return false
    show(undefined)
    return current.undo()
  }
  useKeys([{ press: 'z', does: 'Undo the last action', run: undo }])
  return (
    <div className="toasts" role="status">
      {current && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only stays longer while the pointer is on it
        <div
          className="toast"
          key={current.id}
          onPointerEnter={() => clearTimeout(timer)}
          onPointerLeave={hideLater}
          onFocus={() => clearTimeout(timer)}
          onBlur={hideLater}
        >
          <span>{current.text}</span>
          {current.undo && (
            <button type="button" onClick={undo}>
              Undo <kbd>Z</kbd>
            </button>
          )}
        </div>
      )}
    </div>
  )
}
