// The rows of a page while payments arrive and change. Nothing moves while it is being read: rows change in place, and
// new ones are put on top only if the reader is at the top. Otherwise they are counted.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TransactionFilter } from '../gql/graphql.ts'
import { onEvents } from '../graphql/live.ts'
import { serverClock } from '../graphql/server-clock.ts'
import { fits } from './filter.ts'
import { compareRows, newestOf, rowsIn } from './newest.ts'
import type { Row } from './party.ts'

interface Options {
  readonly page: readonly Row[] | undefined
  readonly filter: TransactionFilter
  readonly size: number
  readonly isFirstPage: boolean
  /** Whether this is the newest page and the reader is at its top. */
  readonly mayInsert: () => boolean
  /** Starts again whenever this value changes. */
  readonly of: string
}

/** How many rows are new to the list. Undefined if there may be some, but only the gateway can tell whether they match. */
export type NewCount = number | undefined

export const useLiveRows = ({ page, filter, size, isFirstPage, mayInsert, of }: Options) => {
  const [arrived, setArrived] = useState<readonly Row[]>([])
  /** Ids of the rows that are or may be new. The value is false if only the gateway can tell whether the row matches. */
  const [waiting, setWaiting] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [, setTick] = useState(0)
  const known = useRef<readonly Row[]>([])
  const openedAt = useRef(0)
  const reset = useCallback(() => {
    openedAt.current = serverClock.now()
    setArrived([])
    setWaiting(new Map())
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins without arrivals
  useEffect(reset, [of, reset])
  const rows = useMemo(() => {
    if (!page) return undefined
    const byId = new Map([...arrived, ...page].map((row) => [row.id, row]))
    return [...byId.values()].sort(compareRows).slice(0, size)
  }, [arrived, page, size])
  known.current = rows ?? []
  useEffect(
    () =>
      onEvents((events) => {
        const incoming = rowsIn(events)
        if (incoming.length === 0) return
        // Rows that are shown change in place.
        setTick((count) => count + 1)
        const shown = known.current
        const last = shown.at(-1)
        const isHere = (row: Row) => shown.length < size || (last !== undefined && compareRows(row, last) < 0)
        const others = incoming.filter((row) => !shown.some(({ id }) => id === row.id) && isHere(row))
        const isOnTop = (row: Row) => !shown[0] || compareRows(row, shown[0]) < 0
        const certain = others.filter((row) => fits(row, filter) === true && isOnTop(row))
        const insertable = mayInsert() ? certain : []
        // A row above a later page is on an earlier one already, unless it has just been created, or its status makes it match only now.
        const isNew = (row: Row) => {
          const isAbove = !isFirstPage && isOnTop(row) && Date.parse(row.createdAt) <= openedAt.current
          const matches = fits(row, filter)
          if (!isAbove || matches === false) return matches
          return filter.statuses ? undefined : false
        }
        if (insertable.length > 0) setArrived((before) => [...insertable, ...before].slice(0, size))
        setWaiting((before) => {
          const after = new Map(before)
          for (const row of others) {
            const certainty = insertable.includes(row) ? false : isNew(row)
            if (certainty === false) after.delete(row.id)
            else after.set(row.id, certainty === true)
          }
          return after
        })
      }),
    [filter, size, isFirstPage, mayInsert],
  )
  const newCount = useMemo((): NewCount => {
    const others = [...waiting].filter(([id]) => !rows?.some((row) => row.id === id))
    return others.every(([, isCertain]) => isCertain) ? others.length : undefined
  }, [waiting, rows])
  return { rows: rows?.map(newestOf), newCount, reset }
}
