// Computes the cost of an operation, in nodes, from the document, its variables and the schema, before it runs.
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { getNamedType, getNullableType, isAbstractType, isCompositeType, isListType } from 'graphql/type/definition.js'
import { coerceInputValue } from 'graphql/utilities/coerceInputValue.js'
import { windowOfArgs } from '#graphql/connection.ts'
import type { FieldCost } from './field-cost.ts'
import { introspectionCosts } from './introspection-cost.ts'
import { argsOf, isLeftOut, type SentArgs, withDefaults } from './sent-args.ts'

type Field = GraphQLField<unknown, unknown>

/** The number of items assumed for an unpaged list. */
export const ITEMS_OF_LIST = 10

/** The cost of the statement of a field that reads rows. A level of a result is read at once, so lists around the field do not multiply it. */
export const NODES_OF_READ = 30

interface Cost {
  /** Multiplied by the lists around the selection. */
  readonly rows: number
  /** The cost of statements. */
  readonly reads: number
}

const FREE: Cost = { rows: 0, reads: 0 }

/** The cost of an operation, at least 1. The document must be valid; the variables need not be. */
export const costOf = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  sent: SentArgs,
): number => {
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )
  const variables = withDefaults(operation, sent)
  const costOfIntrospection = introspectionCosts(schema, { fragments, variables })
  const known = new Map<SelectionSetNode, Map<string, Cost>>()

  /** The cost for the most expensive possible type. `page` is the page size if the selection is on a connection. */
  const costOfSelection = (selectionSet: SelectionSetNode, type: GraphQLCompositeType, page: number): Cost => {
    const costs = known.get(selectionSet) ?? new Map<string, Cost>()
    known.set(selectionSet, costs)
    const key = `${type.name} ${page}`
    const cost = costs.get(key) ?? highest(objectTypesOf(schema, type).map((one) => costAs(selectionSet, one, page)))
    costs.set(key, cost)
    return cost
  }

  const costAs = ({ selections }: SelectionSetNode, type: GraphQLObjectType, page: number): Cost =>
    selections.reduce((cost, selection) => sum(cost, costOfPart(selection, type, page)), FREE)

  const costOfPart = (selection: SelectionNode, type: GraphQLObjectType, page: number): Cost => {
    if (isLeftOut(selection, variables)) return FREE
    if (selection.kind === Kind.FIELD) {
      const field = type.getFields()[selection.name.value]
      return field ? costOfField(field, selection, page) : { rows: costOfIntrospection(selection), reads: 0 }
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    const condition = schema.getType(fragment?.typeCondition?.name.value ?? type.name)
    const applies = condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))
    return fragment && applies ? costOfSelection(fragment.selectionSet, type, page) : FREE
  }

  const costOfField = (field: Field, node: FieldNode, page: number): Cost => {
    const type = getNamedType(field.type)
    const { rows: declared = rowsOf(schema, type), items, page: pageOf } = (field.extensions['cost'] ?? {}) as FieldCost
    const args = () => coerced(field, argsOf(node, variables))
    const rows = typeof declared === 'number' ? declared : declared(args())
    const below = (size = 0) =>
      node.selectionSet && isCompositeType(type) ? costOfSelection(node.selectionSet, type, size) : FREE
    if (isPaged(field)) {
      const size = pageSizeOf(args())
      return size === 0 ? FREE : sum({ rows: 1 + size, reads: NODES_OF_READ }, below(size))
    }
    const reads = rows > 0 ? NODES_OF_READ : 0
    if (!isListType(getNullableType(field.type))) return sum({ rows, reads }, below(pageOf?.(args())))
    const length = items === 'PAGE' ? page : (items?.(args(), schema) ?? ITEMS_OF_LIST)
    const item = below()
    return { rows: length * (rows + item.rows), reads: reads + item.reads }
  }

  const root = schema.getRootType(operation.operation)
  const { rows, reads } = root ? costOfSelection(operation.selectionSet, root, 0) : FREE
  return Math.max(1, rows + reads)
}

const sum = (one: Cost, other: Cost): Cost => ({ rows: one.rows + other.rows, reads: one.reads + other.reads })

const highest = (costs: readonly Cost[]): Cost => ({
  rows: Math.max(...costs.map(({ rows }) => rows)),
  reads: Math.max(...costs.map(({ reads }) => reads)),
})

/** The costs of an operation by its variables. */
const costs = new WeakMap<OperationDefinitionNode, Map<string, number>>()
const MAX_COSTS = 16
const MAX_KEY_LENGTH = 250

/** Like `costOf`, but remembers costs: an operation with the same variables costs what it cost before. */
export const rememberedCost: typeof costOf = (schema, document, operation, sent) => {
  const key = JSON.stringify(sent)
  const known = costs.get(operation) ?? new Map<string, number>()
  const cost = known.get(key) ?? costOf(schema, document, operation, sent)
  if (known.size === MAX_COSTS) known.clear()
  if (key.length <= MAX_KEY_LENGTH) known.set(key, cost)
  costs.set(operation, known)
  return cost
}

/** Arguments as a resolver receives them: a single value becomes a list of one. Invalid ones stay as sent, because GraphQL refuses them. */
const coerced = ({ args }: Field, sent: SentArgs): SentArgs => {
  try {
    return Object.fromEntries(
      args
        .filter(({ name }) => sent[name] !== undefined)
        .map(({ name, type }) => [name, coerceInputValue(sent[name], type)]),
    )
  } catch {
    return sent
  }
}

const isPaged = ({ args }: Field) => args.some(({ name }) => name === 'first')

/** Zero for an invalid page size, which is refused before anything is read. */
const pageSizeOf = (args: SentArgs): number => {
  try {
    return windowOfArgs(args).size
  } catch {
    return 0
  }
}

const objectTypesOf = (schema: GraphQLSchema, type: GraphQLCompositeType): readonly GraphQLObjectType[] =>
  isAbstractType(type) ? schema.getPossibleTypes(type) : [type]

/** One row for types with an id, zero for all others. */
const rowsOf = (schema: GraphQLSchema, type: ReturnType<typeof getNamedType>): number => {
  if (!isCompositeType(type)) return 0
  return objectTypesOf(schema, type).some((one) => one.getInterfaces().some(({ name }) => name === 'Node')) ? 1 : 0
}
