// Decides when a failed delivery is retried and when an endpoint is suspended (docs/domain/events.md#delivery).
import type { EventType } from '#events/event-types.ts'

/** Counted from the event. */
export const TRIED_FOR_DAYS = 7

const FIRST_SECONDS = 5
const LONGEST_SECONDS = 30 * 60
const JITTER = 0.2

/** An approval is requested once. A test is only useful at once. */
export const isTriedOnce = (type: EventType): boolean => type === 'TEST' || type === 'INCOMING_PAYMENT.PENDING'

/** After this many failed attempts: 5 s, doubled each time up to 30 minutes, ±20 %, or what the receiver asks for if that is longer. */
export const secondsUntilRetry = (failed: number, asked: number | null): number => {
  const seconds = Math.min(FIRST_SECONDS * 2 ** (failed - 1), LONGEST_SECONDS) * (1 + JITTER * (2 * Math.random() - 1))
  return Math.max(seconds, Math.min(asked ?? 0, LONGEST_SECONDS))
}

/** The endpoint is suspended after this many consecutive failures, of any objects. */
export const SUSPENDED_AFTER = 20

/** The pause before the next attempt at a suspended endpoint, after this many consecutive failures: 1, 2, 4 … 30 minutes. */
export const minutesUntilProbe = (failures: number): number =>
  Math.min(2 ** Math.max(failures - SUSPENDED_AFTER, 0), LONGEST_SECONDS / 60)
