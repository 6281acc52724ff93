// Registry of node types for `node` and `nodes`. Slices register an object type and a batch function for each kind of id.
import type { Caller } from '#core/caller.ts'
import type { Kind } from '#core/ids.ts'
import type { AnyRecord } from '#database/record.ts'

interface NodeType {
  readonly kinds: Partial<Record<Kind, (caller: Caller, ids: readonly string[]) => Promise<readonly unknown[]>>>
  /** The name of the value's object type, or undefined if the value belongs to another node type. */
  readonly typeName: (value: unknown) => string | undefined
}

const nodeTypes: NodeType[] = []

export const registerNode = (nodeType: NodeType) => {
  nodeTypes.push(nodeType)
}

const typeNames = new Map<AnyRecord, string>()

/** The rows of a record are values of this type, which usually has the name of their kind of id. */
export const registerRecord = (record: AnyRecord, kind: Kind, name: string = kind) => {
  typeNames.set(record, name)
  registerNode({ kinds: { [kind]: record.byIds }, typeName: (value) => (record.is(value) ? name : undefined) })
}

/** The name of the object type of a registered record. */
export const typeNameOf = (record: AnyRecord): string | undefined => typeNames.get(record)

/** The batch function for objects of this kind, or undefined if the kind is not a node. */
export const batchOfKind = (kind: Kind) => nodeTypes.find(({ kinds }) => kinds[kind])?.kinds[kind]

export const typeOfNode = (value: unknown): string => {
  for (const { typeName } of nodeTypes) {
    const name = typeName(value)
    if (name) return name
  }
  throw new Error('A resolver returned a node of an unregistered type')
}
