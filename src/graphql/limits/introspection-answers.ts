// Answers to operations that only introspect. The schema never changes, and clients send one of a handful of documents whenever they start.
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, Kind } from 'graphql'
import { execute } from 'graphql/execution/execute.js'
import type { Plugin } from 'graphql-yoga'

const MAX_ANSWERS = 8
/** A longer one is not kept: about three times what the whole schema takes. */
const MAX_LENGTH = 2 ** 20

interface Answer extends ExecutionResult {
  /** Asked by Yoga for the text of the answer. */
  readonly stringify?: (result: ExecutionResult) => string
}

/** Keeps the answers that were asked for last. Their cost is counted as if each were made anew. */
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

/** One operation without variables, of nothing but `__schema` and `__type`. */
const onlyIntrospects = ({ definitions }: DocumentNode): boolean => {
  const [operation, ...others] = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  if (!operation || others.length > 0 || operation.variableDefinitions?.length) return false
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === Kind.FIELD && ['__schema', '__type'].includes(selection.name.value),
  )
}
