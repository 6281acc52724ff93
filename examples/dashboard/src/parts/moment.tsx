// Dates and times in the zone of the reader.
import { useEffect, useState } from 'react'
import { serverClock } from '../graphql/server-clock.ts'

const formats = {
  time: new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  year: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
  full: new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }),
}

/** `14:32:08` today, `21 Nov, 14:32` this year, `3 Feb 2025` before. */
const shortText = (at: Date) => {
  const now = new Date()
  if (at.toDateString() === now.toDateString()) return formats.time.format(at)
  return (at.getFullYear() === now.getFullYear() ? formats.day : formats.year).format(at)
}

export const clockText = (at: string | number) => formats.time.format(new Date(at))
export const dayText = (at: string | number) => formats.year.format(new Date(at))

interface Props {
  readonly at: string
  readonly as?: 'short' | 'full' | 'time' | 'day'
}

export const Moment = ({ at, as = 'short' }: Props) => {
  const date = new Date(at)
  const text =
    as === 'short' ? shortText(date) : { full: formats.full, time: formats.time, day: formats.year }[as].format(date)
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`} className="num">
      {text}
    </time>
  )
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `19 s`, `3 min 9 s`, `2 h 5 min`, `3 days`. */
export const durationText = (milliseconds: number) => {
  if (milliseconds < SECOND) return `${Math.max(0, Math.round(milliseconds))} ms`
  if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`
  if (milliseconds < HOUR) {
    const seconds = Math.floor((milliseconds % MINUTE) / SECOND)
    return `${Math.floor(milliseconds / MINUTE)} min${seconds ? ` ${seconds} s` : ''}`
  }
  if (milliseconds < DAY) {
    const minutes = Math.floor((milliseconds % HOUR) / MINUTE)
    return `${Math.floor(milliseconds / HOUR)} h${minutes ? ` ${minutes} min` : ''}`
  }
  const days = Math.floor(milliseconds / DAY)
  return days === 1 ? '1 day' : `${days} days`
}

/** `6 min ago`, by the clock of the gateway. */
export const agoText = (at: string, now: number) => {
  const past = now - Date.parse(at)
  if (past < 5 * SECOND) return 'just now'
  return `${durationText(past < HOUR ? past - (past % (past < MINUTE ? SECOND : MINUTE)) : past)
    .split(' ')
    .slice(0, 2)
    .join(' ')} ago`
}

/** The time at the gateway, which ticks each second. */
export const useNow = () => {
  const [now, setNow] = useState(serverClock.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverClock.now()), SECOND)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** `3:40` until then, `1 h 5 min` for longer waits, or null when it is over. */
export const leftText = (until: string, now: number): string | null => {
  const left = Date.parse(until) - now
  if (left <= 0) return null
  if (left >= HOUR) return durationText(left)
  return `${Math.floor(left / MINUTE)}:${String(Math.floor((left % MINUTE) / SECOND)).padStart(2, '0')}`
}
