// Which object type and which batch stand behind each kind of id. Slices register theirs; `node` and `nodes` look here.
import type { Caller } from '#core/caller.ts'
import type { Kind } from '#core/ids.ts'

interface NodeType {
  readonly kinds: Partial<Record<Kind, (caller: Caller, ids: readonly string[]) => Promise<readonly unknown[]>>>
  /** The name of the value's object type, undefined when the value is of another node type. */
  readonly typeName: (value: unknown) => string | undefined
}

const nodeTypes: NodeType[] = []

export const registerNode = (nodeType: NodeType) => {
  nodeTypes.push(nodeType)
}

/** The batch that loads objects of this kind, undefined when the kind is no node. */
export const batchOfKind = (kind: Kind) => nodeTypes.find(({ kinds }) => kinds[kind])?.kinds[kind]

export const typeOfNode = (value: unknown): string => {
  for (const { typeName } of nodeTypes) {
    const name = typeName(value)
    if (name) return name
  }
  throw new Error('A value that is no node was returned as one')
}
