import type { RowSelectionState } from '@tanstack/react-table'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { PaymentsDocument } from '../gql/graphql.ts'
import { mayShift } from '../graphql/use-held.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Icon } from '../parts/icon.tsx'
import { SayNew } from '../parts/new-rows.tsx'
import { Pager, windowOf } from '../parts/pager.tsx'
import { Empty, Failed, Note } from '../parts/panel.tsx'
import { counted } from '../parts/words.ts'
import { useKeys } from '../shell/keys.ts'
import { Screen } from '../shell/screen.tsx'
import { HIDEABLE } from './columns.tsx'
import { csvHead, csvOf, download } from './csv.ts'
import { ExportButton } from './export-button.tsx'
import { chipsOf, filterOf, fits } from './filter.ts'
import { Filters } from './filters.tsx'
import { useFresh } from './newest.ts'
import type { Row } from './party.ts'
import { Peek } from './peek.tsx'
import { rememberList } from './seen-list.ts'
import { PaymentTable } from './table.tsx'
import { useLiveRows } from './use-live-rows.ts'
import { Views } from './views.tsx'

const SIZE = 25
const HIDDEN_AT = 'paygraph.hidden-columns'

const keptHidden = (): Record<string, boolean> => {
  try {
    return JSON.parse(localStorage.getItem(HIDDEN_AT) ?? '{}')
  } catch {
    return {}
  }
}

