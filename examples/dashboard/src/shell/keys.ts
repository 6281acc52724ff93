// Keyboard shortcuts. A screen registers the keys that it handles; the latest registration comes first.
import { useEffect, useRef } from 'react'

export interface Key {
  /** `j`, `Enter`, `Escape`, or `g p` for one after the other. */
  readonly press: string
  readonly does: string
  /** Returns false if it has nothing to do, so that the next one may. */
  readonly run: () => unknown
}

const layers: { current: readonly Key[] }[] = []
let before = ''
let isOn = localStorage.getItem('paygraph.keys') !== 'off'

export const singleKeys = {
  isOn: () => isOn,
  turn(on: boolean) {
    isOn = on
    localStorage.setItem('paygraph.keys', on ? 'on' : 'off')
  },
}

export const allKeys = (): readonly Key[] => layers.flatMap(({ current }) => current)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  (target as HTMLInputElement).type !== 'checkbox'

const handle = (event: KeyboardEvent) => {
  if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return
  // Behind a dialog nothing happens, and Escape closes the dialog.
  if (document.querySelector('dialog[open]')) return
  const isSingle = event.key.length === 1
  if (isTyping(event.target) ? event.key !== 'Escape' : isSingle && !isOn) return
  // Buttons and links handle these keys themselves.
  const isControl = event.target instanceof Element && event.target.closest('button, a, summary, input')
  if (isControl && (event.key === 'Enter' || event.key === ' ')) return
  const pressed = before ? `${before} ${event.key}` : event.key
  before = pressed === 'g' ? 'g' : ''
  for (const { current } of [...layers].reverse())
    for (const key of current)
      if (key.press === pressed && key.run() !== false) {
        event.preventDefault()
        return
      }
}

export const useKeys = (keys: readonly Key[]) => {
  const layer = useRef(keys)
  layer.current = keys
  useEffect(() => {
    if (layers.length === 0) addEventListener('keydown', handle)
    layers.push(layer)
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      if (layers.length === 0) removeEventListener('keydown', handle)
    }
  }, [])
}
