// The hash by which both calls of a signed retry must have the same input. White space and the order of keys do not matter. It needs a key,
// because an input may hold a secret that can be guessed, such as a tax number.
import { canonicalJson } from '#core/json/canonical-json.ts'
import { deriveSecretKey, mac } from '#core/keys.ts'

const key = deriveSecretKey('signed retry')

export const fingerprintOf = (input: unknown, keepsNull = false): Buffer =>
  mac(key, canonicalJson(input ?? {}, keepsNull))
