// Canonical JSON: sorts keys, so that equal values give equal text.
import { isJsonObject } from './strict-json.ts'

/** Sorts object keys. Drops null members, unless they are kept: where GraphQL sends null, REST omits the member. */
export const canonicalJson = (value: unknown, keepsNull = false): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return String(part)
    return isJsonObject(part) ? inOrder(part, keepsNull) : part
  })

const inOrder = (object: Readonly<Record<string, unknown>>, keepsNull: boolean) =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([, member]) => keepsNull || member !== null)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  )
