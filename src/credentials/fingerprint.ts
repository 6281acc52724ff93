// What makes the input of the second leg the same as that of the first: its values, whatever its white space and the order of its keys.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** Canonical JSON (RFC 8785). A member that is null is as one that is absent: GraphQL sends the one where REST sends the other. */
export const canonicalJson = (value: unknown): string =>
  canonicalize(JSON.parse(JSON.stringify(value ?? null, (_key, member) => member ?? undefined) ?? 'null')) ?? 'null'

export const fingerprintOf = (operation: string, target: string, input: unknown): Buffer =>
  createHash('sha256')
    .update(canonicalJson([operation, target, input ?? {}]), 'utf8')
    .digest()