export const Payments = () => {
  const [query, setQuery] = useSearchParams()
  const [, navigate] = useLocation()
  const [selection, setSelection] = useState<RowSelectionState>({})
  const [current, setCurrent] = useState<string | undefined>()
  const [isPeeking, setPeeking] = useState(false)
  const [hidden, setHidden] = useState(keptHidden)
  const [hasLostPlace, setLostPlace] = useState(false)
  const address = query.toString()
  const filter = useMemo(() => filterOf(new URLSearchParams(address)), [address])
  const [after, before] = [query.get('after'), query.get('before')]
  const isFirstPage = !after && !before
  const { data, failure, reload } = useScreen(PaymentsDocument, {
    filter,
    ...windowOf(query, SIZE),
    isCounting: isFirstPage,
  })
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>, replace = false) =>
      setQuery(
        (now) => {
          const next = new URLSearchParams(now)
          for (const name of ['after', 'before']) next.delete(name)
          for (const [name, value] of Object.entries(changes)) {
            if (value === null) next.delete(name)
            else next.set(name, value)
          }
          return next
        },
        { replace },
      ),
    [setQuery],
  )
  const isBusy = useRef(false)
  const mayInsert = useCallback(
    () => isFirstPage && !isBusy.current && mayShift(document.querySelector('.pay tbody')),
    [isFirstPage],
  )
  const edges = data?.transactions?.edges
  const page = useMemo(() => edges?.map(({ node }) => node), [edges])
  const { rows, newCount, reset } = useLiveRows({
    page,
    filter,
    size: SIZE,
    isFirstPage,
    mayInsert,
    of: address,
  })
  isBusy.current = Object.keys(selection).length > 0 || (current !== undefined && rows?.[0]?.id !== current)
  const fresh = useFresh()
  const filterKey = JSON.stringify(filter)
  const total = useTotal(filterKey, data?.transactions?.totalCount)
  useEffect(() => rememberList(rows?.map(({ id }) => id) ?? []), [rows])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page begins without a selection
  useEffect(() => {
    setSelection({})
    setCurrent(undefined)
  }, [address])
  // A link may contain a cursor that the gateway no longer accepts. The list then starts at the beginning, and says so.
  const isBadPlace = failure?.kind === 'INVALID_INPUT' && !isFirstPage
  useEffect(() => {
    if (!isBadPlace) return
    setLostPlace(true)
    change({}, true)
  }, [isBadPlace, change])
  // Once the reader is back at the newest page, the address says so, and rows arrive again.
  const isBackAtTop = before !== null && data?.transactions?.pageInfo.hasPreviousPage === false
  useEffect(() => {
    if (isBackAtTop) change({}, true)
  }, [isBackAtTop, change])
  const showNew = () => {
    if (newCount === 0) return false
    reset()
    scrollTo({ top: 0 })
    if (isFirstPage) reload()
    else change({})
    return true
  }
  const move = (by: 1 | -1) => {
    if (!rows || rows.length === 0) return
    const at = rows.findIndex(({ id }) => id === current)
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)]
    setCurrent(next?.id)
    document.querySelector(`tr[data-id="${next?.id}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const back = () => {
    if (isPeeking) return setPeeking(false)
    if (Object.keys(selection).length > 0) return setSelection({})
    if (current) return setCurrent(undefined)
    if (chipsOf(query).length > 0 || query.get('search')) return navigate('/payments')
    return false
  }
  const peek = () => {
    setCurrent(current ?? rows?.[0]?.id)
    setPeeking(!isPeeking)
  }
  useKeys([
    { press: 'j', does: 'Next row', run: () => move(1) },
    { press: 'k', does: 'Previous row', run: () => move(-1) },
    { press: 'Enter', does: 'Open the row', run: () => (current ? navigate(`/payments/${current}`) : false) },
    {
      press: 'x',
      does: 'Select the row',
      run: () =>
        current !== undefined &&
        setSelection(({ [current]: isSelected, ...others }) => (isSelected ? others : { ...others, [current]: true })),
    },
    { press: '.', does: 'Show new payments', run: showNew },
    { press: ' ', does: 'Show the row in the side panel', run: () => (rows?.length ? peek() : false) },
    { press: 'Escape', does: 'Close the panel, clear the selection, then filters', run: back },
  ])
  const selected = rows?.filter(({ id }) => selection[id]) ?? []
  // New rows push others out of the page. The next page begins after the last row that is still shown.
  const last = edges?.findLast(({ node }) => rows?.some(({ id }) => id === node.id))
  const loaded = data?.transactions?.pageInfo
  const pageInfo = loaded && {
    ...loaded,
    hasNextPage: last !== undefined && (loaded.hasNextPage || last !== edges?.at(-1)),
    endCursor: last?.cursor ?? null,
  }
  // Once new rows fill the page, it is loaded again for their cursors.
  const isReplaced = rows !== undefined && rows.length > 0 && last === undefined
  useEffect(() => {
    if (isReplaced) reload()
  }, [isReplaced, reload])
  const isDimmed = useCallback((row: Row) => fits(row, filter) === false, [filter])
  const toggleColumn = (id: string) => {
    const next = { ...hidden, [id]: hidden[id] === false }
    localStorage.setItem(HIDDEN_AT, JSON.stringify(next))
    setHidden(next)
  }
  const end = (
    <>
      <span className="t2 small num hide-s match">
        {total === undefined ? '' : `${total.toLocaleString('en-GB')} match`}
      </span>
      <details className="menu hide-s">
        <summary className="btn">
          <Icon name="cols" />
          Columns
        </summary>
        <div className="float">
          {Object.entries(HIDEABLE).map(([id, name]) => (
            <label key={id} className="check">
              <input type="checkbox" checked={hidden[id] !== false} onChange={() => toggleColumn(id)} />
              {name}
            </label>
          ))}
        </div>
      </details>
      <ExportButton filter={filter} />
    </>
  )
  return (
    <Screen title="Payments" end={end}>
      <Views query={query} />
      <Filters query={query} change={change} />
      {hasLostPlace && (
        <Note tone="idle" icon="sand" title="This page of the list is no longer kept" className="spaced">
          Filters are as in the link. The list begins at the newest payment.
        </Note>
      )}
      <div className="split">
        <div className="card edge">
          <div className="bulk">
            {selected.length > 0 ? (
              <strong className="num">{selected.length} selected</strong>
            ) : (
              <span className="t3">Newest first</span>
            )}
            {selected.length > 0 && (
              <>
                <button
                  type="button"
                  className="btn sm"
                  onClick={() => download('payments-selected.csv', [csvHead, csvOf(selected)])}
                >
                  <Icon name="down" />
                  Export
                </button>
                <button type="button" className="btn sm bare" onClick={() => setSelection({})}>
                  Clear <kbd aria-hidden="true">Esc</kbd>
                </button>
              </>
            )}
            {newCount !== 0 && (
              <button type="button" className="pill-new" onClick={showNew}>
                <Icon name="up" />
                {newCount === undefined ? 'New payments may match' : `${newCount} new`}
              </button>
            )}
          </div>
          {!rows && failure && !isBadPlace ? (
            <Failed what="payments" level="h2" failure={failure} retry={reload} />
          ) : rows?.length === 0 ? (
            <NoRows query={query} clear={() => navigate('/payments')} />
          ) : (
            <PaymentTable
              rows={rows}
              size={SIZE}
              fresh={fresh}
              isDimmed={isDimmed}
              current={current}
              selection={selection}
              setSelection={setSelection}
              hidden={hidden}
            />
          )}
          <Pager text={rangeText(rows?.length, total, isFirstPage)} pageInfo={pageInfo} />
        </div>
        <Peek
          row={rows?.find(({ id }) => id === current) ?? rows?.[0]}
          isOpen={isPeeking}
          close={() => setPeeking(false)}
        />
      </div>
      <SayNew
        text={newCount === undefined ? 'New payments may match' : newCount ? counted(newCount, 'new payment') : ''}
      />
    </Screen>
  )
}

/** The total of a filter is requested with its first page, and is used for the others. */
const useTotal = (filterKey: string, total: number | null | undefined) => {
  const totals = useRef(new Map<string, number>())
  if (total !== null && total !== undefined) totals.current.set(filterKey, total)
  return totals.current.get(filterKey)
}

const rangeText = (count: number | undefined, total: number | undefined, isFirstPage: boolean) => {
  if (count === undefined) return ''
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en-GB')}`
  return isFirstPage ? `${count === 0 ? 0 : `1–${count}`}${of}` : `${count}${of}`
}

const NoRows = ({ query, clear }: { readonly query: URLSearchParams; readonly clear: () => void }) => {
  const search = query.get('search')
  const chips = chipsOf(query).map(({ label, text }) => `${label}: ${text}`)
  if (search) chips.push(`“${search}”`)
  const count = chips.length
  if (count === 0)
    return (
      <Empty icon="list" level="h2" title="No payments yet">
        The first one appears here by itself.
      </Empty>
    )
  return (
    <Empty
      icon="find"
      level="h2"
      title={count === 1 ? 'Nothing matches this filter' : `Nothing matches these ${counted(count, 'filter')}`}
      actions={
        <button type="button" className="btn" onClick={clear}>
          Clear all
        </button>
      }
    >
      {chips.join(', ')}
    </Empty>
  )
}
