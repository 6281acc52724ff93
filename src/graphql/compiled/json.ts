// Functions that write JSON, as `utf8Json`.
import type { Row } from '#database/row.ts'
import type { Run } from './levels.ts'

/** The JSON of a `T`, or of what a row has; null if there is no value. */
export type WriteOf<T> = (value: T, run: Run) => string | null
export type Write = WriteOf<Row>
export type WriteValue = WriteOf<unknown>

/** Only the ordinary executor can answer this operation. */
export class NotCompiled extends Error {}

/** `write`, where null is not allowed. */
export const required =
  <T>(write: WriteOf<T>, what: string): WriteOf<T> =>
  (value, run) => {
    const text = write(value, run)
    if (text === null) throw new Error(`Null for ${what}`)
    return text
  }

/** A JSON object. Adjacent constants are merged into one. */
export const joined = <T = Row>(
  members: readonly (readonly [key: string, part: string | WriteOf<T>])[],
): WriteOf<T> => {
  const before: string[] = []
  const writes: WriteOf<T>[] = []
  let constant = '{'
  members.forEach(([key, part], index) => {
    constant += `${index === 0 ? '' : ','}"${key}":`
    if (typeof part === 'string') constant += part
    else {
      before.push(constant)
      writes.push(part)
      constant = ''
    }
  })
  const end = `${constant}}`
  return (value, run) => {
    let text = ''
    for (let index = 0; index < writes.length; index += 1) {
      text += `${before[index]}${writes[index]?.(value, run) ?? 'null'}`
    }
    return text + end
  }
}
