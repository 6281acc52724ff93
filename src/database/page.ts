// Pages of lists in the order (createdAt, id): windows, cursors and the keyset condition, for every list of both faces.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { deriveKey } from '#core/keys.ts'
import { nothing, type Sql, sql } from './db.ts'

export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

export const SORT_ORDERS = ['ASC', 'DESC'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** Which page of a list is asked for. `field` names the argument for errors. */
export interface Window {
  readonly size: number
  /** Walk from the cursor against the order of the list; the page itself is in the order of the list. */
  readonly backward: boolean
  readonly sortOrder: SortOrder
  readonly cursor: { readonly text: string; readonly field: string } | null
}

/** Items in the order of the list. `hasMore` tells of further items in the direction of the walk. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  /** The list this page is of: cursors made for it are refused by any other. */
  readonly list: ListKey
}

/** What a cursor is bound to: who sees the list, the list, its filters and its order. */
export type ListKey = string

export const listKey = (caller: Caller, list: string, filter: unknown, sortOrder: SortOrder): ListKey => {
  const { platformId } = caller
  const viewer = caller.scheme === 'PLATFORM' ? platformId : { platformId, agentId: caller.agentId }
  // A filter that is null and one that is absent are the same.
  return JSON.stringify([viewer, list, filter, sortOrder], (_key, value) => value ?? undefined)
}

interface Listed {
  readonly id: string
  readonly createdAt: string
}

/** 1 to 100, else 400 `INVALID_INPUT`. */
export const checkPageSize = (size: number, field: string): number => {
  if (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE) return size
  throw invalidInput(field, `${field} must be an integer from 1 to ${MAX_PAGE_SIZE}`, {
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
  })
}

/** Pages are read in the order of the list, or in its reverse when walking backwards. */
const isAscending = ({ sortOrder, backward }: Window) => (sortOrder === 'ASC') !== backward

export const readOrder = (window: Window): Sql =>
  isAscending(window) ? sql`t.created_at, t.id` : sql`t.created_at desc, t.id desc`

/** The same order, but none that an index has: the rows are found by their values, and then sorted. */
const sortOrder = (window: Window): Sql =>
  isAscending(window) ? sql`row(t.created_at, t.id)` : sql`row(t.created_at, t.id) desc`

/** Whether rows are read in the order of the list, or first found by their values. */
export type Reading = 'IN_ORDER' | 'BY_VALUE'

/** One row more than the page, so that `hasMore` costs no count. */
export const orderAndLimit = (window: Window, reading: Reading = 'IN_ORDER'): Sql =>
  sql`order by ${reading === 'IN_ORDER' ? readOrder(window) : sortOrder(window)} limit ${window.size + 1}::int`

/** `and (created_at, id)` beyond the cursor; nothing without one. A cursor that was not made for this list is 400 `INVALID_INPUT`. */
export const beyondCursor = (window: Window, list: ListKey): Sql => {
  if (!window.cursor) return nothing
  const { createdAt, id } = openCursor(window.cursor, list)
  return isAscending(window)
    ? sql`and (t.created_at, t.id) > (${createdAt}::timestamptz, ${id}::uuid)`
    : sql`and (t.created_at, t.id) < (${createdAt}::timestamptz, ${id}::uuid)`
}

/** The page in the order of the list, from the rows as they were read. */
export const pageOf = <T>(rows: readonly T[], window: Window, list: ListKey): Page<T> => {
  const items = rows.slice(0, window.size)
  if (window.backward) items.reverse()
  return { items, hasMore: rows.length > window.size, list }
}

// A cursor is 8 bytes of time, 16 bytes of id and 16 bytes of MAC over both and the list, as base64url.
const POSITION_BYTES = 24
const MAC_BYTES = 16
const CURSOR = /^[A-Za-z0-9_-]{54}$/
const cursorKey = deriveKey('cursor')

const macOf = (position: Buffer, list: ListKey) =>
  createHmac('sha256', cursorKey).update(position).update(list).digest().subarray(0, MAC_BYTES)

/** The place of an item in its list. Opaque to clients. */
export const cursorOf = (item: Listed, list: ListKey): string => {
  const position = Buffer.alloc(POSITION_BYTES)
  position.writeBigInt64BE(BigInt(Date.parse(item.createdAt)))
  position.write(item.id.replaceAll('-', ''), 8, 'hex')
  return Buffer.concat([position, macOf(position, list)]).toString('base64url')
}

const openCursor = ({ text, field }: { text: string; field: string }, list: ListKey) => {
  const bytes = CURSOR.test(text) ? Buffer.from(text, 'base64url') : Buffer.alloc(0)
  const position = bytes.subarray(0, POSITION_BYTES)
  const mac = bytes.subarray(POSITION_BYTES)
  if (
    mac.length !== MAC_BYTES ||
    bytes.toString('base64url') !== text ||
    !timingSafeEqual(mac, macOf(position, list))
  ) {
    throw invalidInput(field, `${field} is not a cursor of this list with these filters and this order`)
  }
  const id = position.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { createdAt: new Date(Number(position.readBigInt64BE())).toISOString(), id }
}
