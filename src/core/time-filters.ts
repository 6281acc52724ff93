// The time filters of all lists and their descriptions, for both faces.
import { z } from 'zod'
import { asInstant } from './input.ts'

const DAY = 'A date without a time means the whole day in UTC.'

const CREATED_FROM = `Created at this time or later. ${DAY}`
const CREATED_UNTIL = `Created at this time or earlier. ${DAY}`
const CHANGED_FROM = `Last changed at this time or later. ${DAY}`
const CHANGED_UNTIL = `Last changed at this time or earlier. ${DAY}`

const dateTime = z.iso
  .datetime({ offset: true })
  .refine((value) => {
    const year = new Date(value).getUTCFullYear()
    return year >= 1 && year <= 9999
  })
  .transform((value) => {
    const [, fraction = '', finer = ''] = /\.(\d{1,6})(\d*)/.exec(value) ?? []
    // Digits beyond microseconds are cut off. Rows have whole milliseconds, so an instant just after one must not become equal to it.
    const micros = /[1-9]/.test(finer) ? fraction.replace(/000$/, '001') : fraction
    return `${new Date(value).toISOString().slice(0, 19)}.${micros.padEnd(6, '0')}Z`
  })

/** Postgres has no year 0. */
const date = z.iso.date().refine((value) => value >= '0001')

/** A plus sign that is not percent-encoded arrives as a space. */
const BROKEN_OFFSET = /T\S* \d{2}:\d{2}$/

const instantOr = (timeOfDate: string) =>
  asInstant(
    z.union([date.transform((value) => `${value}T${timeOfDate}Z`), dateTime], {
      error: ({ input }) =>
        BROKEN_OFFSET.test(String(input))
          ? 'must have a + before its offset, which is written %2B in a query string'
          : 'must be an ISO 8601 date-time with offset in the years 0001 to 9999, for example 2025-10-13T12:00:00Z, or a date, for example 2025-10-13',
    }),
  )

/**
 * The ends of a time range: an ISO 8601 date and time with any offset, or a date, which means the whole day in UTC. The
 * result is in UTC with microseconds, so that texts compare as times do.
 */
export const rangeStart = instantOr('00:00:00.000000')
export const rangeEnd = instantOr('23:59:59.999999')

/** The fields of a filter by the time of creation. */
export const creationRange = {
  startDate: rangeStart.nullish().describe(CREATED_FROM),
  endDate: rangeEnd.nullish().describe(CREATED_UNTIL),
}

/** The fields of a filter by the times of creation and of the last change. */
export const creationAndChangeRanges = {
  createdAfter: rangeStart.nullish().describe(CREATED_FROM),
  createdBefore: rangeEnd.nullish().describe(CREATED_UNTIL),
  updatedAfter: rangeStart.nullish().describe(CHANGED_FROM),
  updatedBefore: rangeEnd.nullish().describe(CHANGED_UNTIL),
}

/** Cuts off the digits beyond milliseconds. Postgres would round the end of the year 9999 up to the year 10000, which ISO 8601 cannot write. */
const inMilliseconds = (time: string) => `${time.slice(0, 23)}Z`

/** Like `rangeStart` and `rangeEnd`, for times that are stored. */
export const storedStart = asInstant(rangeStart.transform(inMilliseconds))
export const storedEnd = asInstant(rangeEnd.transform(inMilliseconds))

/** For the `refine` of a filter: checks that a time range does not start after its end. */
export const inOrder = <S extends string, E extends string>(
  start: S,
  end: E,
): [
  check: (filter: { readonly [K in S | E]?: string | null | undefined }) => boolean,
  params: { path: string[]; error: string },
] => [
  ({ [start]: from, [end]: to }) => !from || !to || from <= to,
  { path: [start], error: `must not be after ${end}` },
]
