// The hash by which both calls of a signed retry must have the same input. White space and the order of keys do not matter.
import { createHash } from 'node:crypto'
import { canonicalJson } from '#core/json/canonical-json.ts'

export const fingerprintOf = (input: unknown): Buffer =>
  createHash('sha256')
    .update(canonicalJson(input ?? {}), 'utf8')
    .digest()
