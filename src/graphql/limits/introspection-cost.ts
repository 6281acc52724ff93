// Computes the cost of introspection before it runs, by walking the schema in the same way and counting the values of the result.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { getNamedType, isObjectType } from 'graphql/type/definition.js'
import { SchemaMetaFieldDef, TypeMetaFieldDef } from 'graphql/type/introspection.js'
import { keepLimit, limitOf } from './limits.ts'
import { argsOf, isLeftOut, type SentArgs } from './sent-args.ts'

/** Introspection values that take about as long as one database row. */
const VALUES_OF_NODE = 20

const META_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
)

interface Sent {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: SentArgs
}

/**
 * Counts the nodes of an operation's `__schema` and `__type` fields. Throws 400 `QUERY_TOO_COMPLEX` for more than `maxSchemas`
 * `__schema` fields. Counting stops once the result is known to exceed `maxNodes`.
 */
export const introspectionCosts = (schema: GraphQLSchema, { fragments, variables }: Sent) => {
  const mostSteps = VALUES_OF_NODE * limitOf('maxNodes')
  const known = new Map<SelectionSetNode, Map<unknown, number>>()
  let steps = 0
  let schemas = 0

  /** Counts are memoized, so a part of the schema that is reached a hundred times is walked once. */
  const valuesIn = (selectionSet: SelectionSetNode, type: GraphQLObjectType, part: unknown): number => {
    const counts = known.get(selectionSet) ?? new Map<unknown, number>()
    known.set(selectionSet, counts)
    const count = counts.get(part) ?? sum(selectionSet.selections, (selection) => valuesOf(selection, type, part))
    counts.set(part, count)
    return count
  }

  const valuesOf = (selection: SelectionNode, type: GraphQLObjectType, part: unknown): number => {
    if (isLeftOut(selection, variables)) return 0
    if (selection.kind === Kind.FIELD) return valuesOfField(selection, type.getFields()[selection.name.value], part)
    const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
    return fragment ? valuesIn(fragment.selectionSet, type, part) : 0
  }

  const valuesOfField = (node: FieldNode, field: GraphQLField<unknown, unknown> | undefined, part: unknown): number => {
    steps += 1
    const { selectionSet } = node
    const type = field && getNamedType(field.type)
    if (!selectionSet || !isObjectType(type) || steps > mostSteps) return 1
    const found = field?.resolve?.(part, argsOf(node, variables), undefined, { schema } as GraphQLResolveInfo)
    return 1 + sum([found ?? []].flat(), (item) => valuesIn(selectionSet, type, item))
  }

  return (node: FieldNode): number => {
    const field = META_FIELDS.get(node.name.value)
    if (!field) return 0
    if (field === SchemaMetaFieldDef) schemas += 1
    keepLimit('maxSchemas', schemas)
    return Math.ceil(valuesOfField(node, field, undefined) / VALUES_OF_NODE)
  }
}

const sum = <T>(items: readonly T[], count: (item: T) => number) =>
  items.reduce((total, item) => total + count(item), 0)
