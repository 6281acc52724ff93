// Views are named addresses. The user's own views are kept in the browser.
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Dialog } from '../shell/dialog.tsx'

interface View {
  readonly name: string
  readonly query: string
}

const GIVEN: readonly View[] = [
  { name: 'All', query: '' },
  { name: 'Needs attention', query: 'statuses=PENDING_AUTHORIZATION,FAILED,EXCEPTION' },
  { name: 'Money in', query: 'types=INCOMING' },
  { name: 'Card exceptions', query: 'statuses=EXCEPTION&types=CARD' },
]
const KEPT_AT = 'paygraph.views'

const keptViews = (): View[] => {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AT) ?? '[]')
  } catch {
    return []
  }
}

/** Only the filters, in a fixed order, so that equal views have equal texts. */
const queryText = (query: URLSearchParams) => {
  const filters = new URLSearchParams(query)
  for (const name of ['after', 'before']) filters.delete(name)
  filters.sort()
  return decodeURIComponent(filters.toString())
}

export const Views = ({ query }: { readonly query: URLSearchParams }) => {
  const [own, setOwn] = useState(keptViews)
  const [isNaming, setNaming] = useState(false)
  const text = queryText(query)
  const all = [...GIVEN, ...own]
  const keep = (views: View[]) => {
    localStorage.setItem(KEPT_AT, JSON.stringify(views))
    setOwn(views)
  }
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setNaming(false)
    keep([...own.filter((view) => view.name !== name), { name, query: text }])
  }
  const isOwn = own.some((view) => view.query === text)
  return (
    <nav className="views" aria-label="Saved views">
      {all.map((view) => (
        <Link
          key={view.name}
          href={`/payments${view.query && `?${view.query}`}`}
          aria-current={view.query === text ? 'page' : undefined}
        >
          {view.name}
        </Link>
      ))}
      {isOwn ? (
        <button type="button" onClick={() => keep(own.filter((view) => view.query !== text))}>
          Forget this view
        </button>
      ) : (
        !all.some((view) => view.query === text) && (
          <button type="button" onClick={() => setNaming(true)}>
            <Icon name="plus" /> Save view
          </button>
        )
      )}
      {isNaming && (
        <Dialog title="Save view" close={() => setNaming(false)}>
          <form onSubmit={save} className="form">
            <label className="field">
              Name
              <input className="in" name="name" required maxLength={40} />
            </label>
            <div className="wrap end">
              <button type="submit" className="btn go">
                Save view
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </nav>
  )
}
