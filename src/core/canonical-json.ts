// One text for each value, whatever the order of its keys.
import { isJsonObject } from './strict-json.ts'

/** JSON with the members of each object in order. A member that is null is as one that is absent: GraphQL sends the one where REST sends the other. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part)
    return isJsonObject(part) ? inOrder(part) : part
  })

const inOrder = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, member]) => member !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
