// The newest state of each payment that the stream reported. A response that was in flight when an event arrived may be older than the event.
import { useEffect, useState } from 'react'
import { type LiveEvent, onEvents } from '../graphql/live.ts'
import type { Row } from './party.ts'

const newest = new Map<string, Row>()
const KEPT = 1_000

export const newestOf = <T extends Row>(row: T): T => {
  const live = newest.get(row.id)
  return live && live.updatedAt > row.updatedAt ? { ...row, ...live } : row
}

export const rowsIn = (events: readonly LiveEvent[]): Row[] => {
  const rows = new Map<string, Row>()
  for (const { transaction } of events) if (transaction) rows.set(transaction.id, transaction)
  return [...rows.values()]
}

const keep = (events: readonly LiveEvent[]) => {
  for (const row of rowsIn(events)) {
    const known = newest.get(row.id)
    if (!known || known.updatedAt <= row.updatedAt) {
      newest.delete(row.id)
      newest.set(row.id, row)
    }
  }
  for (const id of newest.keys()) {
    if (newest.size <= KEPT) break
    newest.delete(id)
  }
}
onEvents(keep)

/** Newest first, like the list of the gateway: by creation, then by id. */
export const compareRows = (a: Row, b: Row) =>
  a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1

/** Ids of rows that changed within the last seconds. */
export const useFresh = () => {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const timers = new Set<number>()
    const stop = onEvents((events) => {
      const ids = rowsIn(events).map(({ id }) => id)
      if (ids.length === 0) return
      setFresh((now) => new Set([...now, ...ids]))
      const timer = window.setTimeout(() => {
        timers.delete(timer)
        setFresh((now) => new Set([...now].filter((id) => !ids.includes(id))))
      }, 3_600)
      timers.add(timer)
    })
    return () => {
      stop()
      for (const timer of timers) clearTimeout(timer)
    }
  }, [])
  return fresh
}
