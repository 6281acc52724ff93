// Registry of node types for `node` and `nodes`. Slices register a record for each kind of id.
import type { Caller } from '#core/caller.ts'
import type { Kind } from '#core/ids.ts'
import type { AnyRecord } from '#database/record.ts'

interface NodeType {
  readonly record: AnyRecord
  readonly kinds: Partial<Record<Kind, (caller: Caller, ids: readonly string[]) => Promise<readonly unknown[]>>>
  /** The name of the object type of every row, or of an interface that resolves it by `typeBy`. */
  readonly name: string
  /** The name of the object type of a row, if it is not `name`. */
  readonly typeName?: (row: never) => string
}

const nodeTypes: NodeType[] = []

export const registerNode = (nodeType: NodeType) => {
  nodeTypes.push(nodeType)
}

/** The rows of a record are values of this type, which usually has the name of their kind of id. */
export const registerRecord = (record: AnyRecord, kind: Kind, name: string = kind) => {
  registerNode({ record, kinds: { [kind]: record.byIds }, name })
}

/** The name of the type of a registered record. */
export const typeNameOf = (record: AnyRecord): string | undefined =>
  nodeTypes.find((nodeType) => nodeType.record === record)?.name

/** The node type of this kind, or undefined if the kind is not a node. */
export const nodeTypeOf = (kind: Kind): NodeType | undefined => nodeTypes.find(({ kinds }) => kinds[kind])

export const typeOfNode = (value: unknown): string => {
  const nodeType = nodeTypes.find(({ record }) => record.is(value))
  if (!nodeType) throw new Error('A resolver returned a node of an unregistered type')
  return nodeType.typeName?.(value as never) ?? nodeType.name
}
