// A plan holds the statements that read the rows of a query and the function that writes its answer.
import {
  type DocumentNode,
  type ExecutionArgs,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  print,
  visit,
} from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import type { GraphQLSchema } from 'graphql/type/schema.js'
import { parseId } from '#core/ids.ts'
import type { Context } from '#graphql/builder.ts'
import { Compiler, whole } from './compiler.ts'
import { NotCompiled } from './json.ts'
import type { Run } from './levels.ts'

type Variables = Readonly<Record<string, unknown>>

/** `data` as `utf8Json`. Throws if the ordinary executor must answer. Nothing has been changed by then. */
export type Plan = (context: Context, variables: Variables) => Promise<string>

const compile = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Variables,
): Plan => {
  const type = schema.getQueryType()
  if (operation.operation !== 'query' || !type) throw new NotCompiled(operation.operation)
  const fragments: Record<string, FragmentDefinitionNode> = {}
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition
  }
  const compiler = new Compiler(schema, fragments, given)
  const root = compiler.newLevel(null, 0)
  const name = { kind: Kind.NAME, value: operation.operation } as const
  const node: FieldNode = { kind: Kind.FIELD, name, selectionSet: operation.selectionSet }
  const write = compiler.row(type, [node], whole(root))
  const { rounds } = compiler
  return async (context, variables) => {
    // Resolvers are called without their meter: lists measure the time of their items.
    const { loopTime, ...unmetered } = context
    const { caller } = unmetered
    const run: Run = { caller, context: unmetered, loopTime, variables, found: [], ledTo: [], args: new Map() }
    // The lists of the operation belong to a row with this id.
    const fields: Readonly<Record<string, unknown>> = { ...caller, id: '' }
    const callerRow = root.names.map((name) => (fields[name] as string | undefined) ?? null)
    run.found[root.slot] = new Map([['', callerRow]])
    for (const round of rounds) await round.read(run)
    for (const round of rounds.toReversed()) await round.write(run)
    return write(callerRow, run) ?? 'null'
  }
}

/** The maximum number of plans of an operation: one per combination of conditions. */
const MAX_PLANS = 16

interface Known {
  /** The variables on which plans depend: conditions and ids. */
  readonly variables: readonly string[]
  /** Keyed by the values of the conditions and by the kinds of the ids. Null if only the ordinary executor can answer the operation. */
  readonly plans: Map<string, Plan | null>
}

const operations = new WeakMap<OperationDefinitionNode, Known>()

const knownOf = (operation: OperationDefinitionNode, document: DocumentNode): Known => {
  const known = operations.get(operation) ?? { variables: variablesIn(document), plans: new Map() }
  operations.set(operation, known)
  return known
}

const variablesIn = (document: DocumentNode): string[] => {
  const names = new Set<string>()
  visit(document, {
    VariableDefinition: ({ variable, type }) => {
      if (/\bID\b/.test(print(type))) names.add(variable.name.value)
    },
    Directive: ({ arguments: given = [] }) => {
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

/** What a plan depends on in the value of a variable: a condition, or the kinds of ids. */
const keyOf = (value: unknown): string => {
  if (typeof value === 'boolean') return String(value)
  const kinds = [value ?? []].flat().map((id) => parseId(String(id))?.kind)
  return [...new Set(kinds)].sort().join('+')
}

/** Executes the operation like a `Plan`. Undefined if the ordinary executor must answer. */
export const planOf = ({ schema, document, operationName, variableValues }: ExecutionArgs) => {
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  const { variables, plans } = knownOf(operation, document)
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {})
  if (!coerced) return undefined
  const key = variables.map((name) => keyOf(coerced[name])).join()
  if (!plans.has(key)) {
    if (plans.size === MAX_PLANS) return undefined
    plans.set(key, compileIfPossible(schema, document, operation, coerced))
  }
  const plan = plans.get(key)
  if (!plan) return undefined
  return async (context: Context): Promise<string> => {
    try {
      return await plan(context, coerced)
    } catch (error) {
      if (error instanceof NotCompiled) plans.set(key, null)
      throw error
    }
  }
}

const compileIfPossible = (...of: Parameters<typeof compile>): Plan | null => {
  try {
    return compile(...of)
  } catch (error) {
    // The ordinary executor reports wrong arguments.
    if (error instanceof NotCompiled || error instanceof GraphQLError) return null
    throw error
  }
}
