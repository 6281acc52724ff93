// Pages of accounts: of the whole platform, or of what an agent sees.
import { z } from 'zod'
import type { Caller } from '#core/caller.ts'
import { ApiError } from '#core/errors.ts'
import { parseId } from '#core/ids.ts'
import { labelOf, parse, textOf } from '#core/input.ts'
import { nothing, query, type Sql, sql } from '#database/db.ts'
import { readPage } from '#database/list.ts'
import { listKey, type Page, type Window } from '#database/page.ts'
import { type ExternalAccount, ExternalAccountRecord, externalAccountsByIds } from './external-account.ts'
import { INTERNAL_ACCOUNT_TYPES, type InternalAccount, InternalAccountRecord } from './internal-account.ts'

export const ExternalFilterInput = z.object({ currency: textOf(16).nullish() })
export const InternalFilterInput = ExternalFilterInput.extend({ type: labelOf(INTERNAL_ACCOUNT_TYPES).nullish() })
type ExternalFilter = z.infer<typeof ExternalFilterInput>
type InternalFilter = z.infer<typeof InternalFilterInput>

export const parseInternalAccountFilter = (input: unknown): InternalFilter => parse(InternalFilterInput, input)
export const parseExternalAccountFilter = (input: unknown): ExternalFilter => parse(ExternalFilterInput, input)

export const listInternalAccounts = async (
  caller: Caller,
  filter: InternalFilter,
  window: Window,
): Promise<Page<InternalAccount>> => {
  InternalAccountRecord.requireView(caller)
  const list = listKey(caller, 'internal accounts', filter, window.sortOrder)
  return readPage(InternalAccountRecord, list, window, [internal(caller, filter)])
}

export const countInternalAccounts = async (caller: Caller, filter: InternalFilter): Promise<number> => {
  InternalAccountRecord.requireView(caller)
  return countOf(sql`internal_accounts t where ${internal(caller, filter)}`)
}

export const listExternalAccounts = async (
  caller: Caller,
  filter: ExternalFilter,
  window: Window,
): Promise<Page<ExternalAccount>> => {
  ExternalAccountRecord.requireView(caller)
  const list = listKey(caller, 'external accounts', filter, window.sortOrder)
  return readPage(ExternalAccountRecord, list, window, [external(caller, filter)])
}

export const countExternalAccounts = async (caller: Caller, filter: ExternalFilter): Promise<number> => {
  ExternalAccountRecord.requireView(caller)
  return countOf(sql`external_accounts t where ${external(caller, filter)}`)
}

/** 404 `REFERENCE_NOT_FOUND` for an unknown or malformed id. */
export const readExternalAccount = async (caller: Caller, id: string): Promise<ExternalAccount> => {
  ExternalAccountRecord.requireView(caller)
  const parsed = parseId(id)
  const [account] = parsed?.kind === 'ExternalAccount' ? await externalAccountsByIds(caller, [parsed.uuid]) : []
  if (!account) throw new ApiError('REFERENCE_NOT_FOUND', 'There is no such account')
  return account
}

const internal = (caller: Caller, { currency, type }: InternalFilter): Sql =>
  sql`${InternalAccountRecord.visibleTo(caller)} ${inCurrency(currency)}
    ${type ? sql`and t.type = ${type}::internal_account_type` : nothing}`

const external = (caller: Caller, { currency }: ExternalFilter): Sql =>
  sql`${ExternalAccountRecord.visibleTo(caller)} ${inCurrency(currency)}`

const inCurrency = (currency: string | null | undefined): Sql =>
  currency ? sql`and t.currency = ${currency}` : nothing

const countOf = async (rows: Sql): Promise<number> => {
  const [row] = await query(sql`select count(*) from ${rows}`)
  return Number(row?.[0])
}
