// Computes the cost of an operation, in rows, from the document, its variables and the schema, before it runs.
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
import { windowOfArgs } from '#graphql/connection.ts'
import type { FieldCost } from './field-cost.ts'
import { introspectionCosts } from './introspection-cost.ts'
import { argsOf, isLeftOut, type SentArgs, withDefaults } from './sent-args.ts'

type Field = GraphQLField<unknown, unknown>

/** The number of items assumed for an unpaged list. */
export const ITEMS_OF_LIST = 10

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
  const known = new Map<SelectionSetNode, Map<string, number>>()

  /** The cost for the most expensive possible type. `page` is the page size if the selection is on a connection. */
  const costOfSelection = (selectionSet: SelectionSetNode, type: GraphQLCompositeType, page: number): number => {
    const costs = known.get(selectionSet) ?? new Map<string, number>()
    known.set(selectionSet, costs)
    const key = `${type.name} ${page}`
    const cost =
      costs.get(key) ?? Math.max(...objectTypesOf(schema, type).map((one) => costAs(selectionSet, one, page)))
    costs.set(key, cost)
    return cost
  }

  const costAs = ({ selections }: SelectionSetNode, type: GraphQLObjectType, page: number): number =>
    selections.reduce((cost, selection) => cost + costOfPart(selection, type, page), 0)

  const costOfPart = (selection: SelectionNode, type: GraphQLObjectType, page: number): number => {
    if (isLeftOut(selection, variables)) return 0
    if (selection.kind === Kind.FIELD) {
      const field = type.getFields()[selection.name.value]
      return field ? costOfField(field, selection, page) : costOfIntrospection(selection)
    }
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    const condition = schema.getType(fragment?.typeCondition?.name.value ?? type.name)
    const applies = condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))
    return fragment && applies ? costOfSelection(fragment.selectionSet, type, page) : 0
  }

  const costOfField = (field: Field, node: FieldNode, page: number): number => {
    const type = getNamedType(field.type)
    const { rows: declared = rowsOf(schema, type), items, page: pageOf } = (field.extensions['cost'] ?? {}) as FieldCost
    const rows = typeof declared === 'number' ? declared : declared(argsOf(node, variables))
    const below = (size = 0) =>
      node.selectionSet && isCompositeType(type) ? costOfSelection(node.selectionSet, type, size) : 0
    if (isPaged(field)) {
      const size = pageSizeOf(argsOf(node, variables))
      return size === 0 ? 0 : 1 + size + below(size)
    }
    if (!isListType(getNullableType(field.type))) return rows + below(pageOf?.(argsOf(node, variables)))
    if (items === 'PAGE') return page * (rows + below())
    return (items ? items(argsOf(node, variables)) : ITEMS_OF_LIST) * (rows + below())
  }

  const root = schema.getRootType(operation.operation)
  return root ? Math.max(1, costOfSelection(operation.selectionSet, root, 0)) : 1
}

/** The costs of an operation by its variables. */
const costs = new WeakMap<OperationDefinitionNode, Map<string, number>>()
const MAX_COSTS = 16
const MAX_KEY_LENGTH = 250

/** Like `costOf`. An operation with variables that it had before costs what it cost then. */
export const rememberedCost: typeof costOf = (schema, document, operation, sent) => {
  const key = JSON.stringify(sent)
  const known = costs.get(operation) ?? new Map<string, number>()
  const cost = known.get(key) ?? costOf(schema, document, operation, sent)
  if (known.size === MAX_COSTS) known.clear()
  if (key.length <= MAX_KEY_LENGTH) known.set(key, cost)
  costs.set(operation, known)
  return cost
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
