// Keyset pagination by (createdAt, id) for every list of both faces: windows, cursors and the SQL condition.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { deriveKey } from '#core/keys.ts'
import { nothing, type Sql, sql } from './db.ts'

export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

export const SORT_ORDERS = ['ASC', 'DESC'] as const
export type SortOrder = (typeof SORT_ORDERS)[number]

/** The requested page of a list. `field` is the argument that errors name. */
export interface Window {
  readonly size: number
  /** Whether to read backward from the cursor. The page itself is always in the order of the list. */
  readonly backward: boolean
  readonly sortOrder: SortOrder
  readonly cursor: { readonly text: string; readonly field: string } | null
}

/** `items` are in the order of the list. `hasMore` says whether more items follow in the direction of reading. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  /** The list that this page belongs to. Other lists refuse its cursors. */
  readonly list: ListKey
}

/** What a cursor is bound to: the viewer, the list, its filters and its order. */
export type ListKey = string

export const listKey = (caller: Caller, list: string, filter: unknown, sortOrder: SortOrder): ListKey => {
  const { platformId } = caller
  const viewer = caller.scheme === 'PLATFORM' ? platformId : { platformId, agentId: caller.agentId }
  // A null filter equals an absent one.
  return JSON.stringify([viewer, list, filter, sortOrder], (_key, value) => value ?? undefined)
}

interface Listed {
  readonly id: string
  readonly createdAt: string
}

/** Throws 400 `INVALID_INPUT` unless the size is 1 to 100. */
export const checkPageSize = (size: number, field: string): number => {
  if (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE) return size
  throw invalidInput(field, `${field} must be an integer from 1 to ${MAX_PAGE_SIZE}`, {
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
  })
}

/** Reading backward reverses the order of the list. */
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

/** The condition for rows beyond the cursor; empty without a cursor. Throws 400 `INVALID_INPUT` if the cursor is not from this list. */
export const beyondCursor = (window: Window, list: ListKey): Sql => {
  if (!window.cursor) return nothing
  const { createdAt, id } = openCursor(window.cursor, list)
  return isAscending(window)
    ? sql`and (t.created_at, t.id) > (${createdAt}::timestamptz, ${id}::uuid)`
    : sql`and (t.created_at, t.id) < (${createdAt}::timestamptz, ${id}::uuid)`
}

/** Turns the rows, in the order in which they were read, into a page in the order of the list. */
export const pageOf = <T>(rows: readonly T[], window: Window, list: ListKey): Page<T> => {
  const items = rows.slice(0, window.size)
  if (window.backward) items.reverse()
  return { items, hasMore: rows.length > window.size, list }
}

// A cursor is base64url: 8 bytes of time, 16 bytes of id, and a 16-byte MAC over both and the list key.
const POSITION_BYTES = 24
const MAC_BYTES = 16
const CURSOR = /^[A-Za-z0-9_-]{54}$/
const cursorKey = deriveKey('cursor')

const macOf = (position: Buffer, list: ListKey) =>
  createHmac('sha256', cursorKey).update(position).update(list).digest().subarray(0, MAC_BYTES)

/** The position of an item in its list. Clients must treat it as opaque. */
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
    throw invalidInput(field, `${field} is not a cursor from this list with the same filters and order`)
  }
  const id = position.toString('hex', 8).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { createdAt: new Date(Number(position.readBigInt64BE())).toISOString(), id }
}
