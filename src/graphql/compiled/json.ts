// Functions that write JSON, as `utf8Json`.
import type { Row } from '#database/row.ts'
import type { Run } from './levels.ts'

/** The JSON of a `T`, or of what a row has; null if there is no value. */
interface WriteOf<T> {
  (value: T, run: Run): string | null
  /** The parts of the JSON, if it begins and ends with the same text for every value. */
  readonly parts?: Parts<T>
}
export type Write = WriteOf<Row>
export type WriteValue = WriteOf<unknown>

interface Parts<T> {
  readonly before: string
  readonly inner: (value: T, run: Run) => string | null
  readonly after: string
}

/** Only the ordinary executor can answer this operation. */
export class NotCompiled extends Error {}

/** Writes `before`, what `inner` writes, and `after`; null if that is null. */
export const within = <T>(before: string, inner: Parts<T>['inner'], after: string): WriteOf<T> =>
  Object.assign(
    (value: T, run: Run) => {
      const text = inner(value, run)
      return text === null ? null : before + text + after
    },
    { parts: { before, inner, after } },
  )

/** A member of a JSON object: its key, and its JSON or its writer. `what` names a member that must not be null. */
type Member<T> = readonly [key: string, part: string | WriteOf<T>, what?: string]

/** The constant texts of an object after a member that is null, or after one that is not. */
interface Constants {
  readonly beforeValue: readonly string[]
  readonly beforeNull: readonly string[]
  readonly end: string
}

/** A JSON object. Adjacent constants are merged into one, because V8 makes an object for each text that is appended. */
export const joined = <T = Row>(members: readonly Member<T>[]): WriteOf<T> => {
  const written: (Parts<T> & { readonly constant: string; readonly what: string | undefined })[] = []
  let constant = '{'
  members.forEach(([key, part, what], index) => {
    constant += `${index === 0 ? '' : ','}"${key}":`
    if (typeof part === 'string') constant += part
    else {
      written.push({ constant, what, ...(part.parts ?? { before: '', inner: part, after: '' }) })
      constant = ''
    }
  })
  const constantsAfter = (isNull: boolean): Constants => {
    const starts = ['', ...written.map(({ after }) => (isNull ? '' : after))]
    return {
      beforeValue: written.map(({ constant, before }, index) => `${starts[index]}${constant}${before}`),
      beforeNull: written.map(({ constant }, index) => `${starts[index]}${constant}null`),
      end: `${starts.at(-1)}${constant}}`,
    }
  }
  const [afterNull, afterValue] = [constantsAfter(true), constantsAfter(false)]
  const writes = written.map(({ inner }) => inner)
  const notNull = written.map(({ what }) => what)
  return (value, run) => {
    let text = ''
    let constants = afterNull
    for (let index = 0; index < writes.length; index += 1) {
      const inner = (writes[index] as Parts<T>['inner'])(value, run)
      if (inner !== null) {
        text = text + constants.beforeValue[index] + inner
        constants = afterValue
      } else if (notNull[index] === undefined) {
        text += constants.beforeNull[index]
        constants = afterNull
      } else {
        throw new Error(`Null for ${notNull[index]}`)
      }
    }
    return text + constants.end
  }
}
