// Views are named addresses. The user's own views are kept in the browser.
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { Icon } from '../parts/icon.tsx'
import { Dialog } from '../shell/dialog.tsx'
import { say } from '../shell/toasts.tsx'

interface View {
  readonly name: string
  readonly query: string
}

/** Only the filters, in a fixed order, so that equal views have equal texts. */
const queryText = (query: URLSearchParams) => {
  const filters = new URLSearchParams(query)
  for (const name of ['after', 'before']) filters.delete(name)
  filters.sort()
  return filters.toString()
}

const viewOf = (name: string, query: string): View => ({ name, query: queryText(new URLSearchParams(query)) })

const GIVEN: readonly View[] = [
  viewOf('All', ''),
  viewOf('Needs attention', 'statuses=PENDING_AUTHORIZATION,FAILED,EXCEPTION'),
  viewOf('Money in', 'types=INCOMING'),
  viewOf('Card exceptions', 'statuses=EXCEPTION&types=CARD'),
]
const KEPT_AT = 'paygraph.views'

const keptViews = (): View[] => {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AT) ?? '[]').map(({ name, query }: View) => viewOf(name, query))
  } catch {
    return []
  }
}

export const Views = ({ query }: { readonly query: URLSearchParams }) => {
  const [own, setOwn] = useState(keptViews)
  const [isNaming, setNaming] = useState(false)
  const text = queryText(query)
  const keep = (views: View[]) => {
    localStorage.setItem(KEPT_AT, JSON.stringify(views))
    setOwn(views)
  }
  const add = (view: View) => keep([...keptViews().filter(({ name }) => name !== view.name), view])
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    setNaming(false)
    add({ name, query: text })
  }
  const forget = (view: View) => {
    keep(own.filter((other) => other !== view))
    say(`The view ${view.name} is forgotten`, () => add(view))
  }
  const link = ({ name, query }: View) => (
    <Link href={`/payments${query && `?${query}`}`} aria-current={query === text ? 'page' : undefined}>
      {name}
    </Link>
  )
  return (
    <nav className="views" aria-label="Saved views">
      {GIVEN.map((view) => (
        <span key={view.name}>{link(view)}</span>
      ))}
      {own.map((view) => (
        <span key={`own ${view.name}`}>
          {link(view)}
          <button type="button" aria-label={`Forget the view ${view.name}`} onClick={() => forget(view)}>
            <Icon name="x" />
          </button>
        </span>
      ))}
      {![...GIVEN, ...own].some((view) => view.query === text) && (
        <button type="button" onClick={() => setNaming(true)}>
          <Icon name="plus" /> Save view
        </button>
      )}
      {isNaming && (
        <Dialog title="Save view" close={() => setNaming(false)}>
          <form onSubmit={save} className="form">
            <label className="field">
              Name
              <input className="in" name="name" required pattern=".*\S.*" title="A name" maxLength={40} />
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
