// The command palette: searches payments and customers, opens pasted ids of any kind, and goes to screens.
import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useClient } from 'urql'
import { useLocation } from 'wouter'
import {
  FindDocument,
  type FindQuery,
  type FoundCustomerFragment,
  OpenDocument,
  type PaymentRowFragment,
  RecentDocument,
  type RecentQuery,
} from '../gql/graphql.ts'
import { documentOf } from '../graphql/client.ts'
import { type Failure, failureOfError } from '../graphql/failure.ts'
import { useViewer } from '../graphql/use-viewer.ts'
import { Icon } from '../parts/icon.tsx'
import { amountText } from '../parts/money.tsx'
import { lookOf } from '../parts/status.tsx'
import { stopped } from '../parts/words.ts'
import { partyOf } from '../payments/party.ts'
import { Dialog } from './dialog.tsx'
import { PLACES, pathOfId } from './places.ts'
import { takeTypedAhead } from './typed-ahead.tsx'

interface Option {
  readonly id: string
  readonly group: string
  readonly text: string
  readonly detail?: string
  readonly icon: string
  readonly path: string
}

const ID = /^[A-Za-z]+:[0-9a-f-]{36}$/
const WAIT_MS = 120

/** Only ids are kept, for each platform, so that what they name is as it is now and as this reader may see it. */
const recentAt = (platformId: string) => `paygraph.recent.${platformId}`
const RECENT_KEPT = 5

const recentIds = (platformId: string): string[] => {
  try {
    return JSON.parse(localStorage.getItem(recentAt(platformId)) ?? '[]')
  } catch {
    return []
  }
}

const remember = (platformId: string, id: string) => {
  const ids = [id, ...recentIds(platformId).filter((other) => other !== id)].slice(0, RECENT_KEPT)
  localStorage.setItem(recentAt(platformId), JSON.stringify(ids))
}

const paymentOption = (payment: PaymentRowFragment): Option => ({
  id: payment.id,
  group: 'Payments',
  text: partyOf(payment),
  detail: `${amountText(payment.amount)}, ${lookOf(payment.status).word.toLowerCase()}`,
  icon: lookOf(payment.status).icon,
  path: `/payments/${payment.id}`,
})

const customerOption = ({ id, customerName, platformCustomerId }: FoundCustomerFragment): Option => ({
  id,
  group: 'Customers',
  text: customerName ?? platformCustomerId,
  detail: platformCustomerId,
  icon: 'users',
  path: `/customers/${id}`,
})

const idOption = (id: string): Option[] => {
  const path = pathOfId(id)
  return path ? [{ id, group: 'Id', text: id, icon: 'next', path }] : []
}

const optionsOf = ({ payments, customers }: FindQuery): Option[] => [
  ...(payments?.nodes ?? []).map(paymentOption),
  ...(customers?.nodes ?? []).map(customerOption),
]

const recentOptions = ({ nodes }: RecentQuery): Option[] =>
  (nodes ?? []).flatMap((node) => {
    if (!node) return []
    if ('amount' in node) return [paymentOption(node)]
    return node.__typename === 'Customer' ? [customerOption(node)] : idOption(node.id)
  })

/** What was chosen last, as it is now. */
const useRecent = (platformId: string | undefined) => {
  const client = useClient()
  const [recent, setRecent] = useState<readonly Option[]>([])
  useEffect(() => {
    const ids = platformId ? recentIds(platformId) : []
    if (ids.length === 0) return
    let isCurrent = true
    const load = async () => {
      const query = client.query(documentOf(RecentDocument), { ids }, { requestPolicy: 'network-only' })
      const { data } = await query.toPromise()
      if (isCurrent && data) setRecent(recentOptions(data).map((option) => ({ ...option, group: 'Recent' })))
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [platformId, client])
  return recent
}

interface Found {
  readonly text: string
  readonly options: readonly Option[]
  readonly failure: Failure | undefined
}

/** What a text of at least two letters finds. Undefined until it is there. */
const useFound = (text: string): Found | undefined => {
  const client = useClient()
  const [found, setFound] = useState<Found | undefined>()
  useEffect(() => {
    if (text.length < 2) return
    let isCurrent = true
    const search = async () => {
      const { options, error } = await (ID.test(text) ? open() : find())
      if (isCurrent) setFound({ text, options, failure: error && failureOfError(error) })
    }
    const open = async () => {
      const { data, error } = await client.query(documentOf(OpenDocument), { id: text }).toPromise()
      return { options: data?.node ? idOption(text) : [], error }
    }
    const find = async () => {
      const { data, error } = await client.query(documentOf(FindDocument), { search: text }).toPromise()
      return { options: data ? optionsOf(data) : [], error }
    }
    const timer = setTimeout(search, WAIT_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, client])
  return found?.text === text ? found : undefined
}

export const Palette = ({ close }: { readonly close: () => void }) => {
  const [typed, setTyped] = useState('')
  // Letters arrive until the input has the focus, and the next one must find them in it.
  useLayoutEffect(() => setTyped(takeTypedAhead()), [])
  const [at, setAt] = useState(0)
  const [, navigate] = useLocation()
  const text = typed.trim()
  const found = useFound(text)
  const platformId = useViewer()?.platform?.id
  const recent = useRecent(platformId)
  const options = useMemo<readonly Option[]>(() => {
    const places = PLACES.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())).map(
      ({ name, path, icon }) => ({ id: path, group: 'Go to', text: name, icon, path }),
    )
    return [...(text === '' ? recent : (found?.options ?? [])), ...places]
  }, [found, recent, text])
  const note =
    text.length >= 2 && !found
      ? 'Searching …'
      : found?.failure
        ? `The search failed: ${stopped(found.failure.message)}`
        : options.length === 0 && 'Nothing found'
  const current = Math.min(at, options.length - 1)
  useEffect(() => {
    document.getElementById(`option-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const choose = (option: Option | undefined) => {
    if (!option) return
    if (option.group !== 'Go to' && platformId) remember(platformId, option.id)
    close()
    navigate(option.path)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((current + step + options.length) % options.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(options[current])
    }
  }
  return (
    <Dialog title="Search or jump to" close={close} className="pal" isBare>
      <div className="q">
        <Icon name="find" />
        <input
          role="combobox"
          aria-label="Search payments and customers, or paste an id"
          aria-expanded="true"
          aria-controls="options"
          aria-autocomplete="list"
          aria-activedescendant={options.length > 0 ? `option-${current}` : undefined}
          placeholder="Name, reference, or any id"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          autoFocus
        />
        <kbd>Esc</kbd>
      </div>
      <div role="listbox" id="options" aria-label="Found">
        {options.map((option, index) => (
          <div key={`${option.group} ${option.id}`}>
            {option.group !== options[index - 1]?.group && (
              <div className="g" aria-hidden="true">
                {option.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
            <div
              role="option"
              id={`option-${index}`}
              aria-selected={index === current}
              onClick={() => choose(option)}
              onPointerMove={() => setAt(index)}
            >
              <Icon name={option.icon} />
              <span className="cut grow">{option.text}</span>
              <span className="t3 small num cut">{option.detail}</span>
            </div>
          </div>
        ))}
        {note && <p className="none t2">{note}</p>}
      </div>
      <footer aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> to move
        </span>
        <span>
          <kbd>↵</kbd> to open
        </span>
      </footer>
    </Dialog>
  )
}
