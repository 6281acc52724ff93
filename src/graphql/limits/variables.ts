// Variables that their types refuse: the error says which argument of the document they stand in, as it does of a literal there.
import { type DocumentNode, type GraphQLError, getOperationAST } from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import { createGraphQLError, type Plugin } from 'graphql-yoga'
import { argumentPath } from '#graphql/argument-path.ts'

export const useVariables = (): Plugin => ({
  onExecute({ args: { schema, document, operationName, variableValues }, setResultAndStopExecution }) {
    const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
    const { errors } = getVariableValues(schema, definitions, variableValues ?? {})
    if (errors) setResultAndStopExecution({ errors: errors.map((error) => withField(error, document)) })
  },
})

/** `Variable "$filter" got invalid value "X" at "filter.status"; …`, or of the whole variable. */
const withField = ({ message, nodes = [] }: GraphQLError, document: DocumentNode): GraphQLError => {
  const [, name] = /^Variable "\$(\w+)"/.exec(message) ?? []
  const [, inside = ''] = /^Variable "\$\w+" .*? at "\w+([\w.[\]]*)"/s.exec(message) ?? []
  const place = argumentPath(document, (node) => node.kind === 'Variable' && node.name.value === name) || name
  const field = `${place}${inside.replaceAll(/\[(\d+)\]/g, '.$1')}`
  return createGraphQLError(message, { nodes, extensions: { field } })
}
