// A list that is loaded again while it is read. Its rows change in place. New rows wait until the reader asks for them, so that nothing moves.
import { useReducer, useRef } from 'react'
import type { PageFragment } from '../gql/graphql.ts'

interface Page<Row> {
  readonly nodes: readonly Row[]
  readonly pageInfo: PageFragment
}

/** Below this the reader is no longer at the top. */
export const TOP_PX = 120

/** Whether the reader is at the top of the page and not in this list, so that rows may be put above the others. */
export const mayShift = (list: Element | null | undefined) =>
  scrollY < TOP_PX && !list?.matches(':hover, :focus-within')

/** `of` names the list: when it changes, nothing is held. `ref` is for the element that contains the rows. */
export const useHeld = <Row extends { readonly id: string }>(
  loaded: Page<Row> | null | undefined,
  of: string,
  isChosen = false,
) => {
  const ref = useRef<HTMLTableSectionElement & HTMLOListElement>(null)
  const shown = useRef<{ readonly of: string; readonly page: Page<Row> } | undefined>(undefined)
  const [, render] = useReducer((count: number) => count + 1, 0)
  const isOther = shown.current?.of !== of
  if (loaded && (isOther || (!isChosen && mayShift(ref.current)))) shown.current = { of, page: loaded }
  const show = () => {
    if (loaded) shown.current = { of, page: loaded }
    scrollTo({ top: 0 })
    render()
  }
  if (!loaded || !shown.current) return { ref, rows: undefined, pageInfo: undefined, news: 0, show }
  const { page } = shown.current
  const newest = new Map(loaded.nodes.map((row) => [row.id, row]))
  // New rows push others out of the loaded page. Any other row that is missing there has left the list.
  const last = page.nodes.findLastIndex(({ id }) => newest.has(id))
  const known = new Set(page.nodes.map(({ id }) => id))
  const firstKnown = loaded.nodes.findIndex(({ id }) => known.has(id))
  return {
    ref,
    rows: page.nodes.filter(({ id }, at) => newest.has(id) || at > last).map((row) => newest.get(row.id) ?? row),
    pageInfo: page.pageInfo,
    news: firstKnown < 0 ? loaded.nodes.length : firstKnown,
    show,
  }
}
