import { type ReactNode, useEffect } from 'react'
import { useSearchParams } from 'wouter'
import type { Failure } from '../graphql/failure.ts'

interface Props {
  readonly text: ReactNode
  readonly pageInfo:
    | {
        readonly hasNextPage: boolean
        readonly hasPreviousPage: boolean
        readonly startCursor?: string | null
        readonly endCursor?: string | null
      }
    | undefined
}

/** Pages by cursor, in both directions. The cursors are in the address. */
export const Pager = ({ text, pageInfo }: Props) => {
  const [query, setQuery] = useSearchParams()
  const go = (name: 'after' | 'before', cursor: string | null | undefined) => {
    setQuery((now) => {
      const next = new URLSearchParams(now)
      next.delete('after')
      next.delete('before')
      if (cursor) next.set(name, cursor)
      return next
    })
    // The buttons are at the end of the list, and a page is read from its beginning.
    scrollTo({ top: 0 })
  }
  const isFirst = !query.get('after') && !query.get('before')
  return (
    <div className="pager">
      <span className="num">{text}</span>
      <button
        type="button"
        className="btn sm"
        disabled={isFirst}
        onClick={() => (pageInfo?.hasPreviousPage ? go('before', pageInfo.startCursor) : go('before', null))}
      >
        Newer
      </button>
      <button
        type="button"
        className="btn sm"
        disabled={!pageInfo?.hasNextPage}
        onClick={() => go('after', pageInfo?.endCursor)}
      >
        Older
      </button>
    </div>
  )
}

/** The variables of a page, from the address. */
export const windowOf = (query: URLSearchParams, size: number) => {
  const [after, before] = [query.get('after'), query.get('before')]
  return { first: before ? null : size, after, last: before ? size : null, before }
}

/** A link may contain a cursor that the gateway does not accept. The list then starts at its beginning. */
export const useValidPlace = (failure: Failure | undefined) => {
  const [, setQuery] = useSearchParams()
  const isBad = failure?.field === 'after' || failure?.field === 'before'
  useEffect(() => {
    if (!isBad) return
    setQuery(
      (now) => {
        const next = new URLSearchParams(now)
        next.delete('after')
        next.delete('before')
        return next
      },
      { replace: true },
    )
  }, [isBad, setQuery])
}
