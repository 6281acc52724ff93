// Keyset pagination for every list of both faces, by (createdAt, id) or by position: windows, cursors and the SQL condition.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { decodeBase64url } from '#core/base64url.ts'
import type { Caller } from '#core/caller.ts'
import { invalidInput } from '#core/errors.ts'
import { uuidOfHex } from '#core/ids.ts'
import { deriveSecretKey } from '#core/keys.ts'
import { identifier, nothing, type Sql, sql } from './db.ts'

export const DEFAULT_PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

export type SortOrder = 'ASC' | 'DESC'

/** The keys of a list: (createdAt, id), or the position of an event in the stream of its platform. */
export type OrderedBy = 'CREATION' | 'POSITION'

/** The requested page of a list. */
export interface Window {
  readonly size: number
  /** Whether to read backward from the cursor. The page itself is always in the order of the list. */
  readonly backward: boolean
  readonly sortOrder: SortOrder
  /** Set by the list, not by the caller. Defaults to `CREATION`. */
  readonly orderedBy?: OrderedBy
  readonly cursor: GivenCursor | null
}

interface GivenCursor {
  readonly text: string
  /** The argument that errors name. */
  readonly field: string
}

/** `items` are in the order of the list. `hasMore` says whether more items follow in the direction of reading. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly hasMore: boolean
  /** The list that this page belongs to. Other lists refuse its cursors. */
  readonly list: ListKey
}

/** A cursor is bound to this key: the viewer and the list, and for a list by creation its filters and order. */
export type ListKey = string

const viewerOf = (caller: Caller) =>
  caller.scheme === 'PLATFORM' ? caller.platformId : { platformId: caller.platformId, agentId: caller.agentId }

export const listKey = (caller: Caller, list: string, filter: unknown, sortOrder: SortOrder): ListKey =>
  // A null filter equals an absent one.
  JSON.stringify([viewerOf(caller), list, filter, sortOrder], (_key, value) => value ?? undefined)

/** A position is independent of filters and order, so a client may change them and continue. */
export const streamKey = (caller: Caller, list: string): ListKey => JSON.stringify([viewerOf(caller), list])

/** An item of a list. */
export interface Listed {
  readonly id: string
  readonly createdAt: string
  /** The cursor of an item in a list by position. */
  readonly position?: bigint
}

/** Throws 400 `INVALID_INPUT` unless the size is 1 to 100. */
export const checkPageSize = (size: number, field: string): number => {
  if (Number.isInteger(size) && size >= 1 && size <= MAX_PAGE_SIZE) return size
  throw invalidInput(field, `${field} must be an integer from 1 to ${MAX_PAGE_SIZE}`, {
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
  })
}

/** Whether the rows are read from the first to the last. Reading backward reverses the order of the list. */
export const isAscending = ({ sortOrder, backward }: Window): boolean => (sortOrder === 'ASC') !== backward

export const readOrder = (window: Window): Sql => {
  if (window.orderedBy === 'POSITION') return isAscending(window) ? sql`t.position` : sql`t.position desc`
  return isAscending(window) ? sql`t.created_at, t.id` : sql`t.created_at desc, t.id desc`
}

/** The same order, written so that no index provides it: the rows are found by their values, and then sorted. */
const unindexedOrder = (window: Window): Sql =>
  isAscending(window) ? sql`row(t.created_at, t.id)` : sql`row(t.created_at, t.id) desc`

/**
 * Whether rows are read in the order of the list, or first found by their values. `PLANNED_ONCE` reads them in order by a plan that is kept,
 * for statements whose values are only the platform and the cursor: no index is better for some of them.
 */
export type Reading = 'IN_ORDER' | 'BY_VALUE' | 'PLANNED_ONCE'

/** How to read the whole list of a platform. With a filter, or for an agent, the best plan depends on the values. */
export const readingOfAll = (caller: Caller, filter: unknown): Reading =>
  caller.scheme === 'PLATFORM' && Object.values(filter ?? {}).every((value) => value === null || value === undefined)
    ? 'PLANNED_ONCE'
    : 'IN_ORDER'

