// Caches the results of introspection. The schema never changes, and most clients send one of a few introspection documents.
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, Kind } from 'graphql'
import { execute } from 'graphql/execution/execute.js'
import type { Plugin } from 'graphql-yoga'

const MAX_ANSWERS = 8
/** Longer results are not cached. This is about three times the size of the whole schema. */
const MAX_LENGTH = 2 ** 20

interface Answer extends ExecutionResult {
  /** Yoga calls this to serialize the result. */
  readonly stringify?: (result: ExecutionResult) => string
}

/** Keeps the most recently used results. A cached result costs the caller as much as a new one. */
export const useIntrospectionAnswers = (): Plugin => {
  const answers = new Map<DocumentNode, Answer>()

  const answerTo = async (schema: GraphQLSchema, document: DocumentNode): Promise<Answer> => {
    const answer = answers.get(document) ?? (await introspect(schema, document))
    answers.delete(document)
    if (answer.stringify) answers.set(document, answer)
    for (const oldest of answers.keys()) {
      if (answers.size <= MAX_ANSWERS) break
      answers.delete(oldest)
    }
    return answer
  }

  return {
    onExecute({ args: { schema, document }, setExecuteFn }) {
      if (onlyIntrospects(document)) setExecuteFn(() => answerTo(schema, document))
    },
  }
}

const introspect = async (schema: GraphQLSchema, document: DocumentNode): Promise<Answer> => {
  const result = await execute({ schema, document })
  const { data, errors } = result
  const text = JSON.stringify(data)
  if (!data || errors || text.length > MAX_LENGTH) return result
  return {
    data,
    stringify: ({ extensions }) => `{"data":${text}${extensions ? `,"extensions":${JSON.stringify(extensions)}` : ''}}`,
  }
}

/** Whether the document is one operation without variables that selects only `__schema` and `__type`. */
const onlyIntrospects = ({ definitions }: DocumentNode): boolean => {
  const [operation, ...others] = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  if (!operation || others.length > 0 || operation.variableDefinitions?.length) return false
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && ['__schema', '__type'].includes(selection.name.value),
  )
}
