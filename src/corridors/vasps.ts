// Providers of virtual asset services, for forms that ask who holds a wallet (docs/domain/corridors.md#vasps).
import { type Caller, requirePermission, requirePlatform } from '#core/caller.ts'
import { isAscending, type Page, pageOf, positionAt, streamKey, type Window } from '#database/page.ts'
import { VASPS } from './vasp-directory.ts'

export interface Vasp {
  /** Its place in the directory, as the lists need it. */
  readonly id: string
  readonly position: bigint
  /** The same for all providers, because the directory has no times. */
  readonly createdAt: string
  readonly vaspName: string
  readonly url: string | null
}

export const VASP_TEXTS = {
  vaspName: 'Name of the provider.',
  url: 'Its website.',
} as const

/** New providers are added at the end of the directory, so that cursors keep their places. */
const ALL: readonly Vasp[] = VASPS.map(([vaspName, url], index) => ({
  id: String(index + 1),
  position: BigInt(index + 1),
  createdAt: '1970-01-01T00:00:00.000Z',
  vaspName,
  url,
}))

/** Needs the permission VIEW. Throws 400 `INVALID_INPUT` for a cursor of another list. */
export const listVasps = (
  caller: Caller,
  window: Window,
): { readonly page: Page<Vasp>; readonly totalCount: number } => {
  requirePlatform(caller)
  requirePermission(caller, 'VIEW')
  const list = streamKey(caller, 'vasps')
  const ascending = isAscending(window)
  const after = window.cursor ? positionAt(window.cursor, list) : null
  const beyond = ALL.filter(({ position }) => after === null || (ascending ? position > after : position < after))
  return { page: pageOf(ascending ? beyond : beyond.toReversed(), window, list), totalCount: ALL.length }
}
