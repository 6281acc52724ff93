// The accounts that fund a card (docs/domain/cards.md#card-operations).
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { partsOfId } from '#core/ids.ts'
import { idOf } from '#core/input.ts'
import type { Tx } from '#database/unit-of-work.ts'
import type { CardIssuer } from './issuer.ts'

export const MAX_FUNDING_SOURCES = 10

export const fundingSources = z
  .array(idOf('InternalAccount'), { error: 'must be a list' })
  .min(1, 'must not be empty')
  .max(MAX_FUNDING_SOURCES, `must have at most ${MAX_FUNDING_SOURCES} entries`)
  .refine((ids) => new Set(ids).size === ids.length, 'must not name an account twice')

interface Source {
  readonly id: string
  readonly customer_id: string | null
  readonly status: string
}

/**
 * Locks the accounts against being closed until `tx` ends, and returns the check of them, which throws 404 `REFERENCE_NOT_FOUND` for an
 * unknown account and 400 `INVALID_INPUT`, reason `FUNDING_SOURCE_INELIGIBLE`, for one that is not an active account of the cardholder or
 * that the issuer does not admit. Lock the customer after them, as payments do.
 */
export const lockSources = async (
  tx: Tx,
  { platformId }: Pick<Caller, 'platformId'>,
  ids: readonly string[],
): Promise<(issuer: CardIssuer, cardholderId: string) => string[]> => {
  const uuids = ids.map((id) => partsOfId(id).uuid)
  const found = await tx.$queryRaw<Source[]>`
    select id, customer_id, status::text from internal_accounts
    where platform_id = ${platformId}::uuid and id = any(${uuids}::uuid[]) order by customer_id is null, id for share`
  return (issuer, cardholderId) => {
    uuids.forEach((uuid, index) => {
      const source = found.find(({ id }) => id === uuid)
      const field = `fundingSources.${index}`
      if (!source) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such account', { field })
      if (source.customer_id === cardholderId && source.status === 'ACTIVE' && issuer.admits(uuid)) return
      const reason = 'FUNDING_SOURCE_INELIGIBLE'
      throw new ApiError('INVALID_INPUT', 'The account cannot fund the card', { field, reason })
    })
    return uuids
  }
}
