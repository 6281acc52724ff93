import { useEffect, useRef } from 'react'
import { type LiveEvent, onEvents } from './live.ts'

/** Loads again regularly while the page is visible, because no event tells of everything that it shows. */
export const useRegularReload = (reload: () => void, everyMs: number) =>
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && reload(), everyMs)
    return () => clearInterval(timer)
  }, [reload, everyMs])

/** Loads again after events that concern the screen, at most once in this time, however many events there are. `concerns` may change at any time. */
export const useReload = (reload: () => void, waitMs: number, concerns: (event: LiveEvent) => boolean = () => true) => {
  const latest = useRef(concerns)
  latest.current = concerns
  useEffect(() => {
    let timer = 0
    const stop = onEvents((events) => {
      if (timer || !events.some((event) => latest.current(event))) return
      timer = window.setTimeout(() => {
        timer = 0
        reload()
      }, waitMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [reload, waitMs])
}
