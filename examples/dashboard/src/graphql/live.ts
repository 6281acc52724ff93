// The stream of events. It resumes after the last event that it has seen, so after an interruption no event is missing or repeated.
import { useSyncExternalStore } from 'react'
import { createRequest } from 'urql'
import { onEnd, pipe, subscribe } from 'wonka'
import { LiveDocument, type LiveSubscription } from '../gql/graphql.ts'
import { client, documentOf } from './client.ts'
import { type Failure, failureOfError, isRefused } from './failure.ts'

export type LiveEvent = LiveSubscription['events']['events'][number]

export type Phase =
  | 'connecting'
  | 'live'
  /** Interrupted for more than two seconds. */
  | 'reconnecting'
  /** Interrupted for more than ten seconds, or the device has no network. */
  | 'offline'
  /** The credentials are revoked. */
  | 'refused'
  /** The token has as many streams as it may have. Everything else works. */
  | 'crowded'

export interface Connection {
  readonly phase: Phase
  /** When the gateway was last heard from. */
  readonly lastSeen: number | null
  /** What an interruption has cost, shown for a while after its end. */
  readonly gap: { readonly seconds: number; readonly events: number } | null
  /** Whether events were lost because the interruption was too long, so that the view was loaded again. */
  readonly hasExpired: boolean
}

const RECONNECTING_MS = 2_000
const OFFLINE_MS = 10_000
/** The gateway sends a message at least every ten seconds. */
const SILENCE_MS = 25_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const GAP_SHOWN_MS = 8_000
/** Browsers allow a few connections to one origin, and each stream takes one. A hidden page soon gives its own back. */
const HIDDEN_MS = 10_000

let connection: Connection = { phase: 'connecting', lastSeen: null, gap: null, hasExpired: false }
let cursor: string | null = null
let lostAt: number | null = null
let attempts = 0
/** Whether events may be missing that no cursor brings back. */
let isBlind = false
let isResting = false
let end: (() => void) | undefined
const timers = { retry: 0, silence: 0, phase: 0, gap: 0, hidden: 0 }
const watchers = new Set<() => void>()
const listeners = new Set<(events: readonly LiveEvent[]) => void>()
const reloaders = new Set<() => void>()
let queue: LiveEvent[] = []
let isScheduled = false

const change = (part: Partial<Connection>) => {
  connection = { ...connection, ...part }
  for (const watch of watchers) watch()
}

export const useConnection = () =>
  useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => connection,
  )

/** Called with new events, once per frame. An event is delivered once. */
export const onEvents = (listener: (events: readonly LiveEvent[]) => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Called when events are missing, so that what is shown may be wrong. */
export const onReload = (reload: () => void) => {
  reloaders.add(reload)
  return () => {
    reloaders.delete(reload)
  }
}

const deliver = () => {
  isScheduled = false
  const events = queue
  queue = []
  for (const listener of listeners) listener(events)
}

/** A hidden page gets no animation frames, but events are delivered nevertheless. */
const schedule = () => {
  if (isScheduled) return
  isScheduled = true
  if (document.hidden) setTimeout(deliver, 0)
  else requestAnimationFrame(deliver)
}

const seen = new Set<string>()
const SEEN_KEPT = 2_000

/** Ignores an event that arrives a second time after a reconnection. */
const isNew = ({ id }: LiveEvent) => {
  if (seen.has(id)) return false
  seen.add(id)
  if (seen.size > SEEN_KEPT) for (const old of seen) return seen.delete(old)
  return true
}

const open = () => {
  close()
  clearTimeout(timers.retry)
  if (!navigator.onLine) return lost()
  let hasEnded = false
  const ended = () => {
    if (hasEnded) return
    hasEnded = true
    lost()
  }
  const stream = client.executeSubscription(createRequest(documentOf(LiveDocument), { after: cursor }))
  const { unsubscribe } = pipe(
    stream,
    onEnd(ended),
    subscribe(({ data, error }) => {
      if (error) {
        hasEnded = true
        return failed(failureOfError(error))
      }
      if (data) heard(data.events)
    }),
  )
  end = () => {
    hasEnded = true
    unsubscribe()
  }
  watchSilence()
}

const close = () => {
  end?.()
  end = undefined
}

const heard = ({ events, cursor: next }: LiveSubscription['events']) => {
  cursor = next
  attempts = 0
  watchSilence()
  clearTimeout(timers.phase)
  const fresh = events.filter(isNew)
  const seconds = lostAt === null ? 0 : Math.round((Date.now() - lostAt) / 1000)
  if (isBlind) for (const reload of reloaders) reload()
  else if (seconds >= RECONNECTING_MS / 1000) showFor({ gap: { seconds, events: 0 } })
  isBlind = false
  lostAt = null
  const { gap } = connection
  change({
    phase: 'live',
    lastSeen: Date.now(),
    gap: gap && { ...gap, events: gap.events + fresh.length },
  })
  if (fresh.length === 0) return
  queue.push(...fresh)
  schedule()
}

const showFor = (news: Partial<Connection>) => {
  change(news)
  clearTimeout(timers.gap)
  timers.gap = window.setTimeout(() => change({ gap: null, hasExpired: false }), GAP_SHOWN_MS)
}

const failed = (failure: Failure) => {
  // The cursor is all that the client sends, so it has expired, or is one that this gateway does not know.
  if (failure.kind === 'INVALID_INPUT' && cursor !== null) {
    cursor = null
    isBlind = true
    showFor({ hasExpired: true })
    return open()
  }
  if (isRefused(failure)) return lost('refused')
  lost(failure.kind === 'RATE_LIMITED' ? 'crowded' : undefined)
}

/** `answer` is how the gateway refused the stream, if it answered. */
const lost = (answer?: 'refused' | 'crowded') => {
  if (isResting) return
  close()
  clearTimeout(timers.silence)
  clearTimeout(timers.retry)
  lostAt ??= Date.now()
  isBlind ||= cursor === null
  clearTimeout(timers.phase)
  if (answer) change({ phase: answer })
  else if (connection.phase !== 'refused') worsen()
  const wait = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2)
  attempts += 1
  if (navigator.onLine) timers.retry = window.setTimeout(open, wait)
}

const worsen = () => {
  const lostFor = Date.now() - (lostAt ?? Date.now())
  if (!navigator.onLine || lostFor >= OFFLINE_MS) return change({ phase: 'offline' })
  if (lostFor >= RECONNECTING_MS && connection.phase !== 'connecting') change({ phase: 'reconnecting' })
  timers.phase = window.setTimeout(worsen, lostFor < RECONNECTING_MS ? RECONNECTING_MS - lostFor : OFFLINE_MS - lostFor)
}

const watchSilence = () => {
  clearTimeout(timers.silence)
  timers.silence = window.setTimeout(() => lost(), SILENCE_MS)
}

/** Retries immediately. */
export const reconnect = () => {
  if (isResting) return
  attempts = 0
  open()
}

const rest = () => {
  isResting = true
  isBlind ||= cursor === null
  close()
  for (const timer of [timers.retry, timers.silence, timers.phase]) clearTimeout(timer)
}

/** What a hidden page missed arrives when it is shown again. */
const restWhileHidden = () => {
  clearTimeout(timers.hidden)
  if (document.hidden) timers.hidden = window.setTimeout(rest, HIDDEN_MS)
  else if (isResting) {
    isResting = false
    reconnect()
  }
}

export const startLive = () => {
  addEventListener('online', reconnect)
  addEventListener('offline', () => lost())
  document.addEventListener('visibilitychange', restWhileHidden)
  restWhileHidden()
  open()
}
