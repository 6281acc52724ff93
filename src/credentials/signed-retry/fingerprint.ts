// What makes the input of the second leg the same as that of the first: its values, whatever its white space and the order of its keys.
import { createHash } from 'node:crypto'
import { canonicalJson } from '#core/canonical-json.ts'

export const fingerprintOf = (input: unknown): Buffer =>
  createHash('sha256')
    .update(canonicalJson(input ?? {}), 'utf8')
    .digest()
