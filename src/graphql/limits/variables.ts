// Variables that their types refuse: the error says which argument of the document they stand in, and never what was sent.
import { type DocumentNode, type GraphQLInputType, getOperationAST, type VariableDefinitionNode } from 'graphql'
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

/** Refuses with the first fault, before the compiled or the plain execution coerces them again. */
export const useVariables = (): Plugin => ({
  onExecute({ args: { schema, document, operationName, variableValues }, setResultAndStopExecution }) {
    for (const definition of getOperationAST(document, operationName)?.variableDefinitions ?? []) {
      const type = typeFromAST(schema, definition.type)
      const fault = isInputType(type) ? faultOf(type, definition, variableValues ?? {}) : undefined
      if (fault) return setResultAndStopExecution({ errors: [errorOf(fault, definition, document)] })
    }
  },
})

type Path = readonly (string | number)[]

interface Fault {
  /** Within the variable. */
  readonly path: Path
  /** Goes on where the path ends. */
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

/** Ends a coercion at its first fault. */
class Refused extends Error {
  readonly fault: Fault

  constructor(fault: Fault) {
    super()
    this.fault = fault
  }
}

/** A value that is no list stands for a list of one, without an index in the path. */
const typeAt = (type: GraphQLInputType, path: Path): GraphQLInputType => {
  const [key, ...below] = path
  const nullable = getNullableType(type)
  if (key === undefined) return type
  if (isListType(nullable)) return typeAt(nullable.ofType, typeof key === 'number' ? below : path)
  const field = isInputObjectType(nullable) ? nullable.getFields()[key] : undefined
  return field ? typeAt(field.type, below) : type
}

/** `said` is what GraphQL says of an object: it names fields and types, no values. */
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

/** Of scalars that are not written as text. */
const PROBLEMS: Readonly<Record<string, string>> = {
  Boolean: 'must be true or false',
  Float: 'must be a number',
  Int: 'must be an integer of at most 32 bits',
  Int64: 'must be an integer within ±9007199254740991',
}

const errorOf = ({ path, problem }: Fault, definition: VariableDefinitionNode, document: DocumentNode) => {
  const { value: name } = definition.variable.name
  const place = argumentPath(document, (node) => node.kind === 'Variable' && node.name.value === name) || name
  const field = [place, ...path].join('.')
  return createGraphQLError(`${field} ${problem}`, { nodes: definition, extensions: { field } })
}
