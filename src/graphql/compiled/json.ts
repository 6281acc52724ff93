// Functions that write JSON, as `utf8Json`.
import type { Row } from '#database/row.ts'
import type { Run } from './levels.ts'

/** The JSON of a `T`, or of what a row has; null if there is no value. */
type WriteOf<T> = (value: T, run: Run) => string | null
export type Write = WriteOf<Row>
export type WriteValue = WriteOf<unknown>

/** Only the ordinary executor can answer this operation. */
export class NotCompiled extends Error {}

/** A member of a JSON object: its key, and its JSON or its writer. `what` names a member that must not be null. */
type Member<T> = readonly [key: string, part: string | WriteOf<T>, what?: string]

/** A JSON object. Adjacent constants are merged into one. */
export const joined = <T = Row>(members: readonly Member<T>[]): WriteOf<T> => {
  const before: string[] = []
  const writes: WriteOf<T>[] = []
  const notNull: (string | undefined)[] = []
  let constant = '{'
  members.forEach(([key, part, what], index) => {
    constant += `${index === 0 ? '' : ','}"${key}":`
    if (typeof part === 'string') constant += part
    else {
      before.push(constant)
      writes.push(part)
      notNull.push(what)
      constant = ''
    }
  })
  const end = `${constant}}`
  return (value, run) => {
    let text = ''
    for (let index = 0; index < writes.length; index += 1) {
      const written = (writes[index] as WriteOf<T>)(value, run)
      if (written !== null) text = text + before[index] + written
      else if (notNull[index] === undefined) text = `${text + before[index]}null`
      else throw new Error(`Null for ${notNull[index]}`)
    }
    return text + end
  }
}
