import type { DocumentNode, VariableDefinitionNode } from 'graphql'
import { getOperationAST, valueFromASTUntyped } from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Plugin } from 'graphql-yoga'

type Execute = CompiledQuery['query'] | undefined

/** Compiles each operation of a document once. What cannot be compiled is executed as usual. */
export const useJit = (): Plugin => {
  const compiled = new WeakMap<DocumentNode, Map<string, Execute>>()
  return {
    onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
      const { document, schema, operationName } = args
      const operations = compiled.get(document) ?? new Map<string, Execute>()
      compiled.set(document, operations)
      const name = operationName ?? ''
      if (!operations.has(name)) {
        const result = compileQuery(schema, document, operationName ?? undefined)
        operations.set(name, isCompiledQuery(result) ? result.query : undefined)
      }
      const execute = operations.get(name)
      if (!execute) return
      // Coerced by graphql-js too, so that bad variables are told of in the same words with and without JIT.
      const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
      const { errors } = getVariableValues(schema, definitions, args.variableValues ?? {})
      if (errors) setResultAndStopExecution({ errors })
      else
        setExecuteFn(({ rootValue, contextValue, variableValues }) =>
          execute(rootValue, contextValue, withDefaults(definitions, variableValues)),
        )
    },
  }
}

/** The compiled query takes a variable of non-null type for missing even when it has a default. */
const withDefaults = (definitions: readonly VariableDefinitionNode[], values: Record<string, unknown>) => ({
  ...Object.fromEntries(
    definitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  ),
  ...values,
})
