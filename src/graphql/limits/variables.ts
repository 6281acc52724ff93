// Reports an invalid variable under the argument that uses it, as for an invalid literal. The error never contains the value.
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLInputType,
  getOperationAST,
  type VariableDefinitionNode,
  visit,
} from 'graphql'
import {
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql/type/definition.js'
import { coerceInputValue } from 'graphql/utilities/coerceInputValue.js'
import { typeFromAST } from 'graphql/utilities/typeFromAST.js'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { argumentPath } from '#graphql/argument-path.ts'

/** Reports the first invalid value, before execution coerces the variables again. */
export const useVariables = (): Plugin => ({ onExecute: check, onSubscribe: check })

interface Started {
  readonly args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>
  readonly setResultAndStopExecution: (result: ExecutionResult) => void
}

const check = ({
  args: { schema, document, operationName, variableValues },
  setResultAndStopExecution,
}: Started): void => {
  for (const definition of getOperationAST(document, operationName)?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, definition.type)
    const fault = isInputType(type) ? faultOf(type, definition, variableValues ?? {}) : undefined
    if (!fault) continue
    setResultAndStopExecution({ errors: [errorOf(fault, definition, document)] })
    return
  }
}

type Path = readonly (string | number)[]

interface Fault {
  /** The path within the variable. */
  readonly path: Path
  /** The message after the path, for example `is required`. */
  readonly problem: string
}

const REQUIRED = 'is required'

const faultOf = (
  type: GraphQLInputType,
  { variable, defaultValue }: VariableDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): Fault | undefined => {
  const { value: name } = variable.name
  if (!Object.hasOwn(values, name)) {
    return isNonNullType(type) && !defaultValue ? { path: [], problem: REQUIRED } : undefined
  }
  try {
    coerceInputValue(values[name], type, (path, value, error) => {
      throw new Refused(faultAt(typeAt(type, path), path, value, error.message))
    })
  } catch (error) {
    if (error instanceof Refused) return error.fault
    throw error
  }
  return undefined
}

/** Thrown to stop coercion at the first fault. */
class Refused extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super()
    this.fault = fault
  }
}

/** The type at a path. A single value may stand for a list of one; then the path has no index. */
const typeAt = (type: GraphQLInputType, path: Path): GraphQLInputType => {
  const [key, ...below] = path
  const nullable = getNullableType(type)
  if (key === undefined) return type
  if (isListType(nullable)) return typeAt(nullable.ofType, typeof key === 'number' ? below : path)
  const field = isInputObjectType(nullable) ? nullable.getFields()[key] : undefined
  return field ? typeAt(field.type, below) : type
}

/** `said` is GraphQL's message about an object, which names fields and types but no values. */
const faultAt = (type: GraphQLInputType, path: Path, value: unknown, said: string): Fault => {
  if (value === null || value === undefined) return { path, problem: 'must not be null' }
  const nullable = getNullableType(type)
  if (isListType(nullable)) return faultAt(nullable.ofType, path, value, said)
  if (isLeafType(nullable)) {
    const problem = isEnumType(nullable)
      ? `must be one of ${nullable
          .getValues()
          .map((label) => label.name)
          .join(', ')}`
      : (PROBLEMS[nullable.name] ?? 'must be a string')
    return { path, problem }
  }
  if (typeof value !== 'object' || Array.isArray(value)) return { path, problem: 'must be an object' }
  const missing = Object.values(nullable.getFields()).find(
    (field) => isNonNullType(field.type) && field.defaultValue === undefined && !Object.hasOwn(value, field.name),
  )
  return missing ? { path: [...path, missing.name], problem: REQUIRED } : { path, problem: `is not valid: ${said}` }
}

/** Messages for scalars that are not strings. */
const PROBLEMS: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Float: 'must be a number',
  Int: 'must be an integer of at most 32 bits',
  Int64: 'must be an integer within ±9007199254740991',
}

const errorOf = ({ path, problem }: Fault, definition: VariableDefinitionNode, document: DocumentNode) => {
  const { value: name } = definition.variable.name
  // A variable that only directives use is reported under its own name: `if` would not say which one.
  const fields = visit(document, { Directive: () => null })
  const place = argumentPath(fields, (node) => node.kind === 'Variable' && node.name.value === name) || name
  const field = [place, ...path].join('.')
  return createGraphQLError(`${field} ${problem}`, { nodes: definition, extensions: { field } })
}
