// Keeps the letters that are typed while the palette is loading, so that none is lost.
import { useLayoutEffect } from 'react'

let typed = ''

export const takeTypedAhead = () => {
  const text = typed
  typed = ''
  return text
}

export const TypedAhead = () => {
  // It begins and ends with the change of the page, so that each letter goes either here or to the palette.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      typed += event.key
    }
    // Handled before the keys of the screen.
    addEventListener('keydown', onKeyDown, { capture: true })
    return () => removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return null
}
