// Email addresses in the syntax of HTML5: one ASCII recipient, without control, bidi or zero-width characters.
import { z } from 'zod'
import type { Environment } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'

const LABEL = String.raw`[a-zA-Z0-9](?:[a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])?`
/** HTML5's own pattern. It is escaped for the flag v, which the attribute `pattern` of HTML forms uses. */
export const HTML5_EMAIL = new RegExp(String.raw`^[a-zA-Z0-9.!#$%&'*+\/=?^_\x60\{\|\}~\-]+@${LABEL}(?:\.${LABEL})*$`)

export const emailAddress = z
  .email({ pattern: HTML5_EMAIL, error: 'must be an email address' })
  .max(254, 'must be at most 254 characters')

/** Throws 400 `INVALID_INPUT` for a domain without a dot. Only the sandbox accepts such addresses. */
export const requirePublicDomain = (environment: Environment, address: string, field: string): void => {
  const domain = address.slice(address.lastIndexOf('@'))
  if (environment === 'PRODUCTION' && !domain.includes('.')) {
    throw invalidInput(field, `${field} must have a domain with a dot`)
  }
}
