// The rows of a page while payments arrive and change. Nothing moves while it is being read: rows change in place, and
// new ones are put on top only if the reader is at the top. Otherwise they are counted.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { TransactionFilter } from '../gql/graphql.ts'
import { onEvents } from '../graphql/live.ts'
import { fits } from './filter.ts'
import { compareRows, newestOf, rowsIn } from './newest.ts'
import type { Row } from './party.ts'

interface Options {
  readonly page: readonly Row[] | undefined
  readonly filter: TransactionFilter
  readonly size: number
  /** Whether this is the newest page and the reader is at its top. */
  readonly mayInsert: () => boolean
  /** Starts again whenever this value changes. */
  readonly of: string
}

export const useLiveRows = ({ page, filter, size, mayInsert, of }: Options) => {
  const [arrived, setArrived] = useState<readonly Row[]>([])
  const [counted, setCounted] = useState<ReadonlySet<string>>(new Set())
  const [, setTick] = useState(0)
  const known = useRef<readonly Row[]>([])
  const reset = useCallback(() => {
    setArrived([])
    setCounted(new Set())
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
        const rest = others.filter((row) => fits(row, filter) !== false && !insertable.includes(row))
        if (insertable.length > 0) setArrived((before) => [...insertable, ...before].slice(0, size))
        if (rest.length > 0) setCounted((before) => new Set([...before, ...rest.map(({ id }) => id)]))
      }),
    [filter, size, mayInsert],
  )
  const newCount = useMemo(
    () => [...counted].filter((id) => !rows?.some((row) => row.id === id)).length,
    [counted, rows],
  )
  return { rows: rows?.map(newestOf), newCount, reset }
}
