import type { DocumentNode, ExecutionArgs, VariableDefinitionNode } from 'graphql'
import { getOperationAST, valueFromASTUntyped, visit } from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Plugin } from 'graphql-yoga'

type Execute = CompiledQuery['query'] | undefined

interface Compiled {
  /** Keyed by name. Null after the first use: a document that is used once is not worth compiling. */
  readonly operations: Map<string, Execute | null>
  readonly inputVariables: ReadonlySet<string>
}

/**
 * Compiles each query of a document when it is used for the second time. Compiling takes longer than executing once, and a caller could
 * send a new document each time. Expects valid variables. Queries that cannot be compiled, or that would behave differently, are
 * executed as usual. So are mutations, because compiled ones ignore the default of a non-null input field, and messages of subscriptions.
 */
export const useJit = (): Plugin => {
  const documents = new WeakMap<DocumentNode, Compiled>()
  const compiledFor = ({ document, schema, operationName, variableValues: values }: ExecutionArgs): Execute => {
    const known = documents.get(document)
    const { operations, inputVariables } = known ?? {
      operations: new Map<string, Execute | null>(),
      inputVariables: variablesOfInputFields(document),
    }
    if (!known) documents.set(document, { operations, inputVariables })
    const name = operationName ?? ''
    if (!operations.has(name)) {
      operations.set(name, null)
      return undefined
    }
    if (operations.get(name) === null) {
      const result = compileQuery(schema, document, operationName ?? undefined)
      operations.set(name, isCompiledQuery(result) ? result.query : undefined)
    }
    const isLeftOut = ({ variable: { name }, defaultValue }: VariableDefinitionNode) =>
      inputVariables.has(name.value) && !defaultValue && values?.[name.value] === undefined
    const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
    return definitions.some(isLeftOut) ? undefined : (operations.get(name) ?? undefined)
  }
  return {
    onExecute({ args: { document, operationName }, executeFn, setExecuteFn }) {
      const operation = getOperationAST(document, operationName)
      if (operation?.operation !== 'query') return
      // Only now, because most queries are answered by plans and never get here.
      setExecuteFn((args: ExecutionArgs) => {
        const { rootValue, contextValue, variableValues } = args
        const execute = compiledFor(args)
        if (!execute) return executeFn(args)
        return execute(rootValue, contextValue, withDefaults(operation.variableDefinitions ?? [], variableValues))
      })
    },
  }
}

/**
 * The variables used as input fields. If such a variable is absent, GraphQL omits the field, but the compiled query sets it to null,
 * which may mean "clear it".
 */
const variablesOfInputFields = (document: DocumentNode): ReadonlySet<string> => {
  const names = new Set<string>()
  visit(document, {
    ObjectField: ({ value }) => {
      if (value.kind === 'Variable') names.add(value.name.value)
    },
  })
  return names
}

/** Adds default values. Otherwise the compiled query reports a non-null variable as missing even if it has a default. */
const withDefaults = (definitions: readonly VariableDefinitionNode[], values: ExecutionArgs['variableValues']) => ({
  ...Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  ),
  ...values,
})
