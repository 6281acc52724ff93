// The rows that wait to be shown above a list.
import { useEffect, useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { counted } from './words.ts'

interface Props {
  readonly count: number
  readonly noun: string
  readonly plural?: string
  readonly show: () => void
}

/** Lies over the top of the list, so that nothing moves. */
export const NewRows = ({ count, noun, plural, show }: Props) => {
  const text = counted(count, noun, plural)
  return (
    <div className="news">
      {count > 0 && (
        <button type="button" className="pill-new" onClick={show}>
          <Icon name="up" />
          {text}
        </button>
      )}
      <SayNew text={count === 0 ? '' : text} />
    </div>
  )
}

const SAY_EVERY_MS = 10_000

/** Says how many are new, at most every ten seconds. */
export const SayNew = ({ text }: { readonly text: string }) => {
  const [said, setSaid] = useState('')
  const last = useRef(0)
  useEffect(() => {
    if (!text) return setSaid('')
    const wait = Math.max(0, last.current + SAY_EVERY_MS - Date.now())
    const timer = setTimeout(() => {
      last.current = Date.now()
      setSaid(text)
    }, wait)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p className="vh" role="status">
      {said}
    </p>
  )
}
