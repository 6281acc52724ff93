// Canonical JSON: sorts keys, so that equal values give equal text.
import { isJsonObject } from './strict-json.ts'

/** Sorts object keys and drops null members: where GraphQL sends null, REST omits the member. */
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
