// The rows after those of a list, loaded when they are asked for.
import { type ReactNode, useState } from 'react'
import type { PageFragment, TypedDocumentString } from '../gql/graphql.ts'
import { useScreen } from '../graphql/use-screen.ts'
import { Failed } from './panel.tsx'

interface Connection<Node> {
  readonly pageInfo: PageFragment
  readonly nodes: readonly Node[]
}

interface Props<Data, Node> {
  /** Whose list it is. */
  readonly id: string
  readonly pageInfo: PageFragment | undefined
  readonly document: TypedDocumentString<Data, { id: string; after?: string | null }>
  readonly listIn: (data: Data) => Connection<Node> | null | undefined
  readonly row: (node: Node) => ReactNode
}

export const MoreRows = <Data, Node>({ id, pageInfo, document, listIn, row }: Props<Data, Node>) => {
  const [isOpen, setOpen] = useState(false)
  const after = pageInfo?.endCursor ?? null
  const { data, failure, reload } = useScreen(document, { id, after }, { pause: !isOpen })
  if (!pageInfo?.hasNextPage) return null
  const list = data && listIn(data)
  if (list)
    return (
      <>
        {list.nodes.map(row)}
        <MoreRows id={id} pageInfo={list.pageInfo} document={document} listIn={listIn} row={row} />
      </>
    )
  return (
    <li>
      {failure ? (
        <Failed what="more" failure={failure} retry={reload} />
      ) : (
        <button type="button" className="btn sm" disabled={isOpen} onClick={() => setOpen(true)}>
          Show more
        </button>
      )}
    </li>
  )
}
