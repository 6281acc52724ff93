import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

/** Shows the end of an id, and copies the whole id. */
export const PublicId = ({ id, text }: { readonly id: string; readonly text?: string }) => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    await navigator.clipboard.writeText(id)
    setCopied(true)
  }
  const kind = id.includes(':') ? `${id.slice(0, id.indexOf(':'))} id` : 'value'
  return (
    <button type="button" className="id" title={id} onClick={copy}>
      <Icon name={isCopied ? 'tick' : 'copy'} />
      <span className="vh">Copy {kind} </span>
      <span className="cut">{text ?? `…${id.slice(-6)}`}</span>
      <span className="vh" role="status">
        {isCopied ? 'Copied' : ''}
      </span>
    </button>
  )
}