/** One row more than the page, so that `hasMore` costs no count. */
export const orderAndLimit = (window: Window, reading: Reading = 'IN_ORDER'): Sql =>
  sql`order by ${reading === 'BY_VALUE' ? unindexedOrder(window) : readOrder(window)} limit ${window.size + 1}::int`

/** The order, and the limit of the longest page as a constant. Postgres assumes that an unknown limit selects a tenth of the rows. */
export const orderAndLongest = (window: Window): Sql =>
  sql`order by ${readOrder(window)} limit ${identifier(String(MAX_PAGE_SIZE + 1))}`

/** The condition for rows beyond the cursor; empty without a cursor. Throws 400 `INVALID_INPUT` if the cursor is not from this list. */
export const beyondCursor = (window: Window, list: ListKey): Sql => {
  if (!window.cursor) return nothing
  if (window.orderedBy === 'POSITION') {
    const position = positionAt(window.cursor, list)
    return isAscending(window) ? sql`and t.position > ${position}::bigint` : sql`and t.position < ${position}::bigint`
  }
  const { createdAt, id } = creationAt(window.cursor, list)
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

// A cursor is base64url: the place of the item, and a 16-byte MAC over the place and the list key. The place in a list
// by creation is 8 bytes of time and 16 bytes of id; in a list by position it is the version 1 and 8 bytes.
const CREATION_BYTES = 24
const POSITION_BYTES = 9
const VERSION = 1
const MAC_BYTES = 16
const creationKey = deriveSecretKey('cursor')
const positionKey = deriveSecretKey('event cursor')

const macOf = (key: KeyObject, place: Buffer, list: ListKey) =>
  createHmac('sha256', key).update(place).update(list).digest().subarray(0, MAC_BYTES)

/** The cursor of an item in its list. Clients must treat it as opaque. */
export const cursorOf = (item: Listed, list: ListKey): string =>
  item.position === undefined ? cursorAtCreation(item, list) : cursorAt(item.position, list)

const cursorAtCreation = ({ createdAt, id }: Listed, list: ListKey): string => {
  const place = Buffer.alloc(CREATION_BYTES)
  place.writeBigInt64BE(BigInt(Date.parse(createdAt)))
  place.write(id.replaceAll('-', ''), 8, 'hex')
  return Buffer.concat([place, macOf(creationKey, place, list)]).toString('base64url')
}

/** The cursor of this position in a list by position, whether an item has it or not. */
export const cursorAt = (position: bigint, list: ListKey): string => {
  const place = Buffer.alloc(POSITION_BYTES)
  place.writeUInt8(VERSION)
  place.writeBigInt64BE(position, 1)
  return Buffer.concat([place, macOf(positionKey, place, list)]).toString('base64url')
}

const creationAt = ({ text, field }: GivenCursor, list: ListKey) => {
  const place = placeOf(text, CREATION_BYTES, creationKey, list)
  if (!place) throw invalidInput(field, `${field} is not a cursor from this list with the same filters and order`)
  return { createdAt: new Date(Number(place.readBigInt64BE())).toISOString(), id: uuidOfHex(place.toString('hex', 8)) }
}

/** The position at a cursor of a list by position. Throws 400 `INVALID_INPUT` if the cursor is not from this list. */
export const positionAt = ({ text, field }: GivenCursor, list: ListKey): bigint => {
  const place = placeOf(text, POSITION_BYTES, positionKey, list)
  if (!place) throw invalidInput(field, `${field} is not a cursor from this list`)
  return place.readBigInt64BE(1)
}

/** Undefined unless the text is a cursor of the list: no other text has the right MAC. */
const placeOf = (text: string, size: number, key: KeyObject, list: ListKey): Buffer | undefined => {
  const bytes = text.length <= 64 ? decodeBase64url(text) : undefined
  if (bytes?.length !== size + MAC_BYTES) return undefined
  const place = bytes.subarray(0, size)
  return timingSafeEqual(bytes.subarray(size), macOf(key, place, list)) ? place : undefined
}
